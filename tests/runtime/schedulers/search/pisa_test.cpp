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

// Two cases, each the only neighbour of the other. Ratios 1 and r, at one temperature: the share of evaluations in which
// the second one is asked for, which is the share of time that the search is at the first.
double share_at_first(double r, double temperature, std::uint64_t seed) {
  const Space two = space_of({{"case", choice(2)}});
  const auto search =
      begun("pisa", {{"hottest", temperature}, {"coldest", temperature}, {"cooling", 1.0}, {"steps", 1e6}},
            two, 40'000, seed);
  const Asked asked =
      drive(*search, [r](const Datum& value) { return value.items[0].number == 1 ? std::log(r) : 0.0; });
  return static_cast<double>(std::ranges::count_if(
             asked.cases, [](const Datum& value) { return value.items[0].number == 1; })) /
         static_cast<double>(asked.cases.size());
}
// In the long run, where the worse of the two is taken with probability p and the better one always.
double share_with(double p) { return 1 / (1 + p); }

}  // namespace

TEST_CASE("a worse neighbour is taken with probability exp(-q / T), the sooner the worse it is") {
  // q = 1/2, T = 1: e^-0.5 = 0.6065. q = 1/100: e^-0.01 = 0.990. q = 1/2, T = 1/4: e^-2 = 0.1353.
  CHECK(share_at_first(0.5, 1, 1) == Approx(share_with(std::exp(-0.5))).margin(0.01));
  CHECK(share_at_first(0.01, 1, 2) == Approx(share_with(std::exp(-0.01))).margin(0.01));
  CHECK(share_at_first(0.5, 0.25, 3) == Approx(share_with(std::exp(-2.0))).margin(0.01));
  CHECK(share_at_first(0.99, 0.2, 4) > share_at_first(0.01, 0.2, 4) + 0.2);
}

TEST_CASE("an equal neighbour is taken with probability exp(-1 / T)") {
  const Space two = space_of({{"case", choice(2)}});
  const auto search =
      begun("pisa", {{"hottest", 1.0}, {"coldest", 1.0}, {"cooling", 1.0}, {"steps", 1e6}}, two, 40'000, 7);
  const Asked asked = drive(*search, [](const Datum&) { return 0.0; });
  double changed = 0;
  for (std::size_t i = 2; i < asked.cases.size(); ++i)
    changed += asked.cases[i] != asked.cases[i - 1] ? 1 : 0;
  CHECK(changed / 40'000 == Approx(std::exp(-1.0)).margin(0.01));
}

TEST_CASE("a chain of PISA has 459 steps, and no one is taken that does not count") {
  // 10 x 0.99^k is below 0.1 from k = 459 on. A number that is drawn and never moved shows where chains begin.
  space::Variable never = real(0, 1);
  never.step = 0;
  const Space space = space_of({{"x", never}});
  const Asked asked = drive(*begun("pisa", {}, space, 2000, 1), [](const Datum&) { return 0.0; });
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < asked.cases.size(); ++i)
    if (i == 0 || asked.cases[i] != asked.cases[i - 1]) begins.push_back(i);
  CHECK(begins == std::vector<std::size_t>{0, 460, 920, 1380, 1840});
  const Asked few = drive(*begun("pisa", {{"steps", 9.0}}, space, 25, 1), [](const Datum&) { return 0.0; });
  CHECK(few.cases[9] == few.cases[0]);
  CHECK(few.cases[10] != few.cases[0]);
  CHECK(few.cases[20] != few.cases[10]);

  const Space two = space_of({{"case", choice(2)}});
  const Asked none = drive(*begun("pisa", {}, two, 400, 1), [](const Datum& value) {
    return value.items[0].number == 1 ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  });
  const Datum one{0, {{1}}};
  const auto first = std::ranges::find_if(none.cases, [&](const Datum& each) { return each != one; });
  REQUIRE(first != none.cases.end());
  CHECK(std::all_of(first + 1, none.cases.end(), [&](const Datum& each) { return each == one; }));
}
