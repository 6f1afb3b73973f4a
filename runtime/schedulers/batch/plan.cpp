// Placing jobs over several hosts. At a time, the hosts in the order of a rule are filled up until the job has what
// it asks for. Where it would not fit until its end, a host has less room, and the hosts are filled up again.
//
// Source: at later times jobs over several hosts take busy hosts first, as with bf_busy_nodes of slurm.conf(5), release
// 26.05, SchedulerParameters.
#include "runtime/schedulers/batch/plan.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace perigee::batch {
namespace {

// The hosts of a group are tried by themselves.
std::uint32_t group_of(const View& view, HostId host, Together same) {
  switch (same) {
    case Together::cluster:
      return view[host].cluster.index;
    case Together::network_switch:
      return view.platform().switch_of(host);
    case Together::anywhere:
      break;
  }
  return 0;
}

bool has_group(HostRuleView rule) {
  return rule == HostChoice::same_cluster || rule == HostChoice::same_switch;
}

}  // namespace

namespace {

bool has_listed_times(TimeForm form) {
  return form == TimeForm::by_host || form == TimeForm::by_architecture;
}

}  // namespace

// One question to a plan.
struct Plan::Query {
  Sim& sim;
  const View& view;
  WorkId work;
  Shape shape;
  std::int32_t cores;  // of the work
  Time at;
  HostRuleView rule;
  bool idle_now;
  bool lowest_first = false;
  std::span<const std::int32_t> limits = {};
  Stream* random = nullptr;
  bool is_listed = has_listed_times(view.workload()[work].form);  // some hosts may not be able to run it

  bool is_now() const { return !(at > view.now()); }
  // Otherwise what is idle now is left to others, as far as it can be.
  bool by_rule() const { return shape.nodes == 1 || (is_now() && !lowest_first); }
  std::int64_t wanted() const { return shape.nodes > 0 ? shape.nodes : cores; }
  std::int64_t size_of(const Room& room) const { return shape.nodes > 0 ? 1 : room.cores; }
};

namespace {

// A job that can be on one host only is placed as every other work of one host.
Shape shape_of(const View& view, WorkId work) {
  const Shape* declared = view.workload().shape_of(work);
  Shape shape = declared != nullptr ? *declared : Shape{};
  if (shape.nodes == 0 && view.workload()[work].cores == 1) shape.nodes = 1;
  if (shape.nodes == 1) shape.same = Together::anywhere;
  return shape;
}

}  // namespace

Time expected_end(Sim& sim, WorkId work, std::span<const Share> shares, Time start) {
  return sim.estimate().end_of(sim, work, shares, start);
}

// Nothing is known but what is idle.
void Plan::make_lines() {
  lines_.resize(idle_now_.size());
  is_flat_ = false;
}

void Plan::close_windows(const Sim& sim) {
  const View& view = sim.view();
  each_closed(sim, [&](HostId host, const Window& window) {  // a host that is down and known to come back
    if (Line& line = lines_[host.index]; line.empty() && window.from <= view.now() && window.to < kNever)
      line = {{view.now(), 0}, {window.to, view[host].cores}};
  });
  sim.each_hold([&](const Hold& hold, bool under_way) {
    if (!under_way || !(hold.to > view.now())) return;
    for (const HostId host : hold.hosts)  // on which nothing else runs
      if (Line& line = lines_[host.index]; !line.empty())
        line = {{view.now(), 0}, {hold.to, view[host].cores}};
  });
  each_closed(sim, [&](HostId host, const Window& window) {
    Line& line = lines_[host.index];
    if (line.empty()) return;
    const Time from = std::max(window.from, view.now());
    if (window.to < kNever) split(line, window.to);
    for (auto step = split(line, from); step != line.end() && step->at < window.to; ++step) step->idle = 0;
  });
}

