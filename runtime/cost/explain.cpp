#include "runtime/cost/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "runtime/kernel/constants.h"

namespace perigee::cost {
namespace {

std::string why_never(const MachineTimes& times, std::size_t task, std::size_t machine) {
  const MappingProblem& problem = times.problem();
  if (problem.width_of(task) > problem.cores(machine))
    return fmt::format("has {} core{}, {} are needed", problem.cores(machine),
                       problem.cores(machine) == 1 ? "" : "s", problem.width_of(task));
  return "cannot run it";
}

}  // namespace

std::vector<double> decision_values(Mapper& mapper, const MappingProblem& problem, const Mapping& answer) {
  std::vector<double> values(problem.tasks, std::numeric_limits<double>::quiet_NaN());
  MappingStep step;
  for (const std::uint32_t task : answer.order) {
    mapper.explain(problem, answer, task, step);
    const Comparison::Candidate* chosen = step.tasks.find(task);
    if (chosen == nullptr) chosen = step.machines.find(answer.machine[task]);
    if (chosen != nullptr) values[task] = chosen->score;
  }
  return values;
}

MachineTimes before_step(const MappingProblem& problem, const Mapping& answer, std::size_t task,
                         MappingStep& out) {
  out = {};
  out.machine = answer.machine[task];
  MachineTimes times(problem);
  for (const std::uint32_t other : answer.order) {
    ++out.number;
    if (other == task) return times;
    times.assign(other, answer.machine[other]);
  }
  out.number = 0;  // its completions may be beyond all numbers only since the last choice
  return times;
}

void compare_machines(const MachineTimes& times, std::size_t task, std::string_view score, Prefer better,
                      const std::function<double(std::size_t machine)>& score_of, MappingStep& out,
                      std::string_view ties) {
  out.machines = {.score = std::string(score), .better = better, .ties = std::string(ties)};
  for (std::size_t m = 0; m < times.problem().machines; ++m) {
    Comparison::Candidate candidate{.index = static_cast<std::uint32_t>(m)};
    candidate.open = times.completion(task, m) < kInfinity;
    if (candidate.open)
      candidate.score = score_of(m);
    else
      candidate.note = why_never(times, task, m);
    out.machines.candidates.push_back(std::move(candidate));
  }
}

void compare_completions(const MachineTimes& times, std::size_t task, MappingStep& out) {
  compare_machines(
      times, task, "completion, s", Prefer::smallest,
      [&](std::size_t m) { return times.completion(task, m); }, out);
}

void explain_greedy(const MappingProblem& problem, const Mapping& answer, std::size_t task,
                    const GreedyKey& key, bool largest, std::string_view key_name, MappingStep& out,
                    bool placed) {
  compare_completions(before_step(problem, answer, task, out), task, out);
  if (placed) {
    out.machines.better = Prefer::neither;
    out.machines.ties = {};
  }
  out.rule = fmt::format("the waiting task with the {} {} goes {}", largest ? "largest" : "smallest",
                         key_name.substr(0, key_name.find(", ")),  // without its unit
                         placed ? "where `place` says" : "to the machine that completes it first");
  if (out.number == 0) return;
  GreedyView view(problem, GreedyView::Keep::best_and_second);
  for (std::size_t i = 0; i + 1 < out.number; ++i) {
    view.assign(answer.order[i], answer.machine[answer.order[i]]);
    view.refresh();
  }
  out.tasks = {.score = std::string(key_name),
               .better = largest ? Prefer::largest : Prefer::smallest,
               .ties = kLowestTask};
  for (std::size_t other = 0; other < problem.tasks; ++other)
    if (view.unmapped(other))
      out.tasks.candidates.push_back({.index = static_cast<std::uint32_t>(other), .score = key(view, other)});
}

void explain_by_length(const MappingProblem& problem, const Mapping& answer, std::size_t task,
                       bool longest_first, MappingStep& out) {
  compare_completions(before_step(problem, answer, task, out), task, out);
  out.rule = fmt::format("tasks by their longest time, {} first, each to the machine that completes it first",
                         longest_first ? "the longest" : "the shortest");
  if (out.number == 0) return;
  out.tasks = {.score = "longest time, s",
               .better = longest_first ? Prefer::largest : Prefer::smallest,
               .ties = kLowestTask};
  std::vector<std::uint32_t> waiting(answer.order.begin() + static_cast<std::ptrdiff_t>(out.number - 1),
                                     answer.order.end());
  std::ranges::sort(waiting);
  for (const std::uint32_t other : waiting) {
    double longest = 0;
    for (std::size_t m = 0; m < problem.machines; ++m)
      if (problem.time(other, m) < kInfinity) longest = std::max(longest, problem.time(other, m));
    out.tasks.candidates.push_back({.index = other, .score = longest});
  }
}

void explain_makespans(const MappingProblem& problem, const Mapping& answer, std::size_t task,
                       MappingStep& out) {
  const MachineTimes times = before_step(problem, answer, task, out);
  out.rule =
      "a search compared the makespans of whole mappings: here with the task on each machine and the "
      "others where they are";
  compare_machines(
      times, task, "makespan, s", Prefer::neither,
      [&](std::size_t m) {
        MachineTimes all(problem);
        for (const std::uint32_t other : answer.order)
          all.assign(other, other == task ? m : answer.machine[other]);
        return all.makespan();
      },
      out, "");
}

void Mapper::explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
                     MappingStep& out) {
  if (!answer.search.curve.empty()) return explain_makespans(problem, answer, task, out);
  compare_completions(before_step(problem, answer, task, out), task, out);
  out.machines.better = Prefer::neither;
  out.machines.ties = {};
}

}  // namespace perigee::cost
