// Mappings as vectors. Source: Braun et al., JPDC 61(6), 2001, pp. 810-837 (GA, SA, GSA and Tabu).
#include "runtime/schedulers/mapping/assignments.h"

#include <algorithm>
#include <memory>

#include "runtime/cost/etc.h"
#include "runtime/cost/greedy.h"
#include "runtime/kernel/constants.h"
#include "runtime/kernel/work.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/mapping/sorted_form.h"

namespace perigee::mapping {
namespace {}

Assignments::Assignments(const MappingProblem& problem)
    : problem_(problem), start_(problem), times_(problem), bound_(makespan_bound(problem)) {
  if (!(bound_ < kInfinity)) bound_ = 0;
  first_choice_.reserve(problem.tasks + 1);
  for (std::size_t task = 0; task < problem.tasks; ++task) {
    first_choice_.push_back(choices_.size());
    for (std::size_t m = 0; m < problem.machines; ++m)
      if (start_.end(task, m) < kInfinity) choices_.push_back(static_cast<std::uint32_t>(m));
    if (choices_.size() > first_choice_.back()) tasks_.push_back(static_cast<std::uint32_t>(task));
  }
  first_choice_.push_back(choices_.size());
}

void Assignments::draw(Assignment& out, Stream& stream) {
  out.machine.assign(problem_.tasks, kUnmapped);
  for (const std::uint32_t task : tasks_) out.machine[task] = draw_machine(task, stream);
  evaluate(out);
}

void Assignments::take_min_min(Assignment& out) {
  Mapping mapping;
  Config{std::make_shared<const Entry>(min_min()), {"classic"}}.make_mapper()->map(problem_, mapping);
  take(mapping, out);
}

void Assignments::take(const Mapping& mapping, Assignment& out) {
  out.machine = mapping.machine;
  for (const std::uint32_t task : tasks_)
    if (out.machine[task] == kUnmapped) out.machine[task] = choices(task)[0];
  evaluate(out);
}

void Assignments::evaluate(Assignment& out) {
  did_work(1 + tasks_.size() / 2);
  const std::size_t machines = problem_.machines;
  out.ends.resize(machines);
  if (problem_.has_cores()) {
    times_ = start_;
    for (const std::uint32_t task : tasks_) times_.assign(task, out.machine[task]);
    for (std::size_t m = 0; m < machines; ++m) out.ends[m] = times_.ready(m);
  } else {
    for (std::size_t m = 0; m < machines; ++m) out.ends[m] = start_.ready(m);
    for (const std::uint32_t task : tasks_)
      out.ends[out.machine[task]] += problem_.time(task, out.machine[task]);
  }
  out.makespan = *std::ranges::max_element(out.ends);
}

void Assignments::move(Assignment& changed, std::size_t task, std::uint32_t machine) {
  const std::uint32_t from = changed.machine[task];
  if (from == machine) return;
  did_work(1 + problem_.tasks / 2);
  changed.machine[task] = machine;
  changed.ends[from] = end_of(changed, from);
  changed.ends[machine] = end_of(changed, machine);
  changed.makespan = *std::ranges::max_element(changed.ends);
}

double Assignments::end(std::uint32_t machine, std::span<const std::uint32_t> tasks) {
  did_work(1 + tasks.size() / 2);
  if (!problem_.has_cores()) {
    double sum = start_.ready(machine);
    for (const std::uint32_t task : tasks) sum += problem_.time(task, machine);
    return sum;
  }
  times_.restore(machine, start_);
  for (const std::uint32_t task : tasks) times_.assign(task, machine);
  return times_.ready(machine);
}

double Assignments::end_of(const Assignment& assignment, std::uint32_t machine) {
  if (!problem_.has_cores()) {
    double sum = start_.ready(machine);
    for (std::size_t task = 0; task < problem_.tasks; ++task)
      if (assignment.machine[task] == machine) sum += problem_.time(task, machine);
    return sum;
  }
  times_.restore(machine, start_);
  for (std::size_t task = 0; task < problem_.tasks; ++task)
    if (assignment.machine[task] == machine) times_.assign(task, machine);
  return times_.ready(machine);
}

void Assignments::answer(const Assignment& assignment, Mapping& out) const {
  start_mapping(problem_, out);
  MachineTimes times = start_;
  for (const std::uint32_t task : tasks_) {
    std::uint32_t machine = assignment.machine[task];
    if (!(times.completion(task, machine) < kInfinity)) {
      const Smallest best = times.best(task);
      if (!(best.value < kInfinity)) continue;
      machine = best.at;
    }
    assign(times, out, task, machine);
  }
}

void changed_list(const std::vector<std::uint32_t>& list, std::span<const std::uint32_t> lost,
                  std::span<const std::uint32_t> got, std::vector<std::uint32_t>& out) {
  out.clear();
  for (const std::uint32_t task : list)
    if (std::ranges::find(lost, task) == lost.end()) out.push_back(task);
  for (const std::uint32_t task : got) out.insert(std::ranges::upper_bound(out, task), task);
}

}  // namespace perigee::mapping