void Plan::reset(const Sim& sim) {
  const View& view = sim.view();
  is_flat_ = true;
  idle_now_.resize(view.hosts().size());
  for (std::size_t h = 0; h < idle_now_.size(); ++h)
    idle_now_[h] = view.hosts()[h].up ? view.hosts()[h].idle : 0;
  bool any = false;
  each_closed(sim, [&](HostId, const Window&) { any = true; });
  if (!any) return;
  make_lines();
  for (std::size_t h = 0; h < lines_.size(); ++h) {
    lines_[h].clear();
    if (view.hosts()[h].up) lines_[h].push_back({view.now(), idle_now_[h]});
  }
  close_windows(sim);
  find_turns();
}

void Plan::reset_to_empty(const Sim& sim) {
  const View& view = sim.view();
  is_flat_ = true;
  idle_now_.resize(view.hosts().size());
  for (std::size_t h = 0; h < idle_now_.size(); ++h)
    idle_now_[h] = view.hosts()[h].up ? view.hosts()[h].cores : 0;
  each_closed(sim, [&](HostId host, const Window& window) {
    if (window.from <= view.now() && window.to < kNever) idle_now_[host.index] = view[host].cores;
  });
}

void Plan::reset(Sim& sim, const RunningJobs& running) {
  const View& view = sim.view();
  idle_now_.resize(view.hosts().size());
  make_lines();
  for (std::size_t h = 0; h < lines_.size(); ++h) {
    Line& line = lines_[h];
    line.clear();
    idle_now_[h] = view.hosts()[h].up ? view.hosts()[h].idle : 0;
    if (!view.hosts()[h].up) continue;
    line.push_back({sim.now(), view.hosts()[h].idle});
    for (const RunningJobs::Job& job : running.on(HostId(h))) {
      if (job.end == kNever) break;  // it stands still
      if (job.end > line.back().at) line.push_back({job.end, line.back().idle});
      line.back().idle += job.cores;
    }
  }
  close_windows(sim);
  find_turns();
}

void Plan::advance(const View& view) {
  const Time now = view.now();
  for (std::size_t h = 0; h < lines_.size(); ++h) {
    Line& line = lines_[h];
    idle_now_[h] = view.hosts()[h].up ? view.hosts()[h].idle : 0;
    auto first = line.begin();
    while (first != line.end() && first + 1 != line.end() && first[1].at <= now) ++first;
    line.erase(line.begin(), first);
  }
  const auto later = std::ranges::upper_bound(turns_, now, {}, &Turn::at);
  turns_.erase(turns_.begin(), later);
}

std::int32_t Plan::idle(const Line& line, Time from, Time to) {
  if (line.empty()) return 0;
  auto step = std::ranges::upper_bound(line, from, {}, &Step::at);
  if (step != line.begin()) --step;
  std::int32_t least = step->idle;
  for (++step; step != line.end() && step->at < to; ++step) least = std::min(least, step->idle);
  return least;
}

std::int32_t Plan::idle(HostId host, Time from, Time to) const {
  return is_flat_ ? idle_now_[host.index] : idle(lines_[host.index], from, to);
}

// Makes a step at that time, if there is none, and returns it.
Plan::Line::iterator Plan::split(Line& line, Time at) {
  const auto next = std::ranges::upper_bound(line, at, {}, &Step::at);
  if (next == line.begin() || (next - 1)->at == at) return next == line.begin() ? next : next - 1;
  return line.insert(next, {at, (next - 1)->idle});
}

void Plan::take(const View& view, WorkId work, std::span<const Share> shares, Time from, Time to) {
  for (const Time at : {from, to}) {
    std::vector<Turn> more;
    for (const Share& share : shares) {
      Line& line = lines_[share.host.index];
      const std::size_t before = line.size();
      if (line.empty() || at == kNever) continue;
      split(line, at);
      if (line.size() > before) more.push_back({at, share.host});
    }
    turns_.insert(std::ranges::upper_bound(turns_, at, {}, &Turn::at), more.begin(), more.end());
  }
  for (const Share& share : shares) {
    Line& line = lines_[share.host.index];
    if (line.empty()) continue;
    const std::int32_t cores = RunningJobs::cores_taken(view, work, share);
    for (auto step = std::ranges::lower_bound(line, from, {}, &Step::at); step != line.end() && step->at < to;
         ++step)
      step->idle = static_cast<std::int32_t>(std::max<std::int64_t>(
          std::int64_t{step->idle} - cores, -Shape::kMost));  // somebody takes too much
  }
}

