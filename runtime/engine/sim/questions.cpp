// Questions of policies and estimators, and those of "who waits for what".
#include <fmt/format.h>

#include <algorithm>

#include "runtime/engine/sim.h"

namespace perigee::engine {

std::optional<ActivityView> Sim::activity(ActivityId id) const {
  if (!state_.activities.lives(id)) return std::nullopt;
  const Activity& a = state_.activities[id.slot];
  ActivityView view;
  view.id = id;
  view.kind = a.kind;
  view.posted = a.stage == Stage::posted;
  view.copy = a.is_copy;
  view.suspended = a.suspended;
  view.work = a.work;
  view.file = a.file;
  view.piece = {a.work, a.first, a.size};
  view.host = a.host;
  view.cluster = a.cluster;
  view.from = a.from;
  view.cores = a.cores;
  if (a.allocation != kNone) {
    view.cores = 0;
    for (const Allocation::Part& part : state_.activities.allocation_of(a).parts)
      view.cores += part.share.cores;
    view.piece.mold = piece_on(a.work, state_.activities.allocation_of(a)).mold;
  }
  view.started = a.started;
  if (a.suspended) view.started += state_.now - state_.activities.suspended_since(id.slot);
  if (a.kind == ActivityKind::dump) view.link = state_.links.route(a.route).front();
  return view;
}

std::vector<ActivityId> Sim::running_on(HostId host) const {
  std::vector<ActivityId> ids;
  for (std::uint32_t slot = state_.hosts.first_on(host); slot != kNone; slot = state_.activities[slot].next)
    ids.push_back(state_.activities.id_of(state_.activities.leader_of(slot)));
  return ids;
}

std::vector<ActivityId> Sim::under_way_on(HostId host) const {
  std::vector<ActivityId> ids = running_on(host);
  if (const std::uint32_t hold = state_.hosts.hold_on(host); hold != kNone)
    ids.insert(ids.begin(), state_.activities.id_of(hold));
  return ids;
}

std::vector<ActivityId> Sim::queued_on(ResourceId resource) const {
  std::vector<ActivityId> ids;
  const bool known = (resource.kind() == ResourceKind::host && resource.at() < state_.hosts.size()) ||
                     (resource.kind() == ResourceKind::link && resource.at() < state_.links.size());
  if (!known) return ids;
  const PostQueue& queue =
      resource.kind() == ResourceKind::host ? state_.posts[resource.host()] : state_.posts[resource.link()];
  for (std::size_t place = queue.begin(); place < queue.end(); ++place)
    ids.push_back(state_.activities.id_of(queue[place].slot));
  return ids;
}

std::vector<ActivityId> Sim::transfers_of(ClusterId cluster) const {
  std::vector<ActivityId> ids;
  for (std::uint32_t slot = 0; slot < state_.activities.slots(); ++slot) {
    const Activity& each = state_.activities[slot];
    if (each.serial != 0 && each.stage != Stage::posted && each.cluster == cluster &&
        (each.kind == ActivityKind::transfer_in || each.kind == ActivityKind::transfer_out))
      ids.push_back(state_.activities.id_of(slot));
  }
  std::ranges::sort(
      ids, {}, [this](ActivityId id) { return std::pair(state_.activities[id.slot].started, id.serial); });
  return ids;
}

std::string_view Sim::mark_name(const Event& mark) const {
  return mark.serial == kListed ? state_.scenario->happenings[mark.slot].name
                                : state_.injected[mark.slot].name;
}

bool Sim::resources_up(const Activity& activity) const {
  if (activity.host.valid() && !state_.hosts.is_up(activity.host)) return false;
  for (const LinkId link : state_.links.route(activity.route))
    if (!state_.links.is_up(link)) return false;
  if (activity.allocation != kNone)
    for (const Allocation::Part& part : state_.activities.allocation_of(activity).parts)
      if (!state_.hosts.is_up(part.share.host)) return false;
  if (activity.hold != kNone) {
    const Hold& hold = state_.activities.hold_of(activity);
    for (const HostId host : hold.hosts)
      if (!state_.hosts.is_up(host)) return false;
    if (hold.link_busy && !state_.links.is_up(hold.link)) return false;
  }
  return true;
}

std::string Sim::obstacle_of(ActivityId posted) const {
  if (!state_.activities.lives(posted)) return "nothing";
  const Activity& activity = state_.activities[posted.slot];
  const char* problem = obstacle(activity);
  if (problem == nullptr) return "those before it in the queue";
  if (std::string_view(problem) != kNoRoom) return problem;
  if (!activity.file.valid()) return fmt::format("room: {}", shortage_of_room(activity.work, activity.host));
  const double bytes = state_.stores.room_for({&activity.file, 1}, activity.cluster);
  return fmt::format("room: {}", shortage_text("it needs", bytes, activity.cluster));
}

std::vector<ActivityId> Sim::stuck() const {
  std::vector<ActivityId> ids;
  for (std::uint32_t slot = 0; slot < state_.activities.slots(); ++slot)
    if (state_.activities[slot].serial != 0 && state_.activities[slot].stage != Stage::posted &&
        state_.activities[slot].end == kNever && state_.activities[slot].leader == kNone)
      ids.push_back(state_.activities.id_of(slot));
  std::sort(ids.begin(), ids.end());  // by serial
  return ids;
}

std::string_view Sim::obstacle_of_stuck(ActivityId running) const {
  const Activity& activity = state_.activities[running.slot];
  if (activity.suspended) return "its policy to resume it";
  if (activity.allocation != kNone && state_.activities.allocation_of(activity).dumps.transfer != kNone)
    return "its dump, which is on its way over a link";
  if (!resources_up(activity))
    return activity.allocation != kNone ? "a host, which is down"
           : activity.route == kNone    ? "its host, which is down"
                                        : "its host or a link, which is down";
  return activity.kind == ActivityKind::compute ? "availability or speed above 0" : "bandwidth above 0";
}

std::string Sim::why_unstartable(WorkId work) const {
  bool any_up = false, can_run = false;
  for (std::size_t h = 0; h < state_.hosts.size(); ++h) {
    any_up = any_up || state_.hosts.is_up(HostId(h));
    can_run = can_run || true_time(*state_.workload, {work, 0, 1}, state_.platform->hosts()[h], HostId(h),
                                   state_.hosts[HostId(h)].architecture) < kNever;
  }
  if (!can_run) return "; it can run on no host";
  if (state_.workload->shape_of(work) != nullptr)
    if (std::string never = why_never(work); !never.empty()) return "; " + never;
  if (!any_up) return "; every host is down";
  if (!state_.stores.any_limit()) return "";
  std::string shortage;
  for (std::size_t h = 0; h < state_.hosts.size(); ++h) {
    if (std::string here = shortage_of_room(work, HostId(h)); here.empty())
      return "";
    else if (shortage.empty())
      shortage = "; " + std::move(here);
  }
  return shortage;
}

bool Sim::is_superseded(const Window& window) const {
  if (window.to < kNever || window.cause != Cause::membership) return false;
  if (window.from < state_.now && state_.hosts.presence(window.on.host()).is_present()) return true;
  return std::ranges::any_of(windows(), [&](const Window& other) {
    return other.on == window.on && other.from == window.from && other.to < kNever &&
           other.cause == Cause::membership;
  });
}

bool Sim::is_back_by(HostId host, Time at) const {
  return std::ranges::any_of(windows(), [&](const Window& window) {
    return window.on == ResourceId::of(host) && window.cause == Cause::membership && window.to <= at &&
           window.to > state_.now;
  });
}

const Hold* Sim::hold_under_way(WorkId reservation) const {
  for (std::uint32_t slot = 0; state_.activities.any_hold_yet() && slot < state_.activities.slots(); ++slot)
    if (const Activity& activity = state_.activities[slot]; activity.serial != 0 && activity.hold != kNone &&
                                                            activity.work == reservation &&
                                                            activity.stage != Stage::posted)
      return &state_.activities.hold_of(activity);
  return nullptr;
}

std::int32_t Sim::idle_inside(WorkId reservation, HostId host) const {
  return state_.hosts[host].up && state_.hosts.held_for(host) == reservation
             ? state_.hosts.free_cores(host, reservation)
             : 0;
}

Time Sim::true_end(const Piece& piece, HostId host, Time start) const {
  return computed_by(true_amount(piece, host), host, start + (*state_.platform)[host].setup);
}

Seconds Sim::true_duration(const Piece& piece, HostId host) const {
  return duration_of(true_amount(piece, host), host);
}

Seconds Sim::true_amount(const Piece& piece, HostId host) const {
  return true_time(*state_.workload, piece, (*state_.platform)[host], host, state_.hosts[host].architecture);
}

Time Sim::computed_by(Seconds amount, HostId host, Time from) const {
  if (!(amount < kNever) || !is_there(host, from)) return kNever;
  return state_.hosts.rate(host).end_of(from, amount);
}

Seconds Sim::duration_of(Seconds amount, HostId host) const {
  const Rate& rate = state_.hosts.rate(host);
  const Seconds setup = (*state_.platform)[host].setup;
  if (!(amount < kNever) || !state_.hosts.presence(host).is_present()) return kNever;
  const Time since = state_.now + setup - rate.since;
  const Seconds run = Profile(rate.profile.at(since)).end_of(0, amount, rate.factor);
  if (rate.profile.next_change(since) >= since + run) return setup + run;
  return computed_by(amount, host, state_.now + setup) - state_.now;
}

Sim::Progress Sim::progress_of(ActivityId running) const {
  if (!state_.activities.lives(running)) return {};
  const Activity& activity = state_.activities[running.slot];
  Progress progress{activity.amount - activity.left, activity.since};
  if (activity.allocation != kNone && state_.activities.allocation_of(activity).dumps.link.valid())
    progress.since = goes_on_at(activity);
  if (activity.suspended) progress.since = state_.now + activity.fixed_left;
  if (activity.stage != Stage::moving || activity.since >= state_.now) return progress;
  if (activity.kind == ActivityKind::compute) {
    progress.done += computed_since(activity);
  } else if (activity.route != kNone) {
    progress.done += moved(activity, activity.since, state_.now);
  }
  return progress;
}

// If it went on now, with a dump that is to be sent or read finding its link idle.
Time Sim::true_end_of_suspended(const Activity& activity) const {
  Activity resumed = activity;
  resumed.stage = Stage::moving;
  resumed.since = state_.now + activity.fixed_left;
  Time end = end_of_compute(resumed);
  if (activity.allocation != kNone) {
    const Allocation& allocation = state_.activities.allocation_of(activity);
    const Dumps& dumps = allocation.dumps;
    Time since = resumed.since;
    if (dumps.reading || (dumps.writing && dumps.link.valid()))
      since += time_over(dumps.link, dumps.bytes, since);
    if (DumpsView view = dumps_of(resumed); view.next < kNever)
      end = end_with_dumps(allocation, activity.work, since, activity.left, view);
  }
  if (activity.limit_left == kNever) return end;
  return std::min(end, state_.now + activity.limit_left);
}

Time Sim::true_end(ActivityId running) const {
  if (!state_.activities.lives(running)) return state_.now;
  const Activity& activity = state_.activities[running.slot];
  if (activity.suspended) return true_end_of_suspended(activity);
  if (activity.stage == Stage::posted || activity.stage == Stage::paused) return kNever;
  if (activity.kind == ActivityKind::hold) return state_.activities.hold_of(activity).to;
  if (activity.stage == Stage::fixed) return moved_by(activity, activity.end);
  Time end = activity.end;
  if (activity.allocation != kNone) {
    const Allocation& allocation = state_.activities.allocation_of(activity);
    const Time since = std::max(goes_on_at(activity), state_.now);
    if (const DumpsView dumps = dumps_of(running); dumps.next < kNever || dumps.link.valid())
      end = end_with_dumps(allocation, activity.work, since, activity.amount - progress_of(running).done,
                           dumps);
  }
  if (activity.limit_at == kNever) return end;
  Seconds grace = state_.workload->extras[(*state_.workload)[activity.work].extra].grace;
  if (state_.scenario->at_limit == AtLimit::checkpoint && activity.allocation != kNone) {
    const Dumps& dumps = state_.activities.allocation_of(activity).dumps;
    if (state_.workload->checkpoint_of(activity.work) != nullptr && !dumps.is_last) grace = 0;
  }
  return std::min(end, std::max(state_.now, activity.limit_at - grace));
}

}  // namespace perigee::engine
