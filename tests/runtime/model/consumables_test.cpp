#include "runtime/model/consumables.h"

#include <catch2/catch.hpp>

#include <array>
#include <limits>
#include <vector>

#include "runtime/kernel/random.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("the cores of a share that fit are counted as by trying one after the other") {
  Stream random(1, "consumables");
  for (int round = 0; round < 2000; ++round) {
    Demand demand;
    std::vector<double> free;
    for (std::uint32_t what = 0; what < 3; ++what) {
      free.push_back(static_cast<double>(random.below(30)));
      if (random.below(2) == 0) continue;
      const auto each = static_cast<double>(random.below(6)), per_core = static_cast<double>(random.below(5));
      demand.of_hosts.push_back({what, each, per_core});
    }
    const auto most = static_cast<std::int32_t>(1 + random.below(12));
    std::int32_t expected = 0;
    for (std::int32_t cores = 1; cores <= most; ++cores)
      if (demand.fits(free, cores)) expected = cores;
    INFO("round " << round);
    CHECK(demand.cores_within(free, most) == expected);
  }
}

TEST_CASE("counts up to 2^53, and supplies without bounds, are exact") {
  const double most = model::kMostOfConsumable;
  Demand demand;
  demand.of_hosts = {{0, 1, 3002399751580330}};  // 1 + 3 x 3002399751580330 = 2^53 - 1
  CHECK(demand.cores_within(std::array{most}, 5) == 3);
  demand.of_hosts = {{0, 0, most}};
  CHECK(demand.cores_within(std::array{most}, std::numeric_limits<std::int32_t>::max()) == 1);
  CHECK(demand.cores_within(std::array{most - 1}, 7) == 0);
  CHECK(demand.cores_within(std::array{model::kNeverShort}, 7) == 7);
}
