// Dynamic level scheduling: of all ready tasks and machines the pair of the greatest dynamic level, which is the static
// level less the start, more where the machine is fast for the task. level = "general" (GDL) also counts whether the
// machine suits the successor that gets most data, and what would be lost on the task's second machine.
//
// Source: Sih, Lee, IEEE TPDS 4(2), 1993.
// Cost: O(T^2 M) for T tasks, M machines. Ties: lowest task, lowest machine.
#include <algorithm>
#include <vector>

#include "runtime/cost/graph_costs.h"
#include "runtime/cost/graph_explain.h"
#include "runtime/cost/graph_schedule.h"
#include "runtime/kernel/constants.h"
#include "runtime/kernel/work.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/workflow/ready_rows.h"

namespace perigee::workflow {
namespace {

// Per machine, how well it suits the successor that gets most data: its median time less the time there, or elsewhere
// with the transfer. All 0 without one.
void suit_successor(const GraphCosts& costs, std::size_t task, std::vector<double>& out) {
  const GraphProblem& problem = costs.problem();
  out.assign(problem.machines, 0);
  const GraphArc* most = nullptr;
  for (const GraphArc& arc : problem.arcs.behind(task))
    if (costs.placeable(arc.task) && (most == nullptr || arc.bytes > most->bytes)) most = &arc;
  if (most == nullptr) return;
  did_work(problem.machines * problem.machines / 4);
  const double median = costs.mean_time(most->task, GraphMean::median);
  for (std::size_t p = 0; p < problem.machines; ++p) {
    double least = problem.time(most->task, p);
    for (std::size_t q = 0; q < problem.machines; ++q)
      least = std::min(least, problem.transfer(*most, p, q) + problem.time(most->task, q));
    out[p] = median - least;
  }
}

class Dls final : public GraphSchedulerOf<Dls> {
 public:
  explicit Dls(bool general) : general_(general) {}

  void schedule(const GraphProblem& problem, GraphPlan& out) override {
    const GraphCosts costs(problem);
    const std::vector<double>&level = costs.static_level(GraphMean::median),
          &median = costs.mean_times(GraphMean::median);
    std::vector<std::vector<double>> suits(general_ ? problem.tasks() : 0);
    GraphSchedule schedule(problem, GraphFit::append);
    ReadyRows ready(schedule, [&](const ReadyRow& row, std::size_t machine, double start) {
      const double own = level[row.task] - start + (median[row.task] - problem.time(row.task, machine));
      if (!general_) return own;
      std::vector<double>& suit = suits[row.task];
      if (suit.empty()) suit_successor(costs, row.task, suit);
      return own + suit[machine];
    });
    const auto value_of = [this](const ReadyRow& row) {
      return general_ && row.next != kUnmapped ? row.best + (row.best - row.second) : row.best;
    };
    while (!ready.empty()) {
      double greatest = -kInfinity;
      for (const ReadyRow& row : ready.rows()) greatest = std::max(greatest, value_of(row));
      const ReadyRow& row =
          ready.lowest([&](const ReadyRow& each) { return alike(value_of(each), greatest); });
      std::uint32_t machine = 0;
      while (!alike(ready.worth(row, machine), general_ ? row.best : greatest)) ++machine;
      const std::uint32_t task = row.task;
      ready.place(task, machine);
      if (general_) suits[task] = {};  // its memory is free again
    }
    schedule.write(out);
  }

  void explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
               GraphStep& out) override {
    compare_finishes(before_graph_step(problem, plan, task, GraphFit::append, out), task, out);
    out.rule = "of all ready tasks and machines the pair of the greatest dynamic level";
  }

 private:
  bool general_;
};

}  // namespace

Entry dls() {
  return {.name = "dls",
          .family = Family::workflow,
          .role = Role::graph,
          .summary = "of all ready tasks and machines the pair of the greatest dynamic level",
          .source = "Sih, Lee 1993",
          .complexity = "O(T^2 M), with level = \"general\" also O(T M^2)",
          .ties = "lowest task, then lowest machine",
          .parameters = {{.name = "level",
                          .type = ParameterType::choice,
                          .summary = "the dynamic level, or the generalized one (GDL)",
                          .fallback = "plain",
                          .choices = {"plain", "general"}}},
          .make_graph_scheduler = [](const Arguments& given) {
            return std::make_unique<Dls>(given.choice("level") == "general");
          }};
}

}  // namespace perigee::workflow
