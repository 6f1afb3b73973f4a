#include <catch2/catch.hpp>

#include <ctime>
#include <optional>
#include <utility>

#include "runtime/model/routes.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

std::string platform_complaint(const PlatformSpec& spec) {
  try {
    const Platform platform(spec);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("hosts, links and clusters are found by name; an unknown one names the nearest") {
  const auto platform = platform_of({with_link(cluster_of({1, 2}, "fast"), 10), cluster_of({1}, "slow")});
  CHECK(platform->host("fast.2") == HostId(1));
  CHECK(platform->cluster("slow") == ClusterId(1));
  CHECK(platform->link("fast.link") == LinkId(0));
  CHECK(platform->links()[1].implied);
  CHECK_THROWS_WITH(platform->host("fats.2"), "unknown host 'fats.2'; did you mean 'fast.2'?");
  CHECK(platform->total_cores() == 3);
}

TEST_CASE("a bad platform is refused where it was declared") {
  PlatformSpec spec;
  spec.clusters = {cluster_of({1, 1})};
  CHECK(platform_complaint(spec) == "nothing");
  auto bad = spec;
  bad.clusters[0].hosts[1].speed = -2;
  bad.clusters[0].hosts[1].declared_at = {"cluster.lua", 14};
  CHECK(platform_complaint(bad) == "cluster.lua:14: host 'c.2': speed must be > 0 op/s, got -2");
  bad = spec;
  bad.clusters[0].hosts[0].cores = 0;
  CHECK(platform_complaint(bad) == "host 'c.1': cores must be >= 1, got 0");
  bad = spec;
  bad.clusters.push_back(cluster_of({1}, "c"));
  bad.clusters[1].declared_at = {"cluster.lua", 20};
  CHECK(platform_complaint(bad) == "cluster.lua:20: two clusters are called 'c'");
  bad.clusters[0] = bad.clusters[1] = cluster_of({1}, "h");
  bad.clusters[0].hosts[0].name = bad.clusters[1].hosts[0].name = "h";
  CHECK(platform_complaint(bad) == "two hosts are called 'h'");
  bad.clusters[0] = cluster_of({1}, "h");
  CHECK(platform_complaint(bad) ==
        "a cluster and a host are called 'h'; routers, clusters and hosts outside of clusters need different "
        "names");
  bad.clusters[0].name = "origin";
  CHECK(platform_complaint(bad) == "a cluster cannot be called 'origin': that is where files start");
  bad = spec;
  bad.clusters[0].hosts[1].name = "c.1";
  CHECK(platform_complaint(bad) == "two hosts are called 'c.1'");
  bad = spec;
  bad.clusters[0].at = "orign";
  CHECK(platform_complaint(bad) == "cluster 'c': unknown node 'orign'; did you mean 'origin'?");
}

TEST_CASE("routes: ties go to the lowest node, then the first link") {
  PlatformSpec spec;
  spec.routers = {"r1", "r2", "r3"};
  const auto link = [](std::string name, std::string from, std::string to) {
    PlatformSpec::LinkSpec made;
    made.link.name = std::move(name);
    made.link.bandwidth = Profile(1);
    made.link.latency = Profile(1);
    made.from = std::move(from);
    made.to = std::move(to);
    return made;
  };
  // Two ways of equal latency and hops over r2 and r1; the one over r1, declared first as a node, is taken.
  spec.links = {link("o2", "origin", "r2"), link("o1", "origin", "r1"), link("o1b", "r1", "origin"),
                link("23", "r2", "r3"), link("13", "r1", "r3")};
  auto cluster = with_link(cluster_of({1}), 10);
  cluster.at = "r3";
  spec.clusters = {cluster};
  const Platform platform(spec);
  std::string names;
  for (const LinkId id : platform.route(ClusterId(0))) names += platform[id].name + " ";
  CHECK(names == "o1 13 c.link ");
}

namespace {

// One route from the origin to a node, listed from its end: the node before and the link from there, and so
// on back.
struct Walk {
  double latency = 0;
  int hops = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> back = {};
  auto operator<=>(const Walk&) const = default;
};

// The best of all routes that visit no node twice: by latency, hops, then node and link from the end.
void try_ways(const Platform& platform, std::span<const std::uint8_t> up, std::uint32_t node, Walk so_far,
              std::vector<std::uint8_t>& passed, std::vector<std::optional<Walk>>& least) {
  Walk turned = so_far;
  std::ranges::reverse(turned.back);
  if (!least[node] || turned < *least[node]) least[node] = turned;
  passed[node] = 1;
  for (std::uint32_t l = 0; l < platform.links().size(); ++l) {
    const Link& link = platform.links()[l];
    if (up[l] == 0 || (link.from != node && link.to != node)) continue;
    const std::uint32_t next = link.from == node ? link.to : link.from;
    if (passed[next] != 0) continue;
    Walk further = so_far;
    further.latency += link.latency.at(0);
    ++further.hops;
    further.back.emplace_back(node, l);
    try_ways(platform, up, next, further, passed, least);
  }
  passed[node] = 0;
}

}  // namespace

TEST_CASE("routes to all clusters are the least of all ways, with many ties and links that are down") {
  Stream random(11, "routes");
  for (int i = 0; i < 300; ++i) {
    PlatformSpec spec;
    std::vector<std::string> places{"origin"};
    for (std::uint64_t r = random.below(4); r > 0; --r)
      places.push_back(spec.routers.emplace_back("r" + std::to_string(r)));
    for (std::uint64_t c = 0; c < 4; ++c) {
      auto cluster = with_link(cluster_of({1}, "c" + std::to_string(c)), 10,
                               static_cast<double>(random.below(3)) / 4);  // sums without rounding
      cluster.at = places[random.below(places.size())];
      spec.clusters.push_back(cluster);
      if (random.below(3) == 0) places.push_back(cluster.name);
    }
    for (std::uint64_t l = random.below(8); l > 0; --l) {
      PlatformSpec::LinkSpec link;
      link.link.name = "l" + std::to_string(l);
      link.link.bandwidth = Profile(1);
      link.link.latency = Profile(static_cast<double>(random.below(3)) / 4);
      link.from = places[random.below(places.size())];
      link.to = places[random.below(places.size())];
      if (link.from != link.to) spec.links.push_back(link);
    }
    const Platform platform(spec);
    std::vector<std::uint8_t> up(platform.links().size(), 1);
    for (std::uint8_t& each : up)
      if (random.below(6) == 0) each = 0;

    std::vector<std::uint8_t> passed(platform.links().size() + spec.routers.size() + 2, 0);
    std::vector<std::optional<Walk>> least(passed.size());
    try_ways(platform, up, 0, {}, passed, least);
    std::vector<Seconds> latencies;
    for (const Link& link : platform.links()) latencies.push_back(link.latency.at(0));
    const std::vector<Route> routes = all_routes(platform, up, latencies);
    for (std::size_t c = 0; c < 4; ++c) {
      const Cluster& cluster = platform.clusters()[c];
      Route expected;
      if (up[cluster.link.index] != 0 && least[cluster.node])
        for (const auto& [node, link] : least[cluster.node]->back) expected.emplace_back(link);
      std::ranges::reverse(expected);
      CHECK(routes[c] == expected);
      CHECK(platform.route(ClusterId(c), up) == expected);
    }
  }
}

TEST_CASE("thousands of hosts outside of clusters, with outages of links, take no time") {
  PlatformSpec spec;
  for (int h = 0; h < 8000; ++h) {
    auto cluster = with_link(cluster_of({1}, "h" + std::to_string(h)), 10);
    cluster.hosts[0].name = cluster.name;
    spec.clusters.push_back(cluster);
  }
  const auto scenario = scenario_of(std::make_shared<Platform>(spec), tasks_of({{100, 0}}));
  for (std::uint32_t i = 0; i < 50; ++i) {
    const ResourceId link = ResourceId::of(LinkId(i));
    scenario->happenings.push_back(happening(i, HappeningKind::down, link));
    scenario->happenings.push_back(happening(i + 20, HappeningKind::up, link));
  }
  Simulation simulation(scenario, greedy());
  const auto before = std::clock();
  simulation.run();
  CHECK(simulation.status() == RunStatus::complete);
  CHECK(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC <
        20);  // a tree for each cluster takes minutes
}
