#include "interpreter/host/processor_time.h"

#include <csignal>
#include <ctime>
#include <mutex>

#include <unistd.h>

#ifndef sigev_notify_thread_id  // glibc before 2.38
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace perigee::host {

namespace {

// Read by the handler in the thread that wrote it.
thread_local ProcessorTicks::OnTick called = nullptr;
thread_local void* called_for = nullptr;

void on_timer(int) {
  if (called != nullptr) called(called_for);
}

void handle_timer_signal() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_handler = on_timer;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGVTALRM, &action, nullptr);
  });
}

}  // namespace

double processor_time() noexcept {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

ProcessorTicks::ProcessorTicks(OnTick on_tick, void* who) noexcept {
  handle_timer_signal();
  called_for = who;
  called = on_tick;
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGVTALRM;
  event.sigev_notify_thread_id = gettid();
  timer_t timer = nullptr;
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) return;
  timer_ = timer;
  armed_ = true;
  itimerspec each_second = {};
  each_second.it_interval.tv_sec = each_second.it_value.tv_sec = 1;
  timer_settime(timer, 0, &each_second, nullptr);
}

ProcessorTicks::~ProcessorTicks() {
  if (armed_) timer_delete(timer_);
  called = nullptr;
  called_for = nullptr;
}

}  // namespace perigee::host
