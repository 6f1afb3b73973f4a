// Heterogeneous earliest finish time: tasks by decreasing upward rank, each to the machine that ends it first, also in
// a gap between others.
//
// Source: Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002.
// Cost: O(T^2 M) for T tasks, M machines; O(T M) and the gaps that are looked at. Ties: lowest task, lowest machine.
#include "runtime/cost/graph_costs.h"
#include "runtime/cost/graph_explain.h"
#include "runtime/cost/graph_schedule.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/workflow/rank_parameters.h"

namespace perigee::workflow {
namespace {

class Heft final : public GraphSchedulerOf<Heft> {
 public:
  explicit Heft(const RankOptions& options) : options_(options) {}

  void schedule(const GraphProblem& problem, GraphPlan& out) override {
    const GraphCosts costs(problem);
    GraphSchedule schedule(problem);
    place_by_priority(schedule, costs.upward_rank(options_),
                      [&](std::uint32_t task) { schedule.place(task, schedule.least_finish(task).machine); });
    schedule.write(out);
  }

  void explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
               GraphStep& out) override {
    const GraphCosts costs(problem);
    const GraphSchedule before = before_graph_step(problem, plan, task, GraphFit::insertion, out);
    compare_ready(before, costs.upward_rank(options_), "upward rank, s", out);
    compare_finishes(before, task, out);
    out.rule = "by upward rank, to the machine that ends it first, also in a gap";
  }

 private:
  RankOptions options_;
};

}  // namespace

Entry heft() {
  return {.name = "heft",
          .family = Family::workflow,
          .role = Role::graph,
          .summary = "tasks by upward rank, each to the machine that ends it first, also in gaps",
          .source = "Topcuoglu, Hariri, Wu 2002, section 4.2",
          .complexity = "O(T^2 M)",
          .ties = "lowest task, then lowest machine",
          .parameters = with_rank_parameters(),
          .make_graph_scheduler = [](const Arguments& given) {
            return std::make_unique<Heft>(rank_options(given));
          }};
}

}  // namespace perigee::workflow
