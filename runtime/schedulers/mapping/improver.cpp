// Searches that may begin with a given mapping. Source: Braun et al., JPDC 61(6), 2001, pp. 810-837 (seeding
// with min-min).
#include "runtime/schedulers/mapping/improver.h"

#include <algorithm>
#include <utility>

#include "runtime/cost/greedy.h"

namespace perigee::mapping {

void Improver::map(const MappingProblem& problem, Mapping& out) {
  Assignments space(problem);
  Search found;
  const Assignment best = search(space, nullptr, found);
  start_mapping(problem, out);
  if (!best.machine.empty()) space.answer(best, out);
  if (found.curve.empty()) found.curve.resize(1);
  found.curve.back() = out.makespan;
  out.search = std::move(found);
}

void Improver::improve(const MappingProblem& problem, Mapping& mapping) {
  Assignments space(problem);
  Search found;
  Assignment start;
  if (!space.tasks().empty()) space.take(mapping, start);
  const Assignment best = search(space, &start, found);
  if (found.curve.empty()) found.curve.resize(1);
  for (double& makespan : found.curve) makespan = std::min(makespan, mapping.makespan);
  found.curve.front() = mapping.makespan;
  Mapping better;
  if (!best.machine.empty()) {
    space.answer(best, better);
    if (better.makespan < mapping.makespan) mapping = std::move(better);
  }
  found.curve.back() = mapping.makespan;
  mapping.search = std::move(found);
}

}  // namespace perigee::mapping
