// A second opinion on every trace. Shares no code with the engine.
#pragma once

#include <string>
#include <vector>

#include "runtime/engine/simulation.h"

namespace perigee::results {

// The impossible claims of a trace, one line each, empty if all is well: "t = 12.5: activity 7 (compute of
// job 3 on a.1): ...". At most 100 lines and a count of the others. Checked against the scenario alone:
//   time      finite, never backwards
//   work      arrives when submitted; settled once; finished = pieces cover it and its outputs are home;
//             missed = after the deadline; the final states agree with the trace
//   place     nothing starts or ends on a resource that is away; work that an outage interrupts is lost,
//             resumed or restarted as the scenario says; outages, changes and reservations of the scenario
//             are in the trace, and reserved resources are free of other work
//   capacity  cores, exclusive hosts and links, holds
//   pieces    none twice unless copied
//   files     inputs in the cluster's store, outputs sent from where they were made
//   promises  under a policy that keeps deadlines, no accepted load is late, if nothing happened to the
//             platform, no host changes by itself, and the declarations of loads are true
//   duration  computations and transfers last as long as the truth says, within 1e-9 relative, by a walk over
//             the steps of the profiles; holds of reservations keep their promise
// Interventions in a running simulation are not part of the scenario. Outages by them are believed. If they
// change a speed, durations are not checked. Error "not_validatable" unless the trace's level is full.
std::vector<std::string> validate(const Outcome& outcome);

}  // namespace perigee::results
