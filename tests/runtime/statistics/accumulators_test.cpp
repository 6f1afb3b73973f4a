#include "runtime/statistics/accumulators.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/random.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

// Breitinger, Optimal Size of Job Pool for Initiating a Scheduling Event, 1999, figure 9.
TEST_CASE("observations: the published time to schedule fixes the divisor n - 1") {
  // 100 whole milliseconds, average 1.51, sd 3.6139321: their squares sum up to 99 sd^2 + 100 * 1.51^2 =
  // 1521, as those of these values do.
  Observations all;
  for (const auto& [times, value] : {std::pair{78, 0.0},
                                     {4, 1.0},
                                     {3, 2.0},
                                     {1, 3.0},
                                     {2, 5.0},
                                     {1, 6.0},
                                     {2, 8.0},
                                     {4, 10.0},
                                     {3, 12.0},
                                     {2, 15.0}})
    for (int i = 0; i < times; ++i) all.add(value);
  CHECK(all.count() == 100);
  CHECK(all.mean() == Approx(1.51).epsilon(1e-14));
  CHECK(all.sd() == Approx(3.6139321).epsilon(1e-7));
  CHECK(all.min() == 0);
  CHECK(all.max() == 15);
  CHECK(all.last() == 15);
}

TEST_CASE("a share of busy time: the published utilization, sd sqrt(p (1 - p))") {
  TimeWeighted busy(0, 10000);
  for (int i = 0; i < 151; ++i) {  // 151 ms of 100 s
    busy.set(10000 + 500 * i, 1);
    busy.set(10001 + 500 * i, 0);
  }
  busy.advance(110000);
  CHECK(busy.period() == 100000);
  CHECK(busy.mean() == Approx(0.00151).epsilon(1e-12));
  CHECK(std::fabs(busy.sd() - 0.0388294) <= 0.5e-7);
  CHECK(busy.min() == 0);
  CHECK(busy.max() == 1);
}

TEST_CASE("a pool of 15 jobs that come every 67 ms: figure 9 in closed form") {
  // The k-th from the end of a group waits for k - 1 arrivals: mean (G - 1) tau / 2 = 469, variance tau^2 ((G
  // - 1) / 2 + (G^2 - 1) / 12). The lengths 0 .. 14 are equally likely: mean 7, variance (G^2 - 1) / 12. The
  // length 15 lasts only for an instant.
  constexpr int kGroup = 15, kGroups = 20000;
  constexpr double kMean = 67;
  Stream rng(1, "pool");
  Observations wait;
  TimeWeighted length;
  double clock = 0;
  const auto collect = [&] {
    std::vector<double> arrivals;
    for (int job = 1; job <= kGroup; ++job) {
      length.set(clock, job);
      arrivals.push_back(clock);
      if (job == kGroup) length.set(clock, 0);
      if (job == kGroup)
        for (const double arrival : arrivals) wait.add(clock - arrival);
      clock += rng.exponential(kMean);
    }
  };
  for (int i = 0; i < 100; ++i) collect();  // the warm-up
  wait.reset();
  length.reset(clock);
  const double begin = clock;
  for (int i = 0; i < kGroups; ++i) collect();
  length.advance(clock);
  CHECK(wait.count() == kGroup * kGroups);
  CHECK(length.period() == clock - begin);
  // 4 standard errors; there are as many independent values as groups.
  const double sd = kMean * std::sqrt(7 + 224 / 12.0);
  CHECK(std::fabs(sd - 339.4) <= 0.05);
  CHECK(std::fabs(wait.mean() - 469) <= 4 * sd / std::sqrt(kGroups));
  CHECK(wait.sd() == Approx(sd).epsilon(4 / std::sqrt(2.0 * kGroups)));
  CHECK(std::fabs(length.mean() - 7) <= 4 * 4.32 / std::sqrt(kGroups));
  CHECK(length.sd() == Approx(std::sqrt(224 / 12.0)).epsilon(4 / std::sqrt(2.0 * kGroups)));
  CHECK(length.max() == kGroup);
  const double rate = static_cast<double>(wait.count()) / length.period();
  CHECK(std::fabs(littles_law(rate, wait.mean(), length.mean()).relative_difference()) <=
        1e-9);  // from empty to empty
}

TEST_CASE("observations begin empty, and again after the warm-up") {
  Observations x;
  for (int round = 0; round < 2; ++round) {
    CHECK(x.count() == 0);
    for (const double value : {x.mean(), x.sd(), x.min(), x.max(), x.last()}) CHECK(std::isnan(value));
    x.add(5);
    CHECK(x.mean() == 5);
    CHECK(x.sd() == 0);  // of one value
    CHECK(x.min() == 5);
    x.add(-1);
    CHECK(x.min() == -1);
    CHECK(x.max() == 5);
    CHECK(x.last() == -1);
    x.reset();
  }
  for (const double value : {1e15 + 1, 1e15 + 2, 1e15 + 3}) x.add(value);
  CHECK(x.mean() == 1e15 + 2);
  CHECK(x.sd() == 1);
}

