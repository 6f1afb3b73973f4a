#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/space/space.h"
#include "tests/support/layers.h"
#include "tests/support/spaces.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;
using space::Datum;

namespace {

// How often each number of the first field came in so many draws.
std::map<double, int> tally(const space::Space& cases, int draws) {
  Stream random(7, "tally");
  std::map<double, int> seen;
  for (int i = 0; i < draws; ++i) {
    const Datum value = space::draw(cases, random).items[0];
    ++seen[value.items.empty() ? value.number : static_cast<double>(value.items.size())];
  }
  return seen;
}

}  // namespace

TEST_CASE("draws are inside the bounds, and the same for the same stream") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const auto cases = random_space(seed);
    Stream random(seed, "draws");
    Stream again = random;
    for (int i = 0; i < 10; ++i) {
      const Datum value = space::draw(cases, random);
      REQUIRE(is_inside(cases, value));
      REQUIRE(space::why_outside(cases, value) == "");
      REQUIRE(space::draw(cases, again) == value);
    }
  }
}

TEST_CASE("whole numbers, choices and counts are uniform") {
  constexpr int kDraws = 20000;
  for (const auto& parameter : {whole(-1, 3), choice(5), list({1, 5}, choice(2)), permutation({1, 5})}) {
    const auto seen = tally(space_of({{"x", parameter}}), kDraws);
    CHECK(seen.size() == 5);
    for (const auto& [value, count] : seen) CHECK(near_share(count, kDraws, 0.2));
  }
}

TEST_CASE("reals are uniform on their scale") {
  constexpr int kDraws = 20000;
  Stream random(1, "reals");
  const auto cases = space_of({{"x", real(-2, 6)}, {"y", log_real(1e-3, 1e5)}, {"z", real(4, 4)}});
  int below_zero = 0, below_ten = 0;
  for (int i = 0; i < kDraws; ++i) {
    const Datum value = space::draw(cases, random);
    below_zero += value.items[0].number < 0;
    below_ten += value.items[1].number < 10;
    REQUIRE(value.items[2].number == 4);
  }
  CHECK(near_share(below_zero, kDraws, 0.25));
  CHECK(near_share(below_ten, kDraws, 0.5));
}

TEST_CASE("each order of a permutation and each graph is equally likely") {
  constexpr int kDraws = 24000;
  Stream random(2, "orders");
  const auto cases = space_of({{"order", permutation({3, 3})}, {"graph", dag({3, 3}, choice(1))}});
  std::map<Datum, int, ByNumbers> orders, graphs;
  for (int i = 0; i < kDraws; ++i) {
    const Datum value = space::draw(cases, random);
    ++orders[value.items[0]];
    ++graphs[value.items[1]];
  }
  CHECK(orders.size() == 6);
  CHECK(graphs.size() == 8);
  for (const auto& [order, count] : orders) CHECK(near_share(count, kDraws, 1 / 6.0));
  for (const auto& [graph, count] : graphs) CHECK(near_share(count, kDraws, 1 / 8.0));
}

TEST_CASE("a count that is a function sees the fields drawn before it and no others") {
  // Drawn in the order c, a, b.
  const auto cases = space_of({{"a", list({0, 0,
                                           [](const Datum& record) {
                                             CHECK(record.items.size() == 3);
                                             CHECK(record.items[0] == Datum{});
                                             CHECK(record.items[1] == Datum{});
                                             return static_cast<std::uint64_t>(record.items[2].number);
                                           }},
                                          whole(5, 9))},
                               {"b", permutation({0, 0,
                                                  [](const Datum& record) {
                                                    CHECK(record.items[1] == Datum{});
                                                    return record.items[0].items.size() + 1;
                                                  }})},
                               {"c", whole(2, 6)}},
                              {2, 0, 1});
  Stream random(3, "functions");
  Datum value = space::draw(cases, random);
  for (int i = 0; i < 200; ++i) {
    REQUIRE(value.items[0].items.size() == static_cast<std::size_t>(value.items[2].number));
    REQUIRE(value.items[1].items.size() == value.items[0].items.size() + 1);
    REQUIRE(space::why_outside(cases, value) == "");
    value = space::neighbour(cases, value, random);
  }
}

TEST_CASE("a function's count above a million is an error") {
  const auto cases = space_of({{"a", list({0, 0, [](const Datum&) { return 1'000'001ull; }}, whole(1, 2))}});
  Stream random(4, "many");
  CHECK_THROWS_WITH(space::draw(cases, random), Contains("1000001") && Contains("at most 1000000"));
}

TEST_CASE("draws that valid refuses are drawn again; a hundred refusals are an error") {
  auto cases = space_of({{"x", whole(1, 10)}});
  cases.valid = [](const Datum& value) { return value.items[0].number == 7; };
  Stream random(5, "valid");
  for (int i = 0; i < 50; ++i) CHECK(space::draw(cases, random).items[0].number == 7);
  int asked = 0;
  cases.valid = [&](const Datum&) { return ++asked > 1000; };
  try {
    space::draw(cases, random);
    FAIL("nothing was refused");
  } catch (const Error& error) {
    CHECK(error.diagnostic().code == "bad_space");
    CHECK_THAT(error.diagnostic().message, Contains("valid") && Contains("100 of 100") && Contains("100 %"));
  }
  CHECK(asked == 100);
}
