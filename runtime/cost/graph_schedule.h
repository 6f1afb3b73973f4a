// The schedule of a task graph under construction: when data is where, the gaps of each machine, and the machine that
// is best for a task. A value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "runtime/cost/graph_choice.h"
#include "runtime/cost/graph_problem.h"
#include "runtime/kernel/index_set.h"

namespace perigee::cost {

class GraphCosts;  // runtime/cost/graph_costs.h

// The intervals, not empty, in which a machine has nothing to do before its last task ends. They stand in blocks that
// know their longest.
class GraphGaps {
 public:
  struct Gap {
    double from = 0, to = 0;  // s
  };

  bool empty() const { return blocks_.empty(); }
  // The first gap that holds so long a task from `arrival` on, and begins at `latest` at the latest. Null: none does.
  const Gap* find(double arrival, double time, double latest) const;
  void insert(Gap gap);
  void erase(double from);  // the gap that begins there
  // In place of one that begins there, `kept` that is a part of it.
  void shrink(double from, Gap kept);

 private:
  static constexpr std::size_t kInBlock = 64;
  struct Block {
    double last = 0;                  // the end of its last gap
    double longest = 0;               // at least the length of each, rounded up
    std::uint32_t count = 0, at = 0;  // its gaps: store_[at * kInBlock ..]
  };
  Gap* gaps_of(const Block& block) { return store_.data() + block.at * kInBlock; }
  const Gap* gaps_of(const Block& block) const { return store_.data() + block.at * kInBlock; }
  void bring_up_to_date(Block& block);
  std::size_t block_of(double time) const;  // the first with a gap that ends behind it

  std::vector<Block> blocks_;
  std::vector<Gap> store_;
  std::vector<std::uint32_t> free_;  // blocks of the store that are not in use
};

// Where on a machine a task may begin: in the first gap that holds it, or only after everything there.
enum class GraphFit : std::uint8_t { insertion, append };

struct GraphPlacement {
  std::uint32_t machine = kUnmapped;
  double start = std::numeric_limits<double>::quiet_NaN(),
         finish = std::numeric_limits<double>::quiet_NaN();  // s
};

// A machine for a task, and what it was chosen by.
struct GraphBest {
  std::uint32_t machine = kUnmapped;  // none can run it
  double start = std::numeric_limits<double>::infinity();
  double value = std::numeric_limits<double>::infinity();  // the least
};

class GraphSchedule {
 public:
  // The problem must outlive it. `fit` holds where a call says nothing else.
  explicit GraphSchedule(const GraphProblem& problem, GraphFit fit = GraphFit::insertion);

  const GraphProblem& problem() const { return *problem_; }
  GraphFit fit() const { return fit_; }

  bool placeable(std::size_t task) const { return placeable_[task] != 0; }
  bool is_placed(std::size_t task) const { return placed_[task].machine != kUnmapped; }
  const GraphPlacement& planned(std::size_t task) const { return placed_[task]; }
  std::uint32_t waits(std::size_t task) const { return waits_[task]; }  // predecessors that are not placed
  bool is_ready(std::size_t task) const { return !is_placed(task) && placeable(task) && waits_[task] == 0; }
  std::vector<std::uint32_t> ready_tasks() const;                  // ascending
  std::uint32_t first_ready() const;                               // kUnmapped: there is none
  std::span<const std::uint32_t> order() const { return order_; }  // of placing
  double makespan() const { return makespan_; }                    // the last finish; 0 of none
  double end(std::size_t machine) const { return end_[machine]; }  // of everything there
  std::span<const double> ends() const { return end_; }            // per machine

  // When the data of all predecessors that are placed, and its initial inputs, are on the machine.
  double arrival(std::size_t task, std::size_t machine) const;
  double start(std::size_t task, std::size_t machine) const { return start(task, machine, fit_); }
  double start(std::size_t task, std::size_t machine, GraphFit fit) const;
  double finish(std::size_t task, std::size_t machine) const { return finish(task, machine, fit_); }
  double finish(std::size_t task, std::size_t machine, GraphFit fit) const;
  // All machines at once; starts and finishes are +inf where the task cannot run.
  void arrivals(std::size_t task, std::vector<double>& out) const;
  void starts(std::size_t task, std::vector<double>& out) const;
  void finishes(std::size_t task, std::vector<double>& out) const;

  // The machine of least finish, plus extra[machine] where there is `extra`; or of least start. Machines that cannot
  // win are not searched for gaps.
  GraphBest least_finish(std::size_t task, std::span<const double> extra = {}) const;
  GraphBest least_start(std::size_t task) const;
  std::uint32_t best_machine(std::size_t task) const { return least_finish(task).machine; }
  double best(std::size_t task) const;    // least finish; +inf where no machine can run it
  double second(std::size_t task) const;  // the least on all other machines; +inf with one

  // The machine must be able to run the task. Predecessors may be unplaced; they do not count for its arrival.
  void place(std::size_t task, std::size_t machine) { place(task, machine, fit_); }
  void place(std::size_t task, std::size_t machine, GraphFit fit);
  // At this start, where the machine has room for it; whether its data is there is not looked at.
  void place_at(std::size_t task, std::size_t machine, double start);
  void undo();  // the last placing
  void write(GraphPlan& out) const;

 private:
  struct Step {
    GraphGaps::Gap gap;  // that the task was placed in; until +inf: behind everything
    double makespan;     // before
    double end;
  };
  enum class By : std::uint8_t { finish, start };
  // When data can be where: the same everywhere but in one cluster, or by cluster.
  struct Arrivals {
    double common = 0, special = 0;
    std::uint32_t special_cluster = kUnmapped;
    bool by_cluster = false;  // in by_cluster_
  };
  Arrivals look_at(std::size_t task) const;
  // Per machine, in arrivals_.
  void spread(std::size_t task) const;
  void put(std::size_t task, std::size_t machine, double start, const GraphGaps::Gap& gap);
  double earliest(std::size_t machine, double arrival, double time, GraphFit fit, double latest) const;
  template <By by>
  GraphBest least(std::size_t task, std::span<const double> extra) const;

  const GraphProblem* problem_;
  GraphFit fit_;
  std::vector<std::uint8_t> placeable_;
  std::vector<GraphPlacement> placed_;
  std::vector<std::uint32_t> waits_;
  std::vector<std::uint32_t> order_;
  std::vector<Step> steps_;
  std::vector<double> end_;  // per machine
  std::vector<GraphGaps> gaps_;
  double makespan_ = 0;
  IndexSet ready_;
  // Room to work in.
  mutable std::vector<double> by_cluster_, arrivals_, values_, times_;
};

// A function of a script is asked about these.
struct GraphView {
  const GraphCosts& costs;
  const GraphSchedule& schedule;
};

// The loop of list schedulers: as long as tasks are left, `place` is called for the ready one of greatest priority, and
// must place it.
void place_by_priority(GraphSchedule& schedule, std::span<const double> priority,
                       const std::function<void(std::uint32_t task)>& place);

}  // namespace perigee::cost
