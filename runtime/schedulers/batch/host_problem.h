#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/cost/mapping.h"
#include "runtime/engine/sim.h"
#include "runtime/kernel/room.h"
#include "runtime/kernel/work.h"

namespace perigee::batch {

// Takes so many of a host's cores, those that are free first, until then; `free` stays ascending.
inline void take_cores(std::vector<Time>& free, std::int32_t cores, Time until) {
  std::fill_n(free.begin(), std::min<std::ptrdiff_t>(cores, std::ssize(free)), until);
  std::ranges::sort(free);
}

// Works to be mapped onto hosts, which are machines with cores. The object is kept for its capacity.
struct HostProblem {
  std::vector<HostId> hosts;                    // the machines
  std::vector<std::uint32_t> first_core;        // as in MappingProblem
  std::vector<double> ready, etc;               // s: times per core; seconds from now, a row per work
  std::vector<std::uint32_t> widths, clusters;  // cores per work; cluster per host, as in the platform

  void clear() {
    hosts.clear();
    clusters.clear();
    first_core.assign(1, 0);
    ready.clear();
  }
  // Adds a host. Its cores are the times added to `ready` since the last host; a host without any is left
  // out.
  void add(HostId host, ClusterId cluster) {
    if (ready.size() == first_core.back()) return;
    first_core.push_back(static_cast<std::uint32_t>(ready.size()));
    hosts.push_back(host);
    clusters.push_back(cluster.index);
  }
  // Sets the time of each work on each of the hosts from now.
  void set_works(Sim& sim, std::span<const WorkId> works) {
    widths.clear();
    for (const WorkId work : works)
      widths.push_back(static_cast<std::uint32_t>(sim.view().workload()[work].cores));
    did_work(works.size() * (1 + hosts.size() / 2));
    if (works.size() * hosts.size() > etc.capacity())
      will_take_matrix(works.size(), hosts.size(),
                       "fewer works wait at once where they are mapped in groups");
    etc.resize(works.size() * hosts.size());
    sim.estimate().matrix(sim, works, hosts, etc);
  }
  // A view of this object, which must outlive it.
  MappingProblem problem(bool whole_machine) const {
    return {.tasks = widths.size(),
            .machines = hosts.size(),
            .etc = etc,
            .ready = ready,
            .first_core = first_core,
            .width = widths,
            .whole_machine = whole_machine,
            .cluster = clusters};
  }
};

}  // namespace perigee::batch
