// Events of resources: outages, membership, changes of speed, and their effect on the activities there.

#include <algorithm>
#include <cmath>

#include "runtime/engine/simulation/loop.h"

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
    case Cause::maintenance:
      return Reason::maintenance;
  }
  return Reason::none;
}

}  // namespace

bool Loop::waits_unaware() const {
  for (std::size_t h = 0; h < state_.hosts.size(); ++h)
    if (!state_.posts[HostId(h)].empty() && state_.hosts[HostId(h)].up && !state_.hosts.is_up(HostId(h)))
      return true;
  return false;
}

// Some of its hosts are down, and nobody has been told of any of them.
bool Loop::is_away_unaware(const Activity& job) const {
  if (job.allocation == kNone) return false;
  const std::vector<Allocation::Part>& parts = state_.activities.allocation_of(job).parts;
  const auto seems_up = [&](const Allocation::Part& part) { return state_.hosts[part.share.host].up; };
  return !resources_up(job) && std::ranges::all_of(parts, seems_up);
}

// The policy is told the host by which a job is lost.
void Loop::lose_by_host(std::uint32_t slot, HostId host, Reason why) {
  if (state_.activities[slot].kind == ActivityKind::dump) return lose_dump(slot, why);
  const bool is_allocated = state_.activities[slot].allocation != kNone;
  const std::size_t before = events_.size();
  lose(slot, why, true);
  if (is_allocated) events_[before].on = ResourceId::of(host);
}

// A resource of the activity goes away. If nobody is told, the activity only stands still, whatever the rule.
// A hold lasts for a time: unless it is lost, it goes on by the clock.
void Loop::interrupt(std::uint32_t slot, Reason why, bool announced, bool always_lost) {
  const HostId host = state_.activities[slot].host;
  slot = state_.activities.leader_of(slot);
  Activity& activity = state_.activities[slot];
  const OnFailure rule = (*state_.scenario).*row_of(activity.kind).rule;
  if (always_lost || (announced && rule == OnFailure::lost)) {
    lose_by_host(slot, host, why);
    return;
  }
  if (announced) stop_limit(slot);
  if (activity.stage == Stage::paused) {
    if (announced) state_.activities.thaw(slot);
    return;
  }
  if (activity.kind == ActivityKind::hold && rule != OnFailure::lost) return;
  stand_still(slot, why);
  if (!announced) state_.activities.freeze(slot);
  if (activity.route != kNone) share(slot, false);
}

// The resource is back.
void Loop::proceed(std::uint32_t slot, Reason why) {
  const HostId host = state_.activities[slot].host;
  slot = state_.activities.leader_of(slot);
  Activity& activity = state_.activities[slot];
  const OnFailure rule = (*state_.scenario).*row_of(activity.kind).rule;
  // A host is enough to lose a job for all of them.
  const bool all_up = resources_up(activity), is_lost = rule == OnFailure::lost;
  if (activity.stage != Stage::paused) return;
  if (!all_up && !(is_lost && activity.allocation != kNone)) {
    if (!activity.suspended && is_away_unaware(activity)) state_.activities.freeze(slot);
    return;
  }
  state_.activities.thaw(slot);
  if (is_lost) {
    lose_by_host(slot, host, why);
    return;
  }
  if (rule == OnFailure::restarted) {
    activity.left = activity.amount;
    activity.fixed_left = 0;
    if (activity.kind == ActivityKind::compute) {
      activity.fixed_left = activity.allocation == kNone
                                ? (*state_.platform)[activity.host].setup
                                : state_.activities.allocation_of(activity).setup + go_on_from_dump(slot);
      ++in_vain_;
      last_in_vain_ = activity.work;
    }
    activity.fixed_left += state_.links.latency_of(activity.route, state_.now);
  }
  if (activity.suspended) return;
  if (activity.kind == ActivityKind::compute) return compute_on(slot);
  activity.since = state_.now + activity.fixed_left;
  ++progressing_;
  activity.end = activity.since;
  go_on(slot);
}

