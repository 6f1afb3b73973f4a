#include "runtime/cost/graph_choice.h"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "runtime/kernel/constants.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("numbers are alike within 1e-9, relative, and absolute below 1") {
  CHECK(alike(1e6, 1e6 + 9e-4));
  CHECK_FALSE(alike(1e6, 1e6 + 2e-3));
  CHECK(alike(0, 1e-9));
  CHECK_FALSE(alike(0, 1.1e-9));
  CHECK(alike(kInfinity, kInfinity));
  CHECK_FALSE(alike(kInfinity, 1e300));
  CHECK(is_less(1, 2));
  CHECK_FALSE(is_less(1, 1 + 1e-12));
  for (const double value : {0.0, 0.3, 1.0, -7.0, 1e9}) {
    const double limit = limit_of_alike(value);
    CHECK_FALSE(alike(value, limit + 1e-12 * std::abs(limit) + 1e-15));
  }
}

TEST_CASE("the first that is alike to the least is taken") {
  CHECK(first_least(std::vector<double>{3, 1 + 1e-12, 1, 2}) == 1);
  CHECK(first_least(std::vector<double>{kInfinity, 5, kInfinity}) == 1);
  CHECK(first_least(std::vector<double>{kInfinity, kInfinity}) == kNoChoice);
  CHECK(first_least(std::vector<double>{}) == kNoChoice);
  CHECK(ranks_of(std::vector<double>{5, 1, 5 + 1e-12, 3, 1}) == std::vector<std::uint32_t>{2, 0, 2, 1, 0});
}

TEST_CASE("the first by priority, against a search through all") {
  std::mt19937_64 rng(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t tasks = 1 + rng() % 100;
    std::vector<double> priority(tasks);
    for (double& each : priority)
      each = rng() % 20 == 0 ? kInfinity
                             : static_cast<double>(rng() % 5) + static_cast<double>(rng() % 4) * 1e-12;
    PriorityTasks some(priority);
    std::vector<bool> in(tasks, false);
    for (int step = 0; step < 100; ++step) {
      const auto task = static_cast<std::uint32_t>(rng() % tasks);
      in[task] ? some.erase(task) : some.insert(task);
      in[task] = !in[task];
      double greatest = -kInfinity;
      for (std::size_t t = 0; t < tasks; ++t)
        if (in[t]) greatest = std::max(greatest, priority[t]);
      std::size_t first = tasks;
      for (std::size_t t = tasks; t-- > 0;)
        if (in[t] && alike(priority[t], greatest)) first = t;
      REQUIRE(some.empty() == (first == tasks));
      if (!some.empty()) REQUIRE(some.first() == first);
    }
  }
}
