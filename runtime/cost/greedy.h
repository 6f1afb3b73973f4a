// Greedy list mapping: again and again the task with the largest (or smallest) key goes to the machine
// that completes it first. A heuristic is its key; best and second-best completions are kept up to date here.
//
// A machine is feasible for a task when the completion time is finite. Ties: lowest task position,
// then lowest machine index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime/cost/machine_times.h"
#include "runtime/cost/mapping.h"

namespace perigee::cost {

// The state of a greedy mapping: ready times as they stand, and per task the best completion.
class GreedyView {
 public:
  enum class Keep : std::uint8_t { best, best_and_second };

  GreedyView(const MappingProblem& problem, Keep keep);

  std::size_t tasks() const { return times_.problem().tasks; }
  std::size_t machines() const { return times_.problem().machines; }
  bool unmapped(std::size_t task) const { return unmapped_[task] != 0; }  // waiting, and feasible somewhere
  const MachineTimes& times() const { return times_; }
  double ready(std::size_t machine) const { return times_.ready(machine); }
  double time(std::size_t task, std::size_t machine) const { return times_.problem().time(task, machine); }
  double completion(std::size_t task, std::size_t machine) const { return times_.completion(task, machine); }

  // Of tasks that are unmapped.
  double best(std::size_t task) const { return rows_[task].best; }
  // +inf when only one machine is feasible. With Keep::best only a lower bound of it.
  double second(std::size_t task) const { return rows_[task].second; }
  std::uint32_t best_machine(std::size_t task) const { return rows_[task].at; }
  double time(std::size_t task) const { return rows_[task].time; }  // on the best machine

  // Maps the task to a machine where it is feasible. What the view says of other tasks is old until
  // refresh().
  void assign(std::size_t task, std::uint32_t machine);
  // The task waits no more.
  void drop(std::size_t task) { unmapped_[task] = 0; }
  // Brings best and second up to date; returns the tasks for which they, or their machines, may have changed.
  // Of those, some may be unmapped() no more: their completion has become infinite.
  std::span<const std::uint32_t> refresh();

 private:
  struct Row {
    double best, second, third, time;  // all other machines end it at third or later
    std::uint32_t at, next;            // machines of best and second
  };
  void scan(std::size_t task);
  bool keep_up(std::size_t task);
  bool watches(const Row& row, std::uint32_t machine) const {
    return row.at == machine || (keep_second_ && row.next == machine);
  }

  MachineTimes times_;
  bool keep_second_;
  std::vector<Row> rows_;
  std::vector<std::uint8_t> unmapped_;
  // Per machine the tasks to look at when it is used: all that have it as best (or second), and some that
  // had.
  std::vector<std::vector<std::uint32_t>> watchers_;
  std::vector<std::uint32_t> used_;    // machines since the last refresh
  std::vector<std::uint8_t> is_used_;  // per machine
  std::vector<std::uint32_t> touched_;
  std::vector<std::uint32_t> seen_;  // per task: the last refresh that touched it
  std::uint32_t refreshes_ = 0;
};

// An empty answer for `problem`: everything unmapped.
void start_mapping(const MappingProblem& problem, Mapping& out);
// Records that `task` goes to `machine` next and ends at `end`.
inline void record(Mapping& out, std::size_t task, std::uint32_t machine, double end) {
  out.machine[task] = machine;
  out.completion[task] = end;
  out.order.push_back(static_cast<std::uint32_t>(task));
  if (end > out.makespan) out.makespan = end;
}
// The same, and the machine is taken until then.
inline void assign(MachineTimes& times, Mapping& out, std::size_t task, std::uint32_t machine) {
  record(out, task, machine, times.end(task, machine));
  times.assign(task, machine);
}

// Each task in this order to the machine that completes it first; what can run nowhere is left out.
void map_in_order(const MappingProblem& problem, std::span<const std::uint32_t> order, Mapping& out);
// The tasks by length, which is their longest finite time, equal ones by position: the order of IRMaSim's
// min-min and, when longest_first, max-min (thesis, Algorithms 1 and 2).
std::vector<std::uint32_t> by_length(const MappingProblem& problem, bool longest_first);

// key(view, task) is asked for tasks that wait: of a pure one, which depends on nothing but the task and its
// best and second, only when these may have changed, and once more when the task is chosen; else for each
// choice. place(view, task) says on which machine the chosen task goes; an empty one takes the best machine.
// A key that is NaN is an Error "bad_key", one that is pure and has changed all the same "not_pure", a place
// that is no feasible machine "bad_place".
using GreedyKey = std::function<double(const GreedyView&, std::size_t task)>;
using GreedyPlace = std::function<std::size_t(const GreedyView&, std::size_t task)>;
void greedy_by_key(const MappingProblem& problem, const GreedyKey& key, bool largest, bool pure, Mapping& out,
                   const GreedyPlace& place = {});

}  // namespace perigee::cost
