#include "runtime/cost/etc.h"

#include <algorithm>
#include <cmath>

#include "runtime/kernel/constants.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/work.h"

namespace perigee::cost {
namespace {

// The mean over the lines of the coefficient of variation within each. value(line, i) is +inf if there is no
// value.
template <class Value>
double mean_variation(std::size_t lines, std::size_t length, Value value) {
  double sum = 0, counted = 0;
  did_work(lines * length);
  for (std::size_t line = 0; line < lines; ++line) {
    double n = 0, mean = 0, squares = 0;  // of differences from the mean (Welford)
    for (std::size_t i = 0; i < length; ++i) {
      const double x = value(line, i);
      if (!(x < kInfinity)) continue;
      const double difference = x - mean;
      mean += difference / ++n;
      squares += difference * (x - mean);
    }
    if (n == 0) continue;
    if (mean > 0) sum += std::sqrt(squares / n) / mean;
    ++counted;
  }
  return counted > 0 ? sum / counted : 0;
}
}  // namespace

void check_problem(const MappingProblem& problem) {
  const bool fits = problem.machines == 0 ? problem.etc.empty()
                                          : problem.etc.size() % problem.machines == 0 &&
                                                problem.etc.size() / problem.machines == problem.tasks;
  if (!fits)
    fail("etc_size", "a matrix of {} tasks x {} machines cannot have {} times", problem.tasks,
         problem.machines, problem.etc.size());
  if (problem.tasks >= kUnmapped || problem.machines >= kUnmapped)
    fail("etc_size", "a matrix of {} tasks x {} machines is too large", problem.tasks, problem.machines);
  for (std::size_t i = 0; i < problem.etc.size(); ++i)
    if (!(problem.etc[i] >= 0))
      fail("etc_value", "task {}, machine {}: the expected time must be >= 0 or inf, got {}",
           i / problem.machines, i % problem.machines, problem.etc[i]);
  if (problem.has_cores()) {
    if (problem.first_core.size() != problem.machines + 1 || problem.first_core.front() != 0)
      fail("bad_etc", "the cores of {} machines are {} numbers from 0", problem.machines,
           problem.machines + 1);
    for (std::size_t m = 0; m < problem.machines; ++m)
      if (problem.first_core[m] >= problem.first_core[m + 1])
        fail("bad_etc", "machine {}: there must be a core", m);
  }
  if (!problem.width.empty() && (problem.width.size() != problem.tasks || !problem.has_cores()))
    fail("bad_etc", "{} widths for {} tasks on machines with{} cores", problem.width.size(), problem.tasks,
         problem.has_cores() ? "" : "out");
  if (!problem.cluster.empty() && problem.cluster.size() != problem.machines)
    fail("bad_etc", "{} cluster numbers for {} machines", problem.cluster.size(), problem.machines);
  for (std::size_t t = 0; t < problem.width.size(); ++t)
    if (problem.width[t] < 1) fail("bad_etc", "task {}: it needs 1 core at least, got 0", t);
  const std::size_t queues = problem.has_cores() ? problem.first_core.back() : problem.machines;
  const char* const each = problem.has_cores() ? "core" : "machine";
  if (!problem.ready.empty() && problem.ready.size() != queues)
    fail("bad_etc", "{} ready times for {} {}s", problem.ready.size(), queues, each);
  for (std::size_t i = 0; i < problem.ready.size(); ++i)
    if (!(problem.ready[i] >= 0 && problem.ready[i] < kInfinity))
      fail("bad_etc", "{} {}: the ready time must be >= 0 and finite, got {}", each, i, problem.ready[i]);
}

void check_etc(const EtcMatrix& etc) {
  if (!etc.task_names.empty() && etc.task_names.size() != etc.tasks)
    fail("bad_etc", "{} names for {} tasks", etc.task_names.size(), etc.tasks);
  if (!etc.machine_names.empty() && etc.machine_names.size() != etc.machines)
    fail("bad_etc", "{} names for {} machines", etc.machine_names.size(), etc.machines);
  check_problem(problem_of(etc));
}

double makespan_bound(const MappingProblem& problem) {
  did_work(problem.etc.size() / 4);
  double bound = 0, work = 0;
  const MachineTimes times(problem);
  for (std::size_t task = 0; task < problem.tasks; ++task) {
    double end = kInfinity, time = kInfinity;
    for (std::size_t m = 0; m < problem.machines; ++m) {
      if (!(times.end(task, m) < kInfinity)) continue;
      end = std::min(end, times.end(task, m));
      time = std::min(time, problem.time(task, m));
    }
    if (!(end < kInfinity)) continue;
    bound = std::max(bound, end);
    work += time * problem.width_of(task);
  }
  // The level that the least work reaches when poured over the ready times.
  std::vector<double> ready(problem.ready.begin(), problem.ready.end());
  if (ready.empty()) ready.assign(problem.has_cores() ? problem.first_core.back() : problem.machines, 0.0);
  std::ranges::sort(ready);
  double poured = work, level = 0;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    poured += ready[i];
    level = poured / static_cast<double>(i + 1);
    if (i + 1 == ready.size() || level <= ready[i + 1]) break;
  }
  if (!ready.empty()) bound = std::max({bound, level, ready.back()});
  return bound;
}

double load_balance(const MachineTimes& times) {
  double earliest = kInfinity, latest = 0;
  for (std::size_t m = 0; m < times.problem().machines; ++m) {
    earliest = std::min(earliest, times.ready(m));
    latest = std::max(latest, times.ready(m));
  }
  return latest > 0 ? earliest / latest : 0;
}

double task_heterogeneity(const MappingProblem& problem) {
  return mean_variation(problem.machines, problem.tasks,
                        [&](std::size_t machine, std::size_t task) { return problem.time(task, machine); });
}

double machine_heterogeneity(const MappingProblem& problem) {
  return mean_variation(problem.tasks, problem.machines,
                        [&](std::size_t task, std::size_t machine) { return problem.time(task, machine); });
}

}  // namespace perigee::cost
