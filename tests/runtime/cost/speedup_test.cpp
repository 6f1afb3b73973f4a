#include "runtime/cost/speedup.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::cost;

TEST_CASE("Amdahl's speed-up, by hand") {
  CHECK(amdahl_speedup(0.1, 1) == 1);
  CHECK(amdahl_speedup(0.1, 4) == Approx(1 / 0.325));  // 0.1 + 0.9 / 4
  CHECK(amdahl_speedup(0, 64) == Approx(64));
  CHECK(amdahl_speedup(1, 64) == 1);
  CHECK(amdahl_speedup(0.05, 1e12) == Approx(20));
}

TEST_CASE("Downey's speed-up, by the values that follow from his formulas") {
  CHECK(downey_speedup(8, 0.5, 4) == Approx(3.6571).epsilon(1e-4));
  CHECK(downey_speedup(8, 0.5, 12) == Approx(7.5294).epsilon(1e-4));
  CHECK(downey_speedup(8, 0.5, 20) == 8);
  CHECK(downey_speedup(8, 2, 8) == Approx(5.0526).epsilon(1e-4));
  CHECK(downey_speedup(8, 2, 22) == Approx(8));
}

TEST_CASE("Downey's speed-up is continuous, and neither falls nor exceeds the parallelism or the cores") {
  for (const double parallelism : {1.0, 1.5, 8.0, 100.0})
    for (const double sigma : {0.0, 0.3, 1.0, 1.0000001, 2.0, 50.0}) {
      INFO("A = " << parallelism << ", s = " << sigma);
      CHECK(downey_speedup(parallelism, sigma, 1) == Approx(1));
      double before = 1;
      constexpr double kStep = 0.01;
      for (double n = 1; n < 2 * parallelism * (sigma + 2); n += parallelism < 50 ? kStep : 0.25) {
        const double now = downey_speedup(parallelism, sigma, n);
        REQUIRE(now >= before * (1 - 1e-12));
        REQUIRE(now <= std::min(n, parallelism) * (1 + 1e-12));
        REQUIRE(now - before <= 0.26);
        before = now;
      }
      CHECK(before == Approx(parallelism));
    }
  // The two forms agree where the variance is 1.
  for (double n = 1; n < 40; n += 0.5) {
    const double low = downey_speedup(8, std::nextafter(1.0, 0.0), n);
    CHECK(downey_speedup(8, 1, n) == Approx(low));
  }
}
