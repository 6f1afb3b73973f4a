#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tests/support/searches.h"
#include "tests/support/spaces.h"

using namespace perigee;
using namespace perigee::test;
using space::Datum;
using space::Space;

namespace {

double first_number(const Datum& value) { return value.items[0].number; }

}  // namespace

TEST_CASE("the best of two parents has three of four children where two take part in a tournament") {
  // Two participants are drawn with replacement: the worse one wins where both are it. Children are moved by at most 1 % of
  // the width, or once in 20 times to a bound.
  space::Variable x = real(0, 1);
  x.step = 0.01;
  const Space space = space_of({{"x", x}});
  double of_best = 0, of_other = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const Asked asked =
        drive(*begun("genetic", {{"population", 2.0}, {"tournament", 2.0}, {"cross", 0.0}, {"elite", 1.0}},
                     space, 3, seed),
              first_number);
    const double a = first_number(asked.cases[0]), b = first_number(asked.cases[1]);
    const double child = first_number(asked.cases[2]);
    if (std::abs(a - b) < 0.05 || child == 0 || child == 1) continue;
    const bool is_of_best = std::abs(child - std::max(a, b)) <= 0.01;
    REQUIRE((is_of_best || std::abs(child - std::min(a, b)) <= 0.01));
    ++(is_of_best ? of_best : of_other);
  }
  CHECK(of_best / (of_best + of_other) == Approx(0.75).margin(0.03));
}

TEST_CASE("a child of two parents has each number from one of them, and what equals a parent is moved") {
  std::vector<space::NamedVariable> fields;
  for (int i = 0; i < 8; ++i) fields.push_back({"x" + std::to_string(i), real(0, 1)});
  const Space space = space_of(fields);
  const Asked asked = drive(
      *begun("genetic", {{"population", 12.0}, {"cross", 1.0}, {"move", 0.0}, {"elite", 0.0}}, space, 24, 1),
      first_number);
  int moved = 0;
  for (std::size_t child = 12; child < 24; ++child) {
    int strange = 0;
    for (std::size_t i = 0; i < 8; ++i)
      strange += std::none_of(asked.cases.begin(), asked.cases.begin() + 12, [&](const Datum& parent) {
        return parent.items[i] == asked.cases[child].items[i];
      });
    CHECK(strange <= 1);  // of a child of one parent twice, which is moved
    moved += strange;
    CHECK(std::none_of(asked.cases.begin(), asked.cases.begin() + 12,
                       [&](const Datum& parent) { return parent == asked.cases[child]; }));
  }
  CHECK(moved < 8);
}

TEST_CASE("the elite goes on without being evaluated again, in each generation") {
  // A draw below 0.999 is worse than the best of the first ten; the best wins each tournament of a thousand.
  space::Variable x = real(0, 1);
  x.step = 1e-6;
  const Space space = space_of({{"x", x}});
  const Asked asked =
      drive(*begun("genetic", {{"population", 10.0}, {"tournament", 1000.0}, {"cross", 0.0}, {"elite", 3.0}},
                   space, 10 + 7 * 5, 4),
            [](const Datum& value) { return -std::abs(first_number(value) - 0.5); });
  double best = asked.cases[0].items[0].number;
  for (std::size_t i = 0; i < asked.cases.size(); ++i) {
    const double at = first_number(asked.cases[i]);
    if (i >= 10 && at != 0 && at != 1) CHECK(std::abs(at - best) <= 1e-6 * (1 + 1e-9));
    // The best of a generation is a parent from the next one on.
    if (i + 1 >= 10 && (i + 1 - 10) % 7 == 0)
      for (std::size_t k = 0; k <= i; ++k)
        if (std::abs(first_number(asked.cases[k]) - 0.5) < std::abs(best - 0.5))
          best = first_number(asked.cases[k]);
  }
}

TEST_CASE("what does not count is no parent") {
  space::Variable x = real(0, 1);
  x.step = 0.001;
  const Space space = space_of({{"x", x}});
  // Only what is below 0.25 counts. With tournaments of a thousand there is always a participant that does.
  const Asked asked = drive(
      *begun("genetic", {{"population", 20.0}, {"tournament", 1000.0}, {"cross", 0.0}}, space, 200, 1),
      [](const Datum& value) {
        return first_number(value) < 0.25 ? first_number(value) : std::numeric_limits<double>::quiet_NaN();
      });
  REQUIRE(std::any_of(asked.cases.begin(), asked.cases.begin() + 20,
                      [](const Datum& each) { return first_number(each) < 0.25; }));
  for (std::size_t i = 20; i < asked.cases.size(); ++i)
    CHECK((first_number(asked.cases[i]) <= 0.2511 ||
           first_number(asked.cases[i]) == 1));  // a bound, by a rare move
  // Where none counts all are draws.
  const Asked none = drive(*begun("genetic", {{"population", 20.0}}, space, 400, 1),
                           [](const Datum&) { return std::numeric_limits<double>::quiet_NaN(); });
  std::set<double> seen;
  double below = 0;
  for (const Datum& each : none.cases) {
    seen.insert(first_number(each));
    below += first_number(each) < 0.5 ? 1 : 0;
  }
  CHECK(seen.size() == 400);
  CHECK(below == Approx(200).margin(40));
}

TEST_CASE("parameters of the genetic search that do not go together are refused") {
  CHECK_THROWS_WITH(search_of("genetic", {{"population", 5.0}, {"elite", 5.0}}),
                    "genetic: elite must be below population, 5, got 5");
  CHECK_THROWS_WITH(search_of("genetic", {{"population", 1.0}}),
                    Catch::Matchers::Contains("population must be"));
  CHECK_THROWS_WITH(search_of("genetic", {{"cross", 1.5}}), Catch::Matchers::Contains("from 0 to 1"));
}
