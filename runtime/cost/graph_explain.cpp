#include "runtime/cost/graph_explain.h"

#include <algorithm>
#include <utility>

#include "runtime/cost/graph_choice.h"
#include "runtime/kernel/constants.h"

namespace perigee::cost {

namespace {

// Numbers that count as equal to the best are shown as equal to it.
void level(Comparison& compared) {
  if (compared.better == Prefer::neither) return;
  const bool least = compared.better == Prefer::smallest;
  double best = least ? kInfinity : -kInfinity;
  for (const Comparison::Candidate& each : compared.candidates)
    if (each.open) best = least ? std::min(best, each.score) : std::max(best, each.score);
  for (Comparison::Candidate& each : compared.candidates)
    if (each.open && alike(each.score, best)) each.score = best;
}

}  // namespace

void GraphScheduler::explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
                             GraphStep& out) {
  compare_finishes(before_graph_step(problem, plan, task, GraphFit::insertion, out), task, out);
}

GraphSchedule before_graph_step(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
                                GraphFit fit, GraphStep& out) {
  out = {};
  GraphSchedule schedule(problem, fit);
  const auto at = std::ranges::find(plan.order, task);
  for (auto other = plan.order.begin(); other != at; ++other)
    schedule.place_at(*other, plan.machine[*other], plan.start[*other]);
  if (at == plan.order.end()) return schedule;
  out.number = static_cast<std::size_t>(at - plan.order.begin()) + 1;
  out.machine = plan.machine[task];
  out.start = plan.start[task];
  out.finish = plan.finish[task];
  for (const GraphArc& arc : problem.arcs.before(task))
    out.inputs.push_back({arc.task, plan.machine[arc.task], plan.finish[arc.task],
                          problem.arrival(arc, plan.finish[arc.task], plan.machine[arc.task], out.machine)});
  return schedule;
}

void compare_ready(const GraphSchedule& before, std::span<const double> priority, std::string_view score,
                   GraphStep& out) {
  out.tasks = {.score = std::string(score), .better = Prefer::largest, .ties = kLowestTask};
  for (const std::uint32_t task : before.ready_tasks())
    out.tasks.candidates.push_back({.index = task, .score = priority[task]});
  level(out.tasks);
}

void compare_graph_machines(const GraphSchedule& before, std::size_t task, std::string_view score,
                            Prefer better, const std::function<double(std::size_t)>& score_of,
                            GraphStep& out) {
  out.machines = {.score = std::string(score), .better = better, .ties = kLowestMachine};
  for (std::size_t m = 0; m < before.problem().machines; ++m) {
    Comparison::Candidate candidate{.index = static_cast<std::uint32_t>(m)};
    if (before.problem().time(task, m) < kInfinity) {
      candidate.score = score_of(m);
    } else {
      candidate.open = false;
      candidate.note = "cannot run it";
    }
    out.machines.candidates.push_back(std::move(candidate));
  }
  level(out.machines);
}

void compare_finishes(const GraphSchedule& before, std::size_t task, GraphStep& out) {
  compare_graph_machines(
      before, task, "finish, s", Prefer::smallest, [&](std::size_t m) { return before.finish(task, m); },
      out);
}

void show_finishes(const GraphSchedule& before, std::size_t task, GraphStep& out) {
  compare_finishes(before, task, out);
  out.machines.better = Prefer::neither;
  out.machines.ties = {};
}

void compare_starts(const GraphSchedule& before, std::size_t task, GraphStep& out) {
  compare_graph_machines(
      before, task, "start, s", Prefer::smallest, [&](std::size_t m) { return before.start(task, m); }, out);
}

}  // namespace perigee::cost
