// A mapping under construction, the rest of its problem, and mappings that are given as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/cost/machine_times.h"
#include "runtime/cost/mapping.h"

namespace perigee::cost {

// Tasks are assigned one after another. Steps can be taken back, the last one first. A value.
class Draft {
 public:
  // The problem's spans must outlive it.
  explicit Draft(const MappingProblem& problem);

  const MappingProblem& problem() const { return times_.problem(); }
  const MachineTimes& times() const { return times_; }  // after the tasks assigned so far
  const Mapping& mapping() const { return mapping_; }   // of these
  bool untouched() const { return steps_.empty(); }
  // The task is neither assigned nor left out.
  bool waits(std::size_t task) const { return state_[task] == State::waits; }
  bool left_out(std::size_t task) const { return state_[task] == State::left_out; }
  bool fits(std::size_t task, std::size_t machine) const {
    return times_.completion(task, machine) < std::numeric_limits<double>::infinity();
  }

  // Calls f(task, machine) for each assign() and leave_out() that has not been taken back, in their order;
  // kUnmapped = left out. The problem and these make the draft.
  template <class F>
  void each_step(F&& f) const {
    for (const Step& step : steps_) f(step.task, step.machine);
  }

  std::size_t clusters() const { return first_member_.size() - 1; }
  // The earliest completion on a machine of the cluster; ties: the lowest machine.
  Smallest best_of_cluster(std::size_t task, std::size_t cluster) const;

  void assign(std::size_t task, std::uint32_t machine);  // the task must wait, and fit there
  void leave_out(std::size_t task);                      // the task must wait
  // Takes the last assign() or leave_out() back; false if there is none.
  bool undo();

 private:
  enum class State : std::uint8_t { waits, assigned, left_out };
  struct Step {
    std::uint32_t task, machine;  // kUnmapped = left out
    double makespan;              // before
  };

  MachineTimes times_;
  Mapping mapping_;
  std::vector<State> state_;
  std::vector<Step> steps_;
  std::vector<double> free_before_;  // of the steps, one after another: times_.free(machine) before
  std::vector<std::uint32_t> members_, first_member_;  // machines by cluster
};

// The rest of a draft as a problem of its own. Its machines are as the draft leaves them. It has all tasks,
// but those that do not wait can run nowhere.
class Rest {
 public:
  // Takes the waiting tasks, or those among them that `only` names. The draft must outlive it and stay as it
  // is.
  explicit Rest(const Draft& draft, std::optional<std::span<const std::uint32_t>> only = std::nullopt);

  MappingProblem problem() const;
  bool has(std::size_t task) const { return is_all_ || has_[task] != 0; }
  // The draft's mapping followed by a mapping of problem().
  Mapping join(Mapping rest) const;

 private:
  const Draft* draft_;
  bool is_all_;  // and nothing has been assigned
  std::vector<std::uint8_t> has_;
  std::vector<double> etc_;
};

// Maps each task of `order` in turn to its machine. `machine` has one entry per task, kUnmapped = left out;
// every task that is not left out stands in `order` once. Error "bad_mapping" if this does not hold or a task
// does not fit; its text counts tasks and machines from 1.
void map_as(const MappingProblem& problem, std::span<const std::uint32_t> machine,
            std::span<const std::uint32_t> order, Mapping& out);

}  // namespace perigee::cost
