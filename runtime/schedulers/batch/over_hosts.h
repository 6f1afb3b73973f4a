// The policies with promises, for jobs over several hosts.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "runtime/schedulers/batch/list_policy.h"

namespace perigee::batch {

std::unique_ptr<Policy> easy_over_hosts(HostRule rule);
std::unique_ptr<Policy> conservative_over_hosts(HostRule rule);

}  // namespace perigee::batch
