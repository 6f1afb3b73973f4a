// Hosts, links and clusters: compares the scenario's events with the trace.
#include "runtime/results/validator/check.h"

namespace perigee::validation {

Check::Begun::const_iterator Check::begun_of(const Begun& begun, const Happening& up) {
  const bool reserved = up.cause == Cause::reservation;
  const auto last = [&](auto fits) {
    const auto found = std::find_if(begun.rbegin(), begun.rend(), [&](const Happening* down) {
      return (down->cause == Cause::reservation) == reserved && fits(*down);
    });
    return found == begun.rend() ? begun.end() : std::prev(found.base());
  };
  using model::OutageOrigin, model::outage_origin;
  const auto fixed = [](const Happening& each) {
    const OutageOrigin origin = outage_origin(each.outage);
    return origin == OutageOrigin::scenario || origin == OutageOrigin::drawn;
  };
  if (fixed(up)) return last([&](const Happening& down) { return down.outage == up.outage; });
  const auto alike =
      last([&](const Happening& down) { return outage_origin(down.outage) == outage_origin(up.outage); });
  if (alike != begun.end()) return alike;
  const auto other = last([&](const Happening& down) { return !fixed(down); });
  if (other != begun.end()) return other;
  return std::find_if(begun.begin(), begun.end(),
                      [&](const Happening* down) { return (down->cause == Cause::reservation) == reserved; });
}

template <class F>
void Check::each_in_force(ResourceId r, Time t, F hear) const {
  std::map<std::uint32_t, Begun> all;  // of the link, and of the cluster that it is the gateway of
  for (const Happening* h : in_order_) {
    if (h->at > t + slack(t)) break;
    const bool on_it = h->on == r || (r.kind() == ResourceKind::link && h->on.kind() == ResourceKind::store &&
                                      platform_[h->on.store()].link == r.link());
    if (!on_it) continue;
    Begun& begun = all[h->on.packed()];
    if (h->kind == HappeningKind::down) begun.push_back(h);
    if (h->kind != HappeningKind::up) continue;
    if (const auto over = begun_of(begun, *h); over != begun.end()) begun.erase(over);
  }
  for (const auto& [on, begun] : all)
    for (const Happening* down : begun) hear(down->announced);
}

template <class F>
void Check::each_outage(ResourceId r, Time t, Reason why, F hear) const {
  if (why == Reason::failure && r.kind() == ResourceKind::host)
    for (const FailureModel& model : scenario_.failures)
      if (std::find(model.hosts.begin(), model.hosts.end(), r.host()) != model.hosts.end())
        hear(model.announced);
  auto at = std::partition_point(in_order_.begin(), in_order_.end(),
                                 [&](const Happening* h) { return h->at < t - slack(t); });
  for (; at != in_order_.end() && (*at)->at <= t + slack(t); ++at) {
    const Happening* h = *at;
    if (h->kind != HappeningKind::down) continue;
    if (h->on == r) hear(h->announced);
    if (h->on.kind() != ResourceKind::store) continue;
    if (r.kind() == ResourceKind::link && platform_[h->on.store()].link == r.link()) hear(h->announced);
    if (r.kind() == ResourceKind::host && hosts_[r.at()].cluster == h->on.store()) hear(h->announced);
  }
  if (why != Reason::membership || r.kind() != ResourceKind::host) return;
  for (const Listed& join : joins_[r.at()])  // it comes into a cluster that is away
    if (near(join.happening->at, t) && join.happening->cluster.valid())
      each_in_force(ResourceId::of(join.happening->cluster), t, hear);
}

std::optional<bool> Check::announced(ResourceId r, Time t, Reason why) const {
  std::optional<bool> told;
  each_outage(r, t, why, [&](bool is) { told = told.value_or(false) || is; });
  return told;
}

void Check::push_step(ResourceId r, Time t, const Happening* joined) {
  Timeline& line = timeline(r);
  Step next = line.back();
  next.at = t;
  next.up = r.kind() == ResourceKind::host ? hosts_[r.at()].up() : links_[r.at()].up();
  if (joined != nullptr) install(*joined, next);
  line.push_back(next);
}

void Check::install(const Happening& happening, Step& step) const {
  if (!std::isnan(happening.factor)) step.factor = happening.factor;
  if (happening.profile != kNone) {
    step.profile = &scenario_.profiles[happening.profile];
    step.anchor = happening.at;
  }
  if (happening.latency != kNone) {
    step.latency = &scenario_.profiles[happening.latency];
    step.latency_anchor = happening.at;
  }
}

const Happening* Check::use(std::vector<Listed>& list, Time t) const {
  for (Listed& each : list)
    if (!each.used && near(each.happening->at, t)) {
      each.used = true;
      return each.happening;
    }
  return nullptr;
}

bool Check::tells_at_last(const Record& r, bool silent) {
  if (r.kind != RecordKind::down) return false;
  if (silent) return true;
  const Step& last = timeline(r.on).back();
  bool unsaid = false;
  const auto hear = [&](bool is) { unsaid = unsaid || !is; };
  if (!last.up && last.at == r.time) each_outage(r.on, r.time, r.why, hear);
  if (!last.up && r.on.kind() == ResourceKind::link) each_in_force(r.on, r.time, hear);
  return unsaid;
}

void Check::of_resource(const Record& r) {
  const std::string name = platform_.name_of(r.on);
  if (r.on.kind() == ResourceKind::store) {
    std::uint8_t& up = clusters_up_[r.on.at()];
    const std::uint8_t becomes = r.kind == RecordKind::joined || r.kind == RecordKind::up ? 1 : 0;
    if (up == becomes) bad(r.time, "cluster '{}' {} twice", name, name_of(r.kind));
    up = becomes;
    if (r.kind == RecordKind::left) {
      last_left_ = r.on.store();
      if (!scenario_.keeps_stores) std::ranges::fill(stored_[last_left_.index], std::uint8_t{0});
    }
    if (r.kind == RecordKind::joined)
      push_step(ResourceId::of(platform_[r.on.store()].link), r.time, use(arrivals_[r.on.at()], r.time));
    return;
  }
  if (r.on.kind() == ResourceKind::link) {
    LinkNow& link = links_[r.on.at()];
    const bool was = link.up(), told_at_last = tells_at_last(r, link.silent);
    if (!link.turn(r.kind) && !told_at_last) bad(r.time, "link '{}' is {} already", name, name_of(r.kind));
    push_step(r.on, r.time);
    turned(r, link, was, told_at_last);
    return;
  }
  if (r.on.kind() != ResourceKind::host) {
    bad(r.time, "'{}' goes {}", name, name_of(r.kind));
    return;
  }
  HostNow& host = hosts_[r.on.at()];
  const bool was = host.up(), told_at_last = tells_at_last(r, host.silent);
  if (!host.turn(r.kind) && !told_at_last) bad(r.time, "host '{}' is {} already", name, name_of(r.kind));
  const Happening* joined = nullptr;
  if (r.kind == RecordKind::joined) {
    joined = use(joins_[r.on.at()], r.time);
    host.place_known = joined != nullptr;  // the scenario says where it came
  }
  if (joined != nullptr && joined->cluster.valid()) {
    host.cluster = joined->cluster;
    // It leaves outages behind that were told of, and comes into one that nobody may know of.
    if (host.down) {
      bool told = false;
      const auto hear = [&](bool is) { told = told || is; };
      each_in_force(r.on, r.time, hear);
      each_in_force(ResourceId::of(host.cluster), r.time, hear);
      host.silent = host.silent || !told;
    }
  }
  if (joined != nullptr && joined->architecture >= 0) host.architecture = joined->architecture;
  push_step(r.on, r.time, joined);
  turned(r, host, was, told_at_last);
}

// `was`: it was up before the record.
void Check::turned(const Record& r, Presence& now, bool was, bool told_at_last) {
  if (!now.down) now.silent = false;
  if (r.on.kind() == ResourceKind::host && (r.kind == RecordKind::down || r.kind == RecordKind::left))
    hosts_[r.on.at()].away_since = r.time;
  if (r.kind == RecordKind::down || r.kind == RecordKind::left)
    outage(r, was || told_at_last, now.silent);
  else if (!was && now.up())
    recovery(r);
}

std::vector<std::size_t> Check::acts_on(ResourceId r) const {
  if (r.kind() == ResourceKind::link) return links_[r.at()].acts;
  std::vector<std::size_t> acts = hosts_[r.at()].acts;
  acts.insert(acts.end(), hosts_[r.at()].suspended.begin(), hosts_[r.at()].suspended.end());
  if (hosts_[r.at()].held_by != SIZE_MAX) acts.push_back(hosts_[r.at()].held_by);
  return acts;
}

OnFailure Check::rule(const Act& act) const {
  if (act.kind == ActivityKind::compute) return scenario_.compute_rule;
  return act.kind == ActivityKind::hold ? scenario_.hold_rule : scenario_.transfer_rule;
}

void Check::outage(const Record& r, bool was_up, bool& silent) {
  const bool left = r.kind == RecordKind::left;
  // Several outages may begin in one instant; this may be any of them.
  bool some = left, told = true;
  const auto hear = [&](bool is) {
    some = true;
    told = told && is;
  };
  if (!left) each_outage(r.on, r.time, r.why, hear);
  if (!some) bad(r.time, "'{}' goes down, but nothing was to happen to it", platform_.name_of(r.on));
  if (!left) silent = !some || !told;
  for (const std::size_t a : acts_on(r.on)) {
    Act& act = acts_[a];
    act.interrupted = true;
    if (was_up && act.over_hosts() && !act.transfers.empty())  // it gives its link back
      must_go_.push_back(
          {act.transfers.back(), fmt::format("'{}', a host of its job, went away", platform_.name_of(r.on))});
    if (left || (was_up && some && told && rule(act) == OnFailure::lost))
      must_go_.push_back({a, fmt::format("'{}' {}", platform_.name_of(r.on), left ? "left" : "went down")});
  }
}

void Check::recovery(const Record& r) {
  for (const std::size_t a : acts_on(r.on)) {
    Act& act = acts_[a];
    const bool all_up = up(act);
    if (!all_up && !act.over_hosts()) continue;
    if (act.interrupted && rule(act) == OnFailure::lost)
      must_go_.push_back({a, fmt::format("'{}' had been down", platform_.name_of(r.on))});
    act.interrupted = !all_up;
  }
}

bool Check::up(ResourceId r) const {
  if (r.kind() == ResourceKind::host) return hosts_[r.at()].up();
  return r.kind() != ResourceKind::link || links_[r.at()].up();
}

bool Check::up(const Act& act) const {
  for (const ResourceId r : act.on)
    if (!(act.kind == ActivityKind::hold && r.kind() == ResourceKind::link) && !up(r)) return false;
  return true;
}

void Check::changed(const Record& r, bool applied) {
  if (r.on.kind() != ResourceKind::host && r.on.kind() != ResourceKind::link) return;
  const Happening* found = nullptr;
  std::vector<Listed>& list = changes(r.on);
  auto change = std::partition_point(
      list.begin(), list.end(), [&](const Listed& c) { return c.happening->at < r.time - slack(r.time); });
  while (change != list.end() && change->used) ++change;
  if (change != list.end() && near(change->happening->at, r.time)) {
    change->used = true;
    found = change->happening;
  }
  if (!applied) return;
  if (found == nullptr) bad(r.time, "'{}' changes, but nothing was to happen to it", platform_.name_of(r.on));
  Step next = timeline(r.on).back();
  next.at = r.time;
  next.rate_known = found != nullptr && (next.rate_known || found->profile != kNone);
  if (found != nullptr) install(*found, next);
  timeline(r.on).push_back(next);
}

void Check::platform_events() {
  const Time end = outcome_.end - slack(outcome_.end);
  for (const auto* all : {&host_changes_, &link_changes_})
    for (const auto& list : *all)
      for (const Listed& change : list)
        if (!change.used && change.happening->at < end)
          bad(change.happening->at, "the change of '{}' is not in the trace",
              platform_.name_of(change.happening->on));
  std::map<std::uint32_t, Begun> all;
  for (const Happening* h : in_order_) {
    if (h->at >= end) break;
    if (h->kind != HappeningKind::down && h->kind != HappeningKind::up) continue;
    const bool down = h->kind == HappeningKind::down;
    if (h->on.kind() == ResourceKind::store) {
      // Hosts may have been in other clusters at that time, so only the gateway is checked.
      if (down) must_be_away(ResourceId::of(platform_[h->on.store()].link), h->at);
      continue;
    }
    Begun& begun = all[h->on.packed()];
    if (down) {
      must_be_away(h->on, h->at);
      begun.push_back(h);
    } else if (const auto over = begun_of(begun, *h); over != begun.end()) {
      stays_away(**over, h->at);
      begun.erase(over);
    }
  }
  for (const auto& [on, begun] : all)
    for (const Happening* down : begun) stays_away(*down, outcome_.end);
}

void Check::must_be_away(ResourceId on, Time at) {
  const Timeline& line = timeline(on);
  bool away = false;
  for (std::size_t s = step_at(line, at - slack(at)); s < line.size() && line[s].at <= at + slack(at); ++s)
    away = away || !line[s].up;
  if (!away) bad(at, "the outage of '{}' is not in the trace", platform_.name_of(on));
}

void Check::stays_away(const Happening& down, Time to) {
  const bool reserved = down.cause == Cause::reservation;
  const Time from = down.at;
  const Timeline& line = timeline(down.on);
  for (std::size_t s = step_at(line, from + slack(from)); s < line.size() && line[s].at < to - slack(to); ++s)
    if (line[s].up && s > 0 && !line[s - 1].up && line[s].at > from + slack(from)) {
      bad(line[s].at, "'{}' is up again inside its {} [{}, {})", platform_.name_of(down.on),
          reserved ? "reservation" : "outage", text(from), text(to));
      break;
    }
  if (reserved) keep_free(down.on, from, to);
}

void Check::keep_free(ResourceId on, Time from, Time to) {
  for (const std::size_t a : everything_on(on)) {
    const Act& act = acts_[a];
    const Time stop = act.life == Life::running ? outcome_.end : act.ended;
    if (act.started >= to - slack(to) || stop <= from + slack(from)) continue;
    const bool begins_inside = act.started > from + slack(from);
    if (begins_inside ? announced(on, from, Reason::reservation) != true
                      : rule(act) != OnFailure::lost || announced(on, from, Reason::reservation) != true)
      continue;
    bad(std::max(act.started, from), act, "'{}' is reserved in [{}, {})", platform_.name_of(on), text(from),
        text(to));
  }
}

const std::vector<std::size_t>& Check::everything_on(ResourceId on) {
  if (by_resource_.empty())
    for (std::size_t a = 0; a < acts_.size(); ++a)
      for (const ResourceId r : acts_[a].on) by_resource_[r.packed()].push_back(a);
  return by_resource_[on.packed()];
}

}  // namespace perigee::validation