void Plan::start(const View& view, WorkId work, std::span<const Share> shares, Time end) {
  if (!is_flat_) take(view, work, shares, view.now(), end);
  show_idle(view, shares);
}

void Plan::show_idle(const View& view, std::span<const Share> shares) {
  for (const Share& share : shares) idle_now_[share.host.index] = view[share.host].idle;
}

// The cores that are idle there from the time of the query until `end`, and the cores of a share that fits into it.
Plan::Room Plan::room_on(const Query& query, HostId host, Time end) const {
  const Host& declared = query.view.platform()[host];
  Room room{host, 0, idle(host, query.at, end)};
  if (!is_flat_ && query.idle_now && query.is_now()) room.idle = std::min(room.idle, idle_now_[host.index]);
  if (!query.limits.empty()) room.idle = std::min(room.idle, query.limits[host.index]);
  if (declared.exclusive || query.shape.exclusive)
    room.idle = room.idle >= declared.cores ? declared.cores : 0;
  if (query.shape.nodes > 0)
    room.cores = room.idle >= query.cores ? query.cores : 0;
  else
    room.cores = std::clamp(std::min(room.idle, query.shape.per_node), 0, query.cores);
  return room;
}

// The first time from now on since which the room has been there without a break until the time of the query.
Time Plan::has_room_since(const Query& query, const Room& room) const {
  const Line& line = lines_[room.host.index];
  const std::int32_t needed = RunningJobs::cores_taken(query.view, query.work, {room.host, room.cores});
  auto step = std::ranges::upper_bound(line, query.at, {}, &Step::at) - 1;
  while (step != line.begin() && (step - 1)->idle >= needed) --step;
  return std::max(step->at, query.view.now());
}

void Plan::order(const Query& query, std::vector<Room>& rooms) const {
  const View& view = query.view;
  const auto speed = [&](const Room& room) { return query.lowest_first ? 0 : -view[room.host].speed; };
  if (!query.by_rule()) {
    std::vector<std::tuple<Time, bool, double, HostId, Room>> keyed;
    for (const Room& room : rooms) {
      const bool is_idle =
          idle_now_[room.host.index] >= RunningJobs::cores_taken(view, query.work, {room.host, room.cores});
      keyed.emplace_back(-has_room_since(query, room), is_idle, speed(room), room.host, room);
    }
    std::ranges::sort(keyed, {}, [](const auto& each) {
      return std::tuple(std::get<0>(each), std::get<1>(each), std::get<2>(each), std::get<3>(each));
    });
    for (std::size_t i = 0; i < rooms.size(); ++i) rooms[i] = std::get<4>(keyed[i]);
    return;
  }
  if (query.random != nullptr)
    for (std::size_t i = 0; i + 1 < rooms.size(); ++i)
      std::swap(rooms[i], rooms[i + query.random->below(rooms.size() - i)]);
  const auto really_idle = [&](const Room& room) {  // first
    return query.is_now() && query.shape.nodes > 1 &&
                   idle_now_[room.host.index] <
                       RunningJobs::cores_taken(view, query.work, {room.host, room.cores})
               ? 1
               : 0;
  };
  const auto key = [&](const Room& room) {
    double value = 0;
    if (query.rule == HostChoice::fastest) value = speed(room);
    if (query.rule == HostChoice::most_idle) value = -idle_now_[room.host.index];
    if (query.rule == HostChoice::least_idle) value = idle_now_[room.host.index];
    return std::tuple(really_idle(room), value);
  };
  if (!std::ranges::is_sorted(rooms, {}, key)) std::ranges::stable_sort(rooms, {}, key);
}

