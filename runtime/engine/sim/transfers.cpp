// Transfers, and the progress of everything that moves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/engine/sim.h"
#include "runtime/kernel/quantity.h"

namespace perigee::engine {

void Sim::find_routes() {
  view_.links_.find_routes(view_.now_);
  for (const Cluster& cluster : platform_->clusters()) posts_.touch(cluster.link);
}

// The end of the data phase when `transfer.left` bytes are left at `from`.
Time Sim::moved_by(const Activity& transfer, Time from) const {
  try {
    return view_.links_.sent_by(transfer.left, transfer.route, from);
  } catch (const Links::TooManySteps& given_up) {
    fail(
        "too_many_steps",
        "{} from t = {} s on passes {} steps of the bandwidth of its {} links, by t = {} s, and is not over; "
        "let the bandwidth change less often",
        transfer.file.valid()
            ? fmt::format("the transfer of file '{}'", workload_->files[transfer.file.index].name)
        : transfer.work.valid() ? fmt::format("the transfer of {}", text_of(transfer.piece()))
                                : "a transfer",
        format_number(from), given_up.steps, view_.links_.route(transfer.route).size(),
        format_number(given_up.at));
  }
}

double Sim::moved(const Activity& transfer, Time from, Time to) const {
  return view_.links_.sent(transfer.left, transfer.route, from, to);
}

// Accounts for the progress made until now under the rates that were in force. Call before a rate changes.
void Sim::bring_up_to_date(std::uint32_t slot) {
  Activity& activity = activities_[slot];
  if (activity.stage != Stage::moving || view_.now_ <= activity.since) return;
  if (activity.kind == ActivityKind::compute) {
    activity.left -= view_.hosts_.rate(activity.host).integral(activity.since, view_.now_);
  } else if (activity.moves_data()) {
    activity.left -= moved(activity, activity.since, view_.now_);
  } else {
    return;
  }
  activity.left = std::max(activity.left, 0.0);
  activity.since = view_.now_;
}

// Computes the end again from what is left. Call after a rate has changed.
void Sim::reschedule(std::uint32_t slot) {
  Activity& activity = activities_[slot];
  if (activity.stage != Stage::moving) return;
  const Time before = activity.end;
  if (activity.kind == ActivityKind::compute) {
    activity.end = view_.hosts_.rate(activity.host).end_of(activity.since, activity.left);
  } else {
    activity.end = moved_by(activity, activity.since);
  }
  if (activity.end == before) return;
  progressing_ += (activity.end < kNever ? 1 : 0) - (before < kNever ? 1 : 0);
  push_end(slot);
}

void Sim::enter_link(std::uint32_t slot) {
  Activity& activity = activities_[slot];
  activity.route = view_.links_.route_to(activity.cluster);
  view_.links_.enter(activity.route, slot);
  activity.left = activity.amount;
  activity.since = view_.now_ + view_.links_.latency_of(activity.route, view_.now_);
  ++progressing_;
  activity.end = activity.since;  // go_on() sets the true end
  record(RecordKind::started, activity);
  go_on(slot);
  if (comparing_) expect_end(slot);
}

// Sets a transfer in motion. Its `since` and `left` are known, and its end counts as in sight.
void Sim::go_on(std::uint32_t slot) {
  Activity& activity = activities_[slot];
  const bool fair = view_.links_.any_fair(activity.route);
  if (fair && activity.since > view_.now_) {  // it takes its share only when the data phase begins
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
  Activity& activity = activities_[slot];
  if (activity.shares == begins) return;
  activity.shares = begins;
  const std::span<const std::uint32_t> others = view_.links_.sharing_with(slot, activity.route);
  for (const std::uint32_t other : others) bring_up_to_date(other);
  if (begins)
    view_.links_.begin_moving(activity.route);
  else
    view_.links_.end_moving(activity.route);
  for (const std::uint32_t other : others) reschedule(other);
}

void Sim::leave_link(std::uint32_t slot) {
  Activity& activity = activities_[slot];
  if (activity.route == kNone) return;
  activity.stage = Stage::paused;
  share(slot, false);
  view_.links_.leave(activity.route, slot);
  for (const LinkId link : view_.links_.route(activity.route)) touch_users(link);
}

// The link has become free. Transfers to other clusters may wait for it in the middle of their route.
void Sim::touch_users(LinkId link) {
  posts_.touch(link);
  if (!view_.links_.any_of_several_hops()) return;
  for (const Cluster& cluster : platform_->clusters()) posts_.touch(cluster.link);
}

ActivityId Sim::start_transfer(FileId file, ClusterId cluster, ActivityKind direction) {
  Posting posting;
  posting.kind = direction;
  posting.file = file;
  posting.cluster = cluster;
  const ActivityId id = post(posting);
  const char* problem = obstacle(activities_[id.slot]);
  if (problem == nullptr && !first_in_queues(activities_[id.slot], id.slot))
    problem = "transfers posted before it";
  if (problem != nullptr)
    bad(std::string("start the transfer of file '") + workload_->files[file.index].name + "'",
        std::string("it has to wait for ") + problem);
  begin(id.slot);
  return id;
}

Time Sim::true_end(FileId file, ClusterId cluster, Time start) const {
  return sent_by(workload_->files[file.index].size, cluster, start + latency_to(cluster, start));
}

Time Sim::sent_by(double bytes, ClusterId cluster, Time from) const {
  Activity transfer;
  transfer.route = view_.links_.route_to(cluster);
  transfer.left = bytes;
  return transfer.route == kNone ? kNever : moved_by(transfer, from);
}

}  // namespace perigee::engine
