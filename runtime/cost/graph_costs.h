// Costs of a task graph before anything is placed: mean times and transfers, ranks and levels.
//
// Sources: Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002, section 4.1 (ranks); Arabnejad, Barbosa, IEEE TPDS 25(3),
// 2014, section 4 (optimistic cost table); Oh, Ha, Euro-Par 1996 (best imaginary level); Kwok, Ahmad, ACM Computing
// Surveys 31(4), 1999 (levels, ALAP).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/cost/graph_problem.h"

namespace perigee::cost {

// One number for a task on all machines that can run it, or for an edge between all ordered pairs of different
// machines. The median of an even number of values is the mean of the middle two.
enum class GraphMean : std::uint8_t { mean, median, best, worst, none };  // best: the least; none: 0
// Error "bad_value" with the nearest name.
GraphMean graph_mean_of(std::string_view name);

struct RankOptions {
  GraphMean computation = GraphMean::mean;
  GraphMean communication = GraphMean::mean;
  bool rates =
      false;  // the mean transfer is that at mean latency and mean bandwidth, not the mean of the times

  friend bool operator==(const RankOptions&, const RankOptions&) = default;
};

struct CriticalPath {
  std::vector<std::uint32_t> tasks;  // from an entry to an exit
  double length = 0;                 // s
};

// Each cost is found when it is asked for, and kept. Tasks that cannot be placed, and edges to them, count for no other task;
// their own mean time and ranks are +inf. The problem must outlive it.
class GraphCosts {
 public:
  explicit GraphCosts(const GraphProblem& problem);
  GraphCosts(const GraphCosts&) = delete;
  GraphCosts& operator=(const GraphCosts&) = delete;

  const GraphProblem& problem() const { return problem_; }
  std::size_t tasks() const { return problem_.tasks(); }
  std::size_t machines() const { return problem_.machines; }
  // Every task behind its predecessors; of those that could be next, the lowest.
  std::span<const std::uint32_t> order() const { return order_; }
  bool placeable(std::size_t task) const { return placeable_[task] != 0; }

  double mean_time(std::size_t task, GraphMean how = GraphMean::mean) const { return mean_times(how)[task]; }
  double mean_transfer(const GraphArc& arc, GraphMean how = GraphMean::mean, bool rates = false) const;

  // All of the following are by task, in s.
  const std::vector<double>& mean_times(GraphMean how = GraphMean::mean) const;
  const std::vector<double>& upward_rank(const RankOptions& options = {}) const;
  const std::vector<double>& downward_rank(const RankOptions& options = {}) const;
  const std::vector<double>& static_level(GraphMean computation = GraphMean::mean) const {
    return upward_rank({.computation = computation, .communication = GraphMean::none});
  }
  const std::vector<double>& alap(const RankOptions& options = {}) const;
  // Upward and downward rank together.
  const std::vector<double>& path_length(const RankOptions& options = {}) const;
  double longest(const RankOptions& options = {}) const;  // the greatest upward rank; 0 of no task
  // From the entry of greatest path_length on, to the lowest successor whose path_length is equal to that.
  CriticalPath critical_path(const RankOptions& options = {}) const;

  // When each task must end, so that what comes behind it can in the mean keep the deadline of all.
  std::vector<double> sub_deadlines(double deadline, const RankOptions& options = {}) const;
  // The machine with the least sum of the times of these tasks; kUnmapped: none can run them all.
  std::uint32_t fastest_for(std::span<const std::uint32_t> tasks) const;

  // A row for each task, a number for each machine. +inf in the second where the machine cannot run the task.
  std::span<const double> oct() const;
  std::span<const double> bil() const;
  double oct(std::size_t task, std::size_t machine) const { return oct()[task * machines() + machine]; }
  double bil(std::size_t task, std::size_t machine) const { return bil()[task * machines() + machine]; }
  const std::vector<double>& mean_oct() const;  // over the machines that can run the task

 private:
  enum class Kind : std::uint8_t { mean_time, upward_rank, downward_rank, alap, path_length, mean_oct };
  struct Kept {
    Kind kind;
    RankOptions options;
    std::unique_ptr<const std::vector<double>> values;
  };
  template <class Make>
  const std::vector<double>& kept(Kind kind, const RankOptions& options, Make&& make) const;
  double mean_over_pairs(const GraphArc& arc, GraphMean how) const;

  const GraphProblem& problem_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint8_t> placeable_;
  std::vector<double> machines_of_kind_, machines_of_cluster_;
  double pairs_ = 0, pairs_apart_ = 0;  // ordered pairs of different machines; those in different clusters
  // Ways that are not all alike have these. Over all pairs: the mean latency, and that of 1 / bandwidth; then over those apart,
  // of the rates themselves.
  double mean_latency_ = 0, mean_slowness_ = 0, latency_apart_ = 0, bandwidth_apart_ = 0;
  mutable std::vector<Kept> kept_;
  mutable std::vector<double> oct_, bil_;
};

}  // namespace perigee::cost
