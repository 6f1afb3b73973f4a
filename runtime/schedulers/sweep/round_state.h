#pragma once

#include "runtime/engine/sim.h"
#include "runtime/schedulers/sweep/node_power.h"

namespace perigee::sweep {

// The state shown to a function of (round, state) that gives a parameter. Valid during the call.
struct RoundState {
  const View& view;
  const NodePower& power;
  WorkId work;       // the sweep
  double runs = 0;   // of it
  double dealt = 0;  // of these, given out so far
  double quota = 0;  // runs of the round; NaN when they are asked for
  HostId host = {};  // the host of the package; none when the value holds for all hosts
};

}  // namespace perigee::sweep