// A function of a script puts some of the rooms in an order, or returns the shares itself. No rooms are left if those
// do not hold the job.
std::vector<Share> Plan::order_by_function(const Query& query, std::vector<Room>& rooms) const {
  std::vector<HostId> hosts;
  for (const Room& room : rooms) hosts.push_back(room.host);
  const Rule::Hosts answer = query.rule.function()->ask_hosts(query.sim, query.work, hosts);
  const auto room_at = [&](HostId host) { return *std::ranges::lower_bound(rooms, host, {}, &Room::host); };
  if (const auto* shares = std::get_if<std::vector<Share>>(&answer)) {
    const bool holds = std::ranges::all_of(
        *shares, [&](const Share& share) { return share.cores <= room_at(share.host).cores; });
    if (!holds) rooms.clear();
    return holds ? *shares : std::vector<Share>{};
  }
  std::vector<Room> ordered;
  std::int64_t all = 0;
  for (const HostId host : std::get<std::vector<HostId>>(answer)) {
    ordered.push_back(room_at(host));
    all += query.size_of(ordered.back());
  }
  if (all < query.wanted()) ordered.clear();
  rooms = std::move(ordered);
  if (query.is_now() && query.shape.nodes > 1)  // really idle ones first
    std::ranges::stable_partition(rooms, [&](const Room& room) {
      return idle_now_[room.host.index] >=
             RunningJobs::cores_taken(query.view, query.work, {room.host, room.cores});
    });
  return {};
}

// The rule is that of the shortest stretch of hosts: only those in it are left.
namespace {

template <class Room, class SizeOf>
void keep_shortest_stretch(std::vector<Room>& rooms, std::int64_t wanted, SizeOf size_of) {
  std::size_t best = 0, best_end = 0, first = 0;
  std::uint32_t shortest = std::numeric_limits<std::uint32_t>::max();
  std::int64_t inside = 0;
  for (std::size_t last = 0; last < rooms.size(); ++last) {
    inside += size_of(rooms[last]);
    while (inside - size_of(rooms[first]) >= wanted) inside -= size_of(rooms[first++]);
    const std::uint32_t length = rooms[last].host.index - rooms[first].host.index;
    if (inside < wanted || length >= shortest) continue;
    shortest = length;
    best = first;
    best_end = last + 1;
  }
  rooms.assign(rooms.begin() + static_cast<std::ptrdiff_t>(best),
               rooms.begin() + static_cast<std::ptrdiff_t>(best_end));
}

}  // namespace

// The processes of a job, host by host: of each first so many cores as first(room) says, then what is left.
template <class First>
std::vector<Share> Plan::fill_cores(const Query& query, const std::vector<Room>& rooms, First first) {
  std::vector<Share> shares;
  std::int64_t left = query.wanted();
  for (const Room& room : rooms) {
    const auto taken =
        static_cast<std::int32_t>(std::min<std::int64_t>(std::clamp(first(room), 0, room.cores), left));
    left -= taken;
    shares.push_back({room.host, taken});
  }
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    const auto more =
        static_cast<std::int32_t>(std::min<std::int64_t>(rooms[i].cores - shares[i].cores, left));
    left -= more;
    shares[i].cores += more;
  }
  std::erase_if(shares, [](const Share& share) { return share.cores == 0; });
  return shares;
}

// Cores that are not idle now, from the lowest host on.
std::vector<Share> Plan::fill_busy_cores(const Query& query, const std::vector<Room>& rooms) const {
  return fill_cores(query, rooms,
                    [&](const Room& room) { return room.idle - std::max(0, idle_now_[room.host.index]); });
}

