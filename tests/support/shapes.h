#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "tests/support/layers.h"
#include "tests/support/toys.h"

namespace perigee::test {

// Gives two of three jobs of the scenario a Shape for which the platform has room, and some of them a limit; some outages
// are known beforehand. With `more`, some jobs have checkpoints, and some works are reservations. No two draws are arguments of one call.
inline std::shared_ptr<Scenario> with_shapes(const Scenario& scenario, std::uint64_t seed, bool more = true) {
  Stream random(seed, "shapes"), dumps(seed, "dumps"), reserved(seed, "reserved");
  const std::span<const Host> hosts = scenario.platform->hosts();
  const bool all_stay = std::ranges::none_of(
      scenario.happenings, [](const Happening& each) { return each.kind == HappeningKind::join; });
  auto workload = std::make_shared<Workload>(*scenario.workload);
  for (std::size_t w = 0; w < workload->size(); ++w) {
    Work& work = workload->works[w];
    if (more && reserved.below(8) == 0) {
      WorkExtra wanted;
      wanted.hosts = 1 + static_cast<std::int32_t>(reserved.below(hosts.size()));
      wanted.from = std::max(0.0, work.arrival + static_cast<double>(reserved.below(24)) - 1);
      wanted.to = wanted.from + static_cast<double>(1 + reserved.below(20));
      work.kind = WorkKind::reservation;
      work.deadline = kNever;
      work.extra = static_cast<std::uint32_t>(workload->extras.size());
      workload->extras.push_back(wanted);
      continue;
    }
    if (work.kind != WorkKind::job || random.below(3) == 0) continue;
    WorkExtra extra;
    if (random.below(4) == 0) {
      extra.limit = work.amount * static_cast<double>(1 + random.below(4)) / 2;
      extra.grace = static_cast<double>(random.below(3));
      extra.limit_is_estimate = random.below(2) == 0;
    }
    Shape& shape = extra.shape;
    shape.exclusive = random.below(4) == 0;
    if (all_stay && random.below(3) == 0)
      shape.same = random.below(2) == 0 ? Together::cluster : Together::network_switch;
    if (random.below(3) == 0) {
      auto only = std::make_shared<std::vector<std::uint8_t>>(hosts.size(), 1);
      (*only)[random.below(hosts.size())] = 0;
      shape.only = std::move(only);
    }
    if (random.below(3) == 0) shape.per_node = 1 + static_cast<std::int32_t>(random.below(3));
    const bool by_processes = random.below(3) == 0;
    std::vector<std::int32_t> of_group(scenario.platform->clusters().size());  // hosts with room, or cores
    for (std::size_t h = 0; h < hosts.size(); ++h) {
      if (!shape.allows(HostId(h))) continue;
      const std::size_t group = shape.same == Together::anywhere ? 0 : hosts[h].cluster.index;
      if (by_processes) of_group[group] += std::min(hosts[h].cores, shape.per_node);
      if (!by_processes && hosts[h].cores >= work.cores) ++of_group[group];
    }
    const std::int32_t most = *std::ranges::max_element(of_group);
    if (most == 0) continue;
    const auto drawn = 1 + static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(most)));
    shape.nodes = by_processes ? 0 : drawn;
    if (by_processes) work.cores = drawn;
    if (more && dumps.below(3) == 0) {
      shape.checkpoints = true;
      Checkpoint& checkpoint = extra.checkpoint;
      checkpoint.rule = static_cast<Checkpoint::Rule>(dumps.below(3));
      checkpoint.interval = std::max(1e-3, work.amount * dumps.unit());
      checkpoint.cost = checkpoint.interval * (0.01 + dumps.unit() / 4);
      checkpoint.restart = checkpoint.cost * static_cast<double>(dumps.below(3));
      checkpoint.local = dumps.below(3) == 0;
      checkpoint.estimate_is_given = dumps.below(2) == 0;
    }
    work.extra = static_cast<std::uint32_t>(workload->extras.size());
    workload->extras.push_back(std::move(extra));
  }
  auto made = std::make_shared<Scenario>(scenario);
  made->workload = std::move(workload);
  if (more) made->at_limit = static_cast<AtLimit>(dumps.below(4));
  for (Happening& each : made->happenings)
    if (each.kind == HappeningKind::down && each.announced && random.below(2) == 0)
      each.known = each.at * static_cast<double>(random.below(3)) / 2;
  made->check();
  return made;
}

