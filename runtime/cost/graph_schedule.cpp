#include "runtime/cost/graph_schedule.h"

#include <cmath>
#include <utility>

#include "runtime/kernel/constants.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/work.h"

namespace perigee::cost {
namespace {

constexpr std::size_t kArrivalsPerStep = 8;

// At least the length of what any task can take that is found to fit: sums are rounded to even, and so may be too small
// by half a unit of the later time.
double roomy(const GraphGaps::Gap& gap) {
  return (gap.to - gap.from) + 1e-15 * (std::abs(gap.from) + std::abs(gap.to));
}

}  // namespace

std::size_t GraphGaps::block_of(double time) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(blocks_, time, {}, &Block::last) -
                                  blocks_.begin());
}

void GraphGaps::bring_up_to_date(Block& block) {
  const Gap* const gaps = gaps_of(block);
  block.longest = 0;
  for (std::uint32_t i = 0; i < block.count; ++i) block.longest = std::max(block.longest, roomy(gaps[i]));
  block.last = gaps[block.count - 1].to;
}

const GraphGaps::Gap* GraphGaps::find(double arrival, double time, double latest) const {
  const double least_end = arrival + time;
  for (std::size_t b = block_of(least_end); b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const Gap* const gaps = gaps_of(block);
    if (gaps[0].from > latest) return nullptr;
    if (block.longest < time) continue;
    for (std::uint32_t i = 0; i < block.count; ++i) {
      if (gaps[i].to < least_end) continue;
      if (gaps[i].from > latest) return nullptr;
      if (std::max(gaps[i].from, arrival) + time <= gaps[i].to) return &gaps[i];
    }
  }
  return nullptr;
}

void GraphGaps::insert(Gap gap) {
  if (!(gap.from < gap.to)) return;
  if (blocks_.empty()) {
    blocks_.push_back({.at = 0});
    free_.clear();
    store_.resize(kInBlock);
  }
  std::size_t b = std::min(block_of(gap.to), blocks_.size() - 1);
  if (blocks_[b].count == kInBlock) {
    Block upper{.count = kInBlock / 2};
    if (free_.empty()) {
      upper.at = static_cast<std::uint32_t>(store_.size() / kInBlock);
      store_.resize(store_.size() + kInBlock);
    } else {
      upper.at = free_.back();
      free_.pop_back();
    }
    std::copy_n(gaps_of(blocks_[b]) + kInBlock / 2, kInBlock / 2, gaps_of(upper));
    blocks_[b].count = kInBlock / 2;
    bring_up_to_date(blocks_[b]);
    bring_up_to_date(upper);
    blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(b) + 1, upper);
    if (gap.to > blocks_[b].last) ++b;
  }
  Block& block = blocks_[b];
  Gap* const gaps = gaps_of(block);
  std::uint32_t place = block.count++;
  for (; place > 0 && gaps[place - 1].from > gap.from; --place) gaps[place] = gaps[place - 1];
  gaps[place] = gap;
  block.longest = std::max(block.longest, roomy(gap));
  block.last = gaps[block.count - 1].to;
}

void GraphGaps::erase(double from) {
  // The gap ends behind `from`, and is the first that does.
  std::size_t b =
      static_cast<std::size_t>(std::ranges::upper_bound(blocks_, from, {}, &Block::last) - blocks_.begin());
  Block& block = blocks_[b];
  Gap* const gaps = gaps_of(block);
  std::uint32_t place = 0;
  while (gaps[place].from < from) ++place;
  const double length = roomy(gaps[place]);
  std::copy(gaps + place + 1, gaps + block.count, gaps + place);
  if (--block.count == 0) {
    free_.push_back(block.at);
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(b));
  } else if (length == block.longest) {
    bring_up_to_date(block);
  } else {
    block.last = gaps[block.count - 1].to;
  }
}

void GraphGaps::shrink(double from, Gap kept) {
  std::size_t b =
      static_cast<std::size_t>(std::ranges::upper_bound(blocks_, from, {}, &Block::last) - blocks_.begin());
  Block& block = blocks_[b];
  Gap* const gaps = gaps_of(block);
  std::uint32_t place = 0;
  while (gaps[place].from < from) ++place;
  const bool was_longest = roomy(gaps[place]) == block.longest;
  gaps[place] = kept;
  if (was_longest)
    bring_up_to_date(block);
  else
    block.last = gaps[block.count - 1].to;
}