// Cores that are really idle now. Where the job needs whole hosts, those of whole hosts.
std::vector<Share> Plan::fill_idle_cores(const Query& query, const std::vector<Room>& rooms) const {
  return fill_cores(query, rooms, [&](const Room& room) {
    const Host& declared = query.view.platform()[room.host];
    const std::int32_t idle = idle_now_[room.host.index];
    return (declared.exclusive || query.shape.exclusive) && idle < declared.cores ? 0 : idle;
  });
}

// The shares of the job among the rooms, which ascend by host; empty if they do not hold it.
std::vector<Share> Plan::fill(const Query& query, std::vector<Room>& rooms) const {
  std::int64_t all = 0;
  for (const Room& room : rooms) all += query.size_of(room);
  if (all < query.wanted()) return {};
  if (!query.by_rule() && query.shape.nodes == 0) return fill_busy_cores(query, rooms);
  if (query.by_rule() && query.rule == HostChoice::contiguous)
    keep_shortest_stretch(rooms, query.wanted(), [&](const Room& room) { return query.size_of(room); });
  if (query.by_rule() && has_group(query.rule)) {
    const Together same =
        query.rule == HostChoice::same_cluster ? Together::cluster : Together::network_switch;
    std::map<std::uint32_t, std::pair<std::int64_t, HostId>> groups;  // their room, and their lowest host
    for (const Room& room : rooms)
      groups.try_emplace(group_of(query.view, room.host, same), 0, room.host).first->second.first +=
          query.size_of(room);
    const auto key = [&](const Room& room) {
      const auto& [size, lowest] = groups.at(group_of(query.view, room.host, same));
      const bool holds_all = size >= query.wanted();
      return std::tuple(!holds_all, holds_all ? size : -size, lowest, room.host);
    };
    std::ranges::sort(rooms, {}, key);
  } else if (query.by_rule() && query.rule.function() != nullptr) {
    if (std::vector<Share> shares = order_by_function(query, rooms); !shares.empty()) return shares;
    if (rooms.empty()) return {};
  } else {
    order(query, rooms);
  }
  std::vector<Share> shares;
  std::int64_t left = query.wanted();
  const bool fewest = query.by_rule() && query.rule == HostChoice::fewest_hosts && query.shape.nodes == 0;
  for (std::vector<Room> rest = fewest ? rooms : std::vector<Room>{}; left > 0 && fewest;) {
    const auto holds_rest = [&](const Room& room) { return room.cores >= left; };
    auto best = rest.end();
    for (auto each = rest.begin(); each != rest.end(); ++each)
      if (best == rest.end() || (holds_rest(*each) ? !holds_rest(*best) || each->cores < best->cores
                                                   : !holds_rest(*best) && each->cores > best->cores))
        best = each;
    const auto taken = static_cast<std::int32_t>(std::min<std::int64_t>(best->cores, left));
    shares.push_back({best->host, taken});
    left -= taken;
    rest.erase(best);
  }
  if (query.shape.nodes == 0 && query.is_now() && !fewest) {
    shares = fill_idle_cores(query, rooms);
    left = 0;
  }
  for (std::size_t i = 0; i < rooms.size() && left > 0; ++i) {
    const std::int64_t size = std::min(query.size_of(rooms[i]), left);
    shares.push_back({rooms[i].host, query.shape.nodes > 0 ? query.cores : static_cast<std::int32_t>(size)});
    left -= size;
  }
  std::ranges::sort(shares, {}, &Share::host);
  return shares;
}

