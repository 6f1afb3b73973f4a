// Parametric list scheduling.
//
// Source: Coleman, Agrawal, Hirani, Krishnamachari 2024 (arXiv 2403.07112).
#include "runtime/schedulers/workflow/list_scheduler.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/kernel/constants.h"
#include "runtime/kernel/error.h"

namespace perigee::workflow {
namespace {

double number_of(const Rule::Answer& answer, const Rule& rule, std::size_t task) {
  const double* number = std::get_if<double>(&answer);
  if (number == nullptr || std::isnan(*number))
    fail("bad_key", "{} must answer with a number, and does not for task {}", rule.text(), task + 1);
  return *number;
}

}  // namespace

std::vector<double> list_priorities(const GraphCosts& costs, ListPriority priority,
                                    const RankOptions& options) {
  switch (priority) {
    case ListPriority::upward_rank:
      return costs.upward_rank(options);
    case ListPriority::path_length:
      return costs.path_length(options);
    case ListPriority::mean_oct:
      return costs.mean_oct();
    case ListPriority::static_level:
      return costs.static_level(options.computation);
    case ListPriority::alap: {
      std::vector<double> latest = costs.alap(options);
      for (double& each : latest) each = -each;
      return latest;
    }
    case ListPriority::topological:
      break;
  }
  std::vector<double> place(costs.tasks());
  double before = 0;
  for (const std::uint32_t task : costs.order()) place[task] = -before++;
  return place;
}

std::vector<std::uint32_t> pinned_to_critical_path(const GraphCosts& costs, const RankOptions& options) {
  std::vector<std::uint32_t> pinned(costs.tasks(), kUnmapped);
  const CriticalPath path = costs.critical_path(options);
  const std::uint32_t machine = costs.fastest_for(path.tasks);
  for (const std::uint32_t task : path.tasks) pinned[task] = machine;
  return pinned;
}

void explain_pinned(const GraphSchedule& before, std::size_t task, GraphStep& out) {
  show_finishes(before, task, out);
  out.rule = "it is on the critical path, which runs on the machine that is fastest for it";
}

std::vector<double> ListScheduler::priorities(const GraphView& view) {
  const std::size_t tasks = view.costs.tasks();
  if (settings_.priority_rule) {
    std::vector<double> priority(tasks, 0);
    for (std::size_t t = 0; t < tasks; ++t)
      if (view.costs.placeable(t))
        priority[t] = number_of(settings_.priority_rule->ask_graph(view, t), *settings_.priority_rule, t);
    return priority;
  }
  return list_priorities(view.costs, settings_.priority, settings_.ranks);
}

void ListScheduler::values(const GraphView& view, std::uint32_t task, std::vector<double>& out) {
  const GraphProblem& problem = view.costs.problem();
  out.resize(problem.machines);
  if (!settings_.choose_rule && settings_.choose == ListChoice::start) return view.schedule.starts(task, out);
  if (!settings_.choose_rule &&
      (settings_.choose == ListChoice::finish || settings_.choose == ListChoice::finish_plus_oct))
    view.schedule.finishes(task, out);
  for (std::size_t m = 0; m < out.size(); ++m) {
    if (!(problem.time(task, m) < kInfinity))
      out[m] = kInfinity;
    else if (settings_.choose_rule)
      out[m] = number_of(settings_.choose_rule->ask_graph(view, task, m), *settings_.choose_rule, task);
    else if (settings_.choose == ListChoice::time)
      out[m] = problem.time(task, m);
    else if (settings_.choose == ListChoice::free)
      out[m] = view.schedule.end(m);
    else if (settings_.choose == ListChoice::finish_plus_oct)
      out[m] += view.costs.oct(task, m);
  }
}

std::uint32_t ListScheduler::machine_for(const GraphView& view, std::uint32_t task) {
  if (pinned_[task] != kUnmapped) return pinned_[task];
  if (!settings_.choose_rule && settings_.choose == ListChoice::finish)
    return view.schedule.least_finish(task).machine;
  values(view, task, values_);
  const std::size_t machine = first_least(values_);
  if (machine == kNoChoice)
    fail("bad_place", "{} has no finite answer for any machine that can run task {}",
         settings_.choose_rule ? settings_.choose_rule->text() : "the choice of machines", task + 1);
  return static_cast<std::uint32_t>(machine);
}

double ListScheduler::loss(const GraphView& view, std::uint32_t task) {
  if (pinned_[task] != kUnmapped) return kInfinity;
  values(view, task, values_);
  const std::size_t best = first_least(values_);
  if (best == kNoChoice) return kInfinity;
  double second = kInfinity;
  for (std::size_t m = 0; m < values_.size(); ++m)
    if (m != best) second = std::min(second, values_[m]);
  return second - values_[best];
}

std::uint32_t ListScheduler::next(const GraphView& view, PriorityTasks& ready) {
  std::vector<std::uint32_t> first;
  while (!ready.empty() && first.size() < settings_.top) {
    first.push_back(ready.first());
    ready.erase(first.back());
  }
  if (first.size() == 1) return first.front();
  std::ranges::sort(first);
  std::vector<double> gain;
  for (const std::uint32_t task : first) gain.push_back(-loss(view, task));
  std::size_t chosen = first_least(gain);
  if (chosen == kNoChoice) chosen = 0;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (i != chosen) ready.insert(first[i]);
  return first[chosen];
}

void ListScheduler::schedule(const GraphProblem& problem, GraphPlan& out) {
  const GraphCosts costs(problem);
  GraphSchedule schedule(problem, settings_.fit);
  const GraphView view{costs, schedule};
  if (settings_.pin_critical_path)
    pinned_ = pinned_to_critical_path(costs, settings_.ranks);
  else
    pinned_.assign(problem.tasks(), kUnmapped);
  const std::vector<double> priority = priorities(view);
  PriorityTasks ready(priority);
  for (const std::uint32_t task : schedule.ready_tasks()) ready.insert(task);
  while (!ready.empty()) {
    const std::uint32_t task = next(view, ready);
    schedule.place(task, machine_for(view, task));
    for (const GraphArc& arc : problem.arcs.behind(task))
      if (schedule.is_ready(arc.task)) ready.insert(arc.task);
  }
  schedule.write(out);
}

void ListScheduler::explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
                            GraphStep& out) {
  const GraphCosts costs(problem);
  const GraphSchedule nothing(problem, settings_.fit),
      before = before_graph_step(problem, plan, task, settings_.fit, out);
  compare_ready(before, priorities({costs, nothing}), "priority", out);
  if (settings_.pin_critical_path && pinned_to_critical_path(costs, settings_.ranks)[task] != kUnmapped)
    return explain_pinned(before, task, out);
  std::vector<double> scores;
  values({costs, before}, static_cast<std::uint32_t>(task), scores);
  compare_graph_machines(
      before, task, "value", Prefer::smallest, [&](std::size_t m) { return scores[m]; }, out);
  out.rule = "by priority, to the machine of least value";
}

}  // namespace perigee::workflow
