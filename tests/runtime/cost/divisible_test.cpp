#include "runtime/cost/divisible.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/support/layers.h"
#include "tests/support/linear.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

// The optimal chunks by linear equations: all nodes finish together, and the fractions add up to 1.
std::vector<double> solved(const UnitCosts& costs, double load, std::size_t n) {
  Rows a(n, std::vector<double>(n, 0.0));
  std::vector<double> b(n, costs.transmission_setup);
  for (std::size_t i = 0; i + 1 < n; ++i) {  // the next one is sent while this one computes
    a[i][i] = load * costs.computation;
    a[i][i + 1] = -load * (costs.transmission + costs.computation);
  }
  a.back().assign(n, 1);
  b.back() = 1;
  return least_squares(a, b);
}

// The time when each node finishes its chunk; transmissions follow one another from 0 on.
std::vector<double> finishes(const UnitCosts& costs, double load, const std::vector<double>& fractions) {
  std::vector<double> out;
  double sent = 0;
  for (const double fraction : fractions) {
    sent += costs.transmission_setup + fraction * load * costs.transmission;
    out.push_back(sent + costs.computation_setup + fraction * load * costs.computation);
  }
  return out;
}

// The time of the optimal rule, by the recurrence of its chunks. The first chunk makes them add up to 1.
long double by_recurrence(const UnitCosts& costs, double load, std::size_t n) {
  const long double both = static_cast<long double>(costs.transmission) + costs.computation;
  const long double beta = costs.computation / both, setup = costs.transmission_setup / (load * both);
  long double slope = 1, rest = 0, slopes = 0, rests = 0;  // a chunk is slope * first - rest
  for (std::size_t i = 0; i < n; ++i) {
    slopes += slope;
    rests += rest;
    slope *= beta;
    rest = beta * rest + setup;
  }
  return costs.transmission_setup + costs.computation_setup + load * both * (1 + rests) / slopes;
}

UnitCosts random_costs(std::mt19937_64& rng, bool setups) {
  std::uniform_real_distribution<double> log(-3, 1.3), uniform(0, 20);
  UnitCosts costs{.transmission = 1, .computation = 1 / std::pow(10.0, log(rng))};
  if (setups) costs.transmission_setup = uniform(rng), costs.computation_setup = uniform(rng);
  return costs;
}

}  // namespace

TEST_CASE("the base configuration of Mamat's Figure 4.5 takes least time on 63 nodes") {
  const DivisibleCosts costs({1, 1000, 500, 500}, Partition::optimal);
  CHECK(costs.useful_nodes(1000) == 63);
  CHECK(costs.time(1000, 62) == Approx(33052.29).epsilon(1e-6));
  CHECK(costs.time(1000, 63) == Approx(33051.44).epsilon(1e-6));
  CHECK(costs.time(1000, 64) == Approx(33058.67).epsilon(1e-6));
  CHECK(costs.time(1000, 256) == Approx(71905.8).epsilon(1e-6));
  CHECK(DivisibleCosts({1, 1000, 5, 5}, Partition::optimal).useful_nodes(1000) > 256);
}

TEST_CASE("without set-ups a unit of load takes 1.69377 s on four nodes in Mamat's Figure 6.4") {
  const DivisibleCosts costs({1, 4}, Partition::optimal);
  CHECK(costs.time(1, 4) == Approx(1.69377).epsilon(1e-5));
  CHECK(costs.time(4, 4) == Approx(6.775).epsilon(1e-4));
  CHECK(costs.time(4, 1) == 20);
}

TEST_CASE("optimal chunks are those of the linear equations, and all nodes finish together") {
  std::mt19937_64 rng(4);
  for (int round = 0; round < 300; ++round) {
    const UnitCosts unit = random_costs(rng, round % 2 == 0);
    const DivisibleCosts costs(unit, Partition::optimal);
    const double load = 1 + static_cast<double>(rng() % 500);
    const std::size_t n = 1 + rng() % std::min<std::size_t>(16, costs.useful_nodes(load));
    const std::vector<double> fractions = costs.fractions(load, n);
    const std::vector<double> expected = solved(unit, load, n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(fractions[i] == Approx(expected[i]).epsilon(1e-9).margin(1e-12));
      CHECK(fractions[i] > 0);
      sum += fractions[i];
    }
    CHECK(sum == Approx(1).epsilon(1e-12));
    for (const double finish : finishes(unit, load, fractions))
      CHECK(finish == Approx(costs.time(load, n)).epsilon(1e-9));
  }
}

