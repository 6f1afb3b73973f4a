// Heterogeneous critical parent trees: the tasks of critical paths, each behind all that it waits for, then the others;
// each to the machine that ends it first.
//
// Source: Hagras, Janecek, ISPDC 2003. The source leaves open which parent comes first: that of least earliest start.
// Tasks that lead to no critical one come last, the ready one of least latest start first.
// Cost: O(T^2 M) for T tasks, M machines. Ties: lowest task, lowest machine.
#include <algorithm>
#include <vector>

#include "runtime/cost/graph_costs.h"
#include "runtime/cost/graph_schedule.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::workflow {
namespace {

class Hcpt final : public GraphSchedulerOf<Hcpt> {
 public:
  void schedule(const GraphProblem& problem, GraphPlan& out) override {
    const GraphCosts costs(problem);
    GraphSchedule schedule(problem);
    for (const std::uint32_t task : list_of(costs)) schedule.place(task, schedule.least_finish(task).machine);
    schedule.write(out);
  }

 private:
  // Every task that can be placed, behind its predecessors.
  static std::vector<std::uint32_t> list_of(const GraphCosts& costs) {
    const GraphProblem& problem = costs.problem();
    const std::vector<double>&earliest = costs.downward_rank(), &latest = costs.alap();
    const std::vector<std::uint32_t> early = ranks_of(earliest), late = ranks_of(latest);
    std::vector<std::uint32_t> stack, list;
    for (const std::uint32_t task : costs.order())
      if (costs.placeable(task) && alike(earliest[task], latest[task])) stack.push_back(task);
    std::ranges::stable_sort(stack, {}, [&](std::uint32_t task) { return late[task]; });
    std::ranges::reverse(stack);  // the top is the last
    std::vector<std::uint8_t> is_listed(problem.tasks(), 0);
    // Per task its predecessors, the earliest first, and the number of those that are known to be listed.
    std::vector<std::vector<std::uint32_t>> parents(problem.tasks());
    std::vector<std::size_t> passed(problem.tasks(), 0);
    while (!stack.empty()) {
      const std::uint32_t task = stack.back();
      if (passed[task] == 0 && parents[task].empty()) {
        for (const GraphArc& arc : problem.arcs.before(task)) parents[task].push_back(arc.task);
        std::ranges::stable_sort(parents[task], {}, [&](std::uint32_t each) { return early[each]; });
      }
      std::size_t& next = passed[task];
      while (next < parents[task].size() && is_listed[parents[task][next]] != 0) ++next;
      if (next < parents[task].size()) {
        stack.push_back(parents[task][next]);
        continue;
      }
      stack.pop_back();
      if (is_listed[task] == 0) list.push_back(task);
      is_listed[task] = 1;
    }
    std::vector<double> priority;
    for (const double each : latest) priority.push_back(-each);
    PriorityTasks ready(priority);
    std::vector<std::uint32_t> waits(problem.tasks());
    for (const std::uint32_t task : costs.order()) {
      if (!costs.placeable(task) || is_listed[task] != 0) continue;
      for (const GraphArc& arc : problem.arcs.before(task)) waits[task] += is_listed[arc.task] == 0 ? 1 : 0;
      if (waits[task] == 0) ready.insert(task);
    }
    while (!ready.empty()) {
      const std::uint32_t task = ready.first();
      ready.erase(task);
      list.push_back(task);
      for (const GraphArc& arc : problem.arcs.behind(task))
        if (costs.placeable(arc.task) && is_listed[arc.task] == 0 && --waits[arc.task] == 0)
          ready.insert(arc.task);
    }
    return list;
  }
};

}  // namespace

Entry hcpt() {
  return {.name = "hcpt",
          .family = Family::workflow,
          .role = Role::graph,
          .summary =
              "critical tasks behind what they wait for, then others, each to the machine that ends it first",
          .source = "Hagras, Janecek 2003",
          .complexity = "O(T^2 M)",
          .ties = "lowest task, then lowest machine",
          .make_graph_scheduler = [](const Arguments&) { return std::make_unique<Hcpt>(); }};
}

}  // namespace perigee::workflow