// The platform again, each of its clusters behind a link of its own, which has 5 to 20 B/s.
inline std::shared_ptr<const Platform> with_gateways(const Platform& platform, Stream& random) {
  PlatformSpec spec;
  for (const Cluster& cluster : platform.clusters()) {
    PlatformSpec::ClusterSpec& again = spec.clusters.emplace_back();
    again.name = cluster.name;
    for (const HostId host : cluster.hosts) again.hosts.push_back(platform[host]);
    const double bandwidth = 5 * static_cast<double>(1 + random.below(4));
    const Seconds latency = static_cast<double>(random.below(2)) / 2;
    again = with_link(again, bandwidth, latency, static_cast<Sharing>(random.below(3)));
    if (random.below(3) == 0) again.link.bandwidth = Profile::circular({10, 5, 20}, 3);
  }
  for (std::size_t h = 0; h < platform.hosts().size(); ++h) {
    const std::vector<HostId>& hosts = platform[platform.hosts()[h].cluster].hosts;
    const auto place = std::ranges::find(hosts, HostId(h)) - hosts.begin();
    spec.host_order.push_back({platform.hosts()[h].cluster.index, static_cast<std::uint32_t>(place)});
  }
  return std::make_shared<const Platform>(spec);
}

// Half of the jobs that have a Shape send dumps over links, which go away and change. The scenario has no network and no
// files.
inline std::shared_ptr<Scenario> with_dumps_over_links(const Scenario& scenario, std::uint64_t seed) {
  Stream random(seed, "dumps over links");
  auto made = std::make_shared<Scenario>(scenario);
  made->platform = with_gateways(*scenario.platform, random);
  const std::size_t links = made->platform->links().size();
  auto workload = std::make_shared<Workload>(*scenario.workload);
  for (Work& work : workload->works) {
    if (work.kind != WorkKind::job || work.extra == kNone || random.below(2) == 0) continue;
    WorkExtra& extra = workload->extras[work.extra];
    extra.shape.checkpoints = true;
    Checkpoint& checkpoint = extra.checkpoint;
    checkpoint = {};
    checkpoint.rule = static_cast<Checkpoint::Rule>(random.below(3));
    checkpoint.interval = work.amount * static_cast<double>(1 + random.below(8)) / 8;
    checkpoint.restart = static_cast<double>(random.below(3)) / 2;
    checkpoint.local = random.below(3) == 0;
    checkpoint.estimate_is_given = random.below(2) == 0;
    checkpoint.link = LinkId(random.below(links));
    checkpoint.bytes = static_cast<double>(1 + random.below(20));
  }
  made->workload = std::move(workload);
  made->transfer_rule = static_cast<OnFailure>(random.below(3));
  for (std::size_t o = random.below(4); o > 0; --o) {
    const ResourceId on = ResourceId::of(LinkId(random.below(links)));
    const Time from = static_cast<double>(random.below(120)) / 2;
    Happening down = happening(from, HappeningKind::down, on);
    Happening up = happening(from + 1 + static_cast<double>(random.below(20)), HappeningKind::up, on);
    down.announced = up.announced = random.below(3) != 0;
    down.outage = up.outage = model::outage_number(model::OutageOrigin::scenario, 100 + o);
    made->happenings.push_back(down);
    made->happenings.push_back(up);
  }
  if (random.below(2) == 0) {
    const ResourceId on = ResourceId::of(LinkId(random.below(links)));
    Happening change =
        happening(static_cast<double>(random.below(60)), HappeningKind::change, on, Cause::change);
    change.factor = random.below(2) == 0 ? 0.5 : 2;
    made->happenings.push_back(change);
  }
  made->check();
  return made;
}

// The platform again, without its network, on whose hosts there is memory, and on some gpus; it has a licence.
inline std::shared_ptr<const Platform> with_supplies(const Platform& platform, Stream& random) {
  PlatformSpec spec;
  for (const Cluster& cluster : platform.clusters()) {
    PlatformSpec::ClusterSpec& again = spec.clusters.emplace_back();
    again.name = cluster.name;
    for (const HostId host : cluster.hosts) {
      again.hosts.push_back(platform[host]);
      Supply supply;
      if (random.below(4) != 0) supply.memory = 10 + static_cast<double>(random.below(10));
      supply.resources = {{"gpu", 4 + static_cast<double>(random.below(3))}};
      again.hosts.back().supply = std::make_shared<const Supply>(std::move(supply));
    }
  }
  for (std::size_t h = 0; h < platform.hosts().size(); ++h) {
    const ClusterId cluster = platform.hosts()[h].cluster;
    const std::vector<HostId>& hosts = platform[cluster].hosts;
    const auto place = std::ranges::find(hosts, HostId(h)) - hosts.begin();
    spec.host_order.push_back({cluster.index, static_cast<std::uint32_t>(place)});
  }
  spec.licences = {{"solver", 3}};
  return std::make_shared<const Platform>(spec);
}

