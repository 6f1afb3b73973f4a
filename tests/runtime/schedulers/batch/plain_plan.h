// A plan in plain form: all that is taken is a list, and every question goes through all of it.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/engine/simulation.h"
#include "tests/support/layers.h"

namespace perigee::test::plain {

using PlainShares = std::vector<Share>;

struct PlainPlace {
  Time start = kNever, end = kNever;
  PlainShares shares = {};  // ascending; empty: nowhere
};

// A work, and the size of a moldable one.
struct Want {
  WorkId work;
  std::int32_t size = 0;
  Want(WorkId asked, std::int32_t wanted = 0) : work(asked), size(wanted) {}
  Piece piece() const { return {work, 0, 1, size}; }
};

struct Asked {
  Shape shape;
  std::int32_t cores;

  Asked(const View& view, const Want& want) : cores(view.workload()[want.work].cores) {
    if (const Shape* declared = view.workload().shape_of(want.work)) shape = *declared;
    if (want.size > 0) (shape.nodes > 0 ? shape.nodes : cores) = want.size;
    if (shape.nodes == 0 && cores == 1) shape.nodes = 1;  // on one host in any case
    if (shape.nodes == 1) shape.same = Together::anywhere;
  }
  std::int32_t taken(const Host& host, std::int32_t share) const {
    return host.exclusive || shape.exclusive ? host.cores : share;
  }
  const Demand& demand() const {
    static const Demand kNothing;
    return shape.demand != nullptr ? *shape.demand : kNothing;
  }
};

// So much of each consumable of a host, and of each licence: kLicence is their host.
constexpr std::uint32_t kLicence = 1000;
using PlainStock = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;
// The size of a work that ends first, and its place; those in which it reaches its limit only where all do.
template <class Find>
std::pair<std::int32_t, PlainPlace> least_end(const Sim& sim, WorkId work, Find find) {
  std::vector<std::int32_t> sizes = {0};
  if (sim.view().workload().sizes_of(work) != nullptr) {
    const auto possible = sim.possible_sizes(work);
    sizes.assign(possible.begin(), possible.end());
  }
  for (const bool within_limit : {true, false}) {
    std::pair<std::int32_t, PlainPlace> best;
    for (const std::int32_t size : sizes) {
      const PlainPlace found = find(Want(work, size));
      const bool ends_well = found.end < found.start + sim.limit_of(work);
      if (!found.shares.empty() && (ends_well || !within_limit) && found.end < best.second.end)
        best = {size, found};
    }
    if (!best.second.shares.empty()) return best;
  }
  return {};
}

// The part of the hosts that is taken from now on.
class PlainPlan {
 public:
  explicit PlainPlan(Sim& sim) : sim_(sim), view_(sim.view()), now_(sim.now()) {
    for (std::size_t h = 0; h < view_.hosts().size(); ++h)
      if (!view_.hosts()[h].up) down_until(HostId(h));
    for_windows([&](HostId host, const Window& window) {
      closed_.push_back({host, std::max(window.from, now_), window.to});
    });
  }
  void take(HostId host, std::int32_t cores, Time from, Time to) {
    taken_.push_back({host, cores, from, to});
  }
  void take_stock(WorkId work, const Share& share, Time from, Time to) {
    for (const Demand::OfHost& item : Asked(view_, work).demand().of_hosts)
      stock_.push_back({share.host.index, item.what, item.each + item.per_core * share.cores, from, to});
  }
  void take_licences(WorkId work, Time from, Time to) {
    for (const Demand::OfAll& item : Asked(view_, work).demand().licences)
      stock_.push_back({kLicence, item.what, item.count, from, to});
  }
  void take(WorkId work, const PlainPlace& place) {
    const Asked asked(view_, work);
    for (const Share& share : place.shares) {
      take(share.host, asked.taken(view_.platform()[share.host], share.cores), place.start, place.end);
      take_stock(work, share, place.start, place.end);
    }
    take_licences(work, place.start, place.end);
  }
  double free(std::uint32_t host, std::uint32_t what, Time at) const {
    double free = host == kLicence ? view_.platform().licences()[what].count
                                   : view_.platform().supply(HostId(host), what);
    for (const TakenStock& each : stock_)
      if (each.host == host && each.what == what && each.from <= at && at < each.to) free -= each.count;
    return free;
  }
  // The least that is free from then until then, or at that time.
  double free(std::uint32_t host, std::uint32_t what, Time from, Time to) const {
    double least = free(host, what, from);
    for (const TakenStock& each : stock_)
      for (const Time at : {each.from, each.to})
        if (from < at && at < to) least = std::min(least, free(host, what, at));
    return least;
  }
  bool has_licences(const Asked& asked, Time from, Time to, bool really) const {
    return std::ranges::all_of(asked.demand().licences, [&](const Demand::OfAll& item) {
      return item.count <= free(kLicence, item.what, from, to) &&
             (!really || item.count <= view_.free_licences()[item.what]);
    });
  }

