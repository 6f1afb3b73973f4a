// Where allocations may be refused beyond a limit (interpreter/memory.h): what must not be.
#pragma once

#include "runtime/layers.h"

namespace perigee::kernel {

// While one lives, no allocation of this thread is refused: for destructors that allocate.
class MemoryUnlimited {
 public:
  MemoryUnlimited() { ++count_; }
  ~MemoryUnlimited() { --count_; }
  MemoryUnlimited(const MemoryUnlimited&) = delete;
  MemoryUnlimited& operator=(const MemoryUnlimited&) = delete;
  static bool any() { return count_ > 0; }

 private:
  static constinit thread_local int count_;
};

}  // namespace perigee::kernel
