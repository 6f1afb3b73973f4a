// Transfers: routes, sharing, and the progress of everything that moves.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/engine/sim.h"
#include "runtime/kernel/quantity.h"
#include "runtime/model/routes.h"

namespace perigee::engine {

std::span<const LinkId> Sim::route_of(const Activity& activity) const {
  return activity.route == kNone ? std::span<const LinkId>{}
                                 : std::span<const LinkId>(routes_[activity.route]);
}

void Sim::find_routes() {
  const Platform& platform = *platform_;
  std::vector<std::uint8_t> up(links_.size());
  std::vector<Seconds> latencies(links_.size());
  for (std::size_t l = 0; l < links_.size(); ++l) {
    up[l] = links_[l].up() ? 1 : 0;
    latencies[l] = latency_at(LinkId(l), view_.now_);
  }
  std::vector<std::vector<std::uint32_t>> known(links_.size());  // in routes_, by their last link
  for (std::size_t r = 0; r < routes_.size(); ++r)
    known[routes_[r].back().index].push_back(static_cast<std::uint32_t>(r));
  std::vector<Route> routes = all_routes(platform, up, latencies);
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    Route& route = routes[c];
    if (route.empty()) {
      clusters_[c].route = kNone;
    } else {
      several_hops_ = several_hops_ || route.size() > 1;
      const std::vector<std::uint32_t>& alike = known[route.back().index];
      const auto same = std::ranges::find_if(alike, [&](std::uint32_t r) { return routes_[r] == route; });
      clusters_[c].route = same != alike.end() ? *same : static_cast<std::uint32_t>(routes_.size());
      if (same == alike.end()) routes_.push_back(std::move(route));
    }
    posts_.touch(platform[ClusterId(c)].link);
  }
}

// The bandwidth of a transfer in its data phase at `at`. It is constant until `until`.
double Sim::rate_at(const Activity& transfer, Time at, Time& until) const {
  double rate = kNever;
  until = kNever;
  for (const LinkId link : route_of(transfer)) {
    const LinkState& state = links_[link.index];
    const Link& declared = (*platform_)[link];
    if (declared.implied) continue;
    double here = state.bandwidth.at(at - state.anchor) * state.factor;
    if (declared.sharing == Sharing::fair && state.moving > 1) here /= state.moving;
    rate = std::min(rate, here);
    until = std::min(until, state.bandwidth.next_change(at - state.anchor) + state.anchor);
  }
  return rate;
}

// The end of the data phase when `transfer.left` bytes are left at `from`.
Time Sim::moved_by(const Activity& transfer, Time from) const {
  const std::span<const LinkId> route = route_of(transfer);
  if (transfer.left <= 0) return from;
  if (route.size() == 1) {
    const LinkState& state = links_[route.front().index];
    const Link& declared = (*platform_)[route.front()];
    if (declared.implied) return from;
    const double share =
        declared.sharing == Sharing::fair && state.moving > 1 ? state.factor / state.moving : state.factor;
    return state.bandwidth.end_of(from, transfer.left, share, state.anchor);
  }
  constexpr int kMostSteps = 10'000'000;
  double left = transfer.left;
  Time at = from;
  for (int steps = 0; steps < kMostSteps; ++steps) {
    Time until = kNever;
    const double rate = rate_at(transfer, at, until);
    if (rate == kNever) return at;
    if (until <= at) until = std::nextafter(at, kNever);  // a step lost to rounding
    if (rate * (until - at) >= left * (1 - 1e-12)) return rate > 0 ? at + left / rate : kNever;
    if (until == kNever) return kNever;
    left -= rate * (until - at);
    at = until;
  }
  fail("too_many_steps",
       "{} from t = {} s on passes {} steps of the bandwidth of its {} links, by t = {} s, and is not over; "
       "let the bandwidth change less often",
       transfer.file.valid()
           ? fmt::format("the transfer of file '{}'", workload_->files[transfer.file.index].name)
       : transfer.work.valid()
           ? fmt::format("the transfer of {}", text_of({transfer.work, transfer.first, transfer.size}))
           : "a transfer",
       format_number(from), kMostSteps, route.size(), format_number(at));
}

double Sim::moved(const Activity& transfer, Time from, Time to) const {
  const std::span<const LinkId> route = route_of(transfer);
  if (route.size() == 1 && !(*platform_)[route.front()].implied) {
    const LinkState& state = links_[route.front().index];
    const Link& declared = (*platform_)[route.front()];
    const double share =
        declared.sharing == Sharing::fair && state.moving > 1 ? state.factor / state.moving : state.factor;
    return state.bandwidth.integral(from - state.anchor, to - state.anchor) * share;
  }
  double done = 0;
  Time at = from;
  while (at < to) {
    Time until = kNever;
    const double rate = rate_at(transfer, at, until);
    if (rate == kNever) return transfer.left;
    if (until <= at) until = std::nextafter(at, kNever);
    const Time stop = std::min(until, to);
    done += rate * (stop - at);
    at = stop;
  }
  return done;
}

