// The policies with promises, for jobs over several hosts.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "runtime/schedulers/batch/list_policy.h"

namespace perigee::batch {

std::unique_ptr<Policy> easy_over_hosts(HostRule rule);
std::unique_ptr<Policy> conservative_over_hosts(HostRule rule);
// With promises of so many hosts, for jobs that take whole ones. Error "not_countable" of any other job.
std::unique_ptr<Policy> conservative_by_count();

}  // namespace perigee::batch
