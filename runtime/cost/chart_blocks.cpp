#include "runtime/cost/chart_blocks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "runtime/cost/scan.h"
#include "runtime/kernel/work.h"

namespace perigee::cost {
namespace {

constexpr std::uint32_t kNone = BestInCluster::kNone;

// Bounds hold beyond all rounding, of each time and of comparisons with others.
Time below(Time t) { return std::abs(t) < kNever ? t - 16 * chart_slack(t) : t; }
Time above(Time t) { return std::abs(t) < kNever ? t + 16 * chart_slack(t) : t; }

// The mean of the times on hosts where the task can run.
Seconds size_of(const ChartProblem& problem, std::uint32_t task) {
  Seconds sum = 0;
  double hosts = 0;
  for (std::size_t h = 0; h < problem.hosts(); ++h)
    if (const Seconds time = problem.time_of(task, h); time < kNever) sum += time, ++hosts;
  return hosts > 0 ? sum / hosts : kNever;
}

// Replaces one of the times, which ascend.
void replace(std::span<Time> times, Time before, Time after) {
  auto at = static_cast<std::size_t>(std::ranges::lower_bound(times, before) - times.begin());
  for (; at + 1 < times.size() && times[at + 1] < after; ++at) times[at] = times[at + 1];
  for (; at > 0 && times[at - 1] > after; --at) times[at] = times[at - 1];
  times[at] = after;
}

// The hosts of a cluster as a task finds them.
class Hosts {
 public:
  Hosts(const Chart& chart, const Chart::Outlook& there) : chart_(chart), there_(there) {
    for (const std::uint32_t host : hosts()) open_.push_back(std::max(chart.rest(host).open, chart.floor()));
    for (const Time each : open_) least_ = std::min(least_, each);
  }
  std::span<const std::uint32_t> hosts() const { return chart_.hosts_in(there_.cluster); }

  // The earliest end of a computation that may begin at `ready`, given its times on the hosts; and the two earliest.
  Time end(const Seconds* times, Seconds shortest, Time ready) {
    if (there_.rest.is_beyond_gaps(ready, shortest)) return smallest_sum(times, open_at(ready)).value;
    return ends_in_gaps(times, ready).best;
  }
  TwoSmallest ends(const Seconds* times, Seconds shortest, Time ready) {
    if (there_.rest.is_beyond_gaps(ready, shortest)) return two_smallest_sums(times, open_at(ready));
    return ends_in_gaps(times, ready);
  }

 private:
  std::span<const Time> open_at(Time ready) {
    if (ready <= least_) return open_;
    later_.clear();
    for (const Time open : open_) later_.push_back(std::max(open, ready));
    return later_;
  }
  ThreeSmallest ends_in_gaps(const Seconds* times, Time ready) const {
    ThreeSmallest ends{{kNever, kNever, 0, 0}, kNever};
    for (std::uint32_t i = 0; i < hosts().size(); ++i)
      ends.meet(chart_.host(hosts()[i]).earliest(ready, times[i]).end, i);
    return ends;
  }

  const Chart& chart_;
  const Chart::Outlook& there_;
  std::vector<Time> open_, later_;  // free for ever from then on, or when the inputs are there too
  Time least_ = kNever;
};

}  // namespace

ChartBlocks::ChartBlocks(const Chart& chart, std::span<const std::uint32_t> tasks)
    : clusters_(chart.problem().clusters),
      tasks_(tasks.begin(), tasks.end()),
      place_(chart.problem().tasks(), kNone),
      shortest_(clusters_),
      longest_(clusters_),
      used_(clusters_, 1) {
  const ChartProblem& problem = chart.problem();
  std::vector<Seconds> size(problem.tasks());
  for (const std::uint32_t task : tasks) size[task] = size_of(problem, task);
  std::ranges::stable_sort(tasks_, {}, [&](std::uint32_t task) { return size[task]; });
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    place_[tasks_[i]] = i;
    if (i % kBlock == 0) first_.push_back(i);
  }
  first_.push_back(static_cast<std::uint32_t>(tasks_.size()));
  for (std::size_t b = 0; b < this->size(); ++b) waiting_.push_back(first_[b + 1] - first_[b]);
  list_users(problem);
  here_.resize(clusters_ * this->size());
  ends_.resize(here_.size());
  low_.resize(here_.size(), -kNever);
  high_.resize(here_.size(), kNever);
  for (std::size_t c = 0; c < clusters_; ++c)
    for (std::size_t b = 0; b < this->size(); ++b) {
      measure(chart, b, c);
      measure_needs(chart, b, c);
    }
}

void ChartBlocks::list_users(const ChartProblem& problem) {
  first_user_.assign(problem.files + 1, 0);
  for (const std::uint32_t task : tasks_)
    for (const std::uint32_t file : problem.inputs[task]) ++first_user_[file + 1];
  std::partial_sum(first_user_.begin(), first_user_.end(), first_user_.begin());
  users_.resize(first_user_.back());
  std::vector<std::uint32_t> next(first_user_.begin(), first_user_.end() - 1);
  for (const std::uint32_t task : tasks_)
    for (const std::uint32_t file : problem.inputs[task]) users_[next[file]++] = task;
}