// The slot of the activity for that host; kNone: it is not there.
std::uint32_t Loop::place_on(std::uint32_t slot, HostId host) const {
  const Activity& activity = state_.activities[slot];
  if (activity.allocation == kNone) return activity.host == host ? slot : kNone;
  for (const Allocation::Part& part : state_.activities.allocation_of(activity).parts)
    if (part.share.host == host) return part.slot;
  return kNone;
}

// The activities that run on the host, in order of start, those that are suspended, then its hold; valid until the next
// call.
std::span<const std::uint32_t> Loop::activities_on(HostId host) {
  affected.clear();
  for (std::uint32_t slot = state_.hosts.first_on(host); slot != kNone; slot = state_.activities[slot].next)
    affected.push_back(slot);
  for (const Activities::Suspension& each : state_.activities.suspended())
    if (const std::uint32_t there = place_on(each.slot, host); there != kNone) affected.push_back(there);
  if (const std::uint32_t hold = state_.hosts.hold_on(host); hold != kNone) affected.push_back(hold);
  return affected;
}

// The transfers over the link, in order of start, then the holds; valid until the next call.
std::span<const std::uint32_t> Loop::activities_on(LinkId link) {
  const std::span<const std::uint32_t> transfers = state_.links.transfers_on(link);
  affected.assign(transfers.begin(), transfers.end());
  for (std::uint32_t slot = 0; state_.links.is_held(link) && slot < state_.activities.slots(); ++slot) {
    const Activity& activity = state_.activities[slot];
    if (activity.hold != kNone && state_.activities.hold_of(activity).link_busy &&
        state_.activities.hold_of(activity).link == link)
      affected.push_back(slot);
  }
  return affected;
}

void Loop::find_routes() {
  state_.links.find_routes(state_.now);
  for (const Cluster& cluster : state_.platform->clusters()) state_.posts.touch(cluster.link);
}

void Loop::host_down(HostId host, const Outage& outage) {
  const Reason why = reason_of(outage.cause);
  const Presence::Begun effect = state_.hosts.begin_outage(host, outage);
  if (effect.is_first || effect.is_news) record_resource(RecordKind::down, ResourceId::of(host), why);
  tell(EventKind::down, ResourceId::of(host), why,
       effect.is_news && state_.hosts.presence(host).is_present());
  if (!effect.was_up && !effect.is_news)
    return;  // told of an outage during a silent one, the policy knows from now on
  for (const std::uint32_t slot : activities_on(host))
    if (state_.activities[slot].serial != 0) interrupt(slot, why, outage.announced, false);
  cut_transition(host);
}

void Loop::host_up(HostId host, const Outage& outage) {
  const Reason why = reason_of(outage.cause);
  if (!state_.hosts.end_outage(host, outage)) {
    record_resource(RecordKind::ignored, ResourceId::of(host), why);
    return;
  }
  if (!state_.hosts.presence(host).outages().empty()) return;
  record_resource(RecordKind::up, ResourceId::of(host), why);
  const bool told = state_.hosts.recover(host);
  if (!state_.hosts.is_up(host)) return;
  if (told) tell(EventKind::up, ResourceId::of(host), why, true);
  for (const std::uint32_t slot : activities_on(host))
    if (state_.activities[slot].serial != 0) proceed(slot, why);
  if (keeps_hosts_on()) keep_on(host);
  state_.posts.touch(host);
  state_.posts.touch((*state_.platform)[state_.hosts[host].cluster].link);  // chunks for it may wait there
}

void Loop::host_left(HostId host) {
  if (!state_.hosts.presence(host).is_present()) {
    record_resource(RecordKind::ignored, ResourceId::of(host), Reason::membership);
    return;
  }
  state_.hosts.leave(host);
  forget_dumps_on(host);
  record_resource(RecordKind::left, ResourceId::of(host), Reason::membership);
  tell(EventKind::down, ResourceId::of(host), Reason::membership, true);
  if (const std::uint32_t hold = state_.hosts.hold_on(host); hold != kNone)
    interrupt(hold, Reason::membership, true, true);
  for (const std::uint32_t slot : activities_on(host))
    if (state_.activities[state_.activities.leader_of(slot)].suspended)
      interrupt(slot, Reason::membership, true, true);
  for (std::uint32_t slot; (slot = state_.hosts.first_on(host)) != kNone;)
    interrupt(slot, Reason::membership, true, true);
  cut_transition(host);
}

