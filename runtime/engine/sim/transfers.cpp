// Transfers, and the progress of everything that moves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/engine/sim.h"
#include "runtime/kernel/quantity.h"

namespace perigee::engine {

// The end of the data phase when `transfer.left` bytes are left at `from`.
Time Sim::moved_by(const Activity& transfer, Time from) const {
  try {
    return state_.links.sent_by(transfer.left, transfer.route, from);
  } catch (const TooManySteps& given_up) {
    fail(
        "too_many_steps",
        "{} from t = {} s on passes {} steps of the bandwidth of its {} links, by t = {} s, and is not over; "
        "let the bandwidth change less often",
        transfer.file.valid()
            ? fmt::format("the transfer of file '{}'", state_.workload->files[transfer.file.index].name)
        : transfer.work.valid() ? fmt::format("the transfer of {}", text_of(transfer.piece()))
                                : "a transfer",
        format_number(from), given_up.steps, state_.links.route(transfer.route).size(),
        format_number(given_up.at));
  }
}

double Sim::moved(const Activity& transfer, Time from, Time to) const {
  return state_.links.sent(transfer.left, transfer.route, from, to);
}

// Accounts for the progress made until now under the rates that were in force. Call before a rate changes.
void Sim::bring_up_to_date(std::uint32_t slot) {
  Activity& activity = state_.activities[slot];
  if (activity.stage != Stage::moving || state_.now <= activity.since) return;
  if (activity.kind == ActivityKind::compute) {
    activity.left -= computed_since(activity);
    if (activity.allocation != kNone) {
      Dumps& dumps = state_.activities.allocation_of(activity).dumps;
      dumps.next = std::max(0.0, dumps.next - (state_.now - activity.since));
    }
  } else if (activity.moves_data()) {
    activity.left -= moved(activity, activity.since, state_.now);
  } else {
    return;
  }
  activity.left = std::max(activity.left, 0.0);
  activity.since = state_.now;
}

// Computes the end again from what is left. Call after a rate has changed.
void Sim::reschedule(std::uint32_t slot) {
  Activity& activity = state_.activities[slot];
  if (activity.stage != Stage::moving) return;
  const Time before = activity.end;
  if (activity.kind == ActivityKind::compute) {
    activity.end = end_of_compute(activity);
  } else {
    activity.end = moved_by(activity, activity.since);
  }
  if (activity.allocation != kNone) expect_dump(slot);
  if (activity.end == before) return;
  progressing_ += (activity.end < kNever ? 1 : 0) - (before < kNever ? 1 : 0);
  push_end(slot);
}

void Sim::enter_link(std::uint32_t slot) {
  Activity& activity = state_.activities[slot];
  const Source source = source_of(activity);
  activity.from = source.from;
  if (source.from.valid()) activity.first = static_cast<double>(source.from.index) + 1;
  activity.route = source.route;
  if (state_.stores.any_limit() && activity.kind == ActivityKind::transfer_in)
    state_.stores.reserve(activity.file, activity.cluster);
  enter_route(slot);
}

// A transfer that knows its route begins.
void Sim::enter_route(std::uint32_t slot) {
  Activity& activity = state_.activities[slot];
  state_.links.enter(activity.route, slot);
  activity.left = activity.amount;
  activity.since = state_.now + state_.links.latency_of(activity.route, state_.now);
  ++progressing_;
  activity.end = activity.since;  // go_on() sets the true end
  record(RecordKind::started, activity);
  go_on(slot);
  if (comparing_ && activity.kind != ActivityKind::dump) expect_end(slot);
}

// Sets a transfer in motion. Its `since` and `left` are known, and its end counts as in sight.
void Sim::go_on(std::uint32_t slot) {
  Activity& activity = state_.activities[slot];
  const bool fair = activity.left > 0 && state_.links.any_fair(activity.route);
  if (fair && activity.since > state_.now) {  // it takes its share only when the data phase begins
    activity.stage = Stage::fixed;
    activity.end = activity.since;
    push_end(slot);
    return;
  }
  activity.stage = Stage::moving;
  if (fair) share(slot, true);
  activity.end = moved_by(activity, activity.since);
  if (activity.end == kNever) --progressing_;
  push_end(slot);
}

// `slot` begins or ends its data phase on links that are shared fairly, so the rates of the others change.
void Sim::share(std::uint32_t slot, bool begins) {
  Activity& activity = state_.activities[slot];
  if (activity.shares == begins) return;
  activity.shares = begins;
  const std::span<const std::uint32_t> others = state_.links.sharing_with(
      slot, activity.route, [this](std::uint32_t other) { return state_.activities[other].shares; });
  for (const std::uint32_t other : others) bring_up_to_date(other);
  if (begins)
    state_.links.begin_moving(activity.route);
  else
    state_.links.end_moving(activity.route);
  for (const std::uint32_t other : others) reschedule(other);
}

void Sim::leave_link(std::uint32_t slot) {
  Activity& activity = state_.activities[slot];
  if (activity.route == kNone) return;
  activity.stage = Stage::paused;
  share(slot, false);
  state_.links.leave(activity.route, slot);
  for (const LinkId link : state_.links.route(activity.route))
    if (state_.links.is_exclusive(link) ||
        (state_.activities.any_hold_yet() && !state_.links.is_busy(link)))  // a hold waits for all to leave
      touch_users(link);
}

// The link has become free. Transfers to other clusters may wait for it in the middle of their route.
void Sim::touch_users(LinkId link) {
  state_.posts.touch(link);
  if (!state_.links.any_of_several_hops()) return;
  for (const Cluster& cluster : state_.platform->clusters()) state_.posts.touch(cluster.link);
}

ActivityId Sim::start_transfer(FileId file, ClusterId cluster, ActivityKind direction) {
  Posting posting;
  posting.kind = direction;
  posting.file = file;
  posting.cluster = cluster;
  const ActivityId id = post(posting);
  const char* problem = obstacle(state_.activities[id.slot]);
  if (problem == nullptr && !first_in_queues(state_.activities[id.slot], id.slot))
    problem = "transfers posted before it";
  if (problem != nullptr)
    bad(std::string("start the transfer of file '") + state_.workload->files[file.index].name + "'",
        std::string("it has to wait for ") + problem);
  begin(id.slot);
  return id;
}

// Without precedence every file comes from home. Otherwise it comes from where its transfer alone would end first now;
// of equals from where it was made, then from the lowest cluster, then from home.
Sim::Source Sim::best_source(FileId file, ClusterId cluster) const {
  if (!state_.readiness.any()) return {{}, state_.links.route_to(cluster)};
  Source best;
  Seconds least = kNever;
  const double bytes = state_.workload->files[file.index].size;
  const auto look_at = [&](ClusterId from, std::uint32_t route) {
    if (route == kNone) return;
    const Seconds time = state_.links.alone(bytes, route, state_.now);
    if (best.route != kNone && time >= least) return;
    best = {from, route};
    least = time;
  };
  std::uint32_t left = state_.stores.copies(file);  // that have not been looked at
  const auto look_in = [&](ClusterId from) {
    if (!state_.stores.has(file, from)) return;
    --left;
    if (from != cluster && state_.clusters[from.index].is_present())
      look_at(from, state_.links.route_between(from, cluster));
  };
  const ClusterId born = state_.stores.born_in(file);
  if (born.valid()) look_in(born);
  for (std::size_t c = 0; c < state_.clusters.size() && left > 0; ++c)
    if (ClusterId(c) != born) look_in(ClusterId(c));
  if (at_home(file)) look_at({}, state_.links.route_to(cluster));
  return best;
}

Sim::Source Sim::source_of(const Activity& transfer) const {
  if (transfer.kind != ActivityKind::transfer_in) return {{}, state_.links.route_to(transfer.cluster)};
  if (!transfer.from.valid()) return best_source(transfer.file, transfer.cluster);
  const bool is_there =
      state_.stores.has(transfer.file, transfer.from) && state_.clusters[transfer.from.index].is_present();
  return {transfer.from, is_there ? state_.links.route_between(transfer.from, transfer.cluster) : kNone};
}

std::uint32_t Sim::route_of(FileId file, ClusterId cluster) const {
  if (!in_store(file, cluster))
    if (const Source source = best_source(file, cluster); source.route != kNone) return source.route;
  return state_.links.route_to(cluster);
}

Time Sim::true_end(FileId file, ClusterId cluster, Time start) const {
  const std::uint32_t route = route_of(file, cluster);
  return sent_by(state_.workload->files[file.index].size, route,
                 start + state_.links.latency_of(route, start));
}

Time Sim::sent_by(double bytes, std::uint32_t route, Time from) const {
  Activity transfer;
  transfer.route = route;
  transfer.left = bytes;
  return route == kNone ? kNever : moved_by(transfer, from);
}

}  // namespace perigee::engine
