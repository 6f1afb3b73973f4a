// Long computations report how much work they have done, and their caller may stop them by an exception. One
// step is about one Lua instruction, some nanoseconds.
#pragma once

#include <cstdint>

#include "runtime/layers.h"

namespace perigee::kernel {

// The work of one thread, and the function that looks at it.
struct WorkMeter {
  static constexpr std::uint64_t kLookEvery = 10'000;  // steps

  std::uint64_t done = 0;  // since the last look
  void* who = nullptr;
  void (*look)(void* who, std::uint64_t steps) = nullptr;
};
extern constinit thread_local WorkMeter work_meter;
void look_at_work();

inline void did_work(std::uint64_t steps) {
  work_meter.done += steps;
  if (work_meter.done >= WorkMeter::kLookEvery) [[unlikely]]
    look_at_work();
}

}  // namespace perigee::kernel
