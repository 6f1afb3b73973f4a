// Machines are kept in two ways.
//
// Columns: every key is computed anew at each choice, in one pass over the columns of the matrix. A machine
// cannot be the best one if another is as fast for every task and ready no later. In a chain, each machine is
// as fast as the next for every task. Only a few of a chain matter: those that are ready before all (or all
// but one) of the faster ones. In consistent matrices, nearly all tasks change their best machine at each
// choice, and all machines form one chain. Tasks stand in blocks of similar ones. The least and greatest
// times of a block bound its keys and tell which machines matter in it.
//
// The rest: a GreedyView, which scans the rows of those tasks whose best completion changes. That is seldom
// if tasks disagree about the machines.
#include "runtime/cost/greedy_largest.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "runtime/cost/greedy.h"
#include "runtime/cost/scan.h"
#include "runtime/kernel/constants.h"

namespace perigee::cost {
namespace {

constexpr std::size_t kFewTasks = 32;       // columns do not pay for so few
constexpr std::size_t kFew = 32;            // machines that may be columns without being in a chain; chains
constexpr std::size_t kShortestChain = 16;  // chain of machines that makes them columns
constexpr std::size_t kSampled = 32;        // tasks compared to find chains

struct Member {
  std::uint32_t machine;
  bool is_equal;  // to the member before, for every task
};
using Chain = std::vector<Member>;

// Splits the machines into chains; some chains have one machine.
std::vector<Chain> chains_of(const MappingProblem& problem) {
  const std::size_t machines = problem.machines;
  std::vector<double> sums(machines, 0.0);
  for (std::size_t t = 0; t < problem.tasks; ++t)
    for (std::size_t m = 0; m < machines; ++m) sums[m] += problem.time(t, m);
  std::vector<std::uint32_t> by_sum(machines);
  std::iota(by_sum.begin(), by_sum.end(), 0u);
  std::ranges::stable_sort(by_sum, {}, [&](std::uint32_t m) { return sums[m]; });

  const std::size_t step = problem.tasks / kSampled + 1;
  const auto seems_as_fast = [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t t = 0; t < problem.tasks; t += step)
      if (problem.time(t, a) > problem.time(t, b)) return false;
    return true;
  };
  std::vector<Chain> chains, singles;
  for (const std::uint32_t m : by_sum) {
    const auto chain =
        std::ranges::find_if(chains, [&](const Chain& c) { return seems_as_fast(c.back().machine, m); });
    if (chain != chains.end())
      chain->push_back({m, true});
    else
      (chains.size() < kFew ? chains : singles).push_back({{m, false}});
  }

  for (std::size_t t = 0; t < problem.tasks; ++t)
    for (Chain& chain : chains) {
      double before = problem.time(t, chain.front().machine);
      for (std::size_t i = 1; i < chain.size();) {
        const double time = problem.time(t, chain[i].machine);
        if (time >= before) {
          if (time > before) chain[i].is_equal = false;
          before = time;
          ++i;
        } else {
          singles.push_back({{chain[i].machine, false}});
          chain.erase(chain.begin() + static_cast<std::ptrdiff_t>(i));
          if (i < chain.size()) chain[i].is_equal = false;
        }
      }
    }
  chains.insert(chains.end(), singles.begin(), singles.end());
  return chains;
}

class Largest {
 public:
  Largest(const MappingProblem& problem, LargestKey key, Mapping& out, Extent extent)
      : problem_(problem),
        starts_(problem, extent),
        key_(key),
        out_(out),
        ready_(problem.machines, 0.0),
        is_column_(problem.machines, 1),
        task_(problem.tasks),
        slot_(problem.tasks) {
    start_mapping(problem, out);
    if (!problem.ready.empty()) std::ranges::copy(problem.ready, ready_.begin());
    sort_tasks();
    choose_columns();
    copy_columns();
    rest_best_.assign(problem.tasks, kInfinity);
    rest_second_.assign(problem.tasks, kInfinity);
    if (std::ranges::find(is_column_, 0) != is_column_.end()) start_rest();
    make_blocks();
  }

  void run() {
    std::size_t first_block = 0;
    while (left_ > 0) {
      choose_relevant();
      const TaskBlocks tasks{relevant_,        waiting_.size(),  rest_best_.data(), rest_second_.data(),
                             position_.data(), rest_low_.data(), waiting_.data(),   bound_.data(),
                             limit_.data(),    known_.data(),    is_known_.data(),  scratch_.data()};
      const Greatest found =
          key_ == LargestKey::best ? latest_best(tasks, first_block) : largest_sufferage(tasks, first_block);
      if (!(found.value > -kInfinity)) return;
      const std::uint32_t task = found.at;
      first_block = slot_[task] / kBlock;
      const Smallest first = smallest_sum(problem_.etc.data() + task * problem_.machines, ready_);
      if (first.value < kInfinity) {
        record(out_, task, first.at, first.value);
        if (is_column_[first.at] != 0) forget(first.at);
        ready_[first.at] = first.value;
      }
      if (rest_) {
        if (first.value < kInfinity && is_column_[first.at] == 0)
          rest_->assign(task, first.at);
        else
          rest_->drop(task);
        for (const std::uint32_t other : rest_->refresh()) take_rest(other);
      }
      if (starts_.is_over([&](std::size_t m) { return ready_[m]; })) return;
      remove(slot_[task]);
      if (first_block >= waiting_.size()) first_block = 0;
    }
  }

