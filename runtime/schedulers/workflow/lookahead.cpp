// Lookahead: tasks by upward rank, each to the machine from which all its successors would end first.
//
// Source: Bittencourt, Sakellariou, Madeira, PDP 2010, first variant.
// Cost: O(T D M^2 G) for T tasks of D successors, M machines of G gaps. Ties: lowest task, lowest machine.
#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/cost/graph_costs.h"
#include "runtime/cost/graph_explain.h"
#include "runtime/cost/graph_schedule.h"
#include "runtime/kernel/constants.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::workflow {
namespace {

class Lookahead final : public GraphSchedulerOf<Lookahead> {
 public:
  void schedule(const GraphProblem& problem, GraphPlan& out) override {
    const GraphCosts costs(problem);
    const std::vector<double>& rank = costs.upward_rank();
    GraphSchedule schedule(problem);
    place_by_priority(schedule, rank, [&](std::uint32_t task) {
      const std::vector<std::uint32_t> next = successors(costs, task);
      forecasts_.resize(problem.machines);
      for (std::size_t m = 0; m < problem.machines; ++m)
        forecasts_[m] = problem.time(task, m) < kInfinity ? forecast(schedule, task, m, next) : kInfinity;
      schedule.place(task, first_least(forecasts_));
    });
    schedule.write(out);
  }

  void explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
               GraphStep& out) override {
    const GraphCosts costs(problem);
    GraphSchedule before = before_graph_step(problem, plan, task, GraphFit::insertion, out);
    compare_ready(before, costs.upward_rank(), "upward rank, s", out);
    const std::vector<std::uint32_t> next = successors(costs, static_cast<std::uint32_t>(task));
    compare_graph_machines(
        before, task, "last finish of its successors, s", Prefer::smallest,
        [&](std::size_t m) { return forecast(before, static_cast<std::uint32_t>(task), m, next); }, out);
    out.rule = "by upward rank, to the machine from which its successors would end first";
  }

 private:
  // By rank, the greatest first; among alike ones by number.
  static std::vector<std::uint32_t> successors(const GraphCosts& costs, std::uint32_t task) {
    std::vector<std::uint32_t> left;
    for (const GraphArc& arc : costs.problem().arcs.behind(task))
      if (costs.placeable(arc.task)) left.push_back(arc.task);
    std::vector<double> less;
    for (const std::uint32_t each : left) less.push_back(-costs.upward_rank()[each]);
    const std::vector<std::uint32_t> level = ranks_of(less);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ordered;  // by level, then by number
    for (std::size_t i = 0; i < left.size(); ++i) ordered.emplace_back(level[i], left[i]);
    std::ranges::sort(ordered);
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = ordered[i].second;
    return left;
  }
  // The last end of the successors, each placed where it ends first; of an exit its own.
  static double forecast(GraphSchedule& schedule, std::uint32_t task, std::size_t machine,
                         const std::vector<std::uint32_t>& next) {
    schedule.place(task, machine);
    double last = next.empty() ? schedule.planned(task).finish : -kInfinity;
    for (const std::uint32_t each : next) {
      const GraphBest best = schedule.least_finish(each);
      schedule.place(each, best.machine);
      last = std::max(last, schedule.planned(each).finish);
    }
    for (std::size_t i = 0; i <= next.size(); ++i) schedule.undo();
    return last;
  }

  std::vector<double> forecasts_;
};

}  // namespace

Entry lookahead() {
  return {.name = "lookahead",
          .family = Family::workflow,
          .role = Role::graph,
          .summary = "each task to the machine from which its successors would end first",
          .source = "Bittencourt, Sakellariou, Madeira 2010, section III",
          .complexity = "O(T D M^2 G) for D successors, G gaps",
          .ties = "lowest task, then lowest machine",
          .make_graph_scheduler = [](const Arguments&) { return std::make_unique<Lookahead>(); }};
}

}  // namespace perigee::workflow
