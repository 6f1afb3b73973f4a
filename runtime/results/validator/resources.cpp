// Hosts, links and the scheduler, as activities take them and give them back.
#include <algorithm>

#include "runtime/results/validator/check.h"

namespace perigee::validation {

bool Check::reservation_link(const Act& act) const {
  if (!act.work.valid() || workload_[act.work].kind != WorkKind::reservation) return false;
  const WorkExtra& extra = workload_.extras[workload_[act.work].extra];
  return extra.from + extra.io_ratio * (extra.to - extra.from) > act.started;
}

void Check::take(std::size_t a) {
  for (std::size_t i = 0; i < acts_[a].on.size(); ++i) {
    const ResourceId on = acts_[a].on[i];
    if (on.kind() == ResourceKind::host) {
      take_host(a, on.host(), acts_[a].over_hosts() ? acts_[a].cores_of[i] : acts_[a].cores);
    } else if (on.kind() == ResourceKind::link) {
      take_link(a, on.link());
    } else {
      if (thinking_ != SIZE_MAX)
        bad(acts_[a].started, acts_[a], "the scheduler is busy with activity {}", acts_[thinking_].serial);
      thinking_ = a;
    }
  }
  if (const Demand* demand = demand_of(acts_[a]); demand != nullptr) {
    if (!demand->licences.empty()) licensed_.push_back(a);
    check_consumables(acts_[a]);
  }
  if (takes_turns(acts_[a])) {
    in_turn_.push_back(a);
    check_turns(acts_[a]);
  }
}

WorkId Check::reservation_of(const Act& act) const {
  const Shape* shape = act.over_hosts() ? workload_.shape_of(act.work) : nullptr;
  return shape != nullptr ? shape->reservation : WorkId();
}

bool Check::ends_with_reservation(const Act& act, Time at) const {
  const auto holds = holds_of_.find(reservation_of(act));
  return holds != holds_of_.end() && std::ranges::any_of(holds->second, [&](std::size_t hold) {
           return acts_[hold].life == Life::over && acts_[hold].ended == at;
         });
}

const Demand* Check::demand_of(const Act& act) const {
  const Shape* shape = act.over_hosts() ? workload_.shape_of(act.work) : nullptr;
  return shape != nullptr ? shape->demand.get() : nullptr;
}

void Check::check_consumables(const Act& act) {
  for (const ResourceId on : act.on) {
    const HostId host = on.host();
    std::vector<double> taken(platform_.consumables().size(), 0);
    const auto take_all_of = [&](std::size_t other) {
      const Act& there = acts_[other];
      const Demand* demand = demand_of(there);
      for (std::size_t i = 0; i < there.cores_of.size() && demand != nullptr; ++i)
        if (there.on[i] == on)
          for (const Demand::OfHost& item : demand->of_hosts)
            taken[item.what] += item.each + item.per_core * there.cores_of[i];
    };
    std::ranges::for_each(hosts_[host.index].acts, take_all_of);
    std::ranges::for_each(hosts_[host.index].suspended, take_all_of);
    for (std::uint32_t what = 0; what < taken.size(); ++what)
      if (taken[what] > platform_.supply(host, what))
        bad(act.started, act, "{} of {} are taken of host '{}', which has {}", text(taken[what]),
            platform_.consumables()[what], platform_[host].name, text(platform_.supply(host, what)));
  }
  std::vector<double> used(platform_.licences().size(), 0);
  for (const std::size_t other : licensed_)
    for (const Demand::OfAll& item : demand_of(acts_[other])->licences) used[item.what] += item.count;
  for (std::size_t what = 0; what < used.size(); ++what)
    if (used[what] > platform_.licences()[what].count)
      bad(act.started, act, "{} of licence '{}' are in use, there are {}", text(used[what]),
          platform_.licences()[what].name, text(platform_.licences()[what].count));
}

bool Check::is_alone(const Act& act) const {
  const Shape* shape = act.over_hosts() ? workload_.shape_of(act.work) : nullptr;
  return shape != nullptr && shape->exclusive;
}

void Check::take_host(std::size_t a, HostId id, std::int32_t cores) {
  const Act& act = acts_[a];
  const auto wrong = [&](std::string_view what) { bad(now_, act, "{}", what); };
  HostNow& now = hosts_[id.index];
  const Host& host = platform_[id];
  if (now.power != Power::on) wrong(fmt::format("host '{}' is {}", host.name, name_of(now.power)));
  if (act.kind == ActivityKind::hold) {
    if (now.held_by != SIZE_MAX)
      wrong(fmt::format("host '{}' is held by activity {}", host.name, acts_[now.held_by].serial));
    if (const Act* user = user_of(now))
      wrong(fmt::format("host '{}' is used by activity {}", host.name, user->serial));
    now.held_by = a;
    if (act.work.valid() && (holds_of_[act.work].empty() || holds_of_[act.work].back() != a))
      holds_of_[act.work].push_back(a);
    return;
  }
  if (beside(act)) {
    if (act.cores != 0) wrong(fmt::format("it uses {} cores, but comes while the host computes", act.cores));
    now.acts.push_back(a);
    return;
  }
  const WorkId inside = reservation_of(act), holder = inside.valid() ? inside : act.work;
  if (inside.valid() && (now.held_by == SIZE_MAX || acts_[now.held_by].work != inside))
    wrong(fmt::format("host '{}' is not held by {}", host.name, work_name(inside)));
  else if (now.held_by != SIZE_MAX && (acts_[now.held_by].work != holder || !act.work.valid()))
    wrong(
        fmt::format("host '{}' is held by activity {} for {}", host.name, acts_[now.held_by].serial,
                    acts_[now.held_by].work.valid() ? work_name(acts_[now.held_by].work) : "something else"));
  std::int64_t used = 0;
  for (const std::size_t other : now.acts) {
    const Act& there = acts_[other];
    if (is_alone(there)) wrong(fmt::format("activity {} has host '{}' for itself", there.serial, host.name));
    for (std::size_t i = 0; i < there.cores_of.size(); ++i)
      if (there.on[i] == ResourceId::of(id)) used += there.cores_of[i];
    if (!there.over_hosts()) used += there.cores;
  }
  if (is_alone(act) && !now.acts.empty())
    wrong(fmt::format("it has its hosts for itself, but host '{}' is in use", host.name));
  if (cores < 1) wrong(fmt::format("it uses {} cores", cores));
  if (used + cores > host.cores)
    wrong(fmt::format("it needs {} cores, but {} of the {} of host '{}' are in use", cores, used, host.cores,
                      host.name));
  if (const Act* user = user_of(now); host.exclusive && user != nullptr)
    wrong(fmt::format("host '{}' serves one activity at a time, now {}", host.name, user->serial));
  now.acts.push_back(a);
}

void Check::take_link(std::size_t a, LinkId id) {
  const Act& act = acts_[a];
  const auto wrong = [&](std::string_view what) { bad(act.started, act, "{}", what); };
  LinkNow& now = links_[id.index];
  const Link& link = platform_[id];
  const bool alone = link.sharing == Sharing::exclusive;
  const bool reserved = now.reserved_by != SIZE_MAX && now.reserved_until > act.started + slack(act.started);
  if (act.kind == ActivityKind::hold) {
    if (!reservation_link(act)) return;
    const WorkExtra& extra = workload_.extras[workload_[act.work].extra];
    if (alone && !now.acts.empty())
      wrong(fmt::format("link '{}' is used by activity {}", link.name, acts_[now.acts.front()].serial));
    if (reserved)
      wrong(fmt::format("link '{}' is reserved by activity {}", link.name, acts_[now.reserved_by].serial));
    now.reserved_by = a;
    now.reserved_until = extra.from + extra.io_ratio * (extra.to - extra.from);
    return;
  }
  if (alone && !now.acts.empty())
    wrong(fmt::format("link '{}' carries one transfer at a time, now activity {}", link.name,
                      acts_[now.acts.front()].serial));
  if (alone && reserved)
    wrong(fmt::format("link '{}' is reserved by activity {} until {}", link.name,
                      acts_[now.reserved_by].serial, text(now.reserved_until)));
  now.acts.push_back(a);
}

bool Check::beside(const Act& act) const {
  return act.kind == ActivityKind::chunk && act.work.valid() && workload_[act.work].kind == WorkKind::sweep;
}

const Act* Check::user_of(const HostNow& host) const {
  for (const std::size_t a : host.acts)
    if (!beside(acts_[a])) return &acts_[a];
  return nullptr;
}

void Check::give_back(std::size_t a) {
  for (const ResourceId on : acts_[a].on) {
    if (on.kind() == ResourceKind::host) {
      HostNow& now = hosts_[on.at()];
      std::erase(now.acts, a);
      std::erase(now.suspended, a);
      if (now.held_by == a) now.held_by = SIZE_MAX;
    } else if (on.kind() == ResourceKind::link) {
      LinkNow& now = links_[on.at()];
      std::erase(now.acts, a);
      if (now.reserved_by == a) now.reserved_by = SIZE_MAX;
    } else if (thinking_ == a) {
      thinking_ = SIZE_MAX;
    }
  }
  if (!licensed_.empty()) std::erase(licensed_, a);
  if (!in_turn_.empty()) std::erase(in_turn_, a);
}

}  // namespace perigee::validation
