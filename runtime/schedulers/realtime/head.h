// What the head of a cluster knows of its nodes, its channel and a divisible load. For policies that accept
// platforms of `one_channel` only.
#pragma once

#include "runtime/cost/divisible.h"
#include "runtime/engine/sim.h"

namespace perigee {

inline const Link& head_link(const View& view) { return view.platform()[view.platform().clusters()[0].link]; }

struct HeadLoad {
  double size = 0;
  UnitCosts costs;
};
// With what the slowest of the hosts that are up is estimated to take for a unit; while none is, as declared.
HeadLoad load_of(Sim& sim, WorkId work);

// When the host is estimated to be done with what it has been given; now when it has nothing.
Time free_from(Sim& sim, HostId host);

}  // namespace perigee
