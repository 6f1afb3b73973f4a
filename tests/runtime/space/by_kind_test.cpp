#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "runtime/space/space.h"
#include "tests/support/layers.h"
#include "tests/support/spaces.h"

using namespace perigee;
using namespace perigee::test;
using space::Datum;

TEST_CASE("100000 moves by kind keep cases inside the bounds") {
  int moves = 0;
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    const auto cases = random_space(seed);
    Stream random(seed, "moves by kind");
    Datum value = space::draw(cases, random);
    for (int i = 0; i < 400; ++i, ++moves) {
      value = space::neighbour_by_kind(cases, value, random);
      REQUIRE(is_inside(cases, value));
    }
  }
  CHECK(moves == 100'000);
}

// Coleman and Krishnamachari, PISA: six kinds, each equally likely.
TEST_CASE("the six moves of PISA are equally likely, each of one number or edge") {
  auto weight = real(0.1, 1);
  weight.step = 0.1 / 0.9;
  const auto cases = space_of({{"graph", dag({4, 4}, weight)},
                               {"costs", list({4, 4}, weight)},
                               {"speeds", list({3, 3}, weight)},
                               {"links", list({3, 3}, weight)}});
  const Datum chain{4, {edge(1, 2, 0.5), edge(2, 3, 0.15), edge(3, 4, 0.95)}};
  const Datum start{0, {chain, data({0.5, 0.5, 0.5, 0.5}), data({0.5, 0.5, 0.5}), data({0.5, 0.5, 0.5})}};
  REQUIRE(is_inside(cases, start));
  Stream random(1, "PISA");
  constexpr int kMoves = 30000;
  std::map<std::string, int> kinds;
  double farthest = 0;
  for (int i = 0; i < kMoves; ++i) {
    const Datum next = space::neighbour_by_kind(cases, start, random);
    REQUIRE(is_inside(cases, next));
    const auto &edges = next.items[0].items, &had = start.items[0].items;
    int changed = 0;
    const auto compare = [&](double now, double before) {
      changed += now != before;
      farthest = std::max(farthest, std::fabs(now - before));
    };
    if (edges.size() != had.size()) {
      ++kinds[edges.size() > had.size() ? "add" : "drop"];
      for (std::size_t field = 1; field < 4; ++field) REQUIRE(next.items[field] == start.items[field]);
      continue;
    }
    std::string kind;
    for (std::size_t e = 0; e < 3; ++e) compare(edges[e].items[2].number, had[e].items[2].number);
    if (changed > 0) kind = "edge";
    for (std::size_t field = 1; field < 4; ++field)
      for (std::size_t k = 0; k < start.items[field].items.size(); ++k) {
        const int so_far = changed;
        compare(next.items[field].items[k].number, 0.5);
        if (changed > so_far) kind = cases.root.fields[field].name;
      }
    REQUIRE(changed == 1);
    ++kinds[kind];
  }
  CHECK(kinds.size() == 6);
  for (const auto& [kind, count] : kinds) {
    INFO(kind);
    CHECK(std::fabs(count - kMoves / 6.0) <= 5 * std::sqrt(kMoves * 5 / 36.0));
  }
  CHECK(farthest <= 0.1 + 1e-12);  // no bound but by a step that is cut there
  CHECK(farthest > 0.099);
}

TEST_CASE("kinds that are not possible are not drawn") {
  const auto cases = space_of({{"graph", dag({2, 2}, real(1, 1))}, {"fixed", choice(1)}});
  const Datum without{0, {Datum{2}, Datum{0}}};
  const Datum with{0, {{2, {edge(1, 2, 1)}}, Datum{0}}};
  Stream random(2, "possible");
  for (int i = 0; i < 20; ++i) {
    CHECK(space::neighbour_by_kind(cases, without, random) == with);
    CHECK(space::neighbour_by_kind(cases, with, random) == without);
  }
  CHECK(space::neighbour_by_kind(space_of({{"fixed", choice(1)}}), data({0}), random) == data({0}));
}

TEST_CASE("moves by kind that valid refuses are made anew, a hundred times") {
  auto cases = space_of({{"x", whole(0, 9)}});
  int asked = 0;
  cases.valid = [&](const Datum&) { return ++asked, false; };
  Stream random(3, "valid");
  CHECK(space::neighbour_by_kind(cases, data({4}), random) == data({4}));
  CHECK(asked == 100);
}
