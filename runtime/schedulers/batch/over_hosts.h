// The policies with promises, for jobs over several hosts.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>

#include "runtime/engine/sim.h"
#include "runtime/schedulers/batch/list_policy.h"

namespace perigee::batch {

// `promises_count`: reservations leave their hosts to what is promised.
std::unique_ptr<Policy> easy_over_hosts(HostRule rule, Mold mold, bool promises_count);
std::unique_ptr<Policy> conservative_over_hosts(HostRule rule, Mold mold, bool promises_count);
// With promises of so many hosts, for jobs that take whole ones. Error "not_countable" of any other job.
std::unique_ptr<Policy> conservative_by_count();

// Whether an outage that is known has begun since then, or should be over. No event says so where the host was, or stays,
// down for another reason; but only now it is known to come back, or not.
inline bool windows_changed(const Sim& sim, Time since) {
  const auto reached = [&](Time at) { return at > since && at <= sim.now(); };
  return std::ranges::any_of(
      sim.windows(), [&](const Window& window) { return reached(window.from) || reached(window.to); });
}

}  // namespace perigee::batch
