#include "runtime/cost/keys.h"

#include <catch2/catch.hpp>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("the lowest key is that of a plain loop, whatever was set and removed") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  std::mt19937_64 rng(3);
  for (int round = 0; round < 60; ++round) {
    const std::size_t tasks = 1 + rng() % 300;
    Keys keys(tasks);
    std::vector<std::optional<double>> plain(tasks, 0.0);
    for (std::size_t left = tasks; left > 0;) {
      const std::size_t task = rng() % tasks;
      if (plain[task]) {
        const std::uint64_t drawn = rng() % 20;
        const double key = drawn == 0 ? inf : drawn == 1 ? -inf : static_cast<double>(rng() % 9) - 4;
        plain[task] = key;
        keys.set(task, key);
        REQUIRE(keys.key(task) == key);
      }
      std::optional<std::size_t> lowest;
      for (std::size_t t = 0; t < tasks; ++t)
        if (plain[t] && (!lowest || *plain[t] < *plain[*lowest])) lowest = t;
      REQUIRE(keys.lowest() == *lowest);
      if (rng() % 2 == 0) continue;
      keys.remove(*lowest);
      plain[*lowest].reset();
      REQUIRE(keys.empty() == (--left == 0));
    }
  }
}
