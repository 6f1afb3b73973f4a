// Processor time of the thread that asks, and a call each second of it.
#pragma once

#include "interpreter/layers.h"

namespace perigee::host {

// Seconds for which this thread has computed since it began.
double processor_time() noexcept;

// While an object of this class lives, `on_tick(who)` is called in the thread that made the object, each time
// the thread has computed for another second. The call comes from a signal handler (SIGVTALRM). A thread has
// at most one such object. Where the system gives no timer, no call comes.
class ProcessorTicks {
 public:
  using OnTick = void (*)(void* who) noexcept;
  ProcessorTicks(OnTick on_tick, void* who) noexcept;
  ~ProcessorTicks();
  ProcessorTicks(const ProcessorTicks&) = delete;
  ProcessorTicks& operator=(const ProcessorTicks&) = delete;

 private:
  void* timer_ = nullptr;  // timer_t
  bool armed_ = false;
};

}  // namespace perigee::host
