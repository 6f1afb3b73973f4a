// Source: Mamat, 2011, section 6.4, see the header.
#include "runtime/schedulers/realtime/staggered_plans.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "runtime/kernel/error.h"

namespace perigee::realtime {
namespace {

constexpr std::size_t kKeepEvery = 16;  // plans, between those that keep the state before them

}  // namespace

StaggeredPlans::StaggeredPlans(const UnitCosts& costs, std::size_t nodes, IdleTimes idle_times,
                               double tolerance)
    : costs_(costs),
      together_(costs, Partition::optimal, nodes),
      idle_times_(idle_times),
      tolerance_(tolerance),
      free_(nodes, 0) {
  if (costs.transmission == 0 || costs.computation == 0)
    fail("bad_costs", "to send and to compute a unit of load must each take some time");
  if (costs.transmission_setup > 0 || costs.computation_setup > 0)
    fail("bad_costs", "nodes that become free at different times are planned without set-ups");
}

StaggeredPlans::State StaggeredPlans::state_at(Time now) const {
  State state{.free = {}, .node = {}, .channel = std::max(channel_, now)};
  for (std::size_t n = 0; n < free_.size(); ++n)
    if (free_[n] < kNever) state.node.push_back(static_cast<std::uint32_t>(n));
  const auto free = [&](std::uint32_t node) { return std::max(free_[node], now); };
  std::ranges::stable_sort(state.node, {}, free);
  for (const std::uint32_t node : state.node) state.free.push_back(free(node));
  return state;
}

// The first nodes, as many as there are times, become free then. `taken` is ascending.
void StaggeredPlans::State::put_back(std::span<const Taken> taken) {
  // `from`: the first node that has kept its time and has not moved. `to`: its next place.
  std::size_t from = taken.size(), to = 0;
  const auto goes_before = [&](std::size_t i, const Taken& other) {
    return free[i] < other.free || (free[i] == other.free && node[i] < other.node);
  };
  for (const Taken& each : taken) {
    std::size_t place = from;
    if (place < free.size() && goes_before(place, each)) {
      place = static_cast<std::size_t>(
          std::lower_bound(free.begin() + static_cast<std::ptrdiff_t>(from), free.end(), each.free) -
          free.begin());
      while (place < free.size() && goes_before(place, each)) ++place;
      const auto move = [&](auto& values) {
        const auto begin = values.begin();
        std::copy(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(place),
                  begin + static_cast<std::ptrdiff_t>(to));
      };
      move(free);
      move(node);
      to += place - from;
      from = place;
    }
    free[to] = each.free;
    node[to] = each.node;
    ++to;
  }
}

// The chunks on the fewest nodes that finish the load by its deadline; all end together. Empty: there are
// none. A load on one node is one chunk, whose size needs no computation.
void StaggeredPlans::divide_exactly(const State& state, const Plan& plan, std::vector<double>& sizes) const {
  const StaggeredNodes nodes(costs_, state.free, state.channel);
  const std::size_t fewest = nodes.fewest_nodes(plan.size, plan.deadline);
  sizes.assign(fewest, plan.size);
  if (fewest > 1) nodes.chunks(nodes.completion(plan.size, fewest), sizes);
}

// The chunks on the fewest nodes whose estimate is in time. A node that is free earlier than the last one
// counts as faster.
void StaggeredPlans::divide_by_speed(const State& state, const Plan& plan, std::vector<double>& sizes) const {
  sizes.clear();
  // On fewer nodes no division of the load is in time.
  std::size_t n = StaggeredNodes(costs_, state.free, state.channel).fewest_nodes(plan.size, plan.deadline);
  if (n == 0) return;
  for (; n <= state.free.size(); ++n) {
    const Time last = std::max(state.free[n - 1], state.channel);
    const Seconds together = together_.time(plan.size, n);
    sizes.resize(n);
    double sum = 0, slower = 0, first = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Time from = std::max(state.free[i], state.channel);
      const Seconds computation = costs_.computation * together / (together + last - from);
      sizes[i] = i == 0 ? 1 : sizes[i - 1] * slower / (costs_.transmission + computation);
      if (i == 0) first = costs_.transmission + computation;
      slower = computation;
      sum += sizes[i];
    }
    const Time estimate = last + plan.size / sum * first;
    if (!at_most(estimate, plan.deadline, tolerance_)) continue;
    for (double& size : sizes) size *= plan.size / sum;
    return;
  }
  sizes.clear();
}