  std::int32_t idle(HostId host, Time at) const {
    for (const Closed& each : closed_)
      if (each.host == host && each.from <= at && at < each.to) return 0;
    std::int32_t idle = view_[host].cores;
    for (const Taken& each : taken_)
      if (each.host == host && each.from <= at && at < each.to) idle -= each.cores;
    return idle;
  }
  std::int32_t idle(HostId host, Time from, Time to) const {
    std::int32_t least = idle(host, from);
    for (const Time at : times_of(host))
      if (from < at && at < to) least = std::min(least, idle(host, at));
    return least;
  }

  // Where the work fits at that time; `really`: now, on what is really idle. `most`: cores of each host at most.
  PlainPlace place(const Want& work, Time at, bool really, bool by_speed,
                   const std::map<HostId, std::int32_t>* most = nullptr,
                   const PlainStock* most_stock = nullptr) const {
    const Asked asked(view_, work);
    if (!has_licences(asked, at, at, really)) return {};
    std::map<std::uint32_t, std::vector<HostId>> groups;
    for (std::size_t h = 0; h < view_.hosts().size(); ++h) {
      const HostId host(h);
      if (asked.shape.allows(host)) groups[group_of(host, asked.shape.same)].push_back(host);
    }
    std::vector<std::vector<HostId>> in_order;
    for (const auto& [group, hosts] : groups) in_order.push_back(hosts);
    std::ranges::sort(in_order, {}, [](const auto& hosts) { return hosts[0]; });
    for (const std::vector<HostId>& hosts : in_order) {
      std::map<HostId, Room> room;
      const auto room_until = [&](HostId host, Time end) {
        std::int32_t there = idle(host, at, end);
        if (really) there = std::min(there, really_idle(host));
        if (most != nullptr && most->contains(host)) there = std::min(there, most->at(host));
        Room found = room_within(asked, host, there);
        const auto too_much = [&](const Demand::OfHost& item) {
          double free_there = free(host.index, item.what, at, end);
          if (really) free_there = std::min(free_there, view_.free_on(host)[item.what]);
          if (most_stock != nullptr && most_stock->contains({host.index, item.what}))
            free_there = std::min(free_there, most_stock->at({host.index, item.what}));
          return item.each + item.per_core * found.cores > free_there;
        };
        while (found.cores > 0 && std::ranges::any_of(asked.demand().of_hosts, too_much))
          found.cores = asked.shape.nodes > 0 ? 0 : found.cores - 1;
        return found;
      };
      for (const HostId host : hosts) {
        const Share alone{host, asked.shape.nodes > 0 ? asked.cores : 1};
        if (room_until(host, at).cores == 0) continue;
        const Time end = sim_.estimate().end_of(sim_, work.piece(), std::span(&alone, 1), at);
        if (end < kNever) room[host] = room_until(host, end);
      }
      for (;;) {
        const PlainShares shares = fill(asked, room, at, by_speed);
        if (shares.empty()) break;
        const Time end = sim_.estimate().end_of(sim_, work.piece(), shares, at);
        if (!has_licences(asked, at, end, really)) break;
        bool fits = true;
        for (const Share& share : shares)
          if (const Room there = room_until(share.host, end); there.cores < share.cores) {
            room[share.host] = there;
            fits = false;
          }
        if (fits) return {at, end, shares};
      }
    }
    return {};
  }
  PlainPlace earliest(const Want& work, bool by_speed) const {
    std::vector<Time> times = {now_};
    for (std::size_t h = 0; h < view_.hosts().size(); ++h)
      for (const Time at : times_of(HostId(h))) times.push_back(at);
    std::ranges::sort(times);
    for (const Time at : times)
      if (at >= now_ && at < kNever)
        if (PlainPlace found = place(work, at, false, by_speed); !found.shares.empty()) return found;
    return {};
  }

  // Whether the hosts that are up or known to come back could ever run it.
  bool could_run(WorkId work) const {
    PlainPlan empty = *this;
    empty.taken_.clear();
    empty.stock_.clear();
    empty.closed_.clear();
    for (std::size_t h = 0; h < view_.hosts().size(); ++h)
      if (!view_.hosts()[h].up) {
        bool comes_back = false;
        for_windows([&](HostId host, const Window& window) {
          comes_back = comes_back || (host == HostId(h) && window.from <= now_ && window.to < kNever);
        });
        if (!comes_back) empty.closed_.push_back({HostId(h), now_, kNever});
      }
    return !least_end(sim_, work, [&](const Want& want) {
              return empty.place(want, now_, false, false);
            }).second.shares.empty();
  }

 private:
  struct Room {
    std::int32_t cores = 0, idle = 0;  // of a share at most, and all
  };
  struct Taken {
    HostId host;
    std::int32_t cores;
    Time from, to;
  };
  struct TakenStock {
    std::uint32_t host, what;
    double count;
    Time from, to;
  };
  struct Closed {
    HostId host;
    Time from, to;
  };

