// Facts that a coordinator knows in advance about the hosts to which it deals.
#pragma once

#include <span>
#include <vector>

#include "runtime/cost/installments.h"
#include "runtime/engine/sim.h"

namespace perigee::sweep {

// Per host: the runs a second, by the run's estimates, of a package that fills the host's slots; the rate and
// latency with which the links on the way carry the data of a run, as declared for now (at once, if the sweep
// has no data); and the set-up. Error "bad_link" if the link of a host carries nothing now.
std::vector<Worker> workers_of(Sim& sim, WorkId sweep, std::span<const HostId> hosts);

}  // namespace perigee::sweep