void Loop::host_joined(HostId host, const Happening& happening) {
  if (state_.hosts.presence(host).is_present()) {
    record_resource(RecordKind::ignored, ResourceId::of(host), Reason::membership);
    return;
  }
  state_.hosts.join(host);
  const HostView& view = state_.hosts[host];
  if (const ClusterId cluster = happening.cluster; cluster.valid() && cluster != view.cluster) {
    change_outages(host, cluster);
    move_posts(host, cluster);
  }
  if (happening.architecture >= 0) state_.hosts.set_architecture(host, happening.architecture);
  install(host, happening);
  record_resource(RecordKind::joined, ResourceId::of(host), Reason::membership);
  tell(EventKind::up, ResourceId::of(host), Reason::membership, view.up);
  if (keeps_hosts_on()) keep_on(host);
  state_.posts.touch(host);
  state_.posts.touch((*state_.platform)[view.cluster].link);
}

// A whole cluster goes away: its link, and the hosts that are in it now.
void Loop::cluster_down(ClusterId cluster, const Outage& outage) {
  state_.clusters[cluster.index].begin(outage);
  link_down((*state_.platform)[cluster].link, outage);
  for (std::size_t h = 0; h < state_.hosts.size(); ++h)
    if (state_.hosts[HostId(h)].cluster == cluster) host_down(HostId(h), outage);
}

void Loop::cluster_up(ClusterId cluster, const Outage& outage) {
  if (!state_.clusters[cluster.index].end(outage)) {
    record_resource(RecordKind::ignored, ResourceId::of(cluster), reason_of(outage.cause));
    return;
  }
  link_up((*state_.platform)[cluster].link, outage);
  for (std::size_t h = 0; h < state_.hosts.size(); ++h)
    if (state_.hosts[HostId(h)].cluster == cluster) host_up(HostId(h), outage);
}

// A host that is away changes clusters. Outages of the old cluster no longer count for it; those of the new
// one do.
void Loop::change_outages(HostId host, ClusterId to) {
  const Outages& outages = state_.hosts.presence(host).outages();
  const bool was_up = outages.empty();
  state_.hosts.move_outages(host, state_.clusters[state_.hosts[host].cluster.index].outages(),
                            state_.clusters[to.index].outages());
  if (was_up != outages.empty())
    record_resource(was_up ? RecordKind::down : RecordKind::up, ResourceId::of(host), Reason::membership);
}

// Chunks and holds that are posted for the host wait for its new cluster's link from now on.
void Loop::move_posts(HostId host, ClusterId cluster) {
  affected.clear();
  for (const ActivityId id : queued_on(ResourceId::of(host))) {
    const Activity& activity = state_.activities[id.slot];
    const bool holds_link = activity.kind == ActivityKind::hold &&
                            state_.activities.hold_of(activity).link.valid() &&
                            state_.activities.hold_of(activity).hosts.front() == host;
    if (activity.kind == ActivityKind::chunk || holds_link) affected.push_back(id.slot);
  }
  for (const ActivityId id : queued_on(ResourceId::of((*state_.platform)[state_.hosts[host].cluster].link)))
    if (const Activity& chunk = state_.activities[id.slot]; chunk.host == host && chunk.cores == 0)
      affected.push_back(id.slot);
  for (const std::uint32_t slot : affected) dequeue(slot);
  state_.hosts.move(host, cluster);
  for (const std::uint32_t slot : affected) {
    Activity& activity = state_.activities[slot];
    if (activity.kind == ActivityKind::chunk)
      activity.cluster = cluster;
    else
      state_.activities.hold_of(activity).link = (*state_.platform)[cluster].link;
    enqueue(slot);
  }
}

