// Exemptions from the limit on memory beyond which allocations are refused (interpreter/host/memory.h).
#pragma once

#include "runtime/layers.h"

namespace perigee::kernel {

// While one of these lives, no allocation of this thread is refused: for destructors that allocate.
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
