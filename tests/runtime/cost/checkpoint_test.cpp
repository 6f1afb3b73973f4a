#include "runtime/cost/checkpoint.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "runtime/kernel/random.h"
#include "runtime/statistics/accumulators.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("intervals of Young and Daly, for five minutes a dump") {
  // Daly, Figures 3 to 5: the optimum is at 117, 57 and 9.1 minutes.
  const double dump = 5;  // minutes, as all below
  CHECK(daly_interval(dump, 24 * 60) == Approx(116.69).margin(0.005));
  CHECK(daly_interval(dump, 6 * 60) == Approx(56.71).margin(0.005));
  CHECK(daly_interval(dump, 15) == Approx(9.141).margin(0.0005));
  CHECK(young_interval(dump, 24 * 60) == Approx(120));
  CHECK(young_interval(dump, 6 * 60) == Approx(60));
  CHECK(young_interval(dump, 15) == Approx(12.247).margin(0.0005));
  CHECK(daly_interval(30, 15) == 15);  // a dump takes as long as two mean times
  CHECK(daly_interval(31, 15) == 15);
}

TEST_CASE("the mean time of work with checkpoints, by hand") {
  const auto time = [](double t, double interval, double dump, double restart, double mtbf, double mttr) {
    return checkpointed_time({t, interval, dump, restart, mtbf, mttr});
  };
  CHECK(time(100, 10, 1, 2, 50, 0) == Approx(126.2735).margin(5e-5));
  CHECK(time(100, 10, 1, 2, 50, 5) == Approx(138.9008).margin(5e-5));
  CHECK(time(100, 30, 1, 2, 50, 5) == Approx(158.2531).margin(5e-5));
  CHECK(time(20, 30, 1, 2, 50, 5) == Approx(27.0504).margin(5e-5));
  CHECK(time(90, 30, 4, 6, 40, 3) == Approx(180.3361).margin(5e-5));
  CHECK(time(90, 30, 4, 6, 1e12, 3) == Approx(98));  // no failures: two dumps
  CHECK(time(1e6, 10, 1, 2, 0.01, 0) == std::numeric_limits<double>::infinity());
}

TEST_CASE("the mean time of work with checkpoints, by attempts that are drawn") {
  const Checkpointed work{.time = 90, .interval = 30, .dump = 4, .restart = 6, .mtbf = 40, .mttr = 3};
  Stream random(1, "attempts");
  Observations times;
  for (int run = 0; run < 20'000; ++run) {
    double at = 0, saved = 0;
    for (bool begun = false;; begun = saved > 0) {
      const double failure = random.exponential(work.mtbf);
      double spent = begun ? work.restart : 0;
      bool over = false;
      while (!over && spent <= failure) {
        const double left = work.time - saved;
        over = left <= work.interval;
        spent += over ? left : work.interval + work.dump;
        if (spent <= failure && !over) saved += work.interval;
      }
      over = over && spent <= failure;
      at += over ? spent : failure + work.mttr;
      if (over) break;
    }
    times.add(at);
  }
  CHECK(std::abs(times.mean() - checkpointed_time(work)) < 4 * times.sd() / std::sqrt(20'000.0));
}
