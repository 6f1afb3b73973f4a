// Source: Mamat, 2011, Chapter 5, see the header.
#include "runtime/cost/stages.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "runtime/kernel/error.h"
#include "runtime/kernel/work.h"

namespace perigee::cost {
namespace {

Time after(Time time, const std::vector<ReservedNode>& reserved) {
  for (const ReservedNode& each : reserved)
    if (each.from <= time && time < each.to) return each.to;
  return time;
}

}  // namespace

StagedNodes::StagedNodes(const UnitCosts& costs, std::span<const Time> free,
                         std::span<const TimeRange> channel,
                         std::span<const std::vector<ReservedNode>> reserved, Time now, Time deadline,
                         double tolerance)
    : unit_(costs), channel_(channel), reserved_(reserved), deadline_(deadline), tolerance_(tolerance) {
  if (costs.transmission == 0 || costs.computation == 0)
    fail("bad_costs", "to send and to compute a unit of load must each take some time");
  if (costs.transmission_setup > 0 || costs.computation_setup > 0)
    fail("bad_costs", "loads are planned around reservations without set-ups");
  did_work(1 + free.size() * (1 + channel.size()) / 4);
  for (std::size_t n = 0; n < free.size(); ++n)
    if (free[n] < kNever) {
      const auto node = static_cast<std::uint32_t>(n);
      nodes_.push_back({settle(std::max(free[n], now), node), node});
    }
  std::ranges::stable_sort(nodes_, {}, &Node::free);
  if (!nodes_.empty()) find_stages();
}

// The first time, not before `time`, at which neither the node nor the channel is promised to others.
Time StagedNodes::settle(Time time, std::uint32_t node) const {
  for (Time before = -1; before != time;) {
    before = time;
    for (const ReservedNode& each : reserved_[node])
      if (each.from <= time && time < each.to) time = each.to;
    for (const TimeRange& busy : channel_)
      if (busy.from <= time && time < busy.to) time = busy.to;
  }
  return time;
}

void StagedNodes::find_stages() {
  const Time first = nodes_.front().free;
  for (const TimeRange& busy : channel_)
    if (busy.to > first && busy.from < deadline_)
      stages_.push_back({busy.from, std::min(busy.to, deadline_)});
  // A reservation ends a stage even if it does not use the channel.
  std::vector<Time> starts;
  for (const std::vector<ReservedNode>& node : reserved_)
    for (const ReservedNode& each : node)
      if (!(each.io_until > each.from) && first < each.from && each.from < deadline_ &&
          std::ranges::none_of(
              channel_, [&](const TimeRange& busy) { return busy.from <= each.from && each.from < busy.to; }))
        starts.push_back(each.from);
  std::ranges::sort(starts);
  starts.erase(std::ranges::unique(starts).begin(), starts.end());
  for (const Time start : starts) stages_.push_back({start, start});
  std::ranges::stable_sort(stages_, {}, &TimeRange::from);
  Time last = -1;
  for (const TimeRange& stage : stages_) last = std::max(last, stage.to);
  if (last < deadline_) stages_.push_back({deadline_, deadline_});
}

// Calls node(sum) with the load of the first node, the first two, ...; false ends it.
template <class F>
void StagedNodes::estimate(F&& node) const {
  if (nodes_.empty() || nodes_.front().free >= deadline_) return;
  const Time first = nodes_.front().free;
  Seconds channel = 0, sent = 0;
  for (const TimeRange& busy : channel_)
    if (first < busy.from && busy.from < deadline_) channel += std::min(busy.to, deadline_) - busy.from;
  double sum = 0;
  for (const Node& each : nodes_) {
    Seconds computed = 0;  // by reservations, on the node
    for (const ReservedNode& other : reserved_[each.at])
      if (first < other.from && other.from < deadline_)
        computed += std::max(0.0, std::min(other.to, deadline_) - other.io_until);
    const Seconds left = std::max(0.0, deadline_ - each.free - channel - computed - sent);
    const double size = left / (unit_.transmission + unit_.computation);
    sum += size;
    if (!node(sum)) return;
    sent += size * unit_.transmission;
  }
}

double StagedNodes::load_by(std::size_t nodes) const {
  double load = 0;
  estimate([&](double sum) {
    if (nodes > 0) load = sum;
    return nodes > 0 && --nodes > 0;
  });
  return load;
}

std::size_t StagedNodes::fewest_nodes(double load, std::size_t from) const {
  std::size_t n = 0;
  bool found = false;
  estimate([&](double sum) {
    found = ++n >= from && at_most(load, sum, tolerance_);
    return !found;
  });
  return found ? n : 0;
}

std::vector<StagedNodes::Chunk> StagedNodes::chunks(double load, std::size_t nodes) const {
  std::vector<Chunk> out;
  std::vector<Node> order(nodes_.begin(), nodes_.begin() + static_cast<std::ptrdiff_t>(nodes));
  const Seconds nothing = 1e-12 * std::max(1.0, deadline_);
  const Seconds both = unit_.transmission + unit_.computation;
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    const TimeRange& stage = stages_[s];
    std::ranges::sort(order, {}, [](const Node& node) { return std::tuple(node.free, node.at); });
    Time channel = -std::numeric_limits<Time>::infinity();
    for (Node& node : order) {
      const std::vector<ReservedNode>& reserved = reserved_[node.at];
      const Time start = after(std::max(node.free, channel), reserved);
      Time end = stage.to;
      for (const ReservedNode& each : reserved)
        if (each.from >= start) end = std::min(end, each.from);
      const Seconds sending = std::min(stage.from - start, (end - start) * (unit_.transmission / both));
      if (sending > nothing) {
        const bool last = at_most(start + load * unit_.transmission, stage.from, tolerance_) &&
                          at_most(start + load * both, end, tolerance_);
        const double size = last ? load : sending / unit_.transmission;
        channel = start + size * unit_.transmission;
        out.push_back({node.at, static_cast<std::uint32_t>(s), size, start, channel, start + size * both});
        load -= size;
        if (last) return out;
      }
      node.free = after(std::max(node.free, stage.to), reserved);
    }
  }
  return {};
}

}  // namespace perigee::cost