void Loop::link_down(LinkId link, const Outage& outage) {
  const Reason why = reason_of(outage.cause);
  const Presence::Begun effect = state_.links.begin_outage(link, outage);
  const bool news = effect.is_news && state_.links.presence(link).is_present();
  if (effect.is_first || news) record_resource(RecordKind::down, ResourceId::of(link), why);
  tell(EventKind::down, ResourceId::of(link), why, news);
  if (!effect.was_up && !news) return;
  for (const std::uint32_t slot : activities_on(link))
    if (state_.activities[slot].serial != 0) interrupt(slot, why, outage.announced, false);
  find_routes();
}

void Loop::link_up(LinkId link, const Outage& outage) {
  const Reason why = reason_of(outage.cause);
  if (!state_.links.end_outage(link, outage)) {
    record_resource(RecordKind::ignored, ResourceId::of(link), why);
    return;
  }
  if (!state_.links.presence(link).outages().empty()) return;
  const bool told = state_.links.recover(link);
  record_resource(RecordKind::up, ResourceId::of(link), why);
  if (state_.links.is_up(link)) link_is_back(link, why, told);
}

void Loop::link_left(LinkId link) {
  state_.links.leave(link);
  record_resource(RecordKind::left, ResourceId::of(link), Reason::membership);
  for (const std::uint32_t slot : activities_on(link))
    if (state_.activities[slot].serial != 0) interrupt(slot, Reason::membership, true, true);
  find_routes();
}

void Loop::link_joined(LinkId link) {
  state_.links.join(link);
  record_resource(RecordKind::joined, ResourceId::of(link), Reason::membership);
  if (state_.links.is_up(link)) link_is_back(link, Reason::membership, true);
}

void Loop::link_is_back(LinkId link, Reason why, bool told) {
  tell(EventKind::up, ResourceId::of(link), why, told);
  find_routes();
  for (const std::uint32_t slot : activities_on(link))
    if (state_.activities[slot].serial != 0) proceed(slot, why);
  state_.posts.touch(link);
}

void Loop::cluster_left(ClusterId cluster) {
  Presence& state = state_.clusters[cluster.index];
  if (!state.is_present()) {
    record_resource(RecordKind::ignored, ResourceId::of(cluster), Reason::membership);
    return;
  }
  state.leave();
  record_resource(RecordKind::left, ResourceId::of(cluster), Reason::membership);
  tell(EventKind::down, ResourceId::of(cluster), Reason::membership, true);
  link_left((*state_.platform)[cluster].link);
  for (std::size_t h = 0; h < state_.hosts.size(); ++h)
    if (state_.hosts[HostId(h)].cluster == cluster && state_.hosts.presence(HostId(h)).is_present())
      host_left(HostId(h));
  if (state_.scenario->requeue_stranded) state_.readiness.any() ? strand(cluster) : requeue_stranded(cluster);
  if (!state_.scenario->keeps_stores) state_.stores.clear(cluster);
  if (state_.readiness.any()) await_files();
}

// Computed works whose outputs were in the cluster alone.
void Loop::requeue_stranded(ClusterId cluster) {
  const Workload& workload = *state_.workload;
  for (std::size_t f = 0; f < state_.stores.files(); ++f) {
    const WorkId work = state_.stores.maker(FileId(f));
    if (!work.valid() || !state_.stores.has(FileId(f), cluster) || state_.stores.is_home(FileId(f))) continue;
    if (state_.works[work].state != WorkState::computed) continue;
    for (const FileId file : workload.outputs(work)) {  // all of them are made, and fetched, again
      state_.stores.unmake(file, cluster);
      for (std::uint32_t slot = 0; slot < state_.activities.slots(); ++slot)
        if (state_.activities[slot].serial != 0 &&
            state_.activities[slot].kind == ActivityKind::transfer_out &&
            state_.activities[slot].file == file) {
          if (state_.activities[slot].stage == Stage::posted)
            withdraw_slot(slot, Reason::stranded);
          else
            lose(slot, Reason::stranded, false);
        }
    }
    state_.works.make_again(work);
    record_work(RecordKind::stranded, work, Reason::stranded);
    Event event;
    event.at = state_.now;
    event.kind = EventKind::lost;
    event.why = Reason::stranded;
    event.work = work;
    event.on = ResourceId::of(cluster);
    events_.push_back(event);
  }
}