  template <class F>
  void for_windows(F f) const {
    for (const Window& window : sim_.windows())
      for (std::size_t h = 0; h < view_.hosts().size(); ++h)
        if (window.to > now_ &&
            (window.on == ResourceId::of(HostId(h)) || window.on == ResourceId::of(view_.hosts()[h].cluster)))
          f(HostId(h), window);
  }
  void down_until(HostId host) {
    Time until = kNever;
    bool known = false;
    for_windows([&](HostId on, const Window& window) {
      if (on == host && window.from <= now_ && window.to < kNever && !std::exchange(known, true))
        until = window.to;
    });
    closed_.push_back({host, now_, until});
  }
  std::vector<Time> times_of(HostId host) const {
    std::vector<Time> times;
    for (const Taken& each : taken_)
      if (each.host == host) times.insert(times.end(), {each.from, each.to});
    for (const Closed& each : closed_)
      if (each.host == host) times.insert(times.end(), {each.from, each.to});
    return times;
  }
  std::int32_t really_idle(HostId host) const { return view_[host].up ? view_[host].idle : 0; }
  std::uint32_t group_of(HostId host, Together same) const {
    return same == Together::cluster          ? view_[host].cluster.index
           : same == Together::network_switch ? view_.platform().switch_of(host)
                                              : 0;
  }
  Room room_within(const Asked& asked, HostId host, std::int32_t idle) const {
    const Host& declared = view_.platform()[host];
    if (declared.exclusive || asked.shape.exclusive) idle = idle >= declared.cores ? declared.cores : 0;
    if (asked.shape.nodes > 0) return {idle >= asked.cores ? asked.cores : 0, idle};
    return {std::clamp(std::min(idle, asked.shape.per_node), 0, asked.cores), idle};
  }

  Time room_since(const Asked& asked, HostId host, std::int32_t cores, Time at) const {
    const std::int32_t needed = asked.taken(view_.platform()[host], cores);
    std::vector<Time> times = {now_};
    for (const Time time : times_of(host))
      if (now_ < time && time <= at) times.push_back(time);
    std::ranges::sort(times);
    std::size_t i = times.size() - 1;
    const auto has_stock = [&](Time time) {
      return std::ranges::all_of(asked.demand().of_hosts, [&](const Demand::OfHost& item) {
        return item.each + item.per_core * cores <= free(host.index, item.what, time);
      });
    };
    while (i > 0 && idle(host, times[i - 1]) >= needed && has_stock(times[i - 1])) --i;
    return times[i];
  }

  PlainShares fill(const Asked& asked, const std::map<HostId, Room>& room, Time at, bool by_speed) const {
    const bool is_now = !(at > now_), one = asked.shape.nodes == 1;
    std::vector<std::tuple<Time, bool, double, HostId, std::int32_t>> order;
    for (const auto& [host, there] : room) {
      const std::int32_t cores = there.cores;
      if (cores == 0) continue;
      const bool idle_now = really_idle(host) >= asked.taken(view_.platform()[host], cores) &&
                            std::ranges::all_of(asked.demand().of_hosts, [&](const Demand::OfHost& item) {
                              return item.each + item.per_core * cores <= view_.free_on(host)[item.what];
                            });
      const double speed = by_speed ? -view_[host].speed : 0;
      if (one || asked.shape.nodes == 0)
        order.emplace_back(0, false, speed, host, cores);
      else if (is_now && by_speed)
        order.emplace_back(0, !idle_now, speed, host, cores);
      else
        order.emplace_back(-room_since(asked, host, cores, at), idle_now, speed, host, cores);
    }
    const bool later_processes = asked.shape.nodes == 0 && (!is_now || !by_speed);
    if (later_processes)
      std::ranges::sort(order, {}, [](const auto& each) { return std::get<HostId>(each); });
    else
      std::ranges::sort(order);
    std::map<HostId, std::int32_t> given;
    std::int64_t left = asked.shape.nodes > 0 ? asked.shape.nodes : asked.cores;
    if (asked.shape.nodes > 0) {
      for (const auto& each : order)
        if (left > 0) {
          given[std::get<HostId>(each)] = asked.cores;
          --left;
        }
    } else {
      for (const bool first : {true, false})
        for (const auto& each : order) {
          const HostId host = std::get<HostId>(each);
          const Host& declared = view_.platform()[host];
          const bool whole = declared.exclusive || asked.shape.exclusive;
          const std::int32_t cores = std::get<std::int32_t>(each), now = std::max(0, really_idle(host));
          std::int32_t share = cores - given[host];
          if (first && later_processes)  // cores that are not idle now
            share = std::clamp(room.at(host).idle - now, 0, cores);
          if (first && !later_processes)  // cores that are
            share = whole && now < declared.cores ? 0 : std::min(now, cores);
          share = static_cast<std::int32_t>(std::min<std::int64_t>(share, left));
          given[host] += share;
          left -= share;
        }
    }
    if (left > 0) return {};
    PlainShares shares;
    for (const auto& [host, cores] : given)
      if (cores > 0) shares.push_back({host, cores});
    return shares;
  }
  Sim& sim_;
  const View& view_;
  Time now_;
  std::vector<Taken> taken_;
  std::vector<TakenStock> stock_;
  std::vector<Closed> closed_;
};

}  // namespace perigee::test::plain
