// Machines that all tasks agree about are columns; otherwise each task has a row. Both find the key of a task
// only when it may be the largest.
//
// Columns: a machine cannot be the best one if another is as fast for every task and ready no later. In a
// chain, each machine is as fast as the next for every task. Only a few of a chain matter: those that are
// ready before all (or all but one) of the faster ones. Tasks stand in blocks of similar ones. The least and
// greatest times of a block bound its keys and tell which machines matter in it. In consistent matrices,
// nearly all tasks change their best machine at each choice, and all machines form one chain.
//
// Rows: ready times only grow. A task ends at best no later than on any one machine, and at second best no
// later than on the later of any two. Its best end, found at any time, is never undercut later. So a machine,
// or two for the sufferage, bounds the key of a task until one of them is used. The machines taken keep the
// bound below the largest key and are ready last among those that do: it takes long until they are used. The
// task whose bound is the largest has its key found, until that of the foremost is known. A task with an
// equal bound needs that only if it stands before the chosen one. A task keeps the machines that ended it first
// when its row was last looked at: as ready times only grow, they tell its key until the others may end it
// earlier, and bound it thereafter.
#include "runtime/cost/greedy_largest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "runtime/cost/greedy.h"
#include "runtime/cost/keys.h"
#include "runtime/cost/scan.h"
#include "runtime/kernel/constants.h"

namespace perigee::cost {
namespace {

constexpr std::size_t kFewTasks = 32;       // columns do not pay for so few
constexpr std::size_t kFew = 32;            // machines that may be columns without being in a chain; chains
constexpr std::size_t kShortestChain = 16;  // chain of machines that makes them columns
constexpr std::size_t kSampled = 32;        // tasks compared to find chains
constexpr std::size_t kManyMachines = 64;   // for which shortlists pay
constexpr double kShare = 0.75;  // of the room between a key and the largest that its bound may take

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

class Columns {
 public:
  Columns(const MappingProblem& problem, std::vector<Chain> chains, LargestKey key, Mapping& out,
          Extent extent)
      : problem_(problem),
        starts_(problem, extent),
        key_(key),
        out_(out),
        ready_(problem.machines, 0.0),
        chains_(std::move(chains)),
        task_(problem.tasks),
        slot_(problem.tasks) {
    start_mapping(problem, out);
    if (!problem.ready.empty()) std::ranges::copy(problem.ready, ready_.begin());
    sort_tasks();
    copy_columns();
    rest_best_.assign(problem.tasks, kInfinity);
    rest_second_.assign(problem.tasks, kInfinity);
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
        forget(first.at);
        ready_[first.at] = first.value;
      }
      if (starts_.is_over([&](std::size_t m) { return ready_[m]; })) return;
      remove(slot_[task]);
      if (first_block >= waiting_.size()) first_block = 0;
    }
  }

 private:
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

