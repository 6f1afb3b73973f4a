// Source: Mamat, 2011, section 3.2 (the model of the cluster).
#include "runtime/cost/head_costs.h"

#include <algorithm>

namespace perigee::cost {

UnitCosts head_costs(const Platform& platform, double bytes, Seconds time) {
  const Link& link = platform[platform.clusters()[0].link];
  UnitCosts costs{.transmission = bytes / link.bandwidth.at(0),
                  .computation = time,
                  .transmission_setup = link.latency.at(0)};
  for (const Host& host : platform.hosts())
    costs.computation_setup = std::max(costs.computation_setup, host.setup);
  return costs;
}

TightDeadlines tight_deadlines(const Platform& platform, const Workload& workload) {
  TightDeadlines found;
  const std::size_t nodes = platform.hosts().size();
  for (std::size_t w = 0; w < workload.size(); ++w) {
    const WorkId id(w);
    const Work& work = workload[id];
    if (work.kind != WorkKind::load || work.deadline == kNever) continue;
    Seconds slowest = 0;
    for (std::size_t h = 0; h < nodes; ++h) {
      const Host& host = platform.hosts()[h];
      slowest = std::max(slowest, declared_time(workload, {id, 0, 1}, host, HostId(h), host.architecture));
    }
    const UnitCosts costs = head_costs(platform, workload.declared_bytes(id), slowest);
    const Seconds both = costs.transmission + costs.computation;
    if (!(both > 0) || both == kNever) continue;
    const DivisibleCosts on(costs, Partition::optimal);
    const double size = workload.size_of(id);
    const Seconds takes = on.time(size, std::min(nodes, on.useful_nodes(size))),
                  has = work.deadline - work.arrival;
    if (at_most(takes, has)) continue;
    if (found.count++ == 0) found.first = id, found.takes = takes, found.has = has;
  }
  return found;
}

}  // namespace perigee::cost
