#include "runtime/kernel/work.h"

#include <utility>

namespace perigee::kernel {

constinit thread_local WorkMeter work_meter;

void look_at_work() {
  const std::uint64_t done = std::exchange(work_meter.done, 0);
  if (work_meter.look != nullptr) work_meter.look(work_meter.who, done);
}

}  // namespace perigee::kernel