GraphSchedule::GraphSchedule(const GraphProblem& problem, GraphFit fit)
    : problem_(&problem),
      fit_(fit),
      placeable_(problem.placeable()),
      placed_(problem.tasks()),
      waits_(problem.tasks()),
      end_(problem.machines),
      gaps_(problem.machines) {
  did_work(problem.tasks() + problem.machines);
  for (std::size_t m = 0; m < problem.machines; ++m) end_[m] = problem.ready_of(m);
  for (const GraphOccupied& each : problem.occupied) {  // by time on each machine
    gaps_[each.machine].insert({end_[each.machine], each.from});
    end_[each.machine] = std::max(end_[each.machine], each.to);
  }
  ready_.reset(problem.tasks());
  for (std::size_t t = 0; t < problem.tasks(); ++t) {
    waits_[t] = static_cast<std::uint32_t>(problem.arcs.before(t).size());
    if (is_ready(t)) ready_.insert(t);
  }
}

std::vector<std::uint32_t> GraphSchedule::ready_tasks() const {
  std::vector<std::uint32_t> tasks;
  for (std::size_t t = ready_.next(0); t < problem_->tasks(); t = ready_.next(t + 1))
    tasks.push_back(static_cast<std::uint32_t>(t));
  return tasks;
}

std::uint32_t GraphSchedule::first_ready() const {
  const std::size_t task = ready_.next(0);
  return task < problem_->tasks() ? static_cast<std::uint32_t>(task) : kUnmapped;
}

double GraphSchedule::arrival(std::size_t task, std::size_t machine) const {
  double latest = problem_->released(task, problem_->cluster[machine]);
  for (const GraphArc& arc : problem_->arcs.before(task)) {
    const GraphPlacement& from = placed_[arc.task];
    if (from.machine != kUnmapped)
      latest = std::max(latest, problem_->arrival(arc, from.finish, from.machine, machine));
  }
  return latest;
}

GraphSchedule::Arrivals GraphSchedule::look_at(std::size_t task) const {
  const GraphProblem& problem = *problem_;
  const GraphNetwork& network = problem.network;
  Arrivals out;
  double base = problem.now;
  if (problem.release.empty() && network.by_sender()) {
    // Data is everywhere at one time but in its own cluster. Only where that sends what comes last is anything earlier.
    double last = -kInfinity;
    for (const GraphArc& arc : problem.arcs.before(task)) {
      const GraphPlacement& from = placed_[arc.task];
      if (from.machine == kUnmapped) continue;
      if (!arc.has_data) {
        base = std::max(base, from.finish);
        continue;
      }
      const std::uint32_t cluster = problem.cluster[from.machine];
      const double sent = network.arrival(from.finish, arc.largest, cluster, cluster);
      if (sent <= last) continue;
      last = sent;
      out.special_cluster = cluster;
    }
    out.common = std::max(base, last);
    if (out.special_cluster == kUnmapped) return out;
    out.special = base;
    for (const GraphArc& arc : problem.arcs.before(task)) {
      const GraphPlacement& from = placed_[arc.task];
      if (from.machine == kUnmapped || !arc.has_data) continue;
      const std::uint32_t cluster = problem.cluster[from.machine];
      out.special = std::max(out.special, cluster == out.special_cluster
                                              ? from.finish
                                              : network.arrival(from.finish, arc.largest, cluster, cluster));
    }
    return out;
  }
  const std::size_t clusters = problem.clusters();
  out.by_cluster = true;
  by_cluster_.assign(clusters, base);
  if (!problem.release.empty())
    for (std::size_t c = 0; c < clusters; ++c) by_cluster_[c] = problem.released(task, c);
  for (const GraphArc& arc : problem.arcs.before(task)) {
    const GraphPlacement& from = placed_[arc.task];
    if (from.machine == kUnmapped) continue;
    const std::uint32_t cluster = problem.cluster[from.machine];
    const double there = std::max(by_cluster_[cluster], from.finish);
    for (std::size_t c = 0; c < clusters; ++c)
      by_cluster_[c] = std::max(
          by_cluster_[c], arc.has_data ? network.arrival(from.finish, arc.largest, cluster, c) : from.finish);
    by_cluster_[cluster] = there;
    did_work(clusters / kArrivalsPerStep);
  }
  return out;
}

void GraphSchedule::spread(std::size_t task) const {
  const Arrivals found = look_at(task);
  const std::size_t machines = problem_->machines;
  arrivals_.resize(machines);
  if (found.by_cluster) {
    for (std::size_t m = 0; m < machines; ++m) arrivals_[m] = by_cluster_[problem_->cluster[m]];
    return;
  }
  std::ranges::fill(arrivals_, found.common);
  if (found.special_cluster == kUnmapped) return;
  if (problem_->cluster.is_each_its_own()) {
    arrivals_[found.special_cluster] = found.special;
    return;
  }
  for (std::size_t m = 0; m < machines; ++m)
    if (problem_->cluster[m] == found.special_cluster) arrivals_[m] = found.special;
}

