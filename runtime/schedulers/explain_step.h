// A mapper's explanation of a step, in terms of the works and hosts of a run.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "runtime/cost/explain.h"
#include "runtime/engine/why.h"

namespace perigee::schedulers {

// Translates a step to works and hosts. If a host has several machines, the best of them counts.
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

}  // namespace perigee::schedulers