 private:
  void choose_columns() {
    if (problem_.tasks < kFewTasks) {
      is_column_.assign(problem_.machines, 0);
      return;
    }
    chains_ = chains_of(problem_);
    std::size_t others = 0;
    for (const Chain& chain : chains_)
      if (chain.size() < kShortestChain) others += chain.size();
    if (others <= kFew) return;
    for (const Chain& chain : chains_)
      if (chain.size() < kShortestChain)
        for (const Member& member : chain) is_column_[member.machine] = 0;
    std::erase_if(chains_, [](const Chain& chain) { return chain.size() < kShortestChain; });
  }

  // Puts tasks of similar size together.
  void sort_tasks() {
    std::vector<double> size(problem_.tasks, 0.0);
    for (std::size_t t = 0; t < problem_.tasks; ++t)
      for (std::size_t m = 0; m < problem_.machines; ++m) size[t] += problem_.time(t, m);
    std::iota(task_.begin(), task_.end(), 0u);
    std::ranges::stable_sort(task_, std::greater<>(), [&](std::uint32_t task) { return size[task]; });
    for (std::uint32_t slot = 0; slot < task_.size(); ++slot) slot_[task_[slot]] = slot;
  }

  static std::size_t blocks_of(std::size_t tasks) { return (tasks + 4 * kBlock - 1) / (4 * kBlock) * 4; }

  void copy_columns() {
    column_.assign(problem_.machines, 0);
    for (const Chain& chain : chains_)
      for (const Member& member : chain) column_[member.machine] = columns_++;
    block_stride_ = blocks_of(problem_.tasks);
    stride_ = block_stride_ * kBlock + 8;  // equal places of the columns in different sets of the cache
    times_ = std::make_unique_for_overwrite<double[]>(columns_ * stride_);
    low_ = std::make_unique_for_overwrite<double[]>(columns_ * block_stride_);
    high_ = std::make_unique_for_overwrite<double[]>(columns_ * block_stride_);
    scratch_.resize(columns_ + 1);
    for (std::size_t begin = 0; begin < problem_.tasks; begin += 8) {  // a line of the cache
      const std::size_t end = std::min(begin + 8, problem_.tasks);
      for (std::size_t m = 0; m < problem_.machines; ++m)
        if (is_column_[m] != 0)
          for (std::size_t slot = begin; slot < end; ++slot)
            times_[column_[m] * stride_ + slot] = problem_.time(task_[slot], m);
    }
  }

  // Pads the slots to whole blocks and finds the bounds of each block's times.
  void make_blocks() {
    left_ = task_.size();
    const std::size_t blocks = blocks_of(left_), padded = blocks * kBlock;
    rest_best_.resize(padded);
    rest_second_.resize(padded);
    position_.assign(padded, 0.0);
    std::fill(rest_best_.begin() + static_cast<std::ptrdiff_t>(left_), rest_best_.end(), kNaN);
    std::copy(task_.begin(), task_.end(), position_.begin());
    waiting_.assign(blocks, 0);
    rest_low_.assign(blocks, kInfinity);
    bound_.resize(blocks);
    limit_.resize(blocks);
    known_.resize(blocks);
    is_known_.assign(blocks, 0);
    for (std::size_t slot = 0; slot < left_; ++slot) {
      ++waiting_[slot / kBlock];
      rest_low_[slot / kBlock] = std::min(rest_low_[slot / kBlock], rest_best_[slot]);
    }
    for (std::size_t c = 0; c < columns_ && left_ > 0; ++c) {
      double* const times = times_.get() + c * stride_;
      std::fill(times + left_, times + padded, times[left_ - 1]);
      for (std::size_t b = 0; b < blocks; ++b) {
        const auto [low, high] = std::minmax_element(times + b * kBlock, times + (b + 1) * kBlock);
        low_[c * block_stride_ + b] = *low;
        high_[c * block_stride_ + b] = *high;
      }
    }
  }