void GraphSchedule::arrivals(std::size_t task, std::vector<double>& out) const {
  spread(task);
  out = arrivals_;
}

double GraphSchedule::earliest(std::size_t machine, double arrival, double time, GraphFit fit,
                               double latest) const {
  const double behind = std::max(arrival, end_[machine]);
  if (fit == GraphFit::append || end_[machine] <= arrival || gaps_[machine].empty()) return behind;
  const GraphGaps::Gap* const gap = gaps_[machine].find(arrival, time, latest);
  return gap == nullptr ? behind : std::max(gap->from, arrival);
}

double GraphSchedule::start(std::size_t task, std::size_t machine, GraphFit fit) const {
  const double time = problem_->time(task, machine);
  if (!(time < kInfinity)) return kInfinity;
  return earliest(machine, arrival(task, machine), time, fit, kInfinity);
}

double GraphSchedule::finish(std::size_t task, std::size_t machine, GraphFit fit) const {
  return start(task, machine, fit) + problem_->time(task, machine);
}

void GraphSchedule::starts(std::size_t task, std::vector<double>& out) const {
  spread(task);
  const double* const time = problem_->times_of(task, times_);
  out.resize(problem_->machines);
  did_work(1 + out.size() / 2);
  for (std::size_t m = 0; m < out.size(); ++m)
    out[m] = time[m] < kInfinity ? earliest(m, arrivals_[m], time[m], fit_, kInfinity) : kInfinity;
}

void GraphSchedule::finishes(std::size_t task, std::vector<double>& out) const {
  starts(task, out);
  const double* const time = problem_->times_of(task, times_);
  for (std::size_t m = 0; m < out.size(); ++m) out[m] += time[m];
}

template <GraphSchedule::By by>
GraphBest GraphSchedule::least(std::size_t task, std::span<const double> extra) const {
  const std::size_t machines = problem_->machines;
  spread(task);
  did_work(1 + machines / kArrivalsPerStep);
  const double* const time = problem_->times_of(task, times_);
  const auto value_at = [&](std::size_t m, double start) {
    if constexpr (by == By::start) return time[m] < kInfinity ? start : kInfinity;
    return extra.empty() ? start + time[m] : (start + time[m]) + extra[m];
  };
  values_.resize(machines);
  double least = kInfinity;
  for (std::size_t m = 0; m < machines; ++m) {
    values_[m] = value_at(m, std::max(arrivals_[m], end_[m]));
    least = values_[m] < least ? values_[m] : least;
  }
  if (!(least < kInfinity)) return {};
  if (fit_ == GraphFit::insertion) {
    double limit = limit_of_alike(least);
    for (std::size_t m = 0; m < machines; ++m) {
      if (end_[m] <= arrivals_[m] || gaps_[m].empty()) continue;
      if (value_at(m, arrivals_[m]) > limit) continue;
      // A start that is later than this gives no better value than the best; a little more, for rounding.
      double latest = limit;
      if constexpr (by == By::finish) latest -= time[m] + (extra.empty() ? 0 : extra[m]);
      latest += 1e-12 * (std::abs(limit) + time[m] + (extra.empty() ? 0 : extra[m]));
      const GraphGaps::Gap* const gap = gaps_[m].find(arrivals_[m], time[m], latest);
      if (gap == nullptr) continue;
      values_[m] = value_at(m, std::max(gap->from, arrivals_[m]));
      if (values_[m] >= least) continue;
      least = values_[m];
      limit = limit_of_alike(least);
    }
  }
  const double limit = limit_of_alike(least);
  for (std::size_t m = 0; m < machines; ++m)
    if (values_[m] <= limit && alike(values_[m], least))
      return {static_cast<std::uint32_t>(m), earliest(m, arrivals_[m], time[m], fit_, kInfinity), values_[m]};
  return {};
}

GraphBest GraphSchedule::least_finish(std::size_t task, std::span<const double> extra) const {
  return least<By::finish>(task, extra);
}
GraphBest GraphSchedule::least_start(std::size_t task) const { return least<By::start>(task, {}); }

double GraphSchedule::best(std::size_t task) const {
  const GraphBest found = least_finish(task);
  return found.machine == kUnmapped ? kInfinity : found.value;
}

