// The hosts of a run, alone: what is seen of them, cores, holds, the list of what runs.
#include "runtime/engine/state/hosts.h"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr HostId kWide(0), kExclusiveHost(1);
constexpr WorkId kHolder(3), kNotHolder(4);

// A host of four cores, and an exclusive one of two.
Platform two_hosts() {
  PlatformSpec spec;
  PlatformSpec::ClusterSpec& cluster = spec.clusters.emplace_back();
  cluster.name = "c";
  for (const std::int32_t cores : {4, 2}) {
    Host& host = cluster.hosts.emplace_back();
    host.name = cores == 4 ? "c.1" : "c.2";
    host.cores = cores;
    host.exclusive = cores == 2;
    host.speed = 10;
  }
  return Platform(spec);
}

struct TwoHosts {
  Platform platform = two_hosts();
  Hosts hosts{platform};
  Activities activities;

  std::uint32_t start(HostId host, std::int32_t cores, WorkId work = kHolder) {
    const std::uint32_t slot = activities.allocate(ActivityKind::compute);
    activities[slot].work = work;
    activities[slot].host = host;
    activities[slot].cores = cores;
    hosts.occupy(activities, slot);
    return slot;
  }
  void end(std::uint32_t slot) {
    hosts.vacate(activities, slot);
    activities.release(slot);
  }
  std::vector<std::uint32_t> running(HostId host) const {
    std::vector<std::uint32_t> slots;
    for (std::uint32_t slot = hosts.first_on(host); slot != kNone; slot = activities[slot].next)
      slots.push_back(slot);
    return slots;
  }
};

Outage host_outage(std::size_t place, bool announced = true) {
  return {model::outage_number(OutageOrigin::scenario, place), Cause::outage, announced};
}

}  // namespace

TEST_CASE_METHOD(TwoHosts, "cores are taken and given back, and what runs is listed in order of start") {
  const auto a = start(kWide, 1), b = start(kWide, 2), c = start(kWide, 1);
  CHECK(hosts[kWide].idle == 0);
  CHECK(hosts[kWide].running == 3);
  CHECK(running(kWide) == std::vector<std::uint32_t>{a, b, c});
  end(b);
  CHECK(hosts[kWide].idle == 2);
  CHECK(hosts.free_cores(kWide, kHolder) == 2);
  CHECK(running(kWide) == std::vector<std::uint32_t>{a, c});
  end(a);
  end(c);
  CHECK(running(kWide).empty());
  CHECK(hosts.is_idle(kWide));
}

TEST_CASE_METHOD(TwoHosts, "an exclusive host serves one activity, whatever its cores") {
  CHECK(hosts.free_cores(kExclusiveHost, kHolder) == 2);
  const auto slot = start(kExclusiveHost, 1);
  CHECK(hosts.free_cores(kExclusiveHost, kHolder) == 0);
  CHECK(hosts[kExclusiveHost].idle == 0);
  end(slot);
  CHECK(hosts[kExclusiveHost].idle == 2);
}

TEST_CASE_METHOD(TwoHosts, "a hold has the host for one work, whose activities outlast it") {
  const auto hold = activities.allocate(ActivityKind::hold);
  hosts.hold(kWide, hold, kHolder);
  CHECK(hosts.hold_on(kWide) == hold);
  CHECK(hosts[kWide].idle == 0);
  CHECK_FALSE(hosts.is_idle(kWide));
  CHECK(hosts.free_cores(kWide, kNotHolder) == 0);
  CHECK(hosts.free_cores(kWide, kHolder) == 4);
  start(kWide, 3);
  CHECK(hosts.free_cores(kWide, kHolder) == 1);
  hosts.free(kWide);
  CHECK(hosts.hold_on(kWide) == kNone);
  CHECK(hosts[kWide].idle == 1);
  CHECK(hosts[kWide].running == 1);
  CHECK(hosts.free_cores(kWide, kNotHolder) == 1);
}

TEST_CASE_METHOD(TwoHosts,
                 "a host that is known to be down has no idle core, a silent outage shows nothing") {
  CHECK_FALSE(hosts.begin_outage(kWide, host_outage(1, false)).is_news);
  CHECK(hosts[kWide].idle == 4);
  CHECK_FALSE(hosts.is_up(kWide));
  CHECK(hosts.begin_outage(kWide, host_outage(2)).is_news);
  CHECK_FALSE(hosts[kWide].up);
  CHECK(hosts[kWide].idle == 0);
  hosts.end_outage(kWide, host_outage(1));
  hosts.end_outage(kWide, host_outage(2));
  CHECK(hosts.recover(kWide));
  CHECK(hosts[kWide].idle == 4);
  hosts.leave(kWide);
  CHECK(hosts[kWide].idle == 0);
  hosts.join(kWide);
  CHECK(hosts[kWide].idle == 4);
}

TEST_CASE_METHOD(TwoHosts, "a change sets the rate; the policy knows the speed when it is told") {
  const Profile half(0.5);
  hosts.install(kWide, 2, nullptr, 100);
  CHECK(hosts.rate(kWide).at(0) == 2);
  CHECK(hosts[kWide].speed == 10);
  hosts.tell_speed(kWide);
  CHECK(hosts[kWide].speed == 20);
  hosts.install(kWide, std::numeric_limits<double>::quiet_NaN(), &half, 100);
  CHECK(hosts.rate(kWide).at(100) == 1);
  CHECK(hosts.rate(kWide).since == 100);
}

TEST_CASE_METHOD(TwoHosts, "a host that joins another cluster has that one's outages") {
  Outages quiet, known;
  known.begin(host_outage(1));
  hosts.leave(kWide);
  hosts.move_outages(kWide, quiet, known);
  hosts.move(kWide, ClusterId(1));
  hosts.join(kWide);
  CHECK_FALSE(hosts[kWide].up);
  CHECK(hosts[kWide].cluster == ClusterId(1));
}
