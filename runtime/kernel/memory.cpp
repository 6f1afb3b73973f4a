#include "runtime/kernel/memory.h"

namespace perigee::kernel {

constinit thread_local int MemoryUnlimited::count_ = 0;

}  // namespace perigee::kernel
