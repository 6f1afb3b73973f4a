// The policies with promises, for jobs over several hosts.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "runtime/schedulers/batch/list_policy.h"

namespace perigee::batch {

std::unique_ptr<Policy> easy_over_hosts(HostChoice rule);
std::unique_ptr<Policy> conservative_over_hosts(HostChoice rule);

// For `why`: "n.1, n.2 and 3 more", and the hosts with idle cores for a share of the work.
std::string text_of(const View& view, std::span<const Share> shares);
void list_idle_hosts(Sim& sim, WorkId work, Decision& out);

}  // namespace perigee::batch
