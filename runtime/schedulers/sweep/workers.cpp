// Source: Sim-PETEK, 2010, section 3.1 (the time of a package on a host).
#include "runtime/schedulers/sweep/workers.h"

#include <algorithm>
#include <optional>

#include "runtime/model/routes.h"

namespace perigee::sweep {
namespace {

constexpr Seconds kShortest = 1e-12;  // a run that takes no time

struct Way {
  double bandwidth = kNever;  // B/s
  Seconds latency = 0;
};

Way way_to(const Platform& platform, ClusterId cluster, const Route& route, Time now) {
  Way way;
  for (const LinkId id : route) {
    const Link& link = platform[id];
    way.latency += link.latency.at(now);
    if (!link.implied) way.bandwidth = std::min(way.bandwidth, link.bandwidth.at(now));
  }
  if (!(way.bandwidth > 0))
    fail_at(platform[cluster].declared_at, "bad_link",
            "cluster '{}': data of runs is sent to it, but the bandwidth on the way is {} B/s at t = {}",
            platform[cluster].name, way.bandwidth, now);
  return way;
}

}  // namespace

std::vector<Worker> workers_of(Sim& sim, WorkId sweep, std::span<const HostId> hosts) {
  const View& view = sim.view();
  const Platform& platform = view.platform();
  const WorkExtra& extra = view.workload().extras[view.workload()[sweep].extra];
  std::vector<Route> routes;
  if (extra.bytes > 0) routes = all_routes(platform, sim.now());
  std::vector<std::optional<Way>> ways(platform.clusters().size());
  std::vector<Worker> workers;
  for (const HostId id : hosts) {
    const Host& host = platform[id];
    const double runs = std::min(extra.size, static_cast<double>(std::max(1, host.slots)));
    const Seconds time = sim.estimate().duration(sim, {sweep, 0, runs}, id) - host.setup;
    Worker worker{.speed = runs / std::max(time, kShortest), .start_latency = host.setup};
    if (extra.bytes > 0) {
      const ClusterId cluster = view[id].cluster;
      std::optional<Way>& way = ways[cluster.index];
      if (!way) way = way_to(platform, cluster, routes[cluster.index], sim.now());
      worker.rate = way->bandwidth / extra.bytes;
      worker.send_latency = way->latency;
    }
    workers.push_back(worker);
  }
  return workers;
}

}  // namespace perigee::sweep