bool StaggeredPlans::plan(State& state, Plan& plan) {
  std::vector<double>& sizes = sizes_;
  idle_times_ == IdleTimes::exact ? divide_exactly(state, plan, sizes) : divide_by_speed(state, plan, sizes);
  if (sizes.empty()) return false;
  plan.chunks.clear();
  plan.end = 0;
  taken_.clear();
  double left = plan.size;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double size = i + 1 < sizes.size() ? std::min(sizes[i], left) : left;
    if (size <= 0) {  // the node is late for any
      taken_.push_back({state.free[i], state.node[i]});
      continue;
    }
    const Time start = std::max(state.channel, state.free[i]);
    state.channel = start + size * costs_.transmission;
    const Time end = state.channel + size * costs_.computation;
    plan.chunks.push_back({state.node[i], size, start, end});
    plan.end = std::max(plan.end, end);
    left -= size;
    taken_.push_back({end, state.node[i]});
  }
  if (!at_most(plan.end, plan.deadline, tolerance_)) return false;
  std::ranges::sort(taken_);
  state.put_back(taken_);
  return true;
}

bool StaggeredPlans::arrive(std::uint32_t id, Time now, double size, Time deadline) {
  const auto place = std::ranges::upper_bound(
      plans_, std::tuple(deadline, now, id), {},
      [](const Plan& plan) { return std::tuple(plan.deadline, plan.arrival, plan.id); });
  auto from = place;
  while (from != plans_.begin() &&
         (from == plans_.end() || !before_[static_cast<std::size_t>(from - plans_.begin())]))
    --from;
  std::vector<Load> loads(from, place);
  loads.push_back({.id = id, .size = size, .deadline = deadline, .arrival = now});
  loads.insert(loads.end(), place, plans_.end());
  return replan(static_cast<std::size_t>(from - plans_.begin()), loads, now);
}

bool StaggeredPlans::replan(std::size_t first, std::span<const Load> loads, Time now) {
  State state = first > 0 ? *before_[first] : state_at(now);
  if (anew_.size() < loads.size()) anew_.resize(loads.size());
  std::vector<std::shared_ptr<const State>> before;
  before.reserve(loads.size());
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const bool keep = (first + i) % kKeepEvery == 0;
    before.push_back(keep ? std::make_shared<const State>(state) : nullptr);
    static_cast<Load&>(anew_[i]) = loads[i];
    if (!plan(state, anew_[i])) return false;
  }
  plans_.resize(first + loads.size());
  before_.resize(first);
  std::swap_ranges(plans_.begin() + static_cast<std::ptrdiff_t>(first), plans_.end(), anew_.begin());
  std::ranges::move(before, std::back_inserter(before_));
  return true;
}

StaggeredPlans::Plan StaggeredPlans::send() {
  Plan plan = std::move(plans_.front());
  plans_.erase(plans_.begin());
  before_.erase(before_.begin());
  for (const Chunk& chunk : plan.chunks) {
    free_[chunk.node] = chunk.end;
    channel_ = chunk.start + chunk.size * costs_.transmission;
  }
  return plan;
}

void StaggeredPlans::set_free(std::size_t node, Time at) {
  free_[node] = at;
  std::ranges::fill(before_, nullptr);
}

void StaggeredPlans::set_channel_free(Time at) {
  channel_ = std::max(channel_, at);
  std::ranges::fill(before_, nullptr);
}

}  // namespace perigee::realtime
