// Facts that a coordinator knows in advance about the hosts to which it deals.
#pragma once

#include <span>
#include <vector>

#include "runtime/cost/installments.h"
#include "runtime/engine/sim.h"

namespace perigee::sweep {

// A worker per host. Its speed is that of a package that fills the host's slots, by the run's estimates. Its
// rate and latency are those with which the links on the way carry the data of a run, as declared for now. A
// sweep without data is there at once. The start latency is the host's set-up. Error "bad_link" if the link
// of a host carries nothing now.
std::vector<Worker> workers_of(Sim& sim, WorkId sweep, std::span<const HostId> hosts);

}  // namespace perigee::sweep
