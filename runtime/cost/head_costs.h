// Costs of divisible loads on a platform of one cluster behind one link, as the head of the cluster sees
// them.
#pragma once

#include "runtime/cost/divisible.h"
#include "runtime/model/workload.h"

namespace perigee::cost {

// The costs of a unit of so many bytes that a node computes in `time`. The set-ups are those of the first
// cluster's link and of the host that is slowest to set up.
UnitCosts head_costs(const Platform& platform, double bytes, Seconds time);

// Loads that have less time before their deadline than their declared time on all nodes, if these were idle,
// by the optimal rule. Most admission tests cannot but reject them.
struct TightDeadlines {
  std::size_t count = 0;
  WorkId first = {};           // of them, if there is any
  Seconds takes = 0, has = 0;  // its time on all useful nodes; its time from arrival to deadline
};
TightDeadlines tight_deadlines(const Platform& platform, const Workload& workload);

}  // namespace perigee::cost
