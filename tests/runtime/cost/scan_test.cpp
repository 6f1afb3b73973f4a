#include "runtime/cost/scan.h"
#include "tests/support/layers.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace perigee;
using namespace perigee::test;

TEST_CASE("scans equal plain loops at every length, with ties and infinities") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  std::mt19937_64 rng(5);
  for (int round = 0; round < 4000; ++round) {
    const std::size_t n = static_cast<std::size_t>(round) % 70;
    const int values = 1 + round % 5;
    std::vector<double> times(n), ready(n);
    for (double& x : times)
      x = rng() % 4 == 0 ? inf : static_cast<double>(rng() % static_cast<unsigned>(values));
    for (double& x : ready) x = static_cast<double>(rng() % static_cast<unsigned>(values));
    std::size_t at = 0;
    double best = inf, second = inf, least = inf;
    std::size_t least_at = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (times[i] + ready[i] < best) {
        best = times[i] + ready[i];
        at = i;
      }
      if (times[i] < least) {
        least = times[i];
        least_at = i;
      }
    }
    for (std::size_t i = 0; i < n; ++i)
      if (i != at) second = std::min(second, times[i] + ready[i]);
    if (best == inf) second = inf;

    INFO("length " << n);
    const Smallest one = smallest_sum(times.data(), ready);
    REQUIRE(one.value == best);
    REQUIRE(one.at == at);
    const Smallest plain = smallest(times);
    REQUIRE(plain.value == least);
    REQUIRE(plain.at == least_at);
    const TwoSmallest two = two_smallest_sums(times.data(), ready);
    REQUIRE(two.best == best);
    REQUIRE(two.at == at);
    REQUIRE(two.second == second);
    const ThreeSmallest three = three_smallest_sums(times.data(), ready);
    REQUIRE(three.best == best);
    REQUIRE(three.at == at);
    REQUIRE(three.second == second);
    if (second < inf) {
      REQUIRE(two.next != at);
      REQUIRE(times[two.next] + ready[two.next] == second);
      REQUIRE(three.next != at);
      REQUIRE(times[three.next] + ready[three.next] == second);
      double third = inf;
      for (std::size_t i = 0; i < n; ++i)
        if (i != at && i != three.next) third = std::min(third, times[i] + ready[i]);
      REQUIRE(three.third == third);
    }
  }
}

TEST_CASE("the latest machines within a limit are those of a plain loop, the last first where they tie") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  std::mt19937_64 rng(6);
  for (int round = 0; round < 4000; ++round) {
    const std::size_t n = static_cast<std::size_t>(round) % 70;
    const unsigned values = 1 + static_cast<unsigned>(round) % 7;
    std::vector<double> times(n), ready(n);
    for (double& x : times) x = rng() % 4 == 0 ? inf : static_cast<double>(rng() % values);
    for (double& x : ready) x = static_cast<double>(rng() % values);
    const double limit = static_cast<double>(rng() % (2 * values));
    double first = -inf, second = -inf;
    std::size_t at = n, next = n;
    const auto within = [&](std::size_t i) { return times[i] + ready[i] <= limit; };
    for (std::size_t i = n; i-- > 0;)
      if (within(i) && ready[i] > first) first = ready[at = i];
    for (std::size_t i = n; i-- > 0;)
      if (within(i) && i != at && ready[i] > second) second = ready[next = i];

    INFO("length " << n << ", limit " << limit);
    const TwoGreatest found = two_latest_within(times.data(), ready, limit);
    REQUIRE(found.first == first);
    REQUIRE(found.second == second);
    if (first > -inf) REQUIRE(found.at == at);
    if (second > -inf) REQUIRE(found.next == next);
  }
}

TEST_CASE("a shortlist has the machines that end first, and bounds the ends on all others") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  std::mt19937_64 rng(8);
  for (int round = 0; round < 4000; ++round) {
    const std::size_t n = static_cast<std::size_t>(round) % 150;
    const unsigned values = round % 3 == 0 ? 1 + static_cast<unsigned>(round) % 7 : 100000;
    std::vector<double> times(n), ready(n);
    for (double& x : times) x = rng() % 4 == 0 ? inf : static_cast<double>(rng() % values);
    for (double& x : ready) x = static_cast<double>(rng() % values);
    Shortlist list;
    shorten(times.data(), ready, list);

    INFO("length " << n << ", " << values << " values");
    REQUIRE(list.size <= Shortlist::kMost);
    std::vector<bool> is_listed(n, false);
    double last = -inf;
    for (std::size_t i = 0; i < list.size; ++i) {
      const std::uint32_t machine = list.machine[i];
      REQUIRE(list.time[i] == times[machine]);
      const double end = times[machine] + ready[machine];
      REQUIRE((end >= last && end < inf && end <= list.rest));
      if (end == last) REQUIRE(machine > list.machine[i - 1]);
      REQUIRE(!is_listed[machine]);
      is_listed[machine] = true;
      last = end;
    }
    std::size_t finite = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (!is_listed[i]) REQUIRE(times[i] + ready[i] >= list.rest);
      finite += times[i] < inf ? 1 : 0;
    }
    REQUIRE(list.size == std::min(finite, Shortlist::kMost));
  }
}
