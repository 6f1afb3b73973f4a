// Earliest task first: of all ready tasks and machines the pair that can start first.
//
// Source: Hwang, Chow, Anger, Lee, SIAM J. Comput. 18(2), 1989; form = "pairs" is that of Kwok, Ahmad, ACM Computing
// Surveys 31(4), 1999; "moments" looks at machines that are free by a moment, which goes from finish to finish.
// Cost: O(T^2 M) for T tasks, M machines. Ties: greatest static level, lowest task, lowest machine.
#include <algorithm>
#include <utility>
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

class EtfPairs final : public GraphSchedulerOf<EtfPairs> {
 public:
  void schedule(const GraphProblem& problem, GraphPlan& out) override {
    const GraphCosts costs(problem);
    const std::vector<double>& level = costs.static_level();
    GraphSchedule schedule(problem, GraphFit::append);
    ReadyRows ready(schedule, [](const ReadyRow&, std::size_t, double start) { return -start; });
    while (!ready.empty()) {
      double first = -kInfinity, highest = -kInfinity;
      for (const ReadyRow& row : ready.rows()) first = std::max(first, row.best);
      for (const ReadyRow& row : ready.rows())
        if (alike(row.best, first)) highest = std::max(highest, level[row.task]);
      const ReadyRow& row = ready.lowest(
          [&](const ReadyRow& each) { return alike(each.best, first) && alike(level[each.task], highest); });
      std::uint32_t machine = 0;
      while (!alike(ready.worth(row, machine), first)) ++machine;
      ready.place(row.task, machine);
    }
    schedule.write(out);
  }

  void explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
               GraphStep& out) override {
    compare_starts(before_graph_step(problem, plan, task, GraphFit::append, out), task, out);
    out.rule = "of all ready tasks and machines the pair that can start first";
  }
};

class EtfMoments final : public GraphSchedulerOf<EtfMoments> {
 public:
  void schedule(const GraphProblem& problem, GraphPlan& out) override {
    const GraphCosts costs(problem);
    GraphSchedule schedule(problem, GraphFit::append);
    double now = problem.now;
    for (std::vector<std::uint32_t> ready = schedule.ready_tasks(); !ready.empty();
         ready = schedule.ready_tasks()) {
      double then = next_end(schedule, now);
      std::vector<std::uint32_t> free;
      for (std::uint32_t m = 0; m < problem.machines; ++m)
        if (schedule.end(m) <= now) free.push_back(m);
      place_at(costs, schedule, now, then, std::move(ready), std::move(free));
      now = then;
    }
    schedule.write(out);
  }

  void explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
               GraphStep& out) override {
    compare_starts(before_graph_step(problem, plan, task, GraphFit::append, out), task, out);
    out.rule = "of the ready tasks and free machines the pair whose data is there first";
  }

 private:
  static double next_end(const GraphSchedule& schedule, double now) {
    double next = kInfinity;
    for (std::size_t m = 0; m < schedule.problem().machines; ++m)
      if (schedule.end(m) > now) next = std::min(next, schedule.end(m));
    return next;
  }

  // Places tasks on machines, each once, as long as one could start before anything ends.
  static void place_at(const GraphCosts& costs, GraphSchedule& schedule, double now, double& then,
                       std::vector<std::uint32_t> tasks, std::vector<std::uint32_t> machines) {
    const GraphProblem& problem = costs.problem();
    const std::vector<double>& level = costs.static_level();
    std::vector<std::vector<double>> arrivals(tasks.size());
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      schedule.arrivals(tasks[t], arrivals[t]);
      for (const std::uint32_t m : machines)
        if (!(problem.time(tasks[t], m) < kInfinity)) arrivals[t][m] = kInfinity;
    }
    while (!tasks.empty() && !machines.empty()) {
      did_work(tasks.size() * machines.size());
      double first = kInfinity, highest = -kInfinity;
      for (const std::vector<double>& row : arrivals)
        for (const std::uint32_t m : machines) first = std::min(first, row[m]);
      if (!(first < kInfinity)) return;
      const auto machine_of = [&](std::size_t t) {
        return std::ranges::find_if(machines, [&](std::uint32_t m) { return alike(arrivals[t][m], first); });
      };
      for (std::size_t t = 0; t < tasks.size(); ++t)
        if (machine_of(t) != machines.end()) highest = std::max(highest, level[tasks[t]]);
      std::size_t t = 0;
      while (machine_of(t) == machines.end() || !alike(level[tasks[t]], highest)) ++t;
      const auto machine = machine_of(t);
      if (is_less(then, std::max(arrivals[t][*machine], now))) return;
      schedule.place(tasks[t], *machine);
      then = std::min(then, schedule.planned(tasks[t]).finish);
      machines.erase(machine);
      tasks.erase(tasks.begin() + static_cast<std::ptrdiff_t>(t));
      arrivals.erase(arrivals.begin() + static_cast<std::ptrdiff_t>(t));
    }
  }
};

}  // namespace

Entry etf() {
  return {.name = "etf",
          .family = Family::workflow,
          .role = Role::graph,
          .summary = "of all ready tasks and machines the pair that can start first",
          .source = "Hwang, Chow, Anger, Lee 1989; Kwok, Ahmad 1999",
          .complexity = "O(T^2 M)",
          .ties = "greatest static level, lowest task, lowest machine",
          .parameters = {{.name = "form",
                          .type = ParameterType::choice,
                          .summary = "all pairs, or from moment to moment those of machines that are free",
                          .fallback = "pairs",
                          .choices = {"pairs", "moments"}}},
          .make_graph_scheduler = [](const Arguments& given) -> std::unique_ptr<GraphScheduler> {
            if (given.choice("form") == "moments") return std::make_unique<EtfMoments>();
            return std::make_unique<EtfPairs>();
          }};
}

}  // namespace perigee::workflow
