#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/searches.h"
#include "tests/support/spaces.h"

using namespace perigee;
using namespace perigee::test;
using space::Datum;
using space::Space;

namespace {

// Two cases, 0 and 1, each the only neighbour of the other: what is asked for is the one where the search is not.
const Space kTwo = space_of({{"case", choice(2)}});
bool is_one(const Datum& value) { return value.items[0].number == 1; }

// Parameters with one temperature.
std::map<std::string, Value> at_temperature(double t) {
  return {{"hottest", t}, {"coldest", t}, {"steps", 1e6}};
}
double share_of_ones(const Asked& asked) {
  return static_cast<double>(std::ranges::count_if(asked.cases, is_one)) /
         static_cast<double>(asked.cases.size());
}

}  // namespace

TEST_CASE("annealing is where the Metropolis rule says, in the long run") {
  // Ratios 1 and 1/3 at T = 1/2: from 0 to 1 with probability (1/3)^2, back always. So a tenth of the time at 1, when 0 is
  // asked for. At T = 1 a quarter.
  const auto score = [](const Datum& value) { return is_one(value) ? -std::log(3.0) : 0.0; };
  CHECK(share_of_ones(drive(*begun("annealing", at_temperature(0.5), kTwo, 40'000, 1), score)) ==
        Approx(0.9).margin(0.006));
  CHECK(share_of_ones(drive(*begun("annealing", at_temperature(1), kTwo, 40'000, 2), score)) ==
        Approx(0.75).margin(0.01));
}

TEST_CASE("an equal neighbour is always taken, one that does not count never") {
  const Asked equal =
      drive(*begun("annealing", at_temperature(0.001), kTwo, 500, 1), [](const Datum&) { return 0.5; });
  for (std::size_t i = 1; i < equal.cases.size(); ++i)
    CHECK(is_one(equal.cases[i]) != is_one(equal.cases[i - 1]));
  const Asked none = drive(*begun("annealing", at_temperature(1000), kTwo, 500, 1), [](const Datum& value) {
    return is_one(value) ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  });
  const auto first = std::ranges::find_if_not(none.cases, is_one);  // draws until one counts
  REQUIRE(first != none.cases.end());
  CHECK(std::all_of(first + 1, none.cases.end(), is_one));
}

TEST_CASE("the temperature falls geometrically from the hottest to the coldest") {
  // Three steps at T = 0.3, 0.03, 0.003. The neighbour is worse by 0.03, and taken with probability e^-0.1 = 0.905,
  // e^-1 = 0.368, e^-10 < 1e-4. Tries that are at 0 before a step are counted.
  const auto score = [](const Datum& value) { return is_one(value) ? -0.03 : 0.0; };
  std::array<double, 3> at_zero{}, taken{};
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const Asked asked = drive(
        *begun("annealing", {{"hottest", 0.3}, {"coldest", 0.003}, {"steps", 3.0}}, kTwo, 4, seed), score);
    if (is_one(asked.cases.front())) continue;
    // The case asked for at a step is the one where the search is not.
    for (std::size_t step = 0; step < 2; ++step)
      if (is_one(asked.cases[step + 1])) {
        ++at_zero[step];
        if (!is_one(asked.cases[step + 2])) ++taken[step];
      }
  }
  CHECK(taken[0] / at_zero[0] == Approx(std::exp(-0.1)).margin(0.02));
  CHECK(taken[1] / at_zero[1] == Approx(std::exp(-1.0)).margin(0.09));
  CHECK(at_zero[1] > 200);
}

TEST_CASE("a try whose steps are over begins anew, every third time from the best so far") {
  // A number that is drawn and never moved shows where a chain began.
  space::Variable never = real(0, 1);
  never.step = 0;
  const Space space = space_of({{"x", never}});
  const Asked asked = drive(*begun("annealing", {{"steps", 4.0}}, space, 40, 1),
                            [](const Datum& value) { return value.items[0].number; });
  std::vector<double> x;
  for (const Datum& each : asked.cases) x.push_back(each.items[0].number);
  // Chains 0, 1, 2: a draw and four steps. Chain 3: four steps, from the best. Then 4, 5, and 6 again from the best.
  const auto all_are = [&](std::size_t from, std::size_t count, double value) {
    return std::all_of(x.begin() + static_cast<std::ptrdiff_t>(from),
                       x.begin() + static_cast<std::ptrdiff_t>(from + count),
                       [&](double y) { return y == value; });
  };
  CHECK(all_are(0, 5, x[0]));
  CHECK(all_are(5, 5, x[5]));
  CHECK(all_are(10, 5, x[10]));
  CHECK(x[0] != x[5]);
  CHECK(x[5] != x[10]);
  CHECK(all_are(15, 4, std::max({x[0], x[5], x[10]})));
  CHECK(all_are(19, 5, x[19]));
  CHECK(all_are(24, 5, x[24]));
  CHECK(x[19] != x[24]);
  CHECK(all_are(29, 4, *std::max_element(x.begin(), x.begin() + 29)));
}

TEST_CASE("steps are no more than the evaluations of a try, so that it cools") {
  // 21 evaluations are a draw and 20 steps. At the last steps nothing worse is taken: all ask for the same case.
  const auto score = [](const Datum& value) { return is_one(value) ? -0.05 : 0.0; };
  int still = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Asked asked = drive(*begun("annealing", {}, kTwo, 21, seed), score);
    still += std::all_of(asked.cases.end() - 4, asked.cases.end(), is_one) ? 1 : 0;
  }
  CHECK(still >= 198);
}

TEST_CASE("parameters of annealing that do not go together are refused") {
  CHECK_THROWS_WITH(search_of("annealing", {{"hottest", 0.1}, {"coldest", 0.2}}),
                    "annealing: coldest must be at most hottest, 0.1, got 0.2");
  CHECK_THROWS_WITH(search_of("annealing", {{"coldest", 0.0}}),
                    Catch::Matchers::Contains("coldest must be > 0"));
  CHECK_THROWS_WITH(search_of("annealing", {{"steps", 0.0}}), Catch::Matchers::Contains("steps must be"));
}