void Loop::cluster_joined(ClusterId cluster, const Happening& happening) {
  Presence& state = state_.clusters[cluster.index];
  if (state.is_present()) {
    record_resource(RecordKind::ignored, ResourceId::of(cluster), Reason::membership);
    return;
  }
  state.join();
  record_resource(RecordKind::joined, ResourceId::of(cluster), Reason::membership);
  tell(EventKind::up, ResourceId::of(cluster), Reason::membership, true);
  install((*state_.platform)[cluster].link, happening);
  link_joined((*state_.platform)[cluster].link);
  if (state_.readiness.any()) come_back(cluster);
  for (std::size_t h = 0; h < state_.hosts.size(); ++h)
    if (state_.hosts[HostId(h)].cluster == cluster) state_.posts.touch(HostId(h));
}

const Profile* Loop::profile_at(std::uint32_t place) const {
  const std::size_t listed = scenario().profiles.size();
  if (place == kNone) return nullptr;
  return place < listed ? &scenario().profiles[place] : &more_profiles[place - listed];
}

// Makes an event of the next known step of a host's availability or a link's bandwidth.
void Loop::watch(std::uint32_t resource, Time after) {
  if (resource >= watched.size()) return;
  const std::size_t hosts = state_.hosts.size();
  const Rate& rate = resource < hosts ? state_.hosts.rate(HostId(resource))
                                      : state_.links.bandwidth(LinkId(resource - hosts));
  Time from = after - rate.since, next = rate.profile.next_change(from) + rate.since;
  while (next <= after) {  // rounding gave the same step again
    from = std::nextafter(from, kNever);
    next = rate.profile.next_change(from) + rate.since;
  }
  ++watched[resource];
  if (next < kNever) push(Due::step, next, watched[resource], resource);
}

// Sets the speed and profiles of the host, or the link, from the happening on. The caller sees to the
// activities there.
void Loop::install(HostId host, const Happening& happening) {
  const Profile* availability = profile_at(happening.profile);
  state_.hosts.install(host, happening.factor, availability, happening.at);
  if (availability != nullptr) watch(host.index, happening.at);
}
void Loop::install(LinkId link, const Happening& happening) {
  const Profile* bandwidth = profile_at(happening.profile);
  state_.links.install(link, happening.factor, bandwidth, profile_at(happening.latency), happening.at);
  if (bandwidth != nullptr) watch(static_cast<std::uint32_t>(state_.hosts.size() + link.index), happening.at);
}

void Loop::change(const Happening& happening) {
  const ResourceId on = happening.on;
  if (on.kind() == ResourceKind::host) {
    const HostId host = on.host();
    if (!state_.hosts.presence(host).is_present()) {
      record_resource(RecordKind::ignored, on, Reason::change);
      return;
    }
    change_rate(host, [&] { install(host, happening); });
    if (happening.announced) state_.hosts.tell_speed(host);
  } else if (on.kind() == ResourceKind::link) {
    if (!state_.links.presence(on.link()).is_present()) {
      record_resource(RecordKind::ignored, on, Reason::change);
      return;
    }
    for (const std::uint32_t slot : state_.links.transfers_on(on.link())) bring_up_to_date(slot);
    install(on.link(), happening);
    for (const std::uint32_t slot : state_.links.transfers_on(on.link())) reschedule(slot);
  } else {
    return;
  }
  record_resource(RecordKind::changed, on, Reason::change);
  tell(EventKind::changed, on, Reason::change, happening.announced);
}

void Loop::apply(const Happening& happening) {
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
      const Outage outage = state_.presence(on).outages().ended_by(Outage::of(happening));
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
