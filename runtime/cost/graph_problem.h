// Tasks that wait for one another, to be placed on machines: the textbook model of task graphs.
//
// Source: Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002, section 2.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "runtime/cost/mapping.h"
#include "runtime/kernel/ids.h"
#include "runtime/kernel/random.h"
#include "runtime/model/precedence.h"
#include "runtime/model/task_graph.h"

namespace perigee::cost {

// An edge as one of its ends sees it.
struct GraphArc {
  std::uint32_t task = 0;  // at the other end
  bool has_data = false;   // false: the one only waits for the other
  double bytes = 0;        // of all files together: what ranks count
  double largest = 0;      // of the largest file. Files travel side by side, so that this one arrives last
};

// The edges of a graph, from both ends. A plain value.
class GraphArcs {
 public:
  GraphArcs() = default;
  GraphArcs(std::size_t tasks, std::span<const GraphEdge> edges);  // each pair of tasks once

  const Precedence& precedence() const { return precedence_; }
  std::size_t tasks() const { return precedence_.tasks(); }
  // By the number of the other task.
  std::span<const GraphArc> before(std::size_t task) const {
    return std::span(before_).subspan(first_before_[task], first_before_[task + 1] - first_before_[task]);
  }
  std::span<const GraphArc> behind(std::size_t task) const {
    return std::span(behind_).subspan(precedence_.first_edge(task), precedence_.successors(task).size());
  }
  const GraphArc* find(std::size_t from, std::size_t to) const;  // null: there is no such edge

 private:
  Precedence precedence_;
  std::vector<GraphArc> before_, behind_;
  std::vector<std::uint32_t> first_before_;
};

// How data goes from cluster to cluster: start-up and speed of each way.
class GraphNetwork {
 public:
  GraphNetwork() = default;  // in no time
  // Bandwidths in B/s, > 0, perhaps +inf: one number, or a matrix [from][to] in rows. Latencies in s, >= 0: one
  // number, one for each sender, or a matrix. The diagonal of a matrix is not looked at.
  // Error "bad_value" for another number of values, or one that is not allowed.
  GraphNetwork(std::size_t clusters, std::vector<double> bandwidth, std::vector<double> latency);

  double bandwidth(std::size_t from, std::size_t to) const {
    return bandwidth_[from * bandwidth_from_ + to * bandwidth_to_];
  }
  double latency(std::size_t from, std::size_t to) const {
    return latency_[from * latency_from_ + to * latency_to_];
  }
  bool is_uniform() const { return bandwidth_.size() == 1 && latency_.size() == 1; }
  // It makes no difference who receives.
  bool by_sender() const { return bandwidth_to_ == 0 && latency_to_ == 0; }
  // When something that is sent at `start` is there, from one cluster to another. The engine adds in the same order,
  // so that plans are executed to the bit.
  double arrival(double start, double bytes, std::size_t from, std::size_t to) const {
    return (start + latency(from, to)) + bytes / bandwidth(from, to);
  }

 private:
  std::vector<double> bandwidth_ = {std::numeric_limits<double>::infinity()}, latency_ = {0};
  std::size_t bandwidth_from_ = 0, bandwidth_to_ = 0, latency_from_ = 0, latency_to_ = 0;  // strides
};

// A time for which a machine is promised already: [from, to).
struct GraphOccupied {
  std::uint32_t machine = 0;
  double from = 0, to = 0;  // s
};

// A number for each machine, as that of its cluster. By default each machine has its own.
class MachineGroups {
 public:
  MachineGroups() = default;
  explicit MachineGroups(std::vector<std::uint32_t> group);  // per machine, from 0

  bool is_each_its_own() const { return group_.empty(); }
  std::uint32_t operator[](std::size_t machine) const {
    return group_.empty() ? static_cast<std::uint32_t>(machine) : group_[machine];
  }
  std::size_t count(std::size_t machines) const { return group_.empty() ? machines : count_; }
  std::size_t listed() const { return group_.size(); }  // machines, or 0

