// Greedy list mapping. Again and again, the task with the largest (or smallest) key goes to the machine that
// completes it first. A heuristic is its key; best and second-best completions are kept up to date here.
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

// The state of a greedy mapping: the current ready times, and the best completion of each task.
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

  // For unmapped tasks only.
  double best(std::size_t task) const { return rows_[task].best; }
  // +inf if only one machine is feasible. With Keep::best it is only a lower bound.
  double second(std::size_t task) const { return rows_[task].second; }
  std::uint32_t best_machine(std::size_t task) const { return rows_[task].at; }
  double time(std::size_t task) const { return rows_[task].time; }  // on the best machine

  // Maps the task to a machine where it is feasible. The values of other tasks are out of date until
  // refresh().
  void assign(std::size_t task, std::uint32_t machine);
  // The task no longer waits.
  void drop(std::size_t task) { unmapped_[task] = 0; }
  // Brings best and second up to date. Returns the tasks for which they, or their machines, may have changed.
  // Some of these may be unmapped() no more: their completion has become infinite.
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
  // Per machine, the tasks to look at when it is used: all that have it as best (or second), and some that
  // had it.
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
// The same; the machine is taken until the end of the task.
inline void assign(MachineTimes& times, Mapping& out, std::size_t task, std::uint32_t machine) {
  record(out, task, machine, times.end(task, machine));
  times.assign(task, machine);
}

// Maps each task in this order to the machine that completes it first. Tasks that can run nowhere are left
// out.
void map_in_order(const MappingProblem& problem, std::span<const std::uint32_t> order, Mapping& out);
// The tasks by length, which is their longest finite time; ties: by position. This is the order of IRMaSim's
// min-min and, with longest_first, max-min (thesis, Algorithms 1 and 2).
std::vector<std::uint32_t> by_length(const MappingProblem& problem, bool longest_first);

// key(view, task) is called for waiting tasks. A pure key depends only on the task and its best and second.
// It is called when these may have changed, and once more when the task is chosen. Any other key is called
// for each choice. place(view, task) names the machine of the chosen task; an empty function takes the best
// machine. Errors: "bad_key" for a NaN key, "not_pure" for a pure key that has changed all the same,
// "bad_place" for a place that is no feasible machine.
using GreedyKey = std::function<double(const GreedyView&, std::size_t task)>;
using GreedyPlace = std::function<std::size_t(const GreedyView&, std::size_t task)>;
void greedy_by_key(const MappingProblem& problem, const GreedyKey& key, bool largest, bool pure, Mapping& out,
                   const GreedyPlace& place = {});

}  // namespace perigee::cost
