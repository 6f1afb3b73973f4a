#include "runtime/cost/random_loads.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

// The base configuration of section 4.5.1.
constexpr UnitCosts kBase{
    .transmission = 1, .computation = 1000, .transmission_setup = 500, .computation_setup = 500};
constexpr UnitCosts kPlain{.transmission = 1, .computation = 1000};
constexpr std::size_t kRandomLoadsNodes = 256;

LoadLaws laws_of(double deadline_ratio) { return {.mean_size = 1000, .deadline_ratio = deadline_ratio}; }

std::vector<RandomLoad> drawn(RandomLoads loads, std::size_t count, Seconds interval) {
  std::vector<RandomLoad> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(loads.next(interval));
  return out;
}

struct RandomLoadsMoments {
  double mean, error;  // standard error of the mean
};
template <class F>
RandomLoadsMoments random_loads_moments(const std::vector<RandomLoad>& loads, F&& value) {
  double sum = 0, squares = 0;
  for (const RandomLoad& load : loads) sum += value(load), squares += value(load) * value(load);
  const double n = static_cast<double>(loads.size()), mean = sum / n;
  return {mean, std::sqrt((squares / n - mean * mean) / n)};
}

}  // namespace

TEST_CASE("the mean time between arrivals is that of equation 4.12") {
  const Stream stream(1, "loads");
  // E(1000, 1) = 500 + 500 + 1000 (1 + 1000), and by 0.5 * 256.
  CHECK(RandomLoads(kBase, kRandomLoadsNodes, laws_of(2), stream).mean_interval(0.5) ==
        Approx(1002000 / 128.0).epsilon(1e-12));
  // On 16 nodes, tau 1, chi 100 and a mean of 200, as in section 6.4.
  CHECK(RandomLoads({.transmission = 1, .computation = 100}, 16, {.mean_size = 200, .deadline_ratio = 2},
                    stream)
            .mean_interval(1) == Approx(20200 / 16.0).epsilon(1e-12));
}

TEST_CASE("arrivals are exponential, sizes the part above 0 of a normal distribution, deadlines uniform") {
  // Deadlines so long that every size is taken and that few of them are bounded by the time of their load.
  const auto loads =
      drawn(RandomLoads(kPlain, kRandomLoadsNodes, laws_of(1000), Stream(7, "loads")), 200000, 40);
  double last = 0;
  for (const RandomLoad& load : loads) {
    REQUIRE(load.arrival > last);
    last = load.arrival;
  }
  CHECK(last / 200000 == Approx(40).margin(4 * 40 / std::sqrt(200000.0)));
  // Given > 0, a normal variable of mean and standard deviation m has mean m (1 + phi(1) / Phi(1)) = 1.28760
  // m.
  const RandomLoadsMoments size =
      random_loads_moments(loads, [](const RandomLoad& load) { return load.size; });
  CHECK(size.mean == Approx(1287.60).margin(4 * size.error));
  const auto small = std::ranges::count_if(loads, [](const RandomLoad& load) { return load.size < 1000; });
  const double share = (0.5 - 0.158655254) / 0.841344746;  // (Phi(0) - Phi(-1)) / Phi(1)
  CHECK(static_cast<double>(small) / 200000 ==
        Approx(share).margin(4 * std::sqrt(share * (1 - share) / 200000)));
  // E(1000, 256) = 1000 / (1 - (1000 / 1001)^256), the mean deadline 1000 times that.
  const double mean = 1000 * 1000 / (1 - std::pow(1000 / 1001.0, 256));
  const RandomLoadsMoments within =
      random_loads_moments(loads, [](const RandomLoad& load) { return load.within; });
  CHECK(within.mean == Approx(mean).margin(4 * within.error));
  const auto [least, most] = std::ranges::minmax(loads, {}, &RandomLoad::within);
  CHECK((least.within >= mean / 2 && least.within < 0.501 * mean));
  CHECK((most.within <= 1.5 * mean && most.within > 1.499 * mean));
}

TEST_CASE("a relative deadline is never shorter than the load on all nodes that help it") {
  const DivisibleCosts costs(kBase, Partition::optimal);
  const double mean = 2 * 33051.437888478;  // 63 nodes help a load of 1000 (Figure 4.5)
  for (const RandomLoad& load :
       drawn(RandomLoads(kBase, kRandomLoadsNodes, laws_of(2), Stream(3, "loads")), 20000, 40)) {
    double best = costs.time(load.size, 1);
    for (std::size_t n = 2; n <= std::min(kRandomLoadsNodes, costs.useful_nodes(load.size)); ++n)
      best = std::min(best, costs.time(load.size, n));
    REQUIRE(load.within >= best * (1 - 1e-9));
    REQUIRE((load.within >= mean / 2 * (1 - 1e-9) && load.within <= 1.5 * mean * (1 + 1e-9)));
  }
}

