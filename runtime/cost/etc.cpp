#include "runtime/cost/etc.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/kernel/error.h"

namespace perigee {
namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
}

void check_problem(const MatrixProblem& problem) {
  const bool fits = problem.machines == 0 ? problem.etc.empty()
                                          : problem.etc.size() % problem.machines == 0 &&
                                                problem.etc.size() / problem.machines == problem.tasks;
  if (!fits)
    fail("bad_etc", "a matrix of {} tasks x {} machines cannot have {} times", problem.tasks,
         problem.machines, problem.etc.size());
  if (problem.tasks >= kUnmapped || problem.machines >= kUnmapped)
    fail("bad_etc", "a matrix of {} tasks x {} machines is too large", problem.tasks, problem.machines);
  for (std::size_t i = 0; i < problem.etc.size(); ++i)
    if (!(problem.etc[i] >= 0))
      fail("bad_etc", "task {}, machine {}: the expected time must be >= 0 or inf, got {}",
           i / problem.machines, i % problem.machines, problem.etc[i]);
  if (!problem.ready.empty() && problem.ready.size() != problem.machines)
    fail("bad_etc", "{} ready times for {} machines", problem.ready.size(), problem.machines);
  for (std::size_t m = 0; m < problem.ready.size(); ++m)
    if (!(problem.ready[m] >= 0 && problem.ready[m] < kInfinity))
      fail("bad_etc", "machine {}: the ready time must be >= 0 and finite, got {}", m, problem.ready[m]);
}

void check_etc(const EtcMatrix& etc) {
  if (!etc.task_names.empty() && etc.task_names.size() != etc.tasks)
    fail("bad_etc", "{} names for {} tasks", etc.task_names.size(), etc.tasks);
  if (!etc.machine_names.empty() && etc.machine_names.size() != etc.machines)
    fail("bad_etc", "{} names for {} machines", etc.machine_names.size(), etc.machines);
  check_problem(problem_of(etc));
}

double makespan_bound(const MatrixProblem& problem) {
  double bound = 0, work = 0;
  std::vector<double> ready(problem.machines);
  for (std::size_t m = 0; m < problem.machines; ++m) ready[m] = problem.ready_at(m);
  for (std::size_t task = 0; task < problem.tasks; ++task) {
    double end = kInfinity, time = kInfinity;
    for (std::size_t m = 0; m < problem.machines; ++m) {
      end = std::min(end, ready[m] + problem.time(task, m));
      time = std::min(time, problem.time(task, m));
    }
    if (!(end < kInfinity)) continue;
    bound = std::max(bound, end);
    work += time;
  }
  // The level that the least work reaches when poured over the ready times.
  std::ranges::sort(ready);
  double poured = work, level = 0;
  for (std::size_t m = 0; m < ready.size(); ++m) {
    poured += ready[m];
    level = poured / static_cast<double>(m + 1);
    if (m + 1 == ready.size() || level <= ready[m + 1]) break;
  }
  if (!ready.empty()) bound = std::max({bound, level, ready.back()});
  return bound;
}

}  // namespace perigee