// Accounts for the progress made until now under the rates that were in force. Call before a rate changes.
void Sim::bring_up_to_date(std::uint32_t slot) {
  Activity& activity = activities_[slot];
  if (activity.stage != Stage::moving || view_.now_ <= activity.since) return;
  if (activity.kind == ActivityKind::compute) {
    const HostState& state = hosts_[activity.host.index];
    activity.left -=
        state.profile.integral(activity.since - state.anchor, view_.now_ - state.anchor) * state.factor;
  } else if (activity.kind == ActivityKind::transfer_in || activity.kind == ActivityKind::transfer_out ||
             activity.kind == ActivityKind::chunk) {
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
    const HostState& state = hosts_[activity.host.index];
    activity.end = state.profile.end_of(activity.since, activity.left, state.factor, state.anchor);
  } else {
    activity.end = moved_by(activity, activity.since);
  }
  if (activity.end == before) return;
  progressing_ += (activity.end < kNever ? 1 : 0) - (before < kNever ? 1 : 0);
  push_end(slot);
}

void Sim::enter_link(std::uint32_t slot) {
  Activity& activity = activities_[slot];
  activity.route = clusters_[activity.cluster.index].route;
  Seconds latency = 0;
  for (const LinkId link : routes_[activity.route]) {
    LinkState& state = links_[link.index];
    ++state.busy;
    state.using_it.push_back(slot);
    ++view_.links_[link.index].transfers;
    latency += latency_at(link, view_.now_);
  }
  activity.left = activity.amount;
  activity.since = view_.now_ + latency;
  ++progressing_;
  activity.end = activity.since;  // go_on() sets the true end
  record(RecordKind::started, activity);
  go_on(slot);
  if (comparing_) expect_end(slot);
}

// Sets a transfer in motion. Its `since` and `left` are known, and its end counts as in sight.
void Sim::go_on(std::uint32_t slot) {
  Activity& activity = activities_[slot];
  bool fair = false;
  for (const LinkId link : routes_[activity.route])
    fair = fair || (*platform_)[link].sharing == Sharing::fair;
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
  std::vector<std::uint32_t>& others = sharing_;
  others.clear();
  for (const LinkId link : routes_[activity.route])
    if ((*platform_)[link].sharing == Sharing::fair)
      for (const std::uint32_t other : links_[link.index].using_it)
        if (other != slot && activities_[other].stage == Stage::moving) others.push_back(other);
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  for (const std::uint32_t other : others) bring_up_to_date(other);
  for (const LinkId link : routes_[activity.route]) links_[link.index].moving += begins ? 1 : -1;
  for (const std::uint32_t other : others) reschedule(other);
}

void Sim::leave_link(std::uint32_t slot) {
  Activity& activity = activities_[slot];
  if (activity.route == kNone) return;
  activity.stage = Stage::paused;
  share(slot, false);
  for (const LinkId link : routes_[activity.route]) {
    LinkState& state = links_[link.index];
    --state.busy;
    state.using_it.erase(std::find(state.using_it.begin(), state.using_it.end(), slot));
    --view_.links_[link.index].transfers;
  }
  for (const LinkId link : routes_[activity.route]) touch_users(link);
}

// The link has become free. Transfers to other clusters may wait for it in the middle of their route.
void Sim::touch_users(LinkId link) {
  posts_.touch(link);
  if (!several_hops_) return;
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

bool Sim::is_steady(ClusterId cluster) const {
  const ClusterState& state = clusters_[cluster.index];
  if (state.route == kNone) return true;
  return std::ranges::all_of(routes_[state.route], [this](LinkId link) {
    return links_[link.index].bandwidth.is_constant() && links_[link.index].latency.is_constant();
  });
}

Time Sim::true_end(FileId file, ClusterId cluster, Time start) const {
  return sent_by(workload_->files[file.index].size, cluster, start + latency_to(cluster, start));
}

Time Sim::sent_by(double bytes, ClusterId cluster, Time from) const {
  Activity transfer;
  transfer.route = clusters_[cluster.index].route;
  transfer.left = bytes;
  return transfer.route == kNone ? kNever : moved_by(transfer, from);
}

Seconds Sim::latency_to(ClusterId cluster, Time at) const {
  Seconds latency = 0;
  for (const LinkId link : route_to(cluster)) latency += latency_at(link, at);
  return latency;
}

}  // namespace perigee::engine
