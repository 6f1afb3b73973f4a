#include "runtime/engine/state/stock.h"

#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/support/layers.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("what is taken of the stock of hosts and of licences is given back") {
  PlatformSpec spec;
  spec.clusters = {cluster_of({1, 1}, "a", 4)};
  spec.clusters[0].hosts[0].supply = std::make_shared<const Supply>(Supply{.memory = 100});
  spec.clusters[0].hosts[1].supply = std::make_shared<const Supply>(Supply{.resources = {{"gpu", 2}}});
  spec.licences = {{"x", 3}};
  const Platform platform(spec);
  REQUIRE(std::vector<std::string>(platform.consumables().begin(), platform.consumables().end()) ==
          std::vector<std::string>{"memory", "gpu"});
  engine::Stock stock(platform);
  const auto free = [&](std::uint32_t host) {
    const auto all = stock.free_on(HostId(host));
    return std::vector<double>(all.begin(), all.end());
  };
  CHECK(free(0) == std::vector<double>{100, 0});
  CHECK(free(1) == std::vector<double>{model::kNeverShort, 2});
  Demand demand;
  demand.of_hosts = {{0, 10, 5}};
  demand.licences = {{0, 2}};
  stock.take(demand, {HostId(0), 3});
  stock.take_licences(demand);
  engine::Stock copy = stock;
  CHECK(free(0) == std::vector<double>{75, 0});
  CHECK(stock.free_licences()[0] == 1);
  stock.give_back(demand, {HostId(0), 3});
  stock.give_licences_back(demand);
  CHECK(free(0) == std::vector<double>{100, 0});
  CHECK(stock.free_licences()[0] == 3);
  CHECK(copy.free_on(HostId(0))[0] == 75);
}