TEST_CASE("the closed form is good to 1e-9 from transmission of a ten-millionth of the computation on") {
  for (const double ratio : {1e-7, 1e-6, 1e-5, 1e-3, 0.1, 1.0, 10.0, 1000.0})
    for (const double setup : {0.0, 0.01, 5.0, 500.0})
      for (const std::size_t n : {1, 2, 3, 7, 16, 63, 255, 1024, 4096}) {
        const UnitCosts unit{ratio * 1000, 1000, setup, 1};
        CAPTURE(ratio, setup, n);
        CHECK(DivisibleCosts(unit, Partition::optimal).time(10, n) ==
              Approx(static_cast<double>(by_recurrence(unit, 10, n))).epsilon(1e-9));
      }
}

TEST_CASE("equal chunks end as Mamat's equation 4.8 says, the last node last") {
  std::mt19937_64 rng(48);
  for (int round = 0; round < 200; ++round) {
    const UnitCosts unit = random_costs(rng, true);
    const DivisibleCosts costs(unit, Partition::equal);
    const double load = 1 + static_cast<double>(rng() % 500);
    const std::size_t n = 1 + rng() % 20;
    const std::vector<double> ends = finishes(unit, load, costs.fractions(load, n));
    CHECK(ends.back() == Approx(costs.time(load, n)).epsilon(1e-12));
    CHECK(*std::max_element(ends.begin(), ends.end()) == ends.back());
  }
}

TEST_CASE(
    "useful nodes are those up to the first that does not shorten the load; the fewest are found among "
    "them") {
  std::mt19937_64 rng(63);
  for (const Partition partition : {Partition::optimal, Partition::equal})
    for (int round = 0; round < 300; ++round) {
      const UnitCosts unit = random_costs(rng, true);
      const DivisibleCosts costs(unit, partition);
      const double load = 1 + static_cast<double>(rng() % 2000);
      std::size_t useful = 1;
      while (costs.time(load, useful + 1) < costs.time(load, useful)) ++useful;
      CAPTURE(unit.computation, unit.transmission_setup, load);
      CHECK(costs.useful_nodes(load) == useful);
      const std::size_t most = 1 + rng() % 16;
      const double room = costs.time(load, 1) * std::uniform_real_distribution<double>(0.05, 1.1)(rng);
      std::size_t fewest = 0;
      for (std::size_t n = std::min(most, useful); n > 0 && costs.time(load, n) <= room; --n) fewest = n;
      CHECK(costs.fewest_nodes(load, room, most) == fewest);
    }
}

TEST_CASE("without set-ups the fewest nodes are Mamat's closed form of equation 4.7") {
  std::mt19937_64 rng(47);
  for (int round = 0; round < 300; ++round) {
    const UnitCosts unit = random_costs(rng, false);
    const DivisibleCosts costs(unit, Partition::optimal);
    const double load = 1 + static_cast<double>(rng() % 100);
    const double room = load * unit.transmission * std::uniform_real_distribution<double>(1.001, 12)(rng);
    const double gamma = 1 - load * unit.transmission / room;
    const double beta = unit.computation / (unit.transmission + unit.computation);
    const double exact = std::log(gamma) / std::log(beta);
    if (std::fabs(exact - std::round(exact)) < 1e-6) continue;  // either is right
    CHECK(costs.fewest_nodes(load, room, kEveryNode) ==
          static_cast<std::size_t>(std::max(1.0, std::ceil(exact))));
    CHECK(costs.fewest_nodes(load, load * unit.transmission * 0.999, kEveryNode) == 0);
  }
  CHECK(DivisibleCosts({1, 4}, Partition::equal).fewest_nodes(4, 8, 10) == 4);  // 4 + 16 / n <= 8
  CHECK(DivisibleCosts({1, 4}, Partition::equal).fewest_nodes(4, 8, 3) == 0);
}

TEST_CASE("a room between whole numbers of nodes has none") {
  // 10 n + 1 + 60 / n is 50 or less from n = 2.4 to 2.5 only.
  const DivisibleCosts costs({1, 60, 10, 0}, Partition::equal);
  CHECK(costs.useful_nodes(1) == 2);
  CHECK(costs.time(1, 2) == 51);
  CHECK(costs.time(1, 3) == 51);
  CHECK(costs.fewest_nodes(1, 50, 256) == 0);
}

TEST_CASE("one node more at a load's node-seconds") {
  const DivisibleCosts costs({1, 4}, Partition::equal);  // 4 + 16 / n: 20, 12, 9.33
  CHECK(costs.workload_derivative(4, 1) == 2 * 12 - 20);
  CHECK(costs.workload_derivative(4, 2) == Approx(3 * (4 + 16.0 / 3) - 24));
}

