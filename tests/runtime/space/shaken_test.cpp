#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "runtime/space/space.h"
#include "tests/support/layers.h"
#include "tests/support/spaces.h"

using namespace perigee;
using namespace perigee::test;
using space::Datum;

TEST_CASE("shaken cases are inside the bounds") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto cases = random_space(seed);
    Stream random(seed, "shaken");
    const Datum value = space::draw(cases, random);
    for (const double share : {0.01, 0.2, 1.5})
      REQUIRE(is_inside(cases, space::shaken(cases, value, share, random)));
  }
}

TEST_CASE("each real and each whole number of a wide range is multiplied, each by its own factor") {
  const auto cases = space_of({{"list", list({3, 3}, real(0, 1000))},
                               {"log", log_real(1, 1e6)},
                               {"wide", whole(0, 1021)},
                               {"narrow", whole(0, 20)},
                               {"barely", whole(980, 1001)},
                               {"choice", choice(50)},
                               {"order", permutation({3, 3})},
                               {"graph", dag({2, 2}, real(-10, 10))}});
  const Datum value{0,
                    {data({100, 200, 0}),
                     Datum{1000},
                     Datum{1000},
                     Datum{17},
                     Datum{990},
                     Datum{42},
                     data({3, 1, 2}),
                     {2, {edge(1, 2, -4)}}}};
  REQUIRE(is_inside(cases, value));
  Stream random(1, "each");
  constexpr int kDraws = 4000;
  double sum = 0, squares = 0, together = 0, farthest = 0;
  int moved = 0, barely = 0;
  for (int i = 0; i < kDraws; ++i) {
    const Datum next = space::shaken(cases, value, 0.05, random);
    const double first = next.items[0].items[0].number / 100 - 1;
    const double second = next.items[0].items[1].number / 200 - 1;
    sum += first;
    squares += first * first;
    together += first * second;
    for (const double u :
         {first, second, next.items[1].number / 1000 - 1, next.items[7].items[0].items[2].number / -4 - 1})
      farthest = std::max(farthest, std::fabs(u));
    REQUIRE(next.items[0].items[2].number == 0);
    REQUIRE(next.items[2].number == std::round(next.items[2].number));
    REQUIRE(std::fabs(next.items[2].number - 1000) <= 50);
    moved += next.items[2].number != 1000;
    barely += next.items[4].number != 990;
    for (const std::size_t same : {3, 5, 6}) REQUIRE(next.items[same] == value.items[same]);
  }
  // u is uniform: mean 0, variance s^2 / 3.
  CHECK(std::fabs(sum / kDraws) <= 5 * 0.05 / std::sqrt(3.0 * kDraws));
  CHECK(squares / kDraws == Approx(0.05 * 0.05 / 3).epsilon(0.1));
  CHECK(std::fabs(together / kDraws) <= 5 * 0.05 * 0.05 / 3 / std::sqrt(1.0 * kDraws));
  CHECK(farthest <= 0.05 + 1e-12);
  CHECK(farthest > 0.0499);
  CHECK(moved > 0.97 * kDraws);   // all but 1 in 100
  CHECK(barely > 0.97 * kDraws);  // a range of 21
}

TEST_CASE("what is shaken over a bound is cut there, and counts follow") {
  const auto cases = space_of({{"n", whole(0, 40)}, {"list", list(as_many_as(0), real(9, 10))}});
  const Datum value{0, {Datum{20}, {0, std::vector<Datum>(20, Datum{9.9})}}};
  Stream random(2, "cut");
  int cut = 0, of = 0, other = 0;
  for (int i = 0; i < 500; ++i) {
    const Datum next = space::shaken(cases, value, 0.2, random);
    REQUIRE(is_inside(cases, next));
    other += next.items[0].number != 20;
    for (std::size_t k = 0; k < std::min<std::size_t>(20, next.items[1].items.size()); ++k, ++of)
      cut += next.items[1].items[k].number == 10;
  }
  CHECK(other > 400);
  // 9.9 (1 + u) >= 10 for u >= 0.0101 of [-0.2, 0.2].
  CHECK(cut / static_cast<double>(of) == Approx((0.2 - 0.1 / 9.9) / 0.4).epsilon(0.05));
}

TEST_CASE("shaken cases that valid refuses are drawn anew, a hundred times") {
  auto cases = space_of({{"x", real(1, 9)}});
  int asked = 0;
  cases.valid = [&](const Datum&) { return ++asked, false; };
  Stream random(3, "valid");
  CHECK(space::shaken(cases, data({4}), 0.1, random) == data({4}));
  CHECK(asked == 100);
}
