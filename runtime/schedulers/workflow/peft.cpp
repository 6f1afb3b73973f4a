// Predict earliest finish time: tasks by their mean optimistic cost to the end, each to the machine with the least sum
// of its finish there and the optimistic cost from there on.
//
// Source: Arabnejad, Barbosa, IEEE TPDS 25(3), 2014.
// Cost: O(T^2 M) for T tasks, M machines, and O(E M) for the table of E edges. Ties: lowest task, lowest machine.
#include "runtime/cost/graph_costs.h"
#include "runtime/cost/graph_explain.h"
#include "runtime/cost/graph_schedule.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::workflow {
namespace {

class Peft final : public GraphSchedulerOf<Peft> {
 public:
  void schedule(const GraphProblem& problem, GraphPlan& out) override {
    const GraphCosts costs(problem);
    const std::span<const double> table = costs.oct();
    GraphSchedule schedule(problem);
    place_by_priority(schedule, costs.mean_oct(), [&](std::uint32_t task) {
      const auto ahead = table.subspan(task * problem.machines, problem.machines);
      schedule.place(task, schedule.least_finish(task, ahead).machine);
    });
    schedule.write(out);
  }

  void explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
               GraphStep& out) override {
    const GraphCosts costs(problem);
    const GraphSchedule before = before_graph_step(problem, plan, task, GraphFit::insertion, out);
    compare_ready(before, costs.mean_oct(), "mean optimistic cost, s", out);
    compare_graph_machines(
        before, task, "finish and optimistic cost, s", Prefer::smallest,
        [&](std::size_t m) { return before.finish(task, m) + costs.oct(task, m); }, out);
    out.rule = "by mean optimistic cost, to the machine of least finish and optimistic cost from there on";
  }
};

}  // namespace

Entry peft() {
  return {.name = "peft",
          .family = Family::workflow,
          .role = Role::graph,
          .summary = "each task to the machine with the least finish and optimistic cost from there on",
          .source = "Arabnejad, Barbosa 2014, section 4",
          .complexity = "O(T^2 M), its table O(E M) for E edges",
          .ties = "lowest task, then lowest machine",
          .make_graph_scheduler = [](const Arguments&) { return std::make_unique<Peft>(); }};
}

}  // namespace perigee::workflow