  // Forgets the results of the blocks in which the machine may be best (or second) for some task.
  void forget(std::size_t machine) {
    const double* const low = low_.get() + column_[machine] * block_stride_;
    for (std::size_t b = 0; b < waiting_.size(); ++b)
      if (low[b] + ready_[machine] <= limit_[b]) is_known_[b] = 0;
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
  std::vector<Chain> chains_;        // the columns
  std::vector<std::size_t> column_;  // of a machine
  std::size_t columns_ = 0, stride_ = 0, block_stride_ = 0;
  std::unique_ptr<double[]> times_, low_,
      high_;  // times_[column * stride_ + slot], low_[column * block_stride_ + block]
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

class Rows {
 public:
  Rows(const MappingProblem& problem, LargestKey key, Mapping& out, Extent extent)
      : problem_(problem),
        starts_(problem, extent),
        by_sufferage_(key == LargestKey::sufferage),
        out_(out),
        ready_(problem.machines, 0.0),
        bounds_(problem.tasks),
        tasks_(problem.tasks),
        watchers_(problem.machines),
        lists_(problem.machines >= kManyMachines ? problem.tasks : 0) {
    start_mapping(problem, out);
    if (!problem.ready.empty()) std::ranges::copy(problem.ready, ready_.begin());
    for (std::size_t task = 0; task < problem.tasks; ++task) bounds_.set(task, -kInfinity);
  }

  void run() {
    while (!bounds_.empty()) {
      const std::size_t task = bounds_.lowest();
      if (!tasks_[task].is_known) {
        bound(task, largest_known_, true);
        continue;
      }
      const Smallest first = smallest_sum(row(task), ready_);
      record(out_, task, first.at, first.value);
      if (const double key = -bounds_.key(task); key < kInfinity)
        usual_ = key < usual_ ? key : usual_ + (key - usual_) / 16;
      largest_known_ = -kInfinity;
      remove(task);
      ready_[first.at] = first.value;
      if (starts_.is_over([&](std::size_t m) { return ready_[m]; })) return;
      used(first.at);
    }
  }

 private:
  struct Task {
    bool waits = true;
    bool is_known = false;  // its bound is its key
    std::uint32_t watched = kUnmapped, also_watched = kUnmapped;
    std::uint32_t woken_at = 0;  // after so many choices
  };

  const double* row(std::size_t task) const { return problem_.etc.data() + task * problem_.machines; }

  void remove(std::size_t task) {
    bounds_.remove(task);
    tasks_[task].waits = false;
  }

  // Looks at the tasks that watch the machine. A list may name a task again that came back to the machine.
  void used(std::uint32_t machine) {
    woken_.swap(watchers_[machine]);
    const auto choices = static_cast<std::uint32_t>(out_.order.size());
    std::erase_if(woken_, [&](std::uint32_t task) {
      Task& t = tasks_[task];
      const bool watches = t.watched == machine || t.also_watched == machine;
      return !t.waits || !watches || std::exchange(t.woken_at, choices) == choices;
    });
    for (std::size_t i = 0; i < woken_.size(); ++i) {
      if (i + 1 < woken_.size()) fetch(woken_[i + 1]);
      bound(woken_[i], usual_, false);
    }
    woken_.clear();
  }

  // Rows and lists lie anywhere in memory: the next one comes while one is looked at.
  void fetch(std::size_t task) const {
    const auto lines = [](const auto* begin, std::size_t count) {
      for (std::size_t i = 0; i < count; i += 64 / sizeof(*begin)) __builtin_prefetch(begin + i);
    };
    if (lists_.empty())
      lines(row(task), problem_.machines);
    else
      lines(reinterpret_cast<const std::byte*>(&lists_[task]), sizeof(Shortlist));
  }

  // Finds the task's key. Bounds it, if `must_be_less` by less than `largest`; else by `largest` at most
  // where that is possible. Otherwise the key is known.
  void bound(std::size_t task, double largest, bool must_be_less) {
    if (!lists_.empty() && bound_by_list(task, lists_[task], largest, must_be_less)) return;
    const TwoSmallest ends = lists_.empty() ? ends_by_row(task) : ends_by_list(task);
    if (!(ends.best < kInfinity)) return remove(task);  // it can run nowhere, now and ever
    bound_by(task, ends, ends.best, true, largest, must_be_less, [&](double limit) {
      if (!lists_.empty() && limit <= lists_[task].rest) return latest_in(lists_[task], limit);
      const TwoGreatest found = two_latest_within(row(task), ready_, limit);
      const auto end = [&](std::uint32_t machine) { return ready_[machine] + problem_.time(task, machine); };
      return Latest{found, end(found.at), end(found.next)};
    });
  }

  TwoSmallest ends_by_row(std::size_t task) const {
    if (by_sufferage_) return two_smallest_sums(row(task), ready_);
    const Smallest first = smallest_sum(row(task), ready_);
    return {first.value, first.value, first.at, first.at};
  }

  // Makes the list anew.
  TwoSmallest ends_by_list(std::size_t task) {
    Shortlist& list = lists_[task];
    shorten(row(task), ready_, list);
    const auto end = [&](std::size_t i) {
      return i < list.size ? ready_[list.machine[i]] + list.time[i] : kInfinity;
    };
    const std::size_t next = by_sufferage_ ? 1 : 0;
    return {end(0), end(next), list.machine[0], list.machine[std::min<std::size_t>(next, list.size)]};
  }

  struct Latest {
    TwoGreatest machines;  // by ready time
    double end, next_end;  // of the task on them
  };
  // The machines of a list, all others end the task after the limit.
  Latest latest_in(const Shortlist& list, double limit) const {
    const auto end = [&](std::uint32_t i) { return ready_[list.machine[i]] + list.time[i]; };
    TwoGreatest found{-kInfinity, -kInfinity, 0, 0};
    for (std::uint32_t i = 0; i < list.size; ++i)
      if (end(i) <= limit) found.meet(ready_[list.machine[i]], i);
    return {{found.first, found.second, list.machine[found.at], list.machine[found.next]},
            end(found.at),
            end(found.next)};
  }

  // bound() by the shortlist alone. False if that does not tell enough.
  bool bound_by_list(std::size_t task, const Shortlist& list, double largest, bool must_be_less) {
    std::array<double, Shortlist::kMost> ready, end;
    TwoSmallest ends{kInfinity, kInfinity, 0, 0};
    for (std::uint32_t i = 0; i < list.size; ++i) {
      ready[i] = ready_[list.machine[i]];
      end[i] = ready[i] + list.time[i];
      if (end[i] < ends.best) {
        ends.second = ends.best, ends.next = ends.at;
        ends.best = end[i], ends.at = i;
      } else if (end[i] < ends.second) {
        ends.second = end[i], ends.next = i;
      }
    }
    if (!(ends.best < kInfinity)) return false;
    if (!by_sufferage_) ends.second = ends.best, ends.next = ends.at;
    ends.at = list.machine[ends.at], ends.next = list.machine[ends.next];
    return bound_by(task, ends, std::min(ends.best, list.rest), ends.second <= list.rest, largest,
                    must_be_less, [&](double limit) {
                      TwoGreatest found{-kInfinity, -kInfinity, 0, 0};
                      for (std::uint32_t i = 0; i < list.size; ++i)
                        if (end[i] <= limit) found.meet(ready[i], i);
                      return Latest{
                          {found.first, found.second, list.machine[found.at], list.machine[found.next]},
                          end[found.at],
                          end[found.next]};
                    });
  }

  // Bounds the key by the best and the second end. No end is before `least`. The two may be too late if they
  // are not exact; false if they then tell too little.
  template <class Within>
  bool bound_by(std::size_t task, const TwoSmallest& ends, double least, bool exact, double largest,
                bool must_be_less, Within&& latest_within) {
    const double floor = by_sufferage_ ? least : 0, key = ends.second - floor;
    if (!exact && !(key < largest)) return false;
    if (key < kInfinity && (key < largest || !must_be_less)) {
      // Most of the way to the largest key, which varies from choice to choice.
      const double limit = floor + (key < largest ? key + (largest - key) * kShare : key);
      const Latest found = latest_within(std::min(limit, std::numeric_limits<double>::max()));
      if ((by_sufferage_ ? found.machines.second : found.machines.first) > -kInfinity) {
        const double most = (by_sufferage_ ? std::max(found.end, found.next_end) : found.end) - floor;
        if (most < largest || !must_be_less) {
          watch(task, most, exact && most == key && !by_sufferage_, found.machines.at, found.machines.next);
          return true;
        }
      }
    }
    if (!exact) return false;
    largest_known_ = std::max(largest_known_, key);
    watch(task, key, true, ends.at, ends.second < kInfinity ? ends.next : ends.at);
    return true;
  }

  // Until the machine, for the sufferage also the other one, is used.
  void watch(std::size_t task, double bound, bool is_known, std::uint32_t machine, std::uint32_t other) {
    Task& t = tasks_[task];
    bounds_.set(task, -bound);
    t.is_known = is_known;
    t.watched = machine;
    t.also_watched = by_sufferage_ ? other : machine;
    watchers_[machine].push_back(static_cast<std::uint32_t>(task));
    if (t.also_watched != machine) watchers_[t.also_watched].push_back(static_cast<std::uint32_t>(task));
  }

  const MappingProblem& problem_;
  const Starts starts_;
  const bool by_sufferage_;
  Mapping& out_;
  std::vector<double> ready_;
  Keys bounds_;  // negated
  std::vector<Task> tasks_;
  std::vector<std::vector<std::uint32_t>> watchers_;  // per machine: the tasks to look at when it is used
  std::vector<std::uint32_t> woken_;
  std::vector<Shortlist> lists_;       // per task; empty if there are few machines
  double largest_known_ = -kInfinity;  // key found since the last choice
  double usual_ = kInfinity;           // about the least of the keys chosen lately
};

bool all_are_columns(const std::vector<Chain>& chains) {
  std::size_t others = 0;
  for (const Chain& chain : chains)
    if (chain.size() < kShortestChain) others += chain.size();
  return others <= kFew;
}

}  // namespace

void greedy_largest(const MappingProblem& problem, LargestKey key, Mapping& out, Extent extent) {
  if (problem.has_cores() || problem.has_earliest())
    return greedy_by_key(
        problem,
        [key](const GreedyView& view, std::size_t task) {
          return key == LargestKey::best ? view.best(task) : view.second(task) - view.best(task);
        },
        true, true, out, {}, extent);
  if (problem.tasks >= kFewTasks)
    if (std::vector<Chain> chains = chains_of(problem); all_are_columns(chains))
      return Columns(problem, std::move(chains), key, out, extent).run();
  Rows(problem, key, out, extent).run();
}

}  // namespace perigee::cost
