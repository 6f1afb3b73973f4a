// Mappings as vectors with a machine for each task, for searches over them. Each machine runs its tasks in
// input order. The makespan of a vector is the latest end of a machine.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "runtime/cost/machine_times.h"
#include "runtime/cost/mapping.h"

namespace perigee::mapping {

struct Assignment {
  std::vector<std::uint32_t> machine;  // per task; kUnmapped = can run nowhere
  std::vector<double> ends;            // per machine: when it has run its tasks
  double makespan = std::numeric_limits<double>::infinity();
};

// The space of a search. Ends and makespans are those of computing each machine's tasks in input order,
// however they are found. The makespan is +inf if a task ends beyond all numbers.
class Assignments {
 public:
  explicit Assignments(const MappingProblem& problem);  // its spans must outlive this

  const MappingProblem& problem() const { return problem_; }
  // The tasks that can run somewhere, ascending.
  const std::vector<std::uint32_t>& tasks() const { return tasks_; }
  // The machines where such a task can run, ascending.
  std::span<const std::uint32_t> choices(std::size_t task) const {
    return std::span(choices_).subspan(first_choice_[task], first_choice_[task + 1] - first_choice_[task]);
  }
  // A lower bound of all makespans, up to rounding. A search may end when it reaches it.
  double bound() const { return bound_; }

  std::uint32_t draw_task(Stream& stream) const { return tasks_[stream.below(tasks_.size())]; }
  std::uint32_t draw_machine(std::size_t task, Stream& stream) const {
    const auto all = choices(task);
    return all[stream.below(all.size())];
  }
  void draw(Assignment& out, Stream& stream);
  // Takes the machines of a mapping of this problem; the mapping's own order of tasks may differ.
  void take(const Mapping& mapping, Assignment& out);
  void take_min_min(Assignment& out);

  void evaluate(Assignment& out);
  // The same as changing the machine of the task and then evaluate().
  void move(Assignment& changed, std::size_t task, std::uint32_t machine);
  // The time when the machine has run these tasks, ascending, all of which can run there.
  double end(std::uint32_t machine, std::span<const std::uint32_t> tasks);

  // Returns the assignment as a mapping in input order. A task that would end beyond all numbers goes to its
  // best machine instead.
  void answer(const Assignment& assignment, Mapping& out) const;

 private:
  double end_of(const Assignment& assignment, std::uint32_t machine);

  MappingProblem problem_;
  MachineTimes start_, times_;
  std::vector<std::uint32_t> tasks_, choices_;
  std::vector<std::size_t> first_choice_;  // per task, and one more
  double bound_;
};

// A list of tasks, ascending, without the lost tasks and with the new ones.
void changed_list(const std::vector<std::uint32_t>& list, std::span<const std::uint32_t> lost,
                  std::span<const std::uint32_t> got, std::vector<std::uint32_t>& out);

}  // namespace perigee::mapping