// Hosts have memory and gpus, and two of three jobs take some of them, or licences; one share always fits on each host,
// though not on as many cores beside each other as there are. The scenario has no network and no files.
inline std::shared_ptr<Scenario> with_consumables(const Scenario& scenario, std::uint64_t seed) {
  Stream random(seed, "consumables");
  auto made = std::make_shared<Scenario>(scenario);
  made->platform = with_supplies(*scenario.platform, random);
  auto workload = std::make_shared<Workload>(*scenario.workload);
  const auto consumables = made->platform->consumables();
  for (std::size_t w = 0; w < workload->size(); ++w) {
    Work& work = workload->works[w];
    if (work.kind != WorkKind::job || random.below(3) == 0) continue;
    Demand demand;
    for (std::uint32_t what = 0; what < consumables.size(); ++what) {
      const bool memory = consumables[what] == model::kMemory;
      Demand::OfHost item{.what = what};
      if (random.below(2) == 0) item.each = static_cast<double>(random.below(memory ? 6 : 3));
      if (random.below(3) == 0 && (memory || item.each == 0)) item.per_core = 1;  // of at most 4 cores
      if (item.each > 0 || item.per_core > 0) demand.of_hosts.push_back(item);
    }
    if (random.below(4) == 0) demand.licences.push_back({0, 1 + static_cast<double>(random.below(3))});
    if (demand == Demand{}) continue;
    if (work.extra == kNone) {
      work.extra = static_cast<std::uint32_t>(workload->extras.size());
      workload->extras.emplace_back();
    }
    workload->extras[work.extra].shape.demand = std::make_shared<const Demand>(std::move(demand));
  }
  made->workload = std::move(workload);
  made->check();
  return made;
}

// Submits two of three jobs to queues and qualities of service, with tiers and maxima of all kinds. Few of the hosts of a
// queue are left out, so that most jobs find room.
inline std::shared_ptr<Scenario> with_queues(const Scenario& scenario, std::uint64_t seed) {
  Stream random(seed, "queues");
  auto made = std::make_shared<Scenario>(scenario);
  auto workload = std::make_shared<Workload>(*scenario.workload);
  const auto most = [&](std::uint64_t least, std::uint64_t range) {
    return random.below(2) == 0 ? model::kNoMost : static_cast<std::int64_t>(least + random.below(range));
  };
  auto queues = std::make_shared<model::Queues>();
  for (const char* name : {"a", "b", "c"}) {
    model::Queue& queue = queues->queues.emplace_back();
    queue.name = name;
    queue.tier = static_cast<std::int32_t>(random.below(3));
    queue.priority = static_cast<double>(random.below(5));
    if (random.below(3) == 0) queue.max_time = static_cast<double>(5 + random.below(40));
    queue.max_nodes = most(1, 4);
    queue.max_cores = most(2, 8);
    queue.max_running = most(1, 3);
    queue.max_running_user = most(1, 2);
    queue.max_cores_user = most(2, 8);
    if (random.below(2) == 0) continue;
    auto hosts = std::make_shared<std::vector<std::uint8_t>>(scenario.platform->hosts().size(), 1);
    (*hosts)[random.below(hosts->size())] = 0;
    queue.hosts = std::move(hosts);
  }
  queues->qos.push_back({.name = "high", .tier = 3, .priority = 2, .usage = 2});
  queues->qos.push_back({.name = "shy", .priority = 1, .usage = 0.5, .max_running_user = 1});
  if (workload->users.empty()) workload->users = {"u", "v"};
  for (std::size_t w = 0; w < workload->size(); ++w) {
    Work& work = workload->works[w];
    if (work.kind != WorkKind::job) continue;
    if (!work.user.valid()) work.user = UserId(random.below(workload->users.size()));
    if (random.below(3) == 0) continue;
    if (work.extra == kNone) {
      work.extra = static_cast<std::uint32_t>(workload->extras.size());
      workload->extras.emplace_back();
    }
    WorkExtra& extra = workload->extras[work.extra];
    if (random.below(4) > 0) extra.queue = static_cast<std::uint32_t>(random.below(3));
    if (random.below(3) == 0) extra.qos = static_cast<std::uint32_t>(random.below(2));
    extra.nice = static_cast<double>(random.below(3));
    if (extra.qos != kNone) extra.shape.takes_turns = queues->qos[extra.qos].bounds_running();
    if (extra.queue == kNone) continue;
    const model::Queue& queue = queues->queues[extra.queue];
    extra.shape.takes_turns = extra.shape.takes_turns || queue.bounds_running();
    if (extra.shape.only == nullptr) extra.shape.only = queue.hosts;
  }
  workload->queues = std::move(queues);
  made->workload = std::move(workload);
  made->check();
  return made;
}

