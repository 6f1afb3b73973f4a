#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime/cost/explain.h"
#include "runtime/cost/mapping.h"
#include "runtime/engine/sim.h"
#include "runtime/engine/why.h"

namespace perigee {

// So many of a host's cores, those that are free first, are taken until then; `free` stays ascending.
inline void take_cores(std::vector<Time>& free, std::int32_t cores, Time until) {
  std::fill_n(free.begin(), std::min<std::ptrdiff_t>(cores, std::ssize(free)), until);
  std::ranges::sort(free);
}

// Works to be mapped onto hosts, which are machines with cores. Kept for its capacity.
struct HostProblem {
  std::vector<HostId> hosts;              // the machines
  std::vector<std::uint32_t> first_core;  // as in MappingProblem
  std::vector<double> ready, etc;
  std::vector<std::uint32_t> widths, clusters;  // cores per work; cluster per host, as in the platform

  void clear() {
    hosts.clear();
    clusters.clear();
    first_core.assign(1, 0);
    ready.clear();
  }
  // The times that were added to `ready` since the last host are those of its cores; without any it is left
  // out.
  void add(HostId host, ClusterId cluster) {
    if (ready.size() == first_core.back()) return;
    first_core.push_back(static_cast<std::uint32_t>(ready.size()));
    hosts.push_back(host);
    clusters.push_back(cluster.index);
  }
  // What each work takes on each of the hosts from now.
  void set_works(Sim& sim, std::span<const WorkId> works) {
    widths.clear();
    for (const WorkId work : works)
      widths.push_back(static_cast<std::uint32_t>(sim.view().workload()[work].cores));
    etc.resize(works.size() * hosts.size());
    sim.estimate().matrix(sim, works, hosts, etc);
  }
  // A view of this, which must outlive it.
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

// A mapper's step in terms of works and hosts; of several machines of a host the best.
inline void explain_step(const MappingStep& step, std::span<const WorkId> works,
                         const std::function<HostId(std::uint32_t machine)>& host_of, Decision& out) {
  out.rule = step.rule;
  out.works = step.tasks;
  for (Comparison::Candidate& candidate : out.works.candidates)
    candidate.index = works[candidate.index].index;
  const std::vector<Comparison::Candidate>& machines = step.machines.candidates;
  out.hosts = {.score = step.machines.score, .better = step.machines.better, .ties = step.machines.ties};
  for (const Comparison::Candidate& machine : machines) {
    const std::uint32_t host = host_of(machine.index).index;
    std::vector<Comparison::Candidate>& hosts = out.hosts.candidates;
    const auto known = std::ranges::find(hosts, host, &Comparison::Candidate::index);
    Comparison::Candidate candidate = machine;
    candidate.index = host;
    if (known == hosts.end())
      hosts.push_back(std::move(candidate));
    else if (candidate.open && (!known->open || machine.index == step.machine ||
                                (step.machines.better == Prefer::largest ? candidate.score > known->score
                                                                         : candidate.score < known->score)))
      *known = std::move(candidate);
  }
}

}  // namespace perigee
