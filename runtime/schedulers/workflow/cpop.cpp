// Critical path on a processor: tasks by upward and downward rank together; those of the critical path all run on the
// machine that is fastest for it.
//
// Source: Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002. Where no machine can run all of the critical path, its tasks
// are like others.
// Cost: O(T^2 M) for T tasks, M machines. Ties: lowest task, lowest machine.
#include <algorithm>
#include <vector>

#include "runtime/cost/graph_costs.h"
#include "runtime/cost/graph_explain.h"
#include "runtime/cost/graph_schedule.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/workflow/list_scheduler.h"
#include "runtime/schedulers/workflow/rank_parameters.h"

namespace perigee::workflow {
namespace {

class Cpop final : public GraphSchedulerOf<Cpop> {
 public:
  explicit Cpop(const RankOptions& options) : options_(options) {}

  void schedule(const GraphProblem& problem, GraphPlan& out) override {
    const GraphCosts costs(problem);
    const std::vector<std::uint32_t> pinned = pinned_to_critical_path(costs, options_);
    GraphSchedule schedule(problem);
    place_by_priority(schedule, costs.path_length(options_), [&](std::uint32_t task) {
      schedule.place(task, pinned[task] != kUnmapped ? pinned[task] : schedule.least_finish(task).machine);
    });
    schedule.write(out);
  }

  void explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
               GraphStep& out) override {
    const GraphCosts costs(problem);
    const GraphSchedule before = before_graph_step(problem, plan, task, GraphFit::insertion, out);
    compare_ready(before, costs.path_length(options_), "upward and downward rank, s", out);
    if (pinned_to_critical_path(costs, options_)[task] != kUnmapped) return explain_pinned(before, task, out);
    compare_finishes(before, task, out);
    out.rule = "by upward and downward rank, to the machine that ends it first, also in a gap";
  }

 private:
  RankOptions options_;
};

}  // namespace

Entry cpop() {
  return {.name = "cpop",
          .family = Family::workflow,
          .role = Role::graph,
          .summary = "the critical path on one machine, other tasks each to the machine that ends it first",
          .source = "Topcuoglu, Hariri, Wu 2002, section 4.3",
          .complexity = "O(T^2 M)",
          .ties = "lowest task, then lowest machine",
          .parameters = with_rank_parameters(),
          .make_graph_scheduler = [](const Arguments& given) {
            return std::make_unique<Cpop>(rank_options(given));
          }};
}

}  // namespace perigee::workflow
