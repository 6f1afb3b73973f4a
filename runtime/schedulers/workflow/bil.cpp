// Best imaginary level: the ready task whose k-th best machine would be worst, k being the number of ready tasks; to the
// machine that is best for it, times counting more where many tasks wait.
//
// Source: Oh, Ha, Euro-Par 1996. Levels count from when a task's data is on the machine, without which the proof that
// the method is optimal on chains fails, and k is over machines.
// Cost: O(T^2 M) for T tasks, M machines, with updates of sorted rows. Ties: lowest task, lowest machine.
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

class Bil final : public GraphSchedulerOf<Bil> {
 public:
  void schedule(const GraphProblem& problem, GraphPlan& out) override {
    const GraphCosts costs(problem);
    GraphSchedule schedule(problem, GraphFit::append);
    std::vector<Row> ready;
    const auto add = [&](std::uint32_t task) {
      Row row{.task = task};
      schedule.arrivals(task, row.arrival);
      for (std::size_t m = 0; m < problem.machines; ++m) row.sorted.push_back(value(costs, schedule, row, m));
      std::ranges::sort(row.sorted);
      ready.push_back(std::move(row));
      will_take_rows(2 * ready.size(), problem.machines);
    };
    for (const std::uint32_t task : schedule.ready_tasks()) add(task);
    while (!ready.empty()) {
      const std::size_t chosen = choose(ready, problem.machines);
      const std::uint32_t task = ready[chosen].task;
      const double waiting = static_cast<double>(ready.size()) / static_cast<double>(problem.machines);
      const std::size_t machine = first_least(problem.machines, [&](std::size_t m) {
        const double level = value(costs, schedule, ready[chosen], m);
        return level < kInfinity ? level + problem.time(task, m) * std::max(waiting - 1, 0.0) : kInfinity;
      });
      ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(chosen));
      did_work(ready.size() * (1 + problem.machines / 8));
      std::vector<double> before;
      for (const Row& row : ready) before.push_back(value(costs, schedule, row, machine));
      schedule.place(task, machine);
      for (std::size_t i = 0; i < ready.size(); ++i)
        ready[i].replace(before[i], value(costs, schedule, ready[i], machine));
      for (const GraphArc& arc : problem.arcs.behind(task))
        if (schedule.is_ready(arc.task)) add(arc.task);
    }
    schedule.write(out);
  }

  void explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
               GraphStep& out) override {
    compare_finishes(before_graph_step(problem, plan, task, GraphFit::append, out), task, out);
    out.rule = "by imaginary makespans: the finish, and the level from there on";
  }

 private:
  struct Row {
    std::uint32_t task = 0;
    std::vector<double> arrival = {};  // s, per machine
    std::vector<double> sorted = {};   // the imaginary makespans on all machines, ascending

    void replace(double before, double now) {  // it only grows
      if (before == now) return;
      auto place = std::ranges::lower_bound(sorted, before);
      for (; place + 1 != sorted.end() && *(place + 1) < now; ++place) *place = *(place + 1);
      *place = now;
    }
  };

  // The best imaginary makespan of the task on the machine.
  static double value(const GraphCosts& costs, const GraphSchedule& schedule, const Row& row,
                      std::size_t machine) {
    return std::max(row.arrival[machine], schedule.end(machine)) + costs.bil(row.task, machine);
  }

  // The task whose min(k, M)-th best makespan is greatest; among alike ones by the one before it, and so on.
  static std::size_t choose(const std::vector<Row>& ready, std::size_t machines) {
    std::vector<std::size_t> left(ready.size());
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
    for (std::size_t k = std::min(ready.size(), machines); k-- > 0 && left.size() > 1;) {
      double greatest = -kInfinity;
      for (const std::size_t i : left) greatest = std::max(greatest, ready[i].sorted[k]);
      std::erase_if(left, [&](std::size_t i) { return !alike(ready[i].sorted[k], greatest); });
    }
    return *std::ranges::min_element(left, {}, [&](std::size_t i) { return ready[i].task; });
  }
};

}  // namespace

Entry bil() {
  return {.name = "bil",
          .family = Family::workflow,
          .role = Role::graph,
          .summary = "the ready task that has most to lose, to the machine with its best imaginary makespan",
          .source = "Oh, Ha 1996",
          .complexity = "O(T^2 M)",
          .ties = "lowest task, then lowest machine",
          .make_graph_scheduler = [](const Arguments&) { return std::make_unique<Bil>(); }};
}

}  // namespace perigee::workflow
