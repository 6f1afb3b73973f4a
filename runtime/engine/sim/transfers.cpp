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
  activity.route = state_.links.route_to(activity.cluster);
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
  const bool fair = state_.links.any_fair(activity.route);
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
      slot, activity.route,
      [this](std::uint32_t other) { return state_.activities[other].stage == Stage::moving; });
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

Time Sim::true_end(FileId file, ClusterId cluster, Time start) const {
  return sent_by(state_.workload->files[file.index].size, cluster, start + latency_to(cluster, start));
}

Time Sim::sent_by(double bytes, ClusterId cluster, Time from) const {
  Activity transfer;
  transfer.route = state_.links.route_to(cluster);
  transfer.left = bytes;
  return transfer.route == kNone ? kNever : moved_by(transfer, from);
}

}  // namespace perigee::engine
