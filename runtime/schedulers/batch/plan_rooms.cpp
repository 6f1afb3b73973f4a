// The room that a plan has for a job on each host, and which of these rooms the job takes.
//
// Source: at later times jobs over several hosts take busy hosts first, as with bf_busy_nodes of slurm.conf(5), release
// 26.05, SchedulerParameters.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "runtime/schedulers/batch/plan_query.h"

namespace perigee::batch {

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

namespace {

bool has_group(HostRuleView rule) {
  return rule == HostChoice::same_cluster || rule == HostChoice::same_switch;
}

}  // namespace

// The most of so many cores for which the consumables on the host suffice, from the time of the query until `end`.
std::int32_t Plan::cores_by_stock(const Query& query, HostId host, std::int32_t cores, Time end) const {
  const Demand& demand = *query.demand();
  if (cores > 0 && (is_flat_ || (query.idle_now && query.is_now())))
    cores = demand.cores_within(stock_now(host), cores);
  if (cores > 0 && !query.most.stock.empty()) {
    const std::size_t width = query.most.stock.size() / idle_now_.size();
    cores = demand.cores_within(query.most.stock.subspan(host.index * width, width), cores);
  }
  if (is_flat_ || cores <= 0 || lines_[host.index].empty()) return cores;
  const Line& line = lines_[host.index];
  line.all_steps(line.step_at(query.at), end, [&](std::size_t step) {
    cores = demand.cores_within(line.free(step), cores);
    return cores > 0;
  });
  return cores;
}

// Whether the licences suffice from the time of the query until `end`.
bool Plan::has_licences(const Query& query, Time end) const {
  const Demand* demand = query.demand();
  if (demand == nullptr || demand->licences.empty()) return true;
  if (is_flat_ || (query.idle_now && query.is_now()))
    if (!demand->fits_licences(licences_now_)) return false;
  if (is_flat_ || licences_.empty() || !plans_licences_) return true;
  return licences_.all_steps(licences_.step_at(query.at), end,
                             [&](std::size_t step) { return demand->fits_licences(licences_.free(step)); });
}

// The share that the room has for the work could start now.
bool Plan::is_really_idle(const Query& query, const Room& room) const {
  return idle_now_[room.host.index] >= query.taken(query.view[room.host], room.cores) &&
         (query.demand() == nullptr || query.demand()->fits(stock_now(room.host), room.cores));
}

// The cores that are idle there from the time of the query until `end`, and the cores of a share that fits into it.
Plan::Room Plan::room_on(const Query& query, HostId host, Time end) const {
  const Line* line = is_flat_ || lines_[host.index].empty() ? nullptr : &lines_[host.index];
  return room_on(query, host, end, line != nullptr ? line->step_at(query.at) : 0);
}

// The same, where the step of the host's line is known that is under way then.
Plan::Room Plan::room_on(const Query& query, HostId host, Time end, std::size_t step) const {
  Room room{host, 0, 0, static_cast<std::uint32_t>(step)};
  if (is_flat_)
    room.idle = idle_now_[host.index];
  else if (!lines_[host.index].empty())
    room.idle = idle(lines_[host.index], step, end);
  if (!is_flat_ && query.idle_now && query.is_now()) room.idle = std::min(room.idle, idle_now_[host.index]);
  if (!query.most.cores.empty()) room.idle = std::min(room.idle, query.most.cores[host.index]);
  room.idle = query.usable(query.view[host], room.idle);
  room.cores = query.cores_of(room.idle);
  if (query.demand() != nullptr && room.cores > 0)
    room.cores = query.cores_of(cores_by_stock(query, host, room.cores, end));
  return room;
}

// The first time from now on since which the room has been there without a break until the time of the query.
Time Plan::has_room_since(const Query& query, const Room& room) const {
  const Line& line = lines_[room.host.index];
  const std::int32_t needed = query.taken(query.view[room.host], room.cores);
  const auto has_room = [&](std::size_t step) {
    return line.steps[step].idle >= needed &&
           (query.demand() == nullptr || query.demand()->fits(line.free(step), room.cores));
  };
  std::size_t step = room.step;
  while (step > 0 && has_room(step - 1)) --step;
  return std::max(line.steps[step].at, query.view.now());
}

// The rooms that a job over several hosts takes at a later time, of these, which ascend by host: where it would have had
// room last, of equals those that are not idle now, then the fastest, then the lowest.
void Plan::keep_busy_nodes(const Query& query, std::vector<Room>& rooms) const {
  struct Key {
    Time since;
    double speed;
    bool is_idle;
    std::uint32_t place;
  };
  std::vector<Key> keys;
  keys.reserve(rooms.size());
  for (const Room& room : rooms)
    keys.push_back({has_room_since(query, room), query.lowest_first ? 0 : query.view[room.host].speed,
                    is_really_idle(query, room), static_cast<std::uint32_t>(keys.size())});
  const auto comes_first = [](const Key& a, const Key& b) {
    if (a.since != b.since) return a.since > b.since;
    if (a.is_idle != b.is_idle) return b.is_idle;
    return a.speed != b.speed ? a.speed > b.speed : a.place < b.place;
  };
  const auto wanted = static_cast<std::size_t>(query.wanted());
  std::ranges::nth_element(keys, keys.begin() + static_cast<std::ptrdiff_t>(wanted - 1), comes_first);
  std::vector<std::uint8_t> kept(rooms.size());
  for (std::size_t i = 0; i < wanted; ++i) kept[keys[i].place] = 1;
  std::size_t next = 0;
  for (std::size_t i = 0; i < rooms.size(); ++i)
    if (kept[i] != 0) rooms[next++] = rooms[i];
  rooms.resize(wanted);
}

// The rule takes the hosts as they are declared.
bool Plan::is_in_order(const Query& query) const {
  if (query.random != nullptr) return false;
  return query.rule == HostChoice::first ||
         (query.rule == HostChoice::fastest && kinds_.count() == 1 && kinds_.is_of(query.sim));
}

// Only cores that are really idle are there at the time of the query.
bool Plan::is_real(const Query& query) const { return is_flat_ || (query.idle_now && query.is_now()); }

void Plan::order(const Query& query, std::vector<Room>& rooms) const {
  if (!query.by_rule()) return keep_busy_nodes(query, rooms);
  const View& view = query.view;
  const bool may_be_busy = query.is_now() && query.shape.nodes > 1 && !is_real(query);
  if (!may_be_busy && !query.wakes && is_in_order(query)) return;
  if (query.random != nullptr)
    for (std::size_t i = 0; i + 1 < rooms.size(); ++i)
      std::swap(rooms[i], rooms[i + query.random->below(rooms.size() - i)]);
  const auto only_expected = [&](const Room& room) {  // last
    return may_be_busy && !is_really_idle(query, room);
  };
  const auto key = [&](const Room& room) {
    double value = 0;
    if (query.rule == HostChoice::fastest && !query.lowest_first) value = -view[room.host].speed;
    if (query.rule == HostChoice::most_idle) value = -idle_now_[room.host.index];
    if (query.rule == HostChoice::least_idle) value = idle_now_[room.host.index];
    for (const HostChoice choice : {HostChoice::low_power, HostChoice::high_memory, HostChoice::least_energy})
      if (query.rule == choice) value = -preference(view, room.host, choice);
    return std::tuple(only_expected(room), value);
  };
  if (!std::ranges::is_sorted(rooms, {}, key)) std::ranges::stable_sort(rooms, {}, key);
  if (query.wakes)
    std::ranges::stable_sort(rooms, {}, [&](const Room& room) { return has_room_since(query, room); });
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
    std::ranges::stable_partition(rooms, [&](const Room& room) { return is_really_idle(query, room); });
  return {};
}

namespace {

// The rule is that of the shortest stretch of hosts: only those in it are left.
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
  shares.reserve(rooms.size());
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
    const HostView& declared = query.view[room.host];
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
  if (left > 0) shares.reserve(static_cast<std::size_t>(std::min<std::int64_t>(left, std::ssize(rooms))));
  for (std::size_t i = 0; i < rooms.size() && left > 0; ++i) {
    const std::int64_t size = std::min(query.size_of(rooms[i]), left);
    shares.push_back({rooms[i].host, query.shape.nodes > 0 ? query.cores : static_cast<std::int32_t>(size)});
    left -= size;
  }
  if (!std::ranges::is_sorted(shares, {}, &Share::host)) std::ranges::sort(shares, {}, &Share::host);
  return shares;
}

}  // namespace perigee::batch
