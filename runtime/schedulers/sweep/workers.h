// What a coordinator knows beforehand of the hosts to which it deals.
#pragma once

#include <span>
#include <vector>

#include "runtime/cost/installments.h"
#include "runtime/engine/sim.h"

namespace perigee::sweep {

// Per host: runs a second, by the run's estimates, of a package that fills the host's slots; how fast and
// with what latency the links on the way to it, as they are declared for now, carry the data of a run (at
// once, where the sweep has none); its set-up. A host whose link carries nothing now: Error "bad_link".
std::vector<Worker> workers_of(Sim& sim, WorkId sweep, std::span<const HostId> hosts);

}  // namespace perigee::sweep