// Measures what does not change: computations and outputs.
void ChartBlocks::measure(const Chart& chart, std::size_t block, std::size_t cluster) {
  const ChartProblem& problem = chart.problem();
  Here& here = this->here(block, cluster);
  for (const std::uint32_t host : chart.hosts_in(cluster)) {
    Range time;
    for (const std::uint32_t task : tasks(block)) {
      time.meet(problem.time_of(task, host));
      if (std::isnan(problem.time_of(task, host))) here.is_bounded = false;
    }
    shortest_[cluster].push_back(time.low);
    longest_[cluster].push_back(time.high);
    here.shortest = std::min(here.shortest, time.low);
  }
  for (const std::uint32_t task : tasks(block)) {
    Seconds longest = 0, total = 0;
    if (problem.until_home) {
      for (const std::uint32_t file : problem.outputs[task]) {
        longest = std::max(longest, problem.transfer_of(file, cluster));
        total += problem.transfer_of(file, cluster);
      }
      here.outputs = std::max(
          here.outputs, static_cast<std::uint8_t>(std::min<std::size_t>(problem.outputs[task].size(), 2)));
    }
    here.longest.meet(longest);
    here.total.meet(total);
    if (std::isnan(total)) here.is_bounded = false;
    for (const std::uint32_t file : problem.inputs[task])
      if (std::isnan(problem.transfer_of(file, cluster))) here.is_bounded = false;
  }
}

void ChartBlocks::measure_needs(const Chart& chart, std::size_t block, std::size_t cluster) {
  Here& here = this->here(block, cluster);
  here.missing = here.last = {};
  for (const std::uint32_t task : tasks(block)) {
    const Chart::Needs needs = chart.needs(task, cluster);
    here.missing.meet(needs.missing);
    here.last.meet(needs.last);
  }
}

void ChartBlocks::refresh(const Chart& chart, std::span<const Chart::Outlook> outlooks,
                          std::span<const ChartTask> placed) {
  for (; seen_ < placed.size(); ++seen_) {
    const ChartTask& task = placed[seen_];
    leave(task.task);
    used_[chart.problem().cluster[task.host]] = 1;
    for (const auto& [file, cluster, home, slot] : task.transfers)
      for (std::uint32_t i = first_user_[file]; !home && i < first_user_[file + 1]; ++i)
        if (const std::uint32_t place = place_[users_[i]]; place != kNone)
          measure_needs(chart, place / kBlock, cluster);
  }
  for (std::size_t c = 0; c < clusters_; ++c)
    if (std::exchange(used_[c], std::uint8_t{0}) != 0) bound(chart, outlooks[c]);
}

void ChartBlocks::leave(std::uint32_t task) {
  const std::uint32_t place = place_[task];
  if (place == kNone) return;
  const std::size_t block = place / kBlock;
  const std::uint32_t last = first_[block] + --waiting_[block];
  tasks_[place] = tasks_[last];
  place_[tasks_[place]] = place;
  place_[task] = kNone;
}

void ChartBlocks::bound(const Chart& chart, const Chart::Outlook& there) {
  const std::size_t c = there.cluster;
  const Timeline& link = chart.link(c);
  const Time floor = chart.floor();
  const Time link_first = link.free().empty() ? kNever : std::max(floor, link.free().front().start);
  const bool opens = !link.free().empty() && link.free().back().end == kNever;
  const Time link_open = opens ? link.free().back().start : kNever;
  Hosts hosts(chart, there);
  const std::size_t count = hosts.hosts().size();
  for (std::size_t b = 0; b < size(); ++b) {
    const Here& here = this->here(b, c);
    if (waiting_[b] == 0 || !here.is_bounded) continue;
    did_work(5);
    Time ready_low = std::max(floor, here.last.low), ready_high = std::max(floor, here.last.high);
    if (here.missing.low >= 0) ready_low = std::max(ready_low, link_first + here.missing.low);
    // Where there is room for all that is missing, none of it comes later.
    if (here.missing.high >= 0)
      ready_high = std::max(ready_high, link.earliest(floor, here.missing.high).end);
    Time home = hosts.end(shortest_[c].data() + b * count, here.shortest, below(ready_low));
    const TwoSmallest high = hosts.ends(longest_[c].data() + b * count, here.shortest, above(ready_high));
    const auto home_at = [&](Time computed) {
      if (here.outputs == 0) return computed;
      if (here.outputs == 1) return std::max(computed, link.earliest(computed, here.longest.high).end);
      return std::max(link_open, computed) + here.total.high;
    };
    if (here.longest.low > 0) home = std::max(home, link.earliest(home, here.longest.low).end);
    keep(b, c, {below(home), above(home_at(high.best)), above(home_at(high.second))});
  }
}

void ChartBlocks::keep(std::size_t block, std::size_t cluster, const End& end) {
  const std::size_t row = block * clusters_;
  End& kept = ends_[row + cluster];
  replace(std::span(low_).subspan(row, clusters_), kept.low, end.low);
  replace(std::span(high_).subspan(row, clusters_), kept.high, end.high);
  kept = end;
}

ChartBounds ChartBlocks::bounds(std::size_t block) const {
  const std::size_t row = block * clusters_;
  Time next = kNever;
  for (std::size_t c = 0; c < clusters_; ++c) next = std::min(next, ends_[row + c].next_high);
  return {std::span(low_).subspan(row, clusters_), std::span(high_).subspan(row, clusters_), next};
}

void ChartBlocks::first_clusters(std::size_t block, std::size_t count,
                                 std::vector<std::uint32_t>& out) const {
  const std::size_t row = block * clusters_;
  const Time last = high_[row + std::min(count, clusters_) - 1];
  out.clear();
  for (std::size_t c = 0; c < clusters_; ++c)
    if (count >= clusters_ || ends_[row + c].low <= last) out.push_back(static_cast<std::uint32_t>(c));
}

}  // namespace perigee::cost