TEST_CASE("time-weighted: mean and deviation over time, worked out by hand") {
  // 2 for 10, 5 for 20, 0 for 10: mean 120 / 40 = 3; squares (40 + 500) / 40 = 13.5, less 9.
  TimeWeighted x(2, 100);
  x.set(110, 5);
  x.set(130, 0);
  CHECK(x.now() == 130);
  x.advance(140);
  CHECK(x.mean() == Approx(3).epsilon(1e-15));
  CHECK(x.sd() == Approx(std::sqrt(4.5)).epsilon(1e-15));
  CHECK(x.period() == 40);
  CHECK(x.min() == 0);
  CHECK(x.max() == 5);
  CHECK(x.value() == 0);
}

TEST_CASE("a state of zero duration counts for min and max only") {
  TimeWeighted x(1);
  x.set(10, 15);
  x.set(10, -3);
  x.set(10, 1);
  x.advance(20);
  CHECK(x.mean() == 1);
  CHECK(x.sd() == 0);
  CHECK(x.max() == 15);
  CHECK(x.min() == -3);
}

TEST_CASE("the warm-up of a time-weighted variable ends: the value stays, min and max begin with it") {
  TimeWeighted x(0);
  x.set(2, 9);
  x.set(4, 3);
  x.reset(6);
  CHECK(std::isnan(x.mean()));  // no time yet
  CHECK(std::isnan(x.sd()));
  CHECK(x.min() == 3);
  CHECK(x.max() == 3);
  x.set(8, 5);
  x.advance(12);
  CHECK(x.period() == 6);
  CHECK(x.mean() == Approx((3 * 2 + 5 * 4) / 6.0).epsilon(1e-15));
  CHECK(x.max() == 5);
}

TEST_CASE("time-weighted statistics do not cancel") {
  TimeWeighted x(1e9 + 1);
  x.set(1, 1e9 + 3);
  x.advance(2);
  CHECK(x.mean() == 1e9 + 2);
  CHECK(x.sd() == 1);
}

TEST_CASE("Little's law") {
  // Figure 9: 1500 pool waits of 475.574 in 100000 ms against a length of 7.116: 7.134, 0.25 % more.
  const LittlesLaw pool = littles_law(1500.0 / 100000, 475.574, 7.116);
  CHECK(pool.rate * pool.time == Approx(7.134).epsilon(1e-4));
  CHECK(pool.relative_difference() == Approx(0.0025).epsilon(0.02));
  CHECK(littles_law(0, 5, 0).relative_difference() == 0);
  CHECK(littles_law(1, 1, 0).relative_difference() == std::numeric_limits<double>::infinity());
  CHECK(littles_law(0, 1, 2).relative_difference() == -1);

  // From empty to empty it holds exactly: jobs 0 .. 4, 1 .. 3, 6 .. 7 of 10 time units.
  TimeWeighted number;
  Observations time;
  number.set(0, 1), number.set(1, 2), number.set(3, 1), number.set(4, 0), number.set(6, 1), number.set(7, 0);
  number.advance(10);
  for (const double t : {4, 2, 1}) time.add(t);
  CHECK(std::fabs(littles_law(3 / 10.0, time.mean(), number.mean()).relative_difference()) <= 1e-15);
}

TEST_CASE("bad input of accumulators") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Observations x;
  CHECK_THROWS_WITH(x.add(kNan), "observations: each value must be finite, got nan");
  CHECK(x.count() == 0);
  TimeWeighted y(0, 5);
  CHECK_THROWS_WITH(y.set(4, 1), Contains("the time must be finite and >= 5, where it is, got 4"));
  CHECK_THROWS_WITH(y.advance(kNan), Contains("got nan"));
  CHECK_THROWS_WITH(y.reset(4), Contains("got 4"));
  CHECK_THROWS_WITH(y.set(6, 1 / 0.0), Contains("the value must be finite, got inf"));
  CHECK(y.now() == 5);
  CHECK_THROWS_WITH(TimeWeighted(kNan), Contains("the value must be finite"));
  CHECK_THROWS_WITH(littles_law(-1, 0, 0), "Little's law: the rate must be finite and >= 0, got -1");
  CHECK_THROWS_WITH(littles_law(1, kNan, 0), Contains("the time must be finite and >= 0, got nan"));
}
