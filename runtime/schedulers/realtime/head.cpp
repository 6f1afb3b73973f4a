// The head of a cluster. Source: Mamat, 2011, section 3.2 (the model of the cluster).
#include "runtime/schedulers/realtime/head.h"

#include <algorithm>
#include <utility>

#include "runtime/schedulers/realtime/head_policy.h"

namespace perigee {

HeadLoad load_of(Sim& sim, WorkId work) {
  const View& view = sim.view();
  const Link& link = head_link(view);
  HeadLoad load{.size = view.workload().size_of(work), .costs = {}};
  load.costs.transmission = view.workload().extras[view.workload()[work].extra].bytes / link.bandwidth.at(0);
  load.costs.transmission_setup = link.latency.at(0);
  const bool any_up = std::ranges::any_of(view.hosts(), [](const HostView& host) { return host.up; });
  for (std::size_t h = 0; h < view.hosts().size(); ++h) {
    if (any_up && !view.hosts()[h].up) continue;
    const Host& host = view.platform().hosts()[h];
    const Piece all{work, 0, load.size};
    Seconds computation = any_up ? sim.estimate().duration(sim, all, HostId(h)) - host.setup : kNever;
    if (computation == kNever)  // nobody knows when it will be there
      computation = declared_time(view.workload(), all, host, HostId(h), view.hosts()[h].architecture);
    load.costs.computation = std::max(load.costs.computation, computation / load.size);
    load.costs.computation_setup = std::max(load.costs.computation_setup, host.setup);
  }
  return load;
}

Time free_from(Sim& sim, HostId host) {
  Time free = sim.now();
  for (const ActivityId id : sim.running_on(host)) free = std::max(free, sim.estimate().end_of(sim, id));
  for (const ActivityId id : sim.queued_on(ResourceId::of(host)))
    if (const auto posted = sim.activity(id); posted && posted->kind == ActivityKind::compute)
      free += sim.estimate().duration(sim, posted->piece, host);
  return free;
}

Entry head_entry(std::string name, std::string summary) {
  Entry entry;
  entry.name = std::move(name);
  entry.family = Family::realtime;
  entry.role = Role::policy;
  entry.summary = std::move(summary);
  entry.parameters = {{.name = "tolerance",
                       .type = ParameterType::number,
                       .summary = "relative, of comparing planned ends with deadlines",
                       .fallback = kEps,
                       .min = 0,
                       .max = 1e-3}};
  entry.accepts = {.loads = true, .one_channel = true, .alike_loads = true};
  entry.instants = {.tolerance = 1e-12};
  return entry;
}

}  // namespace perigee
