#pragma once

#include "runtime/engine/sim.h"

namespace perigee::realtime {

// The argument of a function of (round, state) that gives the bound of the next sampling period, the round.
// It describes the period that is over. Valid during the call. Before the first period there is nothing to
// show.
struct PeriodState {
  const View& view;
  double bound = std::numeric_limits<double>::quiet_NaN();       // the bound in force
  double miss_ratio = std::numeric_limits<double>::quiet_NaN();  // NaN: no load was done or late
  double misses = 0, resolved = 0;                               // admitted loads: late, and late or done
  double arrived = 0, rejected = 0;                              // loads
  double utilization = 0;                                        // busy time / time up, of all nodes
};

}  // namespace perigee::realtime
