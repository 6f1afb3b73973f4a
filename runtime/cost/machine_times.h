// The times when the machines of a mapping are free and when each task would complete there. A value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "runtime/cost/mapping.h"
#include "runtime/cost/scan.h"

namespace perigee::cost {

// On a machine with cores, a task takes the cores that are free first and begins when the last of them is
// free. All of them are taken until it ends (IRMaSim thesis, sections 3.2 and 4.2). A task wider than a
// machine never ends there.
class MachineTimes {
 public:
  // The problem's spans must outlive it.
  explicit MachineTimes(const MappingProblem& problem);

  const MappingProblem& problem() const { return problem_; }
  // The time when everything on the machine is over.
  double ready(std::size_t machine) const {
    return problem_.has_cores() ? free_[problem_.first_core[machine + 1] - 1] : free_[machine];
  }
  // The time when each core of the machine is free, ascending, perhaps before `now`; one number if there are
  // no cores.
  std::span<const double> free(std::size_t machine) const {
    if (!problem_.has_cores()) return {&free_[machine], 1};
    return std::span(free_).subspan(problem_.first_core[machine], problem_.cores(machine));
  }
  double start(std::size_t task, std::size_t machine) const {
    if (problem_.has_earliest())
      return std::max(free_[machine], problem_.earliest[task * problem_.machines + machine]);
    if (!problem_.has_cores()) return free_[machine];
    const std::uint32_t width = problem_.width_of(task);
    if (width > problem_.cores(machine)) return std::numeric_limits<double>::infinity();
    return std::max(free_[problem_.first_core[machine] + width - 1], problem_.now);
  }
  // The end of the task itself.
  double end(std::size_t task, std::size_t machine) const {
    return start(task, machine) + problem_.time(task, machine);
  }
  // The value by which machines are compared: the end of the task or, with whole_machine, of everything
  // there.
  double completion(std::size_t task, std::size_t machine) const {
    const double own = end(task, machine);
    return problem_.has_cores() && problem_.whole_machine ? std::max(own, ready(machine)) : own;
  }
  // The machine with the least value(machine) of those on which the task can run; ties: the lowest. kUnmapped: none.
  template <class Value>
  std::uint32_t least_machine(std::size_t task, Value value) const {
    std::uint32_t machine = kUnmapped;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t m = 0; m < problem_.machines; ++m) {
      if (!(completion(task, m) < std::numeric_limits<double>::infinity())) continue;
      if (const double found = value(m); found < least) {
        least = found;
        machine = static_cast<std::uint32_t>(m);
      }
    }
    return machine;
  }
  // The earliest completion, its machine (ties: the lowest), and the second earliest.
  Smallest best(std::size_t task) const;
  TwoSmallest two_best(std::size_t task) const;
  ThreeSmallest three_best(std::size_t task) const;

  // Puts the task next on the machine. Its completion there must be finite.
  void assign(std::size_t task, std::size_t machine);
  // Sets this machine alone to its state in `other`, which has the same problem.
  void restore(std::size_t machine, const MachineTimes& other) {
    const std::span<const double> from = other.free(machine);
    std::ranges::copy(from, free_.begin() + (from.data() - other.free_.data()));
  }
  // Sets the times at which the machine is free: ascending, as many as free(machine) has.
  void set_free(std::size_t machine, std::span<const double> times) {
    const std::span<const double> at = free(machine);
    std::ranges::copy(times, free_.begin() + (at.data() - free_.data()));
  }
  // The free times of all machines, one after another, in the form of a problem's `ready`.
  std::span<const double> free() const { return free_; }
  double makespan() const { return *std::ranges::max_element(free_); }  // of one machine at least

 private:
  bool is_sum() const {
    return !problem_.has_cores() && !problem_.has_earliest();
  }  // completion = time + free

  MappingProblem problem_;
  std::vector<double> free_;  // per machine; with cores in ascending order within each machine
};

}  // namespace perigee::cost
