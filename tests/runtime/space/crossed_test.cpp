#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "runtime/space/space.h"
#include "tests/support/layers.h"
#include "tests/support/spaces.h"

using namespace perigee;
using namespace perigee::test;
using space::Datum;

namespace {

using Tally = std::map<Datum, int, ByNumbers>;

// The first field of so many children.
Tally children(const space::Variable& parameter, const Datum& a, const Datum& b, int count) {
  const auto cases = space_of({{"x", parameter}});
  Stream random(1, "children");
  Tally seen;
  for (int i = 0; i < count; ++i) ++seen[space::crossed(cases, {0, {a}}, {0, {b}}, random).items[0]];
  return seen;
}

}  // namespace

TEST_CASE("children are inside the bounds") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto cases = random_space(seed);
    Stream random(seed, "parents");
    for (int i = 0; i < 30; ++i) {
      const Datum a = space::draw(cases, random), b = space::draw(cases, random);
      REQUIRE(is_inside(cases, space::crossed(cases, a, b, random)));
    }
  }
}

TEST_CASE("a child of twins is their like") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto cases = random_space(seed);
    Stream random(seed, "twins");
    const Datum a = space::draw(cases, random);
    REQUIRE(space::crossed(cases, a, a, random) == a);
  }
}

TEST_CASE("each number, choice and order is of either parent") {
  const auto cases = space_of({{"x", real(0, 1)}, {"y", choice(2)}, {"z", permutation({2, 2})}});
  const Datum a{0, {Datum{0.25}, Datum{0}, data({1, 2})}}, b{0, {Datum{0.5}, Datum{1}, data({2, 1})}};
  Stream random(2, "either");
  Tally seen;
  for (int i = 0; i < 8000; ++i) ++seen[space::crossed(cases, a, b, random)];
  CHECK(seen.size() == 8);
  for (const auto& [child, count] : seen) CHECK(near_share(count, 8000, 1 / 8.0));
}

TEST_CASE("a list is one parent's head and the other's tail") {
  const auto seen = children(list({0, 5}, whole(0, 99)), data({1, 2, 3}), data({10, 20}), 6000);
  std::set<Datum, ByNumbers> all;
  for (const auto& [child, count] : seen) {
    all.insert(child);
    CHECK(count > 500);
  }
  // Cut at 0, 1 or 2; the length is that of the tail's parent.
  CHECK(all == std::set<Datum, ByNumbers>{data({1, 2, 3}), data({10, 2, 3}), data({10, 20, 3}),
                                          data({10, 20}), data({1, 20}), data({1, 2})});
}

TEST_CASE("a matrix is cut at one row") {
  const auto rows = [](const std::vector<std::vector<double>>& all) {
    Datum out;
    for (const auto& row : all) out.items.push_back(data(row));
    return out;
  };
  std::set<Datum, ByNumbers> all;
  for (const auto& [child, count] :
       children(matrix({2, 3}, {1, 2}, whole(0, 99)), rows({{1, 2}, {3, 4}}), rows({{10}, {20}, {30}}), 6000))
    all.insert(child);
  CHECK(all == std::set<Datum, ByNumbers>{rows({{1, 2}, {3, 4}}), rows({{10, 2}, {3, 4}}),
                                          rows({{10, 2}, {20, 4}}), rows({{10}, {20}, {30}}),
                                          rows({{1}, {20}, {30}}), rows({{1}, {3}, {30}})});
}

TEST_CASE("a graph has the common edges, and each other one with probability 1/2") {
  const Datum a{4, {edge(1, 2, 1), edge(1, 3, 1), edge(3, 4, 1)}}, b{4, {edge(1, 2, 2), edge(2, 4, 2)}};
  constexpr int kChildren = 16000;
  const auto seen = children(dag({4, 4}, whole(1, 2)), a, b, kChildren);
  CHECK(seen.size() == 16);  // the value of the common edge, and three edges
  for (const auto& [child, count] : seen) {
    REQUIRE(child.items[0].items[0].number == 1);
    REQUIRE(child.items[0].items[1].number == 2);
    for (const Datum& edge : child.items)
      if (edge.items[1].number > 2) CHECK(edge.items[2].number == (edge.items[0].number == 2 ? 2 : 1));
    CHECK(near_share(count, kChildren, 1 / 16.0));
  }
}

TEST_CASE("children that valid refuses are made anew, a hundred times, then the first parent") {
  auto cases = space_of({{"x", whole(0, 9)}, {"y", whole(0, 9)}});
  int asked = 0;
  cases.valid = [&](const Datum&) { return ++asked, false; };
  Stream random(3, "valid");
  CHECK(space::crossed(cases, data({1, 2}), data({3, 4}), random) == data({1, 2}));
  CHECK(asked == 100);
}
