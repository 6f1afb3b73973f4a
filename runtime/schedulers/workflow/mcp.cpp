// Modified critical path: tasks by their latest starts, then those of their successors; each to the machine where it
// starts first, also in a gap.
//
// Source: Wu, Gajski, IEEE TPDS 1(3), 1990; Kwok, Ahmad, ACM Computing Surveys 31(4), 1999. A task's own time is compared
// first, then those of its successors, the latest first: only so is the survey's example 20 long.
// Cost: O(T^2 log T + T^2 M) for T tasks, M machines. Ties: lowest task, lowest machine.
#include <algorithm>
#include <numeric>
#include <vector>

#include "runtime/cost/graph_costs.h"
#include "runtime/cost/graph_explain.h"
#include "runtime/cost/graph_schedule.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::workflow {
namespace {

class Mcp final : public GraphSchedulerOf<Mcp> {
 public:
  void schedule(const GraphProblem& problem, GraphPlan& out) override {
    const GraphCosts costs(problem);
    GraphSchedule schedule(problem);
    place_by_priority(schedule, priorities(costs),
                      [&](std::uint32_t task) { schedule.place(task, schedule.least_start(task).machine); });
    schedule.write(out);
  }

  void explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
               GraphStep& out) override {
    const GraphCosts costs(problem);
    const GraphSchedule before = before_graph_step(problem, plan, task, GraphFit::insertion, out);
    compare_ready(before, costs.alap(), "latest start, s", out);
    out.tasks.better = Prefer::smallest;
    out.tasks.ties = "the latest starts of successors, then lowest task position";
    compare_starts(before, task, out);
    out.rule = "by latest start, to the machine where it starts first, also in a gap";
  }

 private:
  // The less a list, the greater; a list that ends earlier is less.
  static std::vector<double> priorities(const GraphCosts& costs) {
    const std::vector<std::uint32_t> late = ranks_of(costs.alap());
    std::vector<std::vector<std::uint32_t>> lists(costs.tasks());
    for (std::size_t t = 0; t < lists.size(); ++t) {
      for (const GraphArc& arc : costs.problem().arcs.behind(t))
        if (costs.placeable(arc.task)) lists[t].push_back(late[arc.task]);
      std::ranges::sort(lists[t], std::ranges::greater());
      lists[t].insert(lists[t].begin(), late[t]);
    }
    std::vector<std::uint32_t> order(lists.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return lists[a] < lists[b]; });
    std::vector<double> priority(lists.size());
    double lists_before = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i > 0 && lists[order[i - 1]] < lists[order[i]]) ++lists_before;
      priority[order[i]] = -lists_before;
    }
    return priority;
  }
};

}  // namespace

Entry mcp() {
  return {.name = "mcp",
          .family = Family::workflow,
          .role = Role::graph,
          .summary = "tasks by latest start, each to the machine where it starts first, also in gaps",
          .source = "Wu, Gajski 1990; Kwok, Ahmad 1999",
          .complexity = "O(T^2 log T + T^2 M)",
          .ties = "lowest task, then lowest machine",
          .make_graph_scheduler = [](const Arguments&) { return std::make_unique<Mcp>(); }};
}

}  // namespace perigee::workflow
