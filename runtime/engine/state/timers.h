// The timers of a policy.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/kernel/ids.h"

namespace perigee::engine {

enum class TimerPhase : std::uint8_t { due, sample, late };

// The effect of a pending timer on a run in which nothing progresses and work is left.
enum class Keeps : std::uint8_t {
  nothing,  // the run may end before the timer
  run,      // the run goes on, unless the policy's timers keep coming while nothing progresses
  alive,    // the same, and the timer counts as progress: the policy gets no `stalled` before it
};

class Timers {
 public:
  struct Timer {
    std::uint32_t serial = 0;  // 0 = the slot is free
    TimerPhase phase = TimerPhase::due;
    Keeps keeps = Keeps::nothing;
    Time at = kNever;
  };

  TimerId add(Time at, TimerPhase phase, Keeps keeps) {
    std::uint32_t slot;
    if (free_.empty()) {
      slot = static_cast<std::uint32_t>(slots_.size());
      slots_.emplace_back();
    } else {
      slot = free_.back();
      free_.pop_back();
    }
    slots_[slot] = {next_serial_++, phase, keeps, at};
    count(keeps, 1);
    return {slots_[slot].serial, slot};
  }
  // Nothing happens when it is over.
  void remove(TimerId id) {
    if (!waits(id)) return;
    count(slots_[id.slot].keeps, -1);
    slots_[id.slot].serial = 0;
    free_.push_back(id.slot);
  }
  void remove_all() {
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot)
      if (slots_[slot].serial != 0) remove({slots_[slot].serial, slot});
  }

  bool waits(TimerId id) const {
    return id.valid() && id.slot < slots_.size() && slots_[id.slot].serial == id.serial;
  }
  // An id that some timer has or had.
  bool has_been(TimerId id) const { return id.slot < slots_.size() && id.serial < next_serial_; }
  const Timer& operator[](std::uint32_t slot) const { return slots_[slot]; }
  std::span<const Timer> slots() const { return slots_; }
  bool any_alive() const { return alive_ > 0; }
  bool any_keeping() const { return keeping_ > 0; }  // the run, or alive

 private:
  void count(Keeps keeps, std::int64_t more) {
    if (keeps == Keeps::alive) alive_ += more;
    if (keeps != Keeps::nothing) keeping_ += more;
  }

  std::vector<Timer> slots_;
  std::vector<std::uint32_t> free_;
  std::uint32_t next_serial_ = 1;
  std::int64_t alive_ = 0, keeping_ = 0;  // timers that keep so
};

}  // namespace perigee::engine