Placement Plan::place_within(const Query& query, std::vector<Room> rooms) const {
  for (;;) {
    std::vector<Room> tried = rooms;
    std::vector<Share> shares = fill(query, tried);
    if (shares.empty()) return {};
    const Time end = expected_end(query.sim, query.work, shares, query.at);
    bool fits = true;
    if (is_flat_) return {query.at, end, std::move(shares)};
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
  std::map<std::pair<HostId, std::uint32_t>, std::vector<Room>> groups;  // in order of their lowest host
  std::map<std::uint32_t, HostId> lowest;
  std::vector<Room>* rooms = nullptr;
  for (std::size_t h = 0; h < idle_now_.size(); ++h) {
    const HostId host(h);
    if (!query.shape.allows(host) || room_on(query, host, query.at).cores == 0) continue;
    const Share alone{host, query.shape.nodes > 0 ? query.cores : 1};
    const Time end = is_flat_ && !query.is_listed
                         ? query.at
                         : expected_end(query.sim, query.work, std::span(&alone, 1), query.at);
    if (!(end < kNever)) continue;
    const Room room = room_on(query, host, end);
    if (room.cores == 0) continue;
    if (query.shape.same == Together::anywhere) {
      if (rooms == nullptr) rooms = &groups[{HostId(0), 0}];
      rooms->push_back(room);
      continue;
    }
    const std::uint32_t group = group_of(view, host, query.shape.same);
    groups[{lowest.try_emplace(group, host).first->second, group}].push_back(room);
  }
  for (auto& [group, all] : groups)
    if (Placement found = place_within(query, std::move(all)); found.valid()) return found;
  return {};
}

Placement Plan::place(Sim& sim, WorkId work, Time at, HostRuleView rule, bool idle_now,
                      std::span<const std::int32_t> limits, Stream* random) const {
  const View& view = sim.view();
  return place({sim, view, work, shape_of(view, work), view.workload()[work].cores, at, rule, idle_now, false,
                limits, random});
}

Placement Plan::earliest(Sim& sim, WorkId work, Time from, HostRuleView rule, bool idle_now,
                         bool lowest_first) const {
  const View& view = sim.view();
  Query query{sim,  view, work,     shape_of(view, work), view.workload()[work].cores,
              from, rule, idle_now, lowest_first};
  if (is_flat_) return place(query);
  // The room of all hosts grows and shrinks from step to step. The job is placed where there is enough, and more than
  // at the step before on some host.
  const auto size_of = [&](HostId host, std::int32_t idle_then) -> std::int64_t {
    const Host& declared = view.platform()[host];
    if (declared.exclusive || query.shape.exclusive)
      idle_then = idle_then >= declared.cores ? declared.cores : 0;
    if (query.shape.nodes > 0) return idle_then >= query.cores ? 1 : 0;
    return std::clamp(std::min(idle_then, query.shape.per_node), 0, query.cores);
  };
  std::int64_t room = 0;
  for (std::size_t h = 0; h < lines_.size(); ++h)
    if (!lines_[h].empty() && query.shape.allows(HostId(h)))
      room += size_of(HostId(h), lines_[h].front().idle);
  std::vector<std::uint32_t> at(lines_.size());  // the step of each host that has come
  bool tried = false;
  for (std::size_t i = 0; i < turns_.size() || !tried;) {
    bool grows = !tried;
    if (tried || (i < turns_.size() && turns_[i].at <= from)) {
      const Time now = turns_[i].at;
      for (; i < turns_.size() && turns_[i].at == now; ++i) {
        const HostId host = turns_[i].host;
        const Line& line = lines_[host.index];
        const Step &before = line[at[host.index]], &after = line[++at[host.index]];
        if (!query.shape.allows(host)) continue;
        room += size_of(host, after.idle) - size_of(host, before.idle);
        grows = grows || after.idle > before.idle;
      }
      if (!tried) continue;
      query.at = now;
    }
    tried = true;
    if (!grows || room < query.wanted()) continue;
    if (Placement found = place(query); found.valid()) return found;
  }
  return {};
}

// Lists the steps of all hosts.
void Plan::find_turns() {
  turns_.clear();
  for (std::size_t h = 0; h < lines_.size(); ++h)
    for (std::size_t i = 1; i < lines_[h].size(); ++i) turns_.push_back({lines_[h][i].at, HostId(h)});
  std::ranges::sort(turns_, {}, &Turn::at);  // those at one time have no order
}

}  // namespace perigee::batch
