// The waiting tasks of a chart in blocks of similar ones. The shortest and longest times of a block bound when its
// tasks would be complete, so that a rule can pass over tasks that surely do not go first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/cost/chart.h"

namespace perigee::cost {

// Bounds on the completions of any task of a block, beyond rounding.
struct ChartBounds {
  // The task is complete on the best host of the first cluster, the second one and so on from low[0], low[1] ... to
  // high[0], high[1] ... Both ascend; +inf: perhaps never.
  std::span<const Time> low, high;
  Time next_high;  // in some cluster, it is complete on the second host at the latest
};

// A value that a view keeps up to date.
class ChartBlocks {
 public:
  ChartBlocks(const Chart& chart, std::span<const std::uint32_t> tasks);

  // `placed`: all tasks placed since the blocks were made and before, in that order. `outlooks`: of each cluster, now.
  void refresh(const Chart& chart, std::span<const Chart::Outlook> outlooks,
               std::span<const ChartTask> placed);

  std::size_t size() const { return first_.size() - 1; }
  std::span<const std::uint32_t> tasks(std::size_t block) const {  // that wait, in any order
    return std::span(tasks_).subspan(first_[block], waiting_[block]);
  }
  ChartBounds bounds(std::size_t block) const;
  // The clusters that may be among the first so many to complete a task of the block.
  void first_clusters(std::size_t block, std::size_t count, std::vector<std::uint32_t>& out) const;

 private:
  static constexpr std::size_t kBlock = 16;  // tasks
  struct Range {
    Seconds low = kNever, high = -kNever;
    void meet(Seconds time) {
      low = std::min(low, time);
      high = std::max(high, time);
    }
  };
  // A block in a cluster.
  struct Here {
    Range missing, last;        // of the inputs, as Chart::Needs
    Range longest, total;       // of the outputs' transfers
    Seconds shortest = kNever;  // computation
    bool is_bounded = true;     // no time depends on the start
    std::uint8_t outputs = 0;   // of a task at most; 2: or more
  };
  struct End {
    Time low = -kNever, high = kNever, next_high = kNever;
  };
  Here& here(std::size_t block, std::size_t cluster) { return here_[cluster * size() + block]; }
  void measure(const Chart& chart, std::size_t block, std::size_t cluster);
  void measure_needs(const Chart& chart, std::size_t block, std::size_t cluster);
  void list_users(const ChartProblem& problem);
  void leave(std::uint32_t task);
  void bound(const Chart& chart, const Chart::Outlook& there);
  void keep(std::size_t block, std::size_t cluster, const End& end);

  std::size_t clusters_;
  std::vector<std::uint32_t> tasks_;            // block by block, those that wait first
  std::vector<std::uint32_t> place_;            // per task of the problem, in tasks_
  std::vector<std::uint32_t> first_, waiting_;  // per block; first_ also has the number of all tasks
  // Per file of the problem, the tasks that need it: users_[first_user_[f]] to users_[first_user_[f + 1]].
  std::vector<std::uint32_t> users_, first_user_;
  std::vector<Here> here_;                                // clusters x blocks
  std::vector<End> ends_;                                 // blocks x clusters
  std::vector<Time> low_, high_;                          // blocks x clusters, ascending
  std::vector<std::vector<Seconds>> shortest_, longest_;  // per cluster: blocks x hosts
  std::vector<std::uint8_t> used_;                        // per cluster, since the last refresh
  std::size_t seen_ = 0;                                  // tasks placed before it
};

}  // namespace perigee::cost
