// Machines are kept in two ways.
//
// Columns: every key is computed anew at each choice, in one pass over the columns of the matrix. Where a
// machine is as fast as another for every task and ready no later, the other cannot be the better one; so of
// a chain of machines, each as fast as the next for every task, only a few matter: those that are ready
// before all (or all but one) that are faster. In consistent matrices, where nearly all tasks change their
// best machine at each choice, all machines form one chain.
//
// The rest: a GreedyView, which scans the rows of those tasks whose best completion changes. That is seldom
// where tasks disagree about the machines.
#include "runtime/cost/greedy_largest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "runtime/cost/greedy.h"
#include "runtime/cost/scan.h"

namespace perigee {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFew = 32;       // machines that may be columns without being in a chain; chains
constexpr std::size_t kShortest = 16;  // chain of machines that makes them columns
constexpr std::size_t kSampled = 32;   // tasks compared to find chains

struct Member {
  std::uint32_t machine;
  bool is_equal;  // to the member before, for every task
};
using Chain = std::vector<Member>;

// Machines split into chains; some are chains of one.
std::vector<Chain> chains_of(const MatrixProblem& problem) {
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
  Largest(const MatrixProblem& problem, LargestKey key, Mapping& out)
      : problem_(problem),
        key_(key),
        out_(out),
        ready_(problem.machines, 0.0),
        is_column_(problem.machines, 1),
        task_(problem.tasks),
        slot_(problem.tasks),
        waiting_(problem.tasks) {
    start_mapping(problem, out);
    if (!problem.ready.empty()) std::ranges::copy(problem.ready, ready_.begin());
    std::iota(task_.begin(), task_.end(), 0u);
    std::iota(slot_.begin(), slot_.end(), 0u);
    const std::size_t padded = (problem.tasks + kTasksTogether - 1) / kTasksTogether * kTasksTogether;
    stride_ = padded + 8;  // equal places of the columns in different sets of the cache
    rest_best_.assign(padded, kNaN);
    rest_second_.assign(padded, kInfinity);
    std::fill_n(rest_best_.begin(), problem.tasks, kInfinity);
    choose_columns();
    copy_columns();
    if (std::ranges::find(is_column_, 0) != is_column_.end()) start_rest();
  }

  void run() {
    while (waiting_ > 0) {
      choose_relevant();
      const Smallest found = key_ == LargestKey::best
                                 ? latest_best(relevant_, rest_best_)
                                 : largest_sufferage(relevant_, rest_best_, rest_second_);
      if (!(found.value < kInfinity)) return;
      const std::uint32_t task = task_[found.at];
      const Smallest first = smallest_sum(problem_.etc.data() + task * problem_.machines, ready_);
      remove(found.at);
      if (!(first.value < kInfinity)) {
        if (rest_) rest_->drop(task);
        continue;
      }
      record(out_, task, first.at, first.value);
      ready_[first.at] = first.value;
      if (!rest_) continue;
      if (is_column_[first.at] != 0) {
        rest_->drop(task);
      } else {
        rest_->assign(task, first.at);
        for (const std::uint32_t other : rest_->refresh()) take_rest(other);
      }
    }
  }

 private:
  void choose_columns() {
    chains_ = chains_of(problem_);
    std::size_t others = 0;
    for (const Chain& chain : chains_)
      if (chain.size() < kShortest) others += chain.size();
    if (others <= kFew) return;
    for (const Chain& chain : chains_)
      if (chain.size() < kShortest)
        for (const Member& member : chain) is_column_[member.machine] = 0;
    std::erase_if(chains_, [](const Chain& chain) { return chain.size() < kShortest; });
  }

  void copy_columns() {
    column_.assign(problem_.machines, 0);
    for (const Chain& chain : chains_)
      for (const Member& member : chain) column_[member.machine] = columns_++ * stride_;
    times_ = std::make_unique_for_overwrite<double[]>(columns_ * stride_);
    for (std::size_t begin = 0; begin < stride_; begin += 8)  // a line of the cache
      for (std::size_t m = 0; m < problem_.machines; ++m) {
        if (is_column_[m] == 0) continue;
        double* const to = times_.get() + column_[m] + begin;
        for (std::size_t i = 0; i < 8; ++i)
          to[i] = begin + i < problem_.tasks ? problem_.time(begin + i, m) : 0.0;
      }
  }

  void start_rest() {
    std::vector<double> ready = ready_;
    for (std::size_t m = 0; m < problem_.machines; ++m)
      if (is_column_[m] != 0) ready[m] = kInfinity;
    MatrixProblem problem = problem_;
    problem.ready = ready;
    rest_.emplace(problem, key_ == LargestKey::best ? GreedyView::Keep::best
                                                    : GreedyView::Keep::best_and_second);
    for (std::size_t task = 0; task < problem.tasks; ++task) take_rest(task);
  }

  void take_rest(std::size_t task) {
    const bool feasible = rest_->unmapped(task);
    rest_best_[slot_[task]] = feasible ? rest_->best(task) : kInfinity;
    rest_second_[slot_[task]] = feasible ? rest_->second(task) : kInfinity;
  }

  // Of each chain the machines that may be best (or second) for some task.
  void choose_relevant() {
    relevant_.clear();
    for (const Chain& chain : chains_) {
      double lowest = kInfinity, second = kInfinity;  // ready times so far
      const double& limit = key_ == LargestKey::best ? lowest : second;
      std::size_t equals = relevant_.size();  // where the equal machines at hand begin
      for (std::size_t i = 0; i < chain.size(); ++i) {
        if (!chain[i].is_equal) equals = relevant_.size();
        const double ready = ready_[chain[i].machine];
        if (!(ready < limit)) continue;
        second = std::min(second, std::max(lowest, ready));
        lowest = std::min(lowest, ready);
        relevant_.resize(static_cast<std::size_t>(
            std::remove_if(relevant_.begin() + static_cast<std::ptrdiff_t>(equals), relevant_.end(),
                           [&](const TimedColumn& c) { return c.ready > limit; }) -
            relevant_.begin()));
        relevant_.push_back({times_.get() + column_[chain[i].machine], ready});
      }
    }
  }

  void remove(std::size_t slot) {
    rest_best_[slot] = kNaN;
    --waiting_;
    if (waiting_ * 2 < rest_best_.size() && rest_best_.size() > 4 * kTasksTogether) compact();
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
    const std::size_t padded = (kept.size() + kTasksTogether - 1) / kTasksTogether * kTasksTogether;
    rest_best_.resize(padded);
    rest_second_.resize(padded);
    std::fill(rest_best_.begin() + static_cast<std::ptrdiff_t>(kept.size()), rest_best_.end(), kNaN);
  }

  const MatrixProblem& problem_;
  const LargestKey key_;
  Mapping& out_;
  std::vector<double> ready_;
  std::vector<std::uint8_t> is_column_;  // per machine
  std::vector<Chain> chains_;            // the columns
  std::vector<std::size_t> column_;      // per machine: where its column begins in times_
  std::size_t columns_ = 0, stride_ = 0;
  std::unique_ptr<double[]> times_;
  std::optional<GreedyView> rest_;
  std::vector<TimedColumn> relevant_;
  // By slot: tasks in order of position; those that wait no more leave now and then.
  std::vector<std::uint32_t> task_;
  std::vector<std::uint32_t> slot_;                // of a task
  std::vector<double> rest_best_, rest_second_;    // NaN: waits no more
  std::size_t waiting_;
};

}  // namespace

void greedy_largest(const MatrixProblem& problem, LargestKey key, Mapping& out) {
  Largest(problem, key, out).run();
}

}  // namespace perigee