TEST_CASE("limits: no transmission, no computation") {
  const DivisibleCosts computed({0, 6, 1, 2}, Partition::optimal);
  CHECK(computed.time(2, 1) == 15);      // 1 + 2 + 12
  CHECK(computed.time(2, 3) == 8);       // computing 5, 4 and 3 s after set-ups of 1 s each, and 2 s
  CHECK(computed.useful_nodes(2) == 5);  // 4.4, 3.4, ... 0.4 s; a sixth would compute -0.5 s
  const DivisibleCosts sent({3, 0, 1, 0}, Partition::optimal);
  CHECK(sent.time(2, 1) == 7);
  CHECK(sent.useful_nodes(2) == 1);
  CHECK(DivisibleCosts({1, 4}, Partition::optimal).useful_nodes(4) == kEveryNode);
  REQUIRE_THROWS_WITH(
      DivisibleCosts({-1, 4}, Partition::optimal),
      Contains("the transmission of a unit of load must be a number of seconds from 0, got -1"));
  REQUIRE_THROWS_WITH(DivisibleCosts({0, 0}, Partition::optimal), Contains("must take time"));
}

TEST_CASE("nodes that become free at different times: what they finish by a time, how many, and when") {
  std::mt19937_64 rng(24);
  std::uniform_real_distribution<double> uniform(0, 40);
  for (int round = 0; round < 500; ++round) {
    const UnitCosts unit = random_costs(rng, false);
    std::vector<double> free(1 + rng() % 16);
    for (double& at : free) at = round % 5 == 0 ? 3 : uniform(rng);
    std::sort(free.begin(), free.end());
    const double channel = round % 5 == 0 ? 0 : uniform(rng), load = 1 + uniform(rng);
    const StaggeredNodes nodes(unit, free, channel);
    const std::size_t n = 1 + rng() % free.size();
    const double end = nodes.completion(load, n);
    if (round % 5 == 0)
      CHECK(end - 3 == Approx(DivisibleCosts(unit, Partition::optimal).time(load, n)).epsilon(1e-12));
    // Chunks as they are dealt out: each ends with the others, or there was no time for it.
    const std::vector<double> chunks = nodes.chunks(end, n);
    double sent = channel, sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double start = std::max(sent, free[i]);
      sent = start + chunks[i] * unit.transmission;
      sum += chunks[i];
      if (chunks[i] > 0)
        CHECK(sent + chunks[i] * unit.computation == Approx(end).epsilon(1e-11));
      else
        CHECK(start >= end * (1 - 1e-12));
    }
    CHECK(sum == Approx(load).epsilon(1e-11));
    CHECK(nodes.load_by(end, n) == Approx(load).epsilon(1e-11));
    CHECK(nodes.load_by(end * 0.999 - 1e-3, n) < load);
    // No fewer nodes meet the deadline, and these do.
    const double deadline = end * 1.01;
    const std::size_t fewest = nodes.fewest_nodes(load, deadline);
    REQUIRE(fewest >= 1);
    REQUIRE(fewest <= n);
    CHECK(nodes.completion(load, fewest) <= deadline * (1 + 1e-9));
    if (fewest > 1) CHECK(nodes.completion(load, fewest - 1) > deadline * (1 - 1e-9));
    CHECK(nodes.fewest_nodes(load, std::max(channel, free[0])) == 0);
  }
}

TEST_CASE("costs of a table are to the bit those without") {
  for (const Partition rule : {Partition::optimal, Partition::equal})
    for (const UnitCosts& unit : {UnitCosts{1, 1000, 500, 500}, UnitCosts{1, 100}, UnitCosts{0, 3, 2, 0}}) {
      const DivisibleCosts plain(unit, rule), tabulated(unit, rule, 40);
      CHECK(tabulated.tabulated() == 40);
      for (const double load : {0.5, 20.0, 1000.0}) {
        for (std::size_t n = 1; n <= 60; ++n) CHECK(tabulated.time(load, n) == plain.time(load, n));
        const std::size_t most = std::min<std::size_t>(50, plain.useful_nodes(load));
        for (const double part : {0.9, 1.0, 1.3, 2.0, 10.0}) {
          const Seconds within = part * plain.time(load, most);
          CHECK(tabulated.fewest_useful_nodes(load, within, most) == plain.fewest_nodes(load, within, 50));
        }
      }
    }
}