// Makes three of four jobs that have a WorkExtra moldable, from their own size or a smaller one on. Some sizes are more
// than the platform has, some times do not depend on the size, and some larger sizes take longer. The draws of
// with_shapes() are as they were.
inline std::shared_ptr<Scenario> with_molds(const Scenario& scenario, std::uint64_t seed) {
  Stream random(seed, "molds");
  auto workload = std::make_shared<Workload>(*scenario.workload);
  for (std::size_t w = 0; w < workload->size(); ++w) {
    Work& work = workload->works[w];
    if (work.kind != WorkKind::job || work.extra == kNone || random.below(4) == 0) continue;
    Shape& shape = workload->extras[work.extra].shape;
    std::int32_t& own = shape.nodes > 0 ? shape.nodes : work.cores;
    own = 1 + static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(own)));
    auto sizes = std::make_shared<Sizes>();
    sizes->allowed.push_back(own);
    do {
      sizes->allowed.push_back(sizes->allowed.back() + 1 + static_cast<std::int32_t>(random.below(3)));
    } while (random.below(3) > 0);
    const bool listed = work.form == TimeForm::by_host || work.form == TimeForm::by_architecture;
    if (!listed && random.below(5) > 0) {
      for (const std::int32_t size : sizes->allowed) {
        const double share = std::pow(static_cast<double>(own) / size, 1.5 * random.unit() - 0.2);
        sizes->amounts.push_back(work.amount * share);
        sizes->estimates.push_back(work.estimate * share);
      }
      sizes->amounts.front() = work.amount;
      sizes->estimates.front() = work.estimate;
      if (random.below(4) == 0) sizes->estimates.clear();
    }
    shape.sizes = std::move(sizes);
  }
  auto made = std::make_shared<Scenario>(scenario);
  made->workload = std::move(workload);
  made->check();
  return made;
}

// Some jobs run inside of reservations of the scenario, and some hosts leave and join as is known beforehand.
inline std::shared_ptr<Scenario> with_inside(const Scenario& scenario, std::uint64_t seed) {
  Stream random(seed, "inside");
  auto made = std::make_shared<Scenario>(scenario);
  auto workload = std::make_shared<Workload>(*scenario.workload);
  std::vector<WorkId> reservations;
  for (std::size_t w = 0; w < workload->size(); ++w)
    if (workload->works[w].kind == WorkKind::reservation) reservations.emplace_back(w);
  for (std::size_t w = 0; w < workload->size() && !reservations.empty(); ++w) {
    Work& work = workload->works[w];
    if (work.kind != WorkKind::job || random.below(4) != 0) continue;
    if (work.extra == kNone) {
      work.extra = static_cast<std::uint32_t>(workload->extras.size());
      workload->extras.emplace_back();
    }
    workload->extras[work.extra].shape.reservation = reservations[random.below(reservations.size())];
  }
  for (Happening& each : made->happenings)
    if ((each.kind == HappeningKind::leave || each.kind == HappeningKind::join) && random.below(2) == 0)
      each.known = each.at * static_cast<double>(random.below(3)) / 2;
  made->workload = std::move(workload);
  made->check();
  return made;
}

// The same with all moldable jobs in one size: the least, or the most that the platform has.
inline std::shared_ptr<Scenario> in_one_size(const Scenario& scenario, bool most) {
  auto workload = std::make_shared<Workload>(*scenario.workload);
  for (std::size_t w = 0; w < workload->size(); ++w) {
    const Sizes* known = scenario.workload->sizes_of(WorkId(w));
    if (known == nullptr) continue;
    Work& work = workload->works[w];
    WorkExtra extra = workload->extras[work.extra];
    const auto possible = model::possible_sizes(*scenario.workload, *scenario.platform, WorkId(w));
    const std::int32_t size = most && !possible.empty() ? possible.back() : known->allowed.front();
    const std::size_t place = known->place_of(size);
    (extra.shape.nodes > 0 ? extra.shape.nodes : work.cores) = size;
    if (!known->amounts.empty()) work.amount = known->amounts[place];
    if (!known->estimates.empty()) work.estimate = known->estimates[place];
    extra.shape.sizes = nullptr;
    work.extra = static_cast<std::uint32_t>(workload->extras.size());
    workload->extras.push_back(std::move(extra));
  }
  auto made = std::make_shared<Scenario>(scenario);
  made->workload = std::move(workload);
  made->check();
  return made;
}

}  // namespace perigee::test
