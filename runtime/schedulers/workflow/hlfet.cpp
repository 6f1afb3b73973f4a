// Highest level first with estimated times: tasks by static level, each to the machine where it starts first, behind
// all that is there.
//
// Source: Adam, Chandy, Dickson, CACM 17(12), 1974; Kwok, Ahmad, ACM Computing Surveys 31(4), 1999.
// Cost: O(T^2 M) for T tasks, M machines. Ties: lowest task, lowest machine.
#include "runtime/cost/graph_costs.h"
#include "runtime/cost/graph_explain.h"
#include "runtime/cost/graph_schedule.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::workflow {
namespace {

class Hlfet final : public GraphSchedulerOf<Hlfet> {
 public:
  void schedule(const GraphProblem& problem, GraphPlan& out) override {
    const GraphCosts costs(problem);
    GraphSchedule schedule(problem, GraphFit::append);
    place_by_priority(schedule, costs.static_level(),
                      [&](std::uint32_t task) { schedule.place(task, schedule.least_start(task).machine); });
    schedule.write(out);
  }

  void explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
               GraphStep& out) override {
    const GraphCosts costs(problem);
    const GraphSchedule before = before_graph_step(problem, plan, task, GraphFit::append, out);
    compare_ready(before, costs.static_level(), "static level, s", out);
    compare_starts(before, task, out);
    out.rule = "by static level, to the machine where it starts first";
  }
};

}  // namespace

Entry hlfet() {
  return {.name = "hlfet",
          .family = Family::workflow,
          .role = Role::graph,
          .summary = "tasks by static level, each to the machine where it starts first",
          .source = "Adam, Chandy, Dickson 1974; Kwok, Ahmad 1999",
          .complexity = "O(T^2 M)",
          .ties = "lowest task, then lowest machine",
          .make_graph_scheduler = [](const Arguments&) { return std::make_unique<Hlfet>(); }};
}

}  // namespace perigee::workflow