  void start_rest() {
    std::vector<double> ready = ready_;
    for (std::size_t m = 0; m < problem_.machines; ++m)
      if (is_column_[m] != 0) ready[m] = kInfinity;
    MappingProblem problem = problem_;
    problem.ready = ready;
    rest_.emplace(problem,
                  key_ == LargestKey::best ? GreedyView::Keep::best : GreedyView::Keep::best_and_second);
    for (std::size_t task = 0; task < problem.tasks; ++task) take_rest(task);
  }

  // Forgets the results of the blocks in which the machine may be best (or second) for some task.
  void forget(std::size_t machine) {
    const double* const low = low_.get() + column_[machine] * block_stride_;
    for (std::size_t b = 0; b < waiting_.size(); ++b)
      if (low[b] + ready_[machine] <= limit_[b]) is_known_[b] = 0;
  }

  void take_rest(std::size_t task) {
    if (!is_known_.empty()) is_known_[slot_[task] / kBlock] = 0;
    const bool feasible = rest_->unmapped(task);
    rest_best_[slot_[task]] = feasible ? rest_->best(task) : kInfinity;
    rest_second_[slot_[task]] = feasible ? rest_->second(task) : kInfinity;
  }

  // Collects from each chain the machines that may be best (or second) for some task.
  void choose_relevant() {
    relevant_.clear();
    for (const Chain& chain : chains_) {
      double lowest = kInfinity, second = kInfinity;  // ready times so far
      const double& limit = key_ == LargestKey::best ? lowest : second;
      std::size_t equals = relevant_.size();  // where the current equal machines begin
      for (const Member& member : chain) {
        if (!member.is_equal) equals = relevant_.size();
        const double ready = ready_[member.machine];
        if (!(ready < limit)) continue;
        second = std::min(second, std::max(lowest, ready));
        lowest = std::min(lowest, ready);
        relevant_.resize(static_cast<std::size_t>(
            std::remove_if(relevant_.begin() + static_cast<std::ptrdiff_t>(equals), relevant_.end(),
                           [&](const TimedColumn& c) { return c.ready > limit; }) -
            relevant_.begin()));
        const std::size_t c = column_[member.machine];
        relevant_.push_back({times_.get() + c * stride_, low_.get() + c * block_stride_,
                             high_.get() + c * block_stride_, ready});
      }
    }
  }

  void remove(std::size_t slot) {
    rest_best_[slot] = kNaN;
    --waiting_[slot / kBlock];
    is_known_[slot / kBlock] = 0;
    if (--left_ * 2 < task_.size() && task_.size() > 4 * kBlock) compact();
  }

  void compact() {
    std::vector<std::uint32_t> kept;
    for (std::uint32_t slot = 0; slot < task_.size(); ++slot)
      if (!std::isnan(rest_best_[slot])) kept.push_back(slot);
    const auto pull = [&](auto* values) {
      for (std::size_t i = 0; i < kept.size(); ++i) values[i] = values[kept[i]];
    };
    for (std::size_t c = 0; c < columns_; ++c) pull(times_.get() + c * stride_);
    pull(rest_best_.data());
    pull(rest_second_.data());
    pull(task_.data());
    task_.resize(kept.size());
    for (std::uint32_t slot = 0; slot < task_.size(); ++slot) slot_[task_[slot]] = slot;
    make_blocks();
  }

  const MappingProblem& problem_;
  const Starts starts_;
  const LargestKey key_;
  Mapping& out_;
  std::vector<double> ready_;
  std::vector<std::uint8_t> is_column_;  // per machine
  std::vector<Chain> chains_;            // the columns
  std::vector<std::size_t> column_;      // of a machine
  std::size_t columns_ = 0, stride_ = 0, block_stride_ = 0;
  std::unique_ptr<double[]> times_, low_,
      high_;  // times_[column * stride_ + slot], low_[column * block_stride_ + block]
  std::optional<GreedyView> rest_;
  std::vector<TimedColumn> relevant_, scratch_;
  // By slot: the tasks in order of size. Tasks that no longer wait are removed now and then.
  std::vector<std::uint32_t> task_;
  std::vector<std::uint32_t> slot_;  // of a task
  std::vector<double> position_, rest_best_, rest_second_;
  // By block.
  std::vector<double> rest_low_, bound_, limit_;
  std::vector<std::uint32_t> waiting_;
  std::vector<Smallest> known_;
  std::vector<std::uint8_t> is_known_;
  std::size_t left_ = 0;  // tasks that wait
};

}  // namespace

void greedy_largest(const MappingProblem& problem, LargestKey key, Mapping& out, Extent extent) {
  if (!problem.has_cores()) return Largest(problem, key, out, extent).run();
  greedy_by_key(
      problem,
      [key](const GreedyView& view, std::size_t task) {
        return key == LargestKey::best ? view.best(task) : view.second(task) - view.best(task);
      },
      true, true, out, {}, extent);
}

}  // namespace perigee::cost
