// Questions of policies and estimators, and those of "who waits for what".
#include <fmt/format.h>

#include <algorithm>

#include "runtime/engine/sim.h"

namespace perigee::engine {

std::optional<ActivityView> Sim::activity(ActivityId id) const {
  if (!activities_.lives(id)) return std::nullopt;
  const Activity& a = activities_[id.slot];
  ActivityView view;
  view.id = id;
  view.kind = a.kind;
  view.posted = a.stage == Stage::posted;
  view.copy = a.is_copy;
  view.work = a.work;
  view.file = a.file;
  view.piece = {a.work, a.first, a.size};
  view.host = a.host;
  view.cluster = a.cluster;
  view.cores = a.cores;
  view.started = a.started;
  return view;
}

std::vector<ActivityId> Sim::running_on(HostId host) const {
  std::vector<ActivityId> ids;
  for (std::uint32_t slot = view_.hosts_.first_on(host); slot != kNone; slot = activities_[slot].next)
    ids.push_back(activities_.id_of(slot));
  return ids;
}

std::vector<ActivityId> Sim::under_way_on(HostId host) const {
  std::vector<ActivityId> ids = running_on(host);
  if (const std::uint32_t hold = view_.hosts_.hold_on(host); hold != kNone)
    ids.insert(ids.begin(), activities_.id_of(hold));
  return ids;
}

std::vector<ActivityId> Sim::queued_on(ResourceId resource) const {
  std::vector<ActivityId> ids;
  const bool known = (resource.kind() == ResourceKind::host && resource.at() < view_.hosts_.size()) ||
                     (resource.kind() == ResourceKind::link && resource.at() < view_.links_.size());
  if (!known) return ids;
  const PostQueue& queue = posts_[resource];
  for (std::size_t place = queue.begin(); place < queue.end(); ++place)
    ids.push_back(activities_.id_of(queue[place].slot));
  return ids;
}

std::vector<ActivityId> Sim::transfers_of(ClusterId cluster) const {
  std::vector<ActivityId> ids;
  for (std::uint32_t slot = 0; slot < activities_.slots(); ++slot) {
    const Activity& each = activities_[slot];
    if (each.serial != 0 && each.stage != Stage::posted && each.cluster == cluster &&
        (each.kind == ActivityKind::transfer_in || each.kind == ActivityKind::transfer_out))
      ids.push_back(activities_.id_of(slot));
  }
  std::ranges::sort(ids, {},
                    [this](ActivityId id) { return std::pair(activities_[id.slot].started, id.serial); });
  return ids;
}

std::string_view Sim::mark_name(const Event& mark) const {
  return mark.serial == kListed ? scenario_->happenings[mark.slot].name : injected_[mark.slot].name;
}

std::string_view Sim::obstacle_of(ActivityId posted) const {
  if (!activities_.lives(posted)) return "nothing";
  const char* problem = obstacle(activities_[posted.slot]);
  return problem == nullptr ? "those before it in the queue" : problem;
}

std::vector<ActivityId> Sim::stuck() const {
  std::vector<ActivityId> ids;
  for (std::uint32_t slot = 0; slot < activities_.slots(); ++slot)
    if (activities_[slot].serial != 0 && activities_[slot].stage != Stage::posted &&
        activities_[slot].end == kNever)
      ids.push_back(activities_.id_of(slot));
  std::sort(ids.begin(), ids.end());  // by serial
  return ids;
}

std::string_view Sim::obstacle_of_stuck(ActivityId running) const {
  const Activity& activity = activities_[running.slot];
  if (!resources_up(activity))
    return activity.route == kNone ? "its host, which is down" : "its host or a link, which is down";
  return activity.kind == ActivityKind::compute ? "availability or speed above 0" : "bandwidth above 0";
}

std::string Sim::why_unstartable(WorkId work) const {
  bool any_up = false, can_run = false;
  for (std::size_t h = 0; h < view_.hosts_.size(); ++h) {
    any_up = any_up || view_.hosts_.is_up(HostId(h));
    can_run = can_run || true_time(*workload_, {work, 0, 1}, platform_->hosts()[h], HostId(h),
                                   view_.hosts_[HostId(h)].architecture) < kNever;
  }
  if (!can_run) return "; it can run on no host";
  if (!any_up) return "; every host is down";
  return "";
}

Time Sim::true_end(const Piece& piece, HostId host, Time start) const {
  return computed_by(true_amount(piece, host), host, start + (*platform_)[host].setup);
}

Seconds Sim::true_duration(const Piece& piece, HostId host) const {
  return duration_of(true_amount(piece, host), host);
}

Seconds Sim::true_amount(const Piece& piece, HostId host) const {
  return true_time(*workload_, piece, (*platform_)[host], host, view_.hosts_[host].architecture);
}

Time Sim::computed_by(Seconds amount, HostId host, Time from) const {
  if (!(amount < kNever) || !view_.hosts_.presence(host).is_present()) return kNever;
  return view_.hosts_.rate(host).end_of(from, amount);
}

Seconds Sim::duration_of(Seconds amount, HostId host) const {
  const Rate& rate = view_.hosts_.rate(host);
  const Seconds setup = (*platform_)[host].setup;
  if (!(amount < kNever) || !view_.hosts_.presence(host).is_present()) return kNever;
  const Time since = view_.now_ + setup - rate.since;
  const Seconds run = Profile(rate.profile.at(since)).end_of(0, amount, rate.factor);
  if (rate.profile.next_change(since) >= since + run) return setup + run;
  return computed_by(amount, host, view_.now_ + setup) - view_.now_;
}

Sim::Progress Sim::progress_of(ActivityId running) const {
  if (!activities_.lives(running)) return {};
  const Activity& activity = activities_[running.slot];
  Progress progress{activity.amount - activity.left, activity.since};
  if (activity.stage != Stage::moving || activity.since >= view_.now_) return progress;
  if (activity.kind == ActivityKind::compute) {
    progress.done += view_.hosts_.rate(activity.host).integral(activity.since, view_.now_);
  } else if (activity.route != kNone) {
    progress.done += moved(activity, activity.since, view_.now_);
  }
  return progress;
}

Time Sim::true_end(ActivityId running) const {
  if (!activities_.lives(running)) return view_.now_;
  const Activity& activity = activities_[running.slot];
  if (activity.stage == Stage::posted || activity.stage == Stage::paused) return kNever;
  if (activity.kind == ActivityKind::hold) return activities_.hold_of(activity).to;
  if (activity.stage == Stage::fixed) return moved_by(activity, activity.end);
  return activity.end;
}

}  // namespace perigee::engine