double GraphSchedule::second(std::size_t task) const {
  finishes(task, values_);
  const std::size_t best = first_least(values_);
  if (best == kNoChoice) return kInfinity;
  double second = kInfinity;
  for (std::size_t m = 0; m < values_.size(); ++m)
    if (m != best) second = std::min(second, values_[m]);
  return second;
}

void GraphSchedule::place(std::size_t task, std::size_t machine, GraphFit fit) {
  const double time = problem_->time(task, machine);
  PERIGEE_ASSERT(!is_placed(task) && time < kInfinity, "a task is placed twice, or where it cannot run");
  const double come = arrival(task, machine);
  GraphGaps::Gap room{end_[machine], kInfinity};
  if (fit == GraphFit::insertion && end_[machine] > come)
    if (const GraphGaps::Gap* const gap = gaps_[machine].find(come, time, kInfinity)) room = *gap;
  put(task, machine, std::max(come, room.from), room);
}

void GraphSchedule::place_at(std::size_t task, std::size_t machine, double start) {
  GraphGaps::Gap room{end_[machine], kInfinity};
  if (start < end_[machine]) {
    const GraphGaps::Gap* const gap = gaps_[machine].find(start, problem_->time(task, machine), start);
    PERIGEE_ASSERT(!is_placed(task) && gap != nullptr, "there is no room for the task");
    room = *gap;
  }
  put(task, machine, start, room);
}

void GraphSchedule::put(std::size_t task, std::size_t machine, double start, const GraphGaps::Gap& gap) {
  did_work(1 + problem_->arcs.behind(task).size());
  const Step step{gap, makespan_, end_[machine]};
  const double finish = start + problem_->time(task, machine);
  const GraphGaps::Gap before{step.gap.from, start}, behind{finish, step.gap.to};
  if (step.gap.to == kInfinity) {
    gaps_[machine].insert(before);
    end_[machine] = std::max(end_[machine], finish);
  } else if (before.from < before.to) {
    gaps_[machine].shrink(step.gap.from, before);
    gaps_[machine].insert(behind);
  } else if (behind.from < behind.to) {
    gaps_[machine].shrink(step.gap.from, behind);
  } else {
    gaps_[machine].erase(step.gap.from);
  }
  placed_[task] = {static_cast<std::uint32_t>(machine), start, finish};
  makespan_ = order_.empty() ? finish : std::max(makespan_, finish);
  order_.push_back(static_cast<std::uint32_t>(task));
  steps_.push_back(step);
  if (waits_[task] == 0) ready_.erase(task);
  for (const GraphArc& arc : problem_->arcs.behind(task)) {
    --waits_[arc.task];
    if (is_ready(arc.task)) ready_.insert(arc.task);
  }
}

void GraphSchedule::undo() {
  PERIGEE_ASSERT(!order_.empty(), "nothing is placed");
  const std::uint32_t task = order_.back();
  const Step step = steps_.back();
  const GraphPlacement was = placed_[task];
  GraphGaps& gaps = gaps_[was.machine];
  for (const GraphArc& arc : problem_->arcs.behind(task)) {
    if (is_ready(arc.task)) ready_.erase(arc.task);
    ++waits_[arc.task];
  }
  if (step.gap.from < was.start) gaps.erase(step.gap.from);
  if (step.gap.to < kInfinity) {
    if (was.finish < step.gap.to) gaps.erase(was.finish);
    gaps.insert(step.gap);
  }
  end_[was.machine] = step.end;
  makespan_ = step.makespan;
  placed_[task] = {};
  order_.pop_back();
  steps_.pop_back();
  if (is_ready(task)) ready_.insert(task);
}

void GraphSchedule::write(GraphPlan& out) const {
  out.machine.resize(placed_.size());
  out.start.resize(placed_.size());
  out.finish.resize(placed_.size());
  for (std::size_t t = 0; t < placed_.size(); ++t) {
    out.machine[t] = placed_[t].machine;
    out.start[t] = placed_[t].start;
    out.finish[t] = placed_[t].finish;
  }
  out.order.assign(order_.begin(), order_.end());
  out.makespan = makespan_;
}

void place_by_priority(GraphSchedule& schedule, std::span<const double> priority,
                       const std::function<void(std::uint32_t task)>& place) {
  PriorityTasks ready(priority);
  for (const std::uint32_t task : schedule.ready_tasks()) ready.insert(task);
  while (!ready.empty()) {
    const std::uint32_t task = ready.first();
    ready.erase(task);
    place(task);
    for (const GraphArc& arc : schedule.problem().arcs.behind(task))
      if (schedule.is_ready(arc.task)) ready.insert(arc.task);
  }
}

}  // namespace perigee::cost
