// What a platform of one cluster behind one link makes of divisible loads, as its head sees them.
#pragma once

#include "runtime/cost/divisible.h"
#include "runtime/model/workload.h"

namespace perigee::cost {

// Of a unit of so many bytes that a node computes in `time`, with the set-ups of the first cluster's link and
// of the slowest host to set up.
UnitCosts head_costs(const Platform& platform, double bytes, Seconds time);

// Loads whose deadlines leave them less time than they are declared to take on all nodes, were these idle, by
// the optimal rule; most admission tests cannot but reject them.
struct TightDeadlines {
  std::size_t count = 0;
  WorkId first = {};           // of them, if there is any
  Seconds takes = 0, has = 0;  // it on all useful nodes, it from arrival to deadline
};
TightDeadlines tight_deadlines(const Platform& platform, const Workload& workload);

}  // namespace perigee::cost
