// Source: Mamat, 2011, Chapter 5, see the header.
#include "runtime/schedulers/realtime/staged_plans.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "runtime/schedulers/realtime/reasons.h"

namespace perigee::realtime {

Time StagedPlans::Plan::end() const {
  Time end = 0;
  for (const StagedNodes::Chunk& chunk : chunks) end = std::max(end, chunk.end);
  return end;
}

StagedPlans::StagedPlans(std::size_t nodes, double tolerance)
    : tolerance_(tolerance), sent_{std::vector<Time>(nodes, 0), {}}, computed_(nodes, 0), reserved_(nodes) {}

void StagedPlans::insert(std::vector<TimeRange>& channel, const TimeRange& busy) {
  channel.insert(std::ranges::upper_bound(channel, busy.from, {}, &TimeRange::from), busy);
}

// Takes the channel for each stage of the plan, from its first to its last transmission. Before the end of
// those of the first stage, no node begins anything else (Algorithm 4, UpdateNodeStatus).
void StagedPlans::occupy(State& state, const Plan& plan) {
  bool first = true;
  for (auto chunk = plan.chunks.begin(); chunk != plan.chunks.end(); first = false) {
    TimeRange busy{chunk->start, chunk->sent};
    for (const std::uint32_t stage = chunk->stage; chunk != plan.chunks.end() && chunk->stage == stage;
         ++chunk)
      busy.to = chunk->sent;
    insert(state.channel, busy);
    if (first)
      for (Time& free : state.free) free = std::max(free, busy.to);
  }
  for (const StagedNodes::Chunk& chunk : plan.chunks) state.free[chunk.node] = chunk.end;
}

bool StagedPlans::plan(const State& state, Time now, Time deadline, Plan& plan) {
  const StagedNodes nodes(plan.costs, state.free, state.channel, reserved_, now, deadline, tolerance_);
  std::size_t n = 0;
  while ((n = nodes.fewest_nodes(plan.size, n + 1)) > 0) {
    plan.chunks = nodes.chunks(plan.size, n);
    if (!plan.chunks.empty()) return true;
    if (nodes.load_by(n) >= plan.size) ++surprises_;  // otherwise only the tolerance admitted it
  }
  return false;
}

// A deadline that the load makes on any node, after everything that the node and the channel are promised to.
Time StagedPlans::surely_enough(const State& state, Time now, const Load& load) const {
  Time last = now;
  for (const Time free : state.free)
    if (free < kNever) last = std::max(last, free);
  for (const TimeRange& busy : state.channel) last = std::max(last, busy.to);
  for (const Reservation& each : reservations_) last = std::max(last, each.to);
  // Twice that time, as the estimate counts time twice if both node and channel are promised then.
  return last + (last - now) + 2 * load.size * (load.costs.transmission + load.costs.computation);
}

bool StagedPlans::plan_all(Time now, std::vector<Plan>& plans, bool late) {
  std::ranges::sort(plans, {},
                    [](const Plan& each) { return std::tuple(each.deadline, each.arrival, each.id); });
  State state = sent_;
  for (Plan& each : plans) {
    each.chunks.clear();
    if (!plan(state, now, each.deadline, each)) {
      if (!late) return false;
      plan(state, now, surely_enough(state, now, each), each);
    }
    occupy(state, each);
  }
  return true;
}

void StagedPlans::forget(Time now) {
  std::erase_if(sent_.channel, [&](const TimeRange& busy) { return busy.to <= now; });
  const auto over = [&](const auto& reserved) { return reserved.to <= now; };
  for (std::vector<ReservedNode>& node : reserved_) std::erase_if(node, over);
  std::erase_if(reservations_, over);
}

bool StagedPlans::arrive(Time now, const Load& load) {
  forget(now);
  std::vector<Plan> plans = plans_;
  plans.push_back({load});
  if (!plan_all(now, plans, false)) return false;
  plans_ = std::move(plans);
  return true;
}

Reason StagedPlans::reserve(Time now, Reservation& wanted, std::size_t nodes) {
  forget(now);
  if (wanted.from < now) return refusal::past;
  for (const TimeRange& busy : sent_.channel)
    if (std::max(wanted.from, busy.from) < std::min(wanted.io_until, busy.to)) return refusal::io;
  wanted.nodes.clear();
  for (std::size_t n = 0; n < computed_.size() && wanted.nodes.size() < nodes; ++n)
    if (at_most(computed_[n], wanted.from, tolerance_) &&
        std::ranges::none_of(reserved_[n], [&](const ReservedNode& each) {
          return each.from < wanted.to && wanted.from < each.to;
        }))
      wanted.nodes.push_back(static_cast<std::uint32_t>(n));
  if (wanted.nodes.size() < nodes) return refusal::nodes;
  adopt(wanted);
  std::vector<Plan> plans = plans_;
  if (!plan_all(now, plans, false)) {
    give_up(wanted.id);
    return refusal::tasks;
  }
  plans_ = std::move(plans);
  return Reason::none;
}

void StagedPlans::adopt(const Reservation& reservation) {
  reservations_.push_back(reservation);
  for (const std::uint32_t node : reservation.nodes) {
    const ReservedNode reserved{reservation.from, reservation.to, reservation.io_until};
    reserved_[node].insert(std::ranges::upper_bound(reserved_[node], reserved.from, {}, &ReservedNode::from),
                           reserved);
  }
  if (reservation.io_until > reservation.from)
    insert(sent_.channel, {reservation.from, reservation.io_until});
}

void StagedPlans::give_up(std::uint32_t id) {
  const auto found = std::ranges::find(reservations_, id, &Reservation::id);
  if (found == reservations_.end()) return;
  const auto same = [&](const auto& each, Time to) { return each.from == found->from && each.to == to; };
  for (const std::uint32_t node : found->nodes)
    std::erase_if(reserved_[node], [&](const ReservedNode& each) { return same(each, found->to); });
  std::erase_if(sent_.channel, [&](const TimeRange& busy) { return same(busy, found->io_until); });
  reservations_.erase(found);
}

Time StagedPlans::next_start() const {
  Time next = kNever;
  for (const Plan& each : plans_) next = std::min(next, each.start());
  return next;
}

void StagedPlans::carry_out(const Plan& plan) {
  occupy(sent_, plan);
  for (const StagedNodes::Chunk& chunk : plan.chunks) computed_[chunk.node] = chunk.end;
}

StagedPlans::Plan StagedPlans::send() {
  const auto first = std::ranges::min_element(plans_, {}, &Plan::start);
  Plan plan = std::move(*first);
  plans_.erase(first);
  carry_out(plan);
  return plan;
}

StagedPlans::Plan StagedPlans::send_late(Time now, Load load) {
  forget(now);
  Plan late{load};
  if (!plan(sent_, now, load.deadline, late)) plan(sent_, now, surely_enough(sent_, now, load), late);
  carry_out(late);
  return late;
}

void StagedPlans::renew(Time now) {
  forget(now);
  plan_all(now, plans_, true);
}

void StagedPlans::set_free(std::size_t node, Time at) { sent_.free[node] = computed_[node] = at; }

void StagedPlans::set_channel_busy(const TimeRange& busy) { insert(sent_.channel, busy); }

}  // namespace perigee::realtime
