// Events of resources: outages, membership, changes of speed, and their effect on the activities there.

#include <algorithm>
#include <cmath>

#include "runtime/engine/sim.h"

namespace perigee::engine {
namespace {

Reason reason_of(Cause cause) {
  switch (cause) {
    case Cause::outage:
      return Reason::outage;
    case Cause::failure:
      return Reason::failure;
    case Cause::reservation:
      return Reason::reservation;
    case Cause::membership:
      return Reason::membership;
    case Cause::change:
      return Reason::change;
  }
  return Reason::none;
}

}  // namespace

bool Sim::resources_up(const Activity& activity) const {
  if (activity.host.valid() && !view_.hosts_.is_up(activity.host)) return false;
  for (const LinkId link : view_.links_.route(activity.route))
    if (!view_.links_.is_up(link)) return false;
  if (activity.hold != kNone) {
    const Hold& hold = activities_.hold_of(activity);
    for (const HostId host : hold.hosts)
      if (!view_.hosts_.is_up(host)) return false;
    if (hold.link_busy && !view_.links_.is_up(hold.link)) return false;
  }
  return true;
}

bool Sim::waits_unaware() const {
  for (std::size_t h = 0; h < view_.hosts_.size(); ++h)
    if (!posts_[HostId(h)].empty() && view_.hosts_[HostId(h)].up && !view_.hosts_.is_up(HostId(h)))
      return true;
  return false;
}

// A resource of the activity goes away. If nobody is told, the activity only stands still, whatever the rule.
// A hold lasts for a time: unless it is lost, it goes on by the clock.
void Sim::interrupt(std::uint32_t slot, Reason why, bool announced, bool always_lost) {
  Activity& activity = activities_[slot];
  const OnFailure rule = (*scenario_).*row_of(activity.kind).rule;
  if (always_lost || (announced && rule == OnFailure::lost)) {
    lose(slot, why, true);
    return;
  }
  if (activity.stage == Stage::paused) {
    if (announced) activities_.thaw(slot);
    return;
  }
  if (activity.kind == ActivityKind::hold && rule != OnFailure::lost) return;
  bring_up_to_date(slot);
  activity.fixed_left = std::max(0.0, activity.since - view_.now_);
  if (activity.end < kNever) --progressing_;
  activity.stage = Stage::paused;
  activity.end = kNever;
  if (!announced) activities_.freeze(slot);
  if (activity.route != kNone) share(slot, false);
}

// The resource is back.
void Sim::proceed(std::uint32_t slot, Reason why) {
  Activity& activity = activities_[slot];
  if (activity.stage != Stage::paused || !resources_up(activity)) return;
  activities_.thaw(slot);
  const OnFailure rule = (*scenario_).*row_of(activity.kind).rule;
  if (rule == OnFailure::lost) {
    lose(slot, why, true);
    return;
  }
  if (rule == OnFailure::restarted) {
    activity.left = activity.amount;
    activity.fixed_left = 0;
    if (activity.kind == ActivityKind::compute) {
      activity.fixed_left = (*platform_)[activity.host].setup;
      ++in_vain_;
      last_in_vain_ = activity.work;
    }
    activity.fixed_left += view_.links_.latency_of(activity.route, view_.now_);
  }
  activity.since = view_.now_ + activity.fixed_left;
  ++progressing_;
  if (activity.kind != ActivityKind::compute) {
    activity.end = activity.since;
    go_on(slot);
    return;
  }
  activity.stage = Stage::moving;
  activity.end = view_.hosts_.rate(activity.host).end_of(activity.since, activity.left);
  if (activity.end == kNever) --progressing_;
  push_end(slot);
}

// The activities that run on the host, in order of start, then its hold; valid until the next call.
std::span<const std::uint32_t> Sim::activities_on(HostId host) {
  interrupted_.clear();
  for (std::uint32_t slot = view_.hosts_.first_on(host); slot != kNone; slot = activities_[slot].next)
    interrupted_.push_back(slot);
  if (const std::uint32_t hold = view_.hosts_.hold_on(host); hold != kNone) interrupted_.push_back(hold);
  return interrupted_;
}

// The transfers over the link, in order of start, then the holds; valid until the next call.
std::span<const std::uint32_t> Sim::activities_on(LinkId link) {
  const std::span<const std::uint32_t> transfers = view_.links_.transfers_on(link);
  interrupted_.assign(transfers.begin(), transfers.end());
  for (std::uint32_t slot = 0; view_.links_.is_held(link) && slot < activities_.slots(); ++slot) {
    const Activity& activity = activities_[slot];
    if (activity.hold != kNone && activities_.hold_of(activity).link_busy &&
        activities_.hold_of(activity).link == link)
      interrupted_.push_back(slot);
  }
  return interrupted_;
}

void Sim::host_down(HostId host, const Outage& outage) {
  const Reason why = reason_of(outage.cause);
  const Presence::Begun begun = view_.hosts_.begin_outage(host, outage);
  if (begun.is_first || begun.is_news) record_resource(RecordKind::down, ResourceId::of(host), why);
  tell(EventKind::down, ResourceId::of(host), why, begun.is_news && view_.hosts_.presence(host).is_present());
  if (!begun.was_up && !begun.is_news)
    return;  // told of an outage during a silent one, the policy knows from now on
  for (const std::uint32_t slot : activities_on(host))
    if (activities_[slot].serial != 0) interrupt(slot, why, outage.announced, false);
}

void Sim::host_up(HostId host, const Outage& outage) {
  const Reason why = reason_of(outage.cause);
  if (!view_.hosts_.end_outage(host, outage)) {
    record_resource(RecordKind::ignored, ResourceId::of(host), why);
    return;
  }
  if (!view_.hosts_.presence(host).outages().empty()) return;
  record_resource(RecordKind::up, ResourceId::of(host), why);
  const bool told = view_.hosts_.recover(host);
  if (!view_.hosts_.is_up(host)) return;
  if (told) tell(EventKind::up, ResourceId::of(host), why, true);
  for (const std::uint32_t slot : activities_on(host))
    if (activities_[slot].serial != 0) proceed(slot, why);
  posts_.touch(host);
  posts_.touch((*platform_)[view_.hosts_[host].cluster].link);  // chunks for it may wait there
}

void Sim::host_left(HostId host) {
  if (!view_.hosts_.presence(host).is_present()) {
    record_resource(RecordKind::ignored, ResourceId::of(host), Reason::membership);
    return;
  }
  view_.hosts_.leave(host);
  record_resource(RecordKind::left, ResourceId::of(host), Reason::membership);
  tell(EventKind::down, ResourceId::of(host), Reason::membership, true);
  if (const std::uint32_t hold = view_.hosts_.hold_on(host); hold != kNone)
    interrupt(hold, Reason::membership, true, true);
  for (std::uint32_t slot; (slot = view_.hosts_.first_on(host)) != kNone;)
    interrupt(slot, Reason::membership, true, true);
}

void Sim::host_joined(HostId host, const Happening& happening) {
  if (view_.hosts_.presence(host).is_present()) {
    record_resource(RecordKind::ignored, ResourceId::of(host), Reason::membership);
    return;
  }
  view_.hosts_.join(host);
  const HostView& view = view_.hosts_[host];
  if (const ClusterId cluster = happening.cluster; cluster.valid() && cluster != view.cluster) {
    change_outages(host, cluster);
    move_posts(host, cluster);
  }
  if (happening.architecture >= 0) view_.hosts_.set_architecture(host, happening.architecture);
  install(host, happening);
  record_resource(RecordKind::joined, ResourceId::of(host), Reason::membership);
  tell(EventKind::up, ResourceId::of(host), Reason::membership, view.up);
  posts_.touch(host);
  posts_.touch((*platform_)[view.cluster].link);
}

// A whole cluster goes away: its link, and the hosts that are in it now.
void Sim::cluster_down(ClusterId cluster, const Outage& outage) {
  clusters_[cluster.index].begin(outage);
  link_down((*platform_)[cluster].link, outage);
  for (std::size_t h = 0; h < view_.hosts_.size(); ++h)
    if (view_.hosts_[HostId(h)].cluster == cluster) host_down(HostId(h), outage);
}

void Sim::cluster_up(ClusterId cluster, const Outage& outage) {
  if (!clusters_[cluster.index].end(outage)) {
    record_resource(RecordKind::ignored, ResourceId::of(cluster), reason_of(outage.cause));
    return;
  }
  link_up((*platform_)[cluster].link, outage);
  for (std::size_t h = 0; h < view_.hosts_.size(); ++h)
    if (view_.hosts_[HostId(h)].cluster == cluster) host_up(HostId(h), outage);
}

// A host that is away changes clusters. Outages of the old cluster no longer count for it; those of the new
// one do.
void Sim::change_outages(HostId host, ClusterId to) {
  const Outages& outages = view_.hosts_.presence(host).outages();
  const bool was_up = outages.empty();
  view_.hosts_.move_outages(host, clusters_[view_.hosts_[host].cluster.index].outages(),
                            clusters_[to.index].outages());
  if (was_up != outages.empty())
    record_resource(was_up ? RecordKind::down : RecordKind::up, ResourceId::of(host), Reason::membership);
}

// Chunks and holds that are posted for the host wait for its new cluster's link from now on.
void Sim::move_posts(HostId host, ClusterId cluster) {
  interrupted_.clear();
  for (const ActivityId id : queued_on(ResourceId::of(host))) {
    const Activity& activity = activities_[id.slot];
    const bool holds_link = activity.kind == ActivityKind::hold &&
                            activities_.hold_of(activity).link.valid() &&
                            activities_.hold_of(activity).hosts.front() == host;
    if (activity.kind == ActivityKind::chunk || holds_link) interrupted_.push_back(id.slot);
  }
  for (const ActivityId id : queued_on(ResourceId::of((*platform_)[view_.hosts_[host].cluster].link)))
    if (const Activity& chunk = activities_[id.slot]; chunk.host == host && chunk.cores == 0)
      interrupted_.push_back(id.slot);
  for (const std::uint32_t slot : interrupted_) dequeue(slot);
  view_.hosts_.move(host, cluster);
  for (const std::uint32_t slot : interrupted_) {
    Activity& activity = activities_[slot];
    if (activity.kind == ActivityKind::chunk)
      activity.cluster = cluster;
    else
      activities_.hold_of(activity).link = (*platform_)[cluster].link;
    enqueue(slot);
  }
}

void Sim::link_down(LinkId link, const Outage& outage) {
  const Reason why = reason_of(outage.cause);
  const Presence::Begun begun = view_.links_.begin_outage(link, outage);
  const bool news = begun.is_news && view_.links_.presence(link).is_present();
  if (begun.is_first || news) record_resource(RecordKind::down, ResourceId::of(link), why);
  tell(EventKind::down, ResourceId::of(link), why, news);
  if (!begun.was_up && !news) return;
  for (const std::uint32_t slot : activities_on(link))
    if (activities_[slot].serial != 0) interrupt(slot, why, outage.announced, false);
  find_routes();
}

void Sim::link_up(LinkId link, const Outage& outage) {
  const Reason why = reason_of(outage.cause);
  if (!view_.links_.end_outage(link, outage)) {
    record_resource(RecordKind::ignored, ResourceId::of(link), why);
    return;
  }
  if (!view_.links_.presence(link).outages().empty()) return;
  const bool told = view_.links_.recover(link);
  record_resource(RecordKind::up, ResourceId::of(link), why);
  if (view_.links_.is_up(link)) link_is_back(link, why, told);
}

void Sim::link_left(LinkId link) {
  view_.links_.leave(link);
  record_resource(RecordKind::left, ResourceId::of(link), Reason::membership);
  for (const std::uint32_t slot : activities_on(link))
    if (activities_[slot].serial != 0) interrupt(slot, Reason::membership, true, true);
  find_routes();
}

void Sim::link_joined(LinkId link) {
  view_.links_.join(link);
  record_resource(RecordKind::joined, ResourceId::of(link), Reason::membership);
  if (view_.links_.is_up(link)) link_is_back(link, Reason::membership, true);
}

void Sim::link_is_back(LinkId link, Reason why, bool told) {
  tell(EventKind::up, ResourceId::of(link), why, told);
  find_routes();
  for (const std::uint32_t slot : activities_on(link))
    if (activities_[slot].serial != 0) proceed(slot, why);
  posts_.touch(link);
}

void Sim::cluster_left(ClusterId cluster) {
  Presence& state = clusters_[cluster.index];
  if (!state.is_present()) {
    record_resource(RecordKind::ignored, ResourceId::of(cluster), Reason::membership);
    return;
  }
  state.leave();
  record_resource(RecordKind::left, ResourceId::of(cluster), Reason::membership);
  tell(EventKind::down, ResourceId::of(cluster), Reason::membership, true);
  link_left((*platform_)[cluster].link);
  for (std::size_t h = 0; h < view_.hosts_.size(); ++h)
    if (view_.hosts_[HostId(h)].cluster == cluster && view_.hosts_.presence(HostId(h)).is_present())
      host_left(HostId(h));
  if (!scenario_->requeue_stranded) return;
  const Workload& workload = *workload_;
  for (std::size_t f = 0; f < stores_.files(); ++f) {
    const WorkId work = stores_.maker(FileId(f));
    if (!work.valid() || !stores_.has(FileId(f), cluster) || stores_.is_home(FileId(f))) continue;
    if (view_.works_[work].state != WorkState::computed) continue;
    for (const FileId file : workload.outputs(work)) {  // all of them are made, and fetched, again
      stores_.unmake(file, cluster);
      for (std::uint32_t slot = 0; slot < activities_.slots(); ++slot)
        if (activities_[slot].serial != 0 && activities_[slot].kind == ActivityKind::transfer_out &&
            activities_[slot].file == file) {
          if (activities_[slot].stage == Stage::posted)
            withdraw_slot(slot, Reason::stranded);
          else
            lose(slot, Reason::stranded, false);
        }
    }
    view_.works_.make_again(work);
    record_work(RecordKind::stranded, work, Reason::stranded);
    Event event;
    event.at = view_.now_;
    event.kind = EventKind::lost;
    event.why = Reason::stranded;
    event.work = work;
    event.on = ResourceId::of(cluster);
    events_.push_back(event);
  }
}

void Sim::cluster_joined(ClusterId cluster, const Happening& happening) {
  Presence& state = clusters_[cluster.index];
  if (state.is_present()) {
    record_resource(RecordKind::ignored, ResourceId::of(cluster), Reason::membership);
    return;
  }
  state.join();
  record_resource(RecordKind::joined, ResourceId::of(cluster), Reason::membership);
  tell(EventKind::up, ResourceId::of(cluster), Reason::membership, true);
  install((*platform_)[cluster].link, happening);
  link_joined((*platform_)[cluster].link);
  for (std::size_t h = 0; h < view_.hosts_.size(); ++h)
    if (view_.hosts_[HostId(h)].cluster == cluster) posts_.touch(HostId(h));
}

// Makes an event of the next known step of a host's availability or a link's bandwidth.
void Sim::watch(std::uint32_t resource, Time after) {
  if (resource >= watched_.size()) return;
  const std::size_t hosts = view_.hosts_.size();
  const Rate& rate = resource < hosts ? view_.hosts_.rate(HostId(resource))
                                      : view_.links_.bandwidth(LinkId(resource - hosts));
  Time from = after - rate.since, next = rate.profile.next_change(from) + rate.since;
  while (next <= after) {  // rounding gave the same step again
    from = std::nextafter(from, kNever);
    next = rate.profile.next_change(from) + rate.since;
  }
  ++watched_[resource];
  if (next < kNever) push(Due::step, next, watched_[resource], resource);
}

// Sets the speed and profiles of the host, or the link, from the happening on. The caller sees to the
// activities there.
void Sim::install(HostId host, const Happening& happening) {
  const Profile* availability = profile_at(happening.profile);
  view_.hosts_.install(host, happening.factor, availability, happening.at);
  if (availability != nullptr) watch(host.index, happening.at);
}
void Sim::install(LinkId link, const Happening& happening) {
  const Profile* bandwidth = profile_at(happening.profile);
  view_.links_.install(link, happening.factor, bandwidth, profile_at(happening.latency), happening.at);
  if (bandwidth != nullptr) watch(static_cast<std::uint32_t>(view_.hosts_.size() + link.index), happening.at);
}

void Sim::change(const Happening& happening) {
  const ResourceId on = happening.on;
  if (on.kind() == ResourceKind::host) {
    const HostId host = on.host();
    if (!view_.hosts_.presence(host).is_present()) {
      record_resource(RecordKind::ignored, on, Reason::change);
      return;
    }
    for (std::uint32_t slot = view_.hosts_.first_on(host); slot != kNone; slot = activities_[slot].next)
      bring_up_to_date(slot);
    install(host, happening);
    for (std::uint32_t slot = view_.hosts_.first_on(host); slot != kNone; slot = activities_[slot].next)
      if (activities_[slot].kind == ActivityKind::compute) reschedule(slot);
    if (happening.announced) view_.hosts_.tell_speed(host);
  } else if (on.kind() == ResourceKind::link) {
    if (!view_.links_.presence(on.link()).is_present()) {
      record_resource(RecordKind::ignored, on, Reason::change);
      return;
    }
    for (const std::uint32_t slot : view_.links_.transfers_on(on.link())) bring_up_to_date(slot);
    install(on.link(), happening);
    for (const std::uint32_t slot : view_.links_.transfers_on(on.link())) reschedule(slot);
  } else {
    return;
  }
  record_resource(RecordKind::changed, on, Reason::change);
  tell(EventKind::changed, on, Reason::change, happening.announced);
}

void Sim::apply(const Happening& happening) {
  const ResourceId on = happening.on;
  switch (happening.kind) {
    case HappeningKind::mark: {
      record_resource(RecordKind::mark, {}, Reason::none);
      if (!happening.name.empty()) note(happening.name, {});
      tell(EventKind::mark, {}, Reason::none, happening.announced);
      return;
    }
    case HappeningKind::down: {
      const Outage outage = Outage::of(happening);
      if (on.kind() == ResourceKind::host)
        host_down(on.host(), outage);
      else if (on.kind() == ResourceKind::link)
        link_down(on.link(), outage);
      else if (on.kind() == ResourceKind::store)
        cluster_down(on.store(), outage);
      return;
    }
    case HappeningKind::up: {
      const Outage outage = outages_of(on).ended_by(Outage::of(happening));
      if (on.kind() == ResourceKind::host)
        host_up(on.host(), outage);
      else if (on.kind() == ResourceKind::link)
        link_up(on.link(), outage);
      else if (on.kind() == ResourceKind::store)
        cluster_up(on.store(), outage);
      return;
    }
    case HappeningKind::leave:
      if (on.kind() == ResourceKind::host)
        host_left(on.host());
      else if (on.kind() == ResourceKind::store)
        cluster_left(on.store());
      return;
    case HappeningKind::join:
      if (on.kind() == ResourceKind::host)
        host_joined(on.host(), happening);
      else if (on.kind() == ResourceKind::store)
        cluster_joined(on.store(), happening);
      return;
    case HappeningKind::change:
      change(happening);
      return;
  }
}

}  // namespace perigee::engine