TEST_CASE("by the equation for all nodes, deadlines are longer") {
  LoadLaws laws = laws_of(2);
  laws.reference = DeadlineReference::raw;
  const double mean = 2 * 71905.8;  // E(1000, 256) of the base configuration
  const auto loads = drawn(RandomLoads(kBase, kRandomLoadsNodes, laws, Stream(3, "loads")), 20000, 40);
  const auto [least, most] = std::ranges::minmax(loads, {}, &RandomLoad::within);
  CHECK((least.within >= mean / 2 && least.within < 0.51 * mean));
  CHECK((most.within <= 1.5 * mean && most.within > 1.49 * mean));
}

TEST_CASE("a law of loads changes nothing that another one draws") {
  const Stream stream(5, "loads");
  LoadLaws laws = laws_of(10);
  const auto plain = drawn(RandomLoads(kPlain, kRandomLoadsNodes, laws, stream), 5000, 40);
  laws.reserved = 0.3, laws.least_factor = 0.1, laws.largest_factor = 2;
  const auto some = drawn(RandomLoads(kPlain, kRandomLoadsNodes, laws, stream), 5000, 40);
  laws.reserved = 0.6;
  const auto more = drawn(RandomLoads(kPlain, kRandomLoadsNodes, laws, stream), 5000, 80);
  std::size_t reserved = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    REQUIRE((plain[i].arrival == some[i].arrival && plain[i].size == some[i].size &&
             plain[i].within == some[i].within));
    REQUIRE((!plain[i].reserved && plain[i].transmission_factor == 1 && plain[i].computation_factor == 1));
    REQUIRE((some[i].transmission_factor == more[i].transmission_factor && some[i].size == more[i].size));
    REQUIRE(more[i].arrival == Approx(2 * some[i].arrival).epsilon(1e-9));
    REQUIRE(more[i].reserved >= some[i].reserved);  // reserved at three tenths implies reserved at six
    reserved += some[i].reserved ? 1 : 0;
  }
  CHECK(static_cast<double>(reserved) / 5000 == Approx(0.3).margin(4 * std::sqrt(0.3 * 0.7 / 5000)));
  const auto factor = [](double RandomLoad::*which) {
    return [which](const RandomLoad& load) { return load.*which; };
  };
  for (const auto which : {&RandomLoad::transmission_factor, &RandomLoad::computation_factor}) {
    const RandomLoadsMoments moment = random_loads_moments(some, factor(which));
    CHECK(moment.mean == Approx(1.05).margin(4 * moment.error));
    const auto [least, most] = std::ranges::minmax(some, {}, factor(which));
    CHECK((least.*which >= 0.1 && least.*which < 0.11 && most.*which <= 2 && most.*which > 1.99));
  }
  const RandomLoadsMoments both = random_loads_moments(some, [](const RandomLoad& load) {
    return (load.transmission_factor - 1.05) * (load.computation_factor - 1.05);
  });
  CHECK(both.mean == Approx(0).margin(4 * both.error));  // each load's two are independent
}

TEST_CASE("laws of loads are checked") {
  const auto refused = [](const LoadLaws& laws, const std::string& problem) {
    CHECK_THROWS_WITH(RandomLoads(kPlain, kRandomLoadsNodes, laws, Stream()), Contains(problem));
  };
  refused({.mean_size = 0, .deadline_ratio = 2}, "the mean size must be > 0, got 0");
  refused({.mean_size = kNever, .deadline_ratio = 2}, "the mean size must be > 0, got inf");
  refused({.mean_size = std::nan(""), .deadline_ratio = 2}, "the mean size must be > 0, got nan");
  refused(laws_of(2.0 / 3), "the deadline ratio must be > 2/3");
  LoadLaws laws = laws_of(2);
  laws.reserved = 1.5;
  refused(laws, "the reserved share must be 0 to 1, got 1.5");
  laws = laws_of(2), laws.least_factor = 0;
  refused(laws, "the least cost factor must be > 0, got 0");
  laws = laws_of(2), laws.largest_factor = 0.5;
  refused(laws, "the largest cost factor must be no less than the least one, got 0.5");
  CHECK_THROWS_WITH(RandomLoads(kPlain, kRandomLoadsNodes, laws_of(2), Stream()).mean_interval(0),
                    Contains("the load must be > 0, got 0"));
}

TEST_CASE("with the least deadline ratio that there is, loads still come") {
  const auto loads = drawn(RandomLoads(kPlain, kRandomLoadsNodes, laws_of(0.667), Stream()), 1000, 40);
  const double longest = 1.5 * 0.667 * 1000 / (1 - std::pow(1000 / 1001.0, 256));
  for (const RandomLoad& load : loads) REQUIRE(load.within <= longest);
}
