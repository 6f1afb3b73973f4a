#include <catch2/catch.hpp>

#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

std::string complaint(const PlatformSpec& spec) {
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
  CHECK(complaint(spec) == "nothing");
  auto bad = spec;
  bad.clusters[0].hosts[1].speed = -2;
  bad.clusters[0].hosts[1].declared_at = {"cluster.lua", 14};
  CHECK(complaint(bad) == "cluster.lua:14: host 'c.2': speed must be > 0 op/s, got -2");
  bad = spec;
  bad.clusters[0].hosts[0].cores = 0;
  CHECK(complaint(bad) == "host 'c.1': cores must be >= 1, got 0");
  bad = spec;
  bad.clusters.push_back(cluster_of({1}, "c"));
  CHECK(complaint(bad) == "two nodes of the network are called 'c'");
  bad = spec;
  bad.clusters[0].hosts[1].name = "c.1";
  CHECK(complaint(bad) == "two hosts are called 'c.1'");
  bad = spec;
  bad.clusters[0].at = "orign";
  CHECK(complaint(bad) == "cluster 'c': unknown node 'orign'; did you mean 'origin'?");
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
