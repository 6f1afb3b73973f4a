#include "runtime/kernel/ids.h"

#include <type_traits>

namespace perigee::kernel {

static_assert(sizeof(HostId) == 4 && sizeof(ResourceId) == 4 && sizeof(ActivityId) == 8);
static_assert(std::is_trivially_copyable_v<HostId> && std::is_trivially_copyable_v<ActivityId> &&
              std::is_trivially_copyable_v<ResourceId>);

}  // namespace perigee::kernel
