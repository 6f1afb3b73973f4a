// Placing jobs over several hosts. At a time, the hosts in the order of a rule are filled up until the job has what
// it asks for. Where it would not fit until its end, a host has less room, and the hosts are filled up again.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

#include "runtime/schedulers/batch/plan_query.h"

namespace perigee::batch {
namespace {

bool has_listed_times(TimeForm form) {
  return form == TimeForm::by_host || form == TimeForm::by_architecture;
}

// Cores of each host, or in all.
std::int32_t cores_in_size(const View& view, const Sized& sized) {
  const Shape* declared = view.workload().shape_of(sized.work);
  return sized.size > 0 && declared != nullptr && declared->nodes == 0 ? sized.size
                                                                       : view.workload()[sized.work].cores;
}

// The Shape as it is declared, or in `made`, where the size makes it another.
const Shape& shape_in(const View& view, const Sized& sized, Shape& made) {
  const Shape* declared = view.workload().shape_of(sized.work);
  if (declared == nullptr) return made;
  const bool resized = declared->nodes > 0 && sized.size > 0;
  const bool single = declared->nodes == 0 && cores_in_size(view, sized) == 1;
  const bool alone = declared->nodes == 1 && declared->same != Together::anywhere;
  if (!resized && !single && !alone) return *declared;
  made = *declared;
  if (resized) made.nodes = sized.size;
  if (single) made.nodes = 1;
  if (made.nodes == 1) made.same = Together::anywhere;
  return made;
}

}  // namespace

Plan::Query::Query(Sim& asked, const Sized& sized, Time when, HostRuleView how, bool really)
    : sim(asked),
      view(asked.view()),
      work(sized.work),
      size(sized.size),
      shape(shape_in(view, sized, made_)),
      cores(cores_in_size(view, sized)),
      at(when),
      rule(how),
      idle_now(really),
      is_listed(has_listed_times(view.workload()[work].form)),
      are_alike(!is_listed && !shape.checkpoints && sim.estimate().is_faithful()) {}

Shape shape_of(const View& view, const Sized& sized) {
  Shape made;
  return shape_in(view, sized, made);
}

Time expected_end(Sim& sim, const Sized& work, std::span<const Share> shares, Time start) {
  return sim.estimate().end_of(sim, Piece{work.work, 0, 1, work.size}, shares, start);
}

// False only if what is really idle now does not hold the work.
bool Plan::may_hold_now(const Query& query) const {
  std::int64_t room = 0;
  if (query.shape.nodes > 0)
    for (const std::int32_t idle : idle_now_) room += idle >= query.cores ? 1 : 0;
  else
    for (const std::int32_t idle : idle_now_)
      room += std::clamp(std::min(idle, query.shape.per_node), 0, query.cores);
  return room >= query.wanted();
}

bool Plan::are_of_one_kind(const Query& query, std::span<const Share> shares) const {
  const auto alike = [&](const Share& share) {
    return kinds_.of(share.host) == kinds_.of(shares.front().host);
  };
  return !query.ends.empty() && (query.ends.size() == 1 || std::ranges::all_of(shares, alike));
}

// The end of the work on that host alone, begun at the time of the query.
Time Plan::end_alone(const Query& query, HostId host) const {
  const Share alone{host, query.least()};
  const auto asked = [&] {
    return expected_end(query.sim, {query.work, query.size}, std::span(&alone, 1), query.at);
  };
  if (query.ends.empty()) return asked();
  Time& known = query.ends[kinds_.of(host)];
  if (std::isnan(known)) known = asked();
  return known;
}

// The room that the work could have on a host, were it there alone.
Plan::Room Plan::room_for(const Query& query, HostId host) const {
  if (is_real(query) && idle_now_[host.index] < query.least()) return {host};
  std::size_t step = 0;
  if (!is_flat_) {
    const Line& line = lines_[host.index];
    if (line.empty()) return {host};
    step = line.step_at(query.at);
    if (line.steps[step].idle < query.least()) return {host};
  }
  if (!query.shape.allows(host)) return {host};
  const Time end = is_flat_ && !query.is_listed ? query.at : end_alone(query, host);
  return end < kNever ? room_on(query, host, end, step) : Room{host};
}

Placement Plan::place_within(const Query& query, std::vector<Room> rooms) const {
  for (;;) {
    std::vector<Room> tried = is_flat_ ? std::move(rooms) : rooms;
    std::vector<Share> shares = fill(query, tried);
    if (shares.empty()) return {};
    const bool alike = are_of_one_kind(query, shares);  // they end together as each would alone
    Time end = query.at;
    if (alike && query.wants_end)
      end = end_alone(query, shares.front().host);
    else if (!is_flat_ || query.wants_end)
      end = expected_end(query.sim, {query.work, query.size}, shares, query.at);
    bool fits = true;
    if (!has_licences(query, end)) return {};
    if (is_flat_ || alike) return {query.at, end, std::move(shares)};
    for (const Share& share : shares) {
      const Room room = room_on(query, share.host, end);
      if (room.cores >= share.cores) continue;
      fits = false;
      *std::ranges::find(rooms, share.host, &Room::host) = room;
    }
    if (fits) return {query.at, end, std::move(shares)};
    std::erase_if(rooms, [](const Room& room) { return room.cores == 0; });
  }
}

Placement Plan::place(const Query& query) const {
  const View& view = query.view;
  if (query.shape.reservation != inside_) return {};
  if (!has_licences(query, query.at)) return {};
  if (is_real(query) && !may_hold_now(query)) return {};
  const bool share_ends = query.are_alike && kinds_.is_of(query.sim);
  query.ends.assign(share_ends ? kinds_.count() : 0, std::numeric_limits<Time>::quiet_NaN());
  if (query.shape.same == Together::anywhere) {
    const std::int32_t least = is_real(query) ? query.least() : std::numeric_limits<std::int32_t>::min();
    const bool first_will_do = is_flat_ && query.shape.nodes > 0 && query.by_rule() && is_in_order(query);
    std::vector<Room> rooms;
    rooms.reserve(idle_now_.size());
    for (std::size_t h = 0; h < idle_now_.size(); ++h) {
      if (idle_now_[h] < least) continue;
      if (first_will_do && std::ssize(rooms) == query.shape.nodes) break;
      if (const Room room = room_for(query, HostId(h)); room.cores > 0) rooms.push_back(room);
    }
    return place_within(query, std::move(rooms));
  }
  std::map<std::pair<HostId, std::uint32_t>, std::vector<Room>> groups;  // in order of their lowest host
  std::map<std::uint32_t, HostId> lowest;
  for (std::size_t h = 0; h < idle_now_.size(); ++h) {
    const Room room = room_for(query, HostId(h));
    if (room.cores == 0) continue;
    const std::uint32_t group = group_of(view, room.host, query.shape.same);
    groups[{lowest.try_emplace(group, room.host).first->second, group}].push_back(room);
  }
  for (auto& [group, all] : groups)
    if (Placement found = place_within(query, std::move(all)); found.valid()) return found;
  return {};
}

Placement Plan::place(Sim& sim, const Sized& work, Time at, HostRuleView rule, bool idle_now,
                      MostOfHosts most, Stream* random) const {
  Query query(sim, work, at, rule, idle_now);
  query.most = most;
  query.random = random;
  return place(query);
}

bool Plan::ends_on_all(Sim& sim, const Sized& work) const {
  const Query query(sim, work, sim.now(), HostChoice::first, false);
  if (!query.are_alike || !kinds_.is_of(sim)) return false;
  query.ends.assign(kinds_.count(), std::numeric_limits<Time>::quiet_NaN());
  return std::ranges::all_of(
      kinds_.firsts(), [&](HostId host) { return !query.view[host].up || end_alone(query, host) < kNever; });
}

std::vector<Share> Plan::shares_now(Sim& sim, const Sized& work, HostRuleView rule, Stream* random) const {
  Query query(sim, work, sim.now(), rule, true);
  query.random = random;
  query.wants_end = false;
  return place(query).shares;
}

// Where all hosts are served whole and times are alike, the job is placed where so many hosts are idle until its end,
// and more than before.
Placement Plan::earliest_by_count(Query& query, Time from) const {
  const std::int64_t wanted = query.wanted();
  std::int64_t idle = idle_hosts_;
  auto next = moments_.begin();
  for (; next != moments_.end() && next->at <= from; ++next) idle += next->more;
  bool grows = true;
  const auto pass = [&](Time at) {
    for (; next != moments_.end() && next->at == at; ++next) {
      idle += next->more;
      grows = grows || next->grows;
    }
  };
  for (query.at = from;;) {
    if (grows && idle >= wanted) {
      Time end = query.at;
      if (kinds_.count() == 1) {
        query.ends.assign(1, std::numeric_limits<Time>::quiet_NaN());
        end = end_alone(query, HostId(0));
      }
      std::int64_t then = idle;
      auto later = next;
      while (later != moments_.end() && later->at < end && then >= wanted)
        for (const Time at = later->at; later != moments_.end() && later->at == at; ++later)
          then += later->more;
      if (then >= wanted) {
        if (Placement found = place(query); found.valid()) return found;
      } else {  // too few are left at some time, for all starts until then
        next = later;
        idle = then;
      }
    }
    if (next == moments_.end()) return {};
    query.at = next->at;
    grows = false;
    pass(query.at);
  }
}

Placement Plan::earliest(Sim& sim, const Sized& work, Time from, HostRuleView rule, bool idle_now,
                         bool lowest_first) const {
  const View& view = sim.view();
  Query query(sim, work, from, rule, idle_now);
  query.lowest_first = lowest_first;
  query.wakes = wakes_;
  if (is_flat_) return place(query);
  const Shape& shape = query.shape;
  if (counts_ && shape.nodes > 0 && shape.demand == nullptr && shape.only == nullptr &&
      shape.same == Together::anywhere && query.are_alike && kinds_.is_of(sim) && rule.function() == nullptr)
    return earliest_by_count(query, from);
  // The room of all hosts grows and shrinks from step to step. The job is placed where there is enough, and more than
  // at the step before on some host.
  const Demand* demand = query.demand();
  const auto size_of = [&](HostId host, const Line& line, std::size_t step) -> std::int64_t {
    std::int32_t share = query.cores_of(query.usable(view[host], line.steps[step].idle));
    if (demand != nullptr && share > 0) share = query.cores_of(demand->cores_within(line.free(step), share));
    return query.shape.nodes > 0 ? std::min(share, 1) : share;
  };
  const auto grew = [&](const Line& line, std::size_t step) {
    if (line.steps[step].idle > line.steps[step - 1].idle) return true;
    if (demand == nullptr) return false;
    const std::span<const double> before = line.free(step - 1), after = line.free(step);
    return !std::ranges::equal(before, after, [](double was, double is) { return is <= was; });
  };
  std::int64_t room = 0;
  for (std::size_t h = 0; h < lines_.size(); ++h)
    if (!lines_[h].empty() && query.shape.allows(HostId(h))) room += size_of(HostId(h), lines_[h], 0);
  std::vector<std::uint32_t> at(lines_.size() +
                                1);  // the step of each host that has come, and of the licences
  bool tried = false;
  const auto turn = [&](HostId host) {
    const Line& line = host.valid() ? lines_[host.index] : licences_;
    const std::uint32_t step = ++at[host.valid() ? host.index : lines_.size()];
    if (host.valid() && !query.shape.allows(host)) return false;
    if (host.valid()) room += size_of(host, line, step) - size_of(host, line, step - 1);
    return grew(line, step);
  };
  for (std::size_t i = 0; i < moments_.size() || !tried;) {
    bool grows = !tried;
    if (tried || (i < moments_.size() && moments_[i].at <= from)) {
      const Time now = moments_[i].at;
      for (; i < moments_.size() && moments_[i].at == now; ++i)
        for (std::uint32_t k = 0; k < moments_[i].count; ++k)
          grows = turn(turning_[moments_[i].first + k]) || grows;
      if (!tried) continue;
      query.at = now;
    }
    tried = true;
    if (!grows || room < query.wanted()) continue;
    if (Placement found = place(query); found.valid()) return found;
  }
  return {};
}

}  // namespace perigee::batch