 private:
  std::vector<std::uint32_t> group_;
  std::size_t count_ = 0;
};

// Tasks are numbered from 0, as are machines; a machine is one core. Times are a matrix, or those of related machines:
// amount / speed, for kinds of machines that are alike. Copies share the matrix.
struct GraphProblem {
  GraphArcs arcs;
  std::size_t machines = 0;
  MachineGroups kind = {};
  std::span<const double> times =
      {};  // a row for each task, a number for each kind: s, +inf = cannot run there
  std::shared_ptr<const void> times_owner = {};  // keeps `times` alive; null: somebody else does
  std::vector<double> amounts = {},
                      speeds = {};  // in place of `times`: per task, per kind; speed 0 runs nothing
  MachineGroups cluster = {};       // what is in a cluster is everywhere in it
  GraphNetwork network = {};        // between clusters
  std::vector<double> ready = {};   // s, per machine; empty: all 0
  double now = 0;                   // s; no task begins before
  // s, a row for each task, a number for each cluster: when the inputs can be there that no task makes; empty: now.
  std::vector<double> release = {};
  std::vector<GraphOccupied> occupied = {};  // by machine and time, without overlaps
  std::vector<WorkId> works = {};            // per task; empty: they are not those of a run
  std::vector<HostId> hosts = {};            // per machine; empty: they are not those of a platform

  std::size_t tasks() const { return arcs.tasks(); }
  std::size_t kinds() const { return kind.count(machines); }
  std::size_t clusters() const { return cluster.count(machines); }
  bool is_related() const { return !amounts.empty(); }
  double time_of_kind(std::size_t task, std::size_t of_kind) const {
    if (!is_related()) return times[task * kinds() + of_kind];
    return speeds[of_kind] > 0 ? amounts[task] / speeds[of_kind] : std::numeric_limits<double>::infinity();
  }
  double time(std::size_t task, std::size_t machine) const { return time_of_kind(task, kind[machine]); }
  // The times on all machines: a row of the matrix where it has a number for each machine, else `room`, filled in.
  const double* times_of(std::size_t task, std::vector<double>& room) const;
  double ready_of(std::size_t machine) const { return ready.empty() ? 0 : ready[machine]; }
  // The earliest time for the task as far as nothing but `now` and `release` goes.
  double released(std::size_t task, std::size_t in_cluster) const {
    return release.empty() ? now : std::max(now, release[task * clusters() + in_cluster]);
  }
  // When the data of an edge is on a machine; its task ended at `finish` on another one, or the same.
  double arrival(const GraphArc& arc, double finish, std::size_t from, std::size_t to) const {
    const std::uint32_t a = cluster[from], b = cluster[to];
    return a == b || !arc.has_data ? finish : network.arrival(finish, arc.largest, a, b);
  }
  // How long the data takes; 0 in a cluster, and where there is none. Parallel files count as one.
  double transfer(const GraphArc& arc, std::size_t from, std::size_t to) const {
    const std::uint32_t a = cluster[from], b = cluster[to];
    return a == b || !arc.has_data ? 0 : network.arrival(0, arc.bytes, a, b);
  }
  // Per task: some machine can run it, and all those before it. The others are never placed.
  std::vector<std::uint8_t> placeable() const;

  void set_times(std::vector<double> matrix);  // kept by the problem
};

// Throws Error unless numbers and sizes go together: workflow_hosts, workflow_time, workflow_size, workflow_cycle, or
// bad_value of anything else.
void check_graph_problem(const GraphProblem& problem);

// The tasks and edges of a graph; the times too, where the graph has them by host, which then is a machine each. In
// other graphs each task has its amount, and the machines are those of `speeds`: op/s, or 1 where amounts are in s.
GraphProblem graph_problem_of(std::shared_ptr<const TaskGraph> graph, std::vector<double> speeds = {});

// A schedule. A task that no machine can run stays unplaced, and so do the tasks behind it.
struct GraphPlan {
  std::vector<std::uint32_t> machine;  // per task; kUnmapped = unplaced
  std::vector<double> start, finish;   // s, per task; NaN where unplaced
  std::vector<std::uint32_t> order;    // in which tasks were placed
  double makespan = 0;                 // s, the last finish; 0 of no task
};

struct GraphStep;  // runtime/cost/graph_explain.h

// Plans a whole graph. It is pure: it has no clock, and no state between calls except a named random stream.
class GraphScheduler {
 public:
  virtual ~GraphScheduler() = default;
  virtual std::unique_ptr<GraphScheduler> clone() const = 0;
  // From here on it draws its numbers from a copy of this stream. Most draw none.
  virtual void reseed(const Stream&) {}
  virtual void schedule(const GraphProblem& problem, GraphPlan& out) = 0;  // overwrites `out`
  // Explains how the task came to its machine in `plan`, its answer to the problem. The default compares finishes.
  virtual void explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task, GraphStep& out);
};

// Gives a graph scheduler its clone() by copy construction.
template <class Self>
class GraphSchedulerOf : public GraphScheduler {
 public:
  std::unique_ptr<GraphScheduler> clone() const final {
    return std::make_unique<Self>(static_cast<const Self&>(*this));
  }
};

}  // namespace perigee::cost
