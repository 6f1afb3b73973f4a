#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/space/space.h"
#include "tests/support/layers.h"
#include "tests/support/rounds.h"
#include "tests/support/spaces.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;
using space::Datum;

namespace {

// The cases reached from the one, by `arrows`.
std::set<std::size_t> reached(const std::vector<std::set<std::size_t>>& arrows) {
  std::set<std::size_t> seen{0};
  std::vector<std::size_t> rest{0};
  while (!rest.empty()) {
    const std::size_t at = rest.back();
    rest.pop_back();
    for (const std::size_t next : arrows[at])
      if (seen.insert(next).second) rest.push_back(next);
  }
  return seen;
}

// Whether each case is reached from each other one by moves.
bool connected(const space::Space& cases, std::uint64_t seed) {
  std::map<Datum, std::size_t, ByNumbers> places;
  for (auto value = space::first(cases); value; value = space::next(cases, *value))
    places.emplace(*value, places.size());
  std::vector<std::set<std::size_t>> there(places.size()), back(places.size());
  Stream random(seed, "connected");
  for (const auto& [value, place] : places)
    for (int i = 0; i < 300; ++i) {
      const std::size_t next = places.at(space::neighbour(cases, value, random));
      there[place].insert(next);
      back[next].insert(place);
    }
  return reached(there).size() == places.size() && reached(back).size() == places.size();
}

}  // namespace

TEST_CASE("many moves keep cases inside the bounds") {
  int moves = 0, moved = 0;
  for (std::uint64_t seed = 0; seed < rounds(250); ++seed) {
    const auto cases = random_space(seed);
    Stream random(seed, "moves");
    Datum value = space::draw(cases, random);
    for (int i = 0; i < 400; ++i, ++moves) {
      Datum next = space::neighbour(cases, value, random);
      REQUIRE(is_inside(cases, next));
      moved += next != value;
      value = std::move(next);
    }
  }
  CHECK(moves == static_cast<int>(400 * rounds(250)));
  CHECK(moved > 0.9 * moves);  // two alike that are swapped, a bound that is taken again: few
}

TEST_CASE("every case is reached from every other by moves") {
  for (const auto& parameter : {whole(-2, 5), choice(4), list({0, 3}, choice(2)), list({2, 2}, whole(1, 4)),
                                matrix({2, 2}, {2, 2}, choice(3)), matrix({0, 2}, {1, 2}, choice(2)),
                                permutation({4, 4}), permutation({0, 3}), dag({4, 4}, choice(1)),
                                dag({0, 3}, whole(1, 2)), list({0, 2}, list({0, 2}, choice(2))),
                                record({{"a", choice(3)}, {"b", list({1, 2}, permutation({0, 2}))}})})
    CHECK(connected(space_of({{"x", parameter}, {"y", choice(2)}}), 1));
  int compared = 0;
  for (std::uint64_t seed = 0; seed < rounds(300); ++seed) {
    const auto cases = random_space(seed, Form::finite);
    if (space::size(cases) > 100) continue;
    ++compared;
    REQUIRE(connected(cases, seed));
  }
  CHECK(compared > static_cast<int>(rounds(50)));
}

TEST_CASE("a parameter is picked by its count of elements") {
  // 1 : 1 + 3 : 1 + 2 x 2 : 1 + 3 edges at most; what has one value is never picked.
  const auto cases =
      space_of({{"number", whole(0, 1000)},
                {"list", list({3, 3}, whole(0, 1000))},
                {"matrix", matrix({2, 2}, {2, 2}, whole(0, 1000))},
                {"order", permutation({3, 3})},
                {"fixed", list({4, 4}, real(1, 1))},
                {"inner", record({{"a", whole(0, 1000)}, {"b", choice(1)}, {"c", choice(2)}})}});
  Stream random(1, "weights");
  const Datum start{0,
                    {Datum{500},
                     data({1, 10, 100}),
                     {0, {data({1, 10}), data({100, 1000})}},
                     data({1, 2, 3}),
                     data({1, 1, 1, 1}),
                     data({500, 0, 0})}};
  REQUIRE(is_inside(cases, start));
  constexpr int kMoves = 30000;
  std::vector<int> picked(6);
  for (int i = 0; i < kMoves; ++i) {
    const Datum next = space::neighbour(cases, start, random);
    for (std::size_t field = 0; field < 6; ++field) picked[field] += next.items[field] != start.items[field];
  }
  const std::vector<double> weights{1, 4, 5, 4, 0, 2};
  CHECK(picked[4] == 0);
  for (const std::size_t field : {0, 1, 2, 3, 5}) {
    INFO("field " << field);
    // A new draw may be the old value: one in 20 * 1001.
    CHECK(near_share(picked[field], kMoves, weights[field] / 16));
  }
}

TEST_CASE("half of the moves of a list or matrix change an element") {
  const auto cases = space_of({{"x", list({0, 10}, whole(0, 1000))}});
  const Datum start{0, {data({100, 200, 300, 400})}};
  Stream random(2, "kinds");
  constexpr int kMoves = 12000;
  int change = 0, more = 0, copied = 0, fewer = 0, swapped = 0;
  for (int i = 0; i < kMoves; ++i) {
    const Datum next = space::neighbour(cases, start, random).items[0];
    if (next.items.size() == 5) {
      ++more;
      for (std::size_t k = 1; k < 5; ++k) copied += next.items[k] == next.items[k - 1];
    } else if (next.items.size() == 3) {
      ++fewer;
    } else {
      int differ = 0;
      for (std::size_t k = 0; k < 4; ++k) differ += next.items[k] != start.items[0].items[k];
      REQUIRE(differ <= 2);
      (differ == 2 ? swapped : change) += 1;
    }
  }
  CHECK(near_share(change, kMoves, 0.5));
  for (const int count : {more, fewer, swapped}) CHECK(near_share(count, kMoves, 1 / 6.0));
  CHECK(near_share(copied, more, 0.5));
}

TEST_CASE("a graph's edges are added, dropped and changed, and its tasks exchanged, alike") {
  const auto cases = space_of({{"x", dag({4, 4}, whole(0, 1000))}});
  const Datum start{0, {{4, {edge(1, 2, 100), edge(2, 4, 500)}}}};
  Stream random(3, "kinds");
  constexpr int kMoves = 12000;
  int added = 0, dropped = 0, changed = 0, exchanged = 0;
  std::set<Datum, ByNumbers> orders;
  for (int i = 0; i < kMoves; ++i) {
    const Datum next = space::neighbour(cases, start, random).items[0];
    const auto& edges = next.items;
    if (edges.size() == 3) {
      ++added;
    } else if (edges.size() == 1) {
      ++dropped;
    } else if (std::multiset<double>{edges[0].items[2].number, edges[1].items[2].number} ==
               std::multiset<double>{100, 500}) {
      ++exchanged;
      orders.insert(next);
    } else {
      ++changed;
    }
  }
  for (const int count : {added, dropped, changed, exchanged}) CHECK(near_share(count, kMoves, 0.25));
  // By hand, of 1 -> 2 -> 4: 3 may change places with 2 and with 4; with 1 it would come before it and behind 2. 1, 2 and 4
  // are bound to their order.
  CHECK(orders == std::set<Datum, ByNumbers>{{4, {edge(1, 2, 100), edge(2, 3, 500)}},
                                             {4, {edge(1, 3, 100), edge(3, 4, 500)}}});
}

TEST_CASE("once in 20 moves of a real a bound, else a step of at most a tenth of the width on its scale") {
  constexpr int kMoves = 20000;
  for (const bool logarithmic : {false, true}) {
    auto parameter = logarithmic ? log_real(1e-2, 1e2) : real(-3, 7);
    const double middle = logarithmic ? 1 : 2;
    const auto cases = space_of({{"x", parameter}});
    Stream random(4, "steps");
    int low = 0, high = 0, up = 0;
    double farthest = 0;
    for (int i = 0; i < kMoves; ++i) {
      const double next = space::neighbour(cases, {0, {Datum{middle}}}, random).items[0].number;
      if (next == parameter.low) {
        ++low;
      } else if (next == parameter.high) {
        ++high;
      } else {
        const double step = logarithmic ? std::log10(next) / 4 : (next - middle) / 10;
        up += step > 0;
        farthest = std::max(farthest, std::fabs(step));
      }
    }
    CHECK(near_share(low, kMoves, 1 / 40.0));
    CHECK(near_share(high, kMoves, 1 / 40.0));
    CHECK(near_share(up, kMoves - low - high, 0.5));
    CHECK(farthest <= 0.1 + 1e-12);
    CHECK(farthest > 0.099);
  }
}

TEST_CASE("a step is cut at the bound; one of 0 is none") {
  auto still = real(0, 1);
  still.step = 0;
  const auto cases = space_of({{"x", real(0, 1)}, {"still", still}});
  Stream random(5, "cut");
  constexpr int kMoves = 4000;
  int at_bound = 0;
  for (int i = 0; i < kMoves; ++i) {
    const Datum next = space::neighbour(cases, data({1, 0.5}), random);
    at_bound += next.items[0].number == 1;
    REQUIRE(next.items[1].number == 0.5);
  }
  CHECK(near_share(at_bound, kMoves, 0.95 / 2 + 0.05 / 2));
}

TEST_CASE("a whole number goes one up or down, once in 20 moves anywhere") {
  const auto cases = space_of({{"x", whole(0, 999)}});
  Stream random(6, "whole");
  constexpr int kMoves = 20000;
  int far = 0, from_low = 0;
  for (int i = 0; i < kMoves; ++i) {
    far += std::fabs(space::neighbour(cases, data({500}), random).items[0].number - 500) > 1;
    from_low += space::neighbour(cases, data({0}), random).items[0].number == 1;
  }
  CHECK(near_share(far, kMoves, 0.05 * 997 / 1000));
  CHECK(near_share(from_low, kMoves, 0.95 + 0.05 / 1000));
}

TEST_CASE("what is counted by a function is cut at its end or filled by draws") {
  const auto cases = space_of({{"n", whole(0, 6)},
                               {"list", list(as_many_as(0), real(0, 1))},
                               {"order", permutation(as_many_as(0))},
                               {"graph", dag(as_many_as(0), real(0, 1))},
                               {"times", matrix({2, 2}, as_many_as(0), real(0, 1))}});
  Stream random(7, "follow");
  Datum value = space::draw(cases, random);
  int shorter = 0, longer = 0;
  const auto head_of = [](const Datum& list, std::size_t n) {
    return std::vector(list.items.begin(), list.items.begin() + static_cast<std::ptrdiff_t>(n));
  };
  for (int i = 0; i < 3000; ++i) {
    const Datum next = space::neighbour(cases, value, random);
    const auto had = static_cast<std::size_t>(value.items[0].number);
    const auto has = static_cast<std::size_t>(next.items[0].number);
    if (had != has) {
      const std::size_t both = std::min(had, has);
      (has < had ? shorter : longer) += 1;
      REQUIRE(head_of(next.items[1], both) == head_of(value.items[1], both));
      for (const std::size_t row : {0, 1})
        REQUIRE(head_of(next.items[4].items[row], both) == head_of(value.items[4].items[row], both));
      // The order of those that are in both, and the edges between them, stay.
      auto before = value.items[2].items, after = next.items[2].items;
      const auto is_new = [&](const Datum& number) { return number.number > static_cast<double>(both); };
      std::erase_if(before, is_new);
      std::erase_if(after, is_new);
      REQUIRE(before == after);
      before = value.items[3].items, after = next.items[3].items;
      const auto is_new_edge = [&](const Datum& edge) { return is_new(edge.items[1]); };
      std::erase_if(before, is_new_edge);
      std::erase_if(after, is_new_edge);
      REQUIRE(before == after);
    }
    value = next;
  }
  CHECK(shorter > 50);
  CHECK(longer > 50);
}

TEST_CASE("a script's own moves are taken as often as all others; counts follow them") {
  auto cases = space_of({{"n", whole(0, 9)}, {"list", list(as_many_as(0), real(0, 1))}});
  int asked = 0;
  cases.move = [&](const Datum& value, Stream& random) -> std::optional<Datum> {
    if (++asked % 3 == 0) return std::nullopt;
    Datum next = value;
    next.items[0].number = static_cast<double>(random.below(10));
    return next;
  };
  Stream random(8, "own");
  Datum value = space::draw(cases, random);
  constexpr int kMoves = 5000;
  for (int i = 0; i < kMoves; ++i) {
    value = space::neighbour(cases, value, random);
    REQUIRE(is_inside(cases, value));
  }
  CHECK(near_share(asked, kMoves, 0.5));

  cases.move = [](const Datum&, Stream&) { return data({10, 0}); };
  CHECK_THROWS_WITH(
      [&] {
        for (int i = 0; i < 100; ++i) space::neighbour(cases, value, random);
      }(),
      Contains("move: must give a case of the space") && Contains("n: must be between 0 and 9, got 10"));
  cases.move = [](const Datum&, Stream&) { return Datum{}; };
  CHECK_THROWS_WITH(
      [&] {
        for (int i = 0; i < 100; ++i) space::neighbour(cases, value, random);
      }(),
      Contains("must have 2 fields, got 0"));
}

TEST_CASE("moves that valid refuses are made anew, a hundred times") {
  auto cases = space_of({{"x", whole(0, 9)}, {"y", whole(0, 9)}});
  int asked = 0;
  cases.valid = [&](const Datum& value) { return ++asked, value.items[0].number <= value.items[1].number; };
  Stream random(9, "valid");
  Datum value = data({0, 0});
  for (int i = 0; i < 2000; ++i) {
    value = space::neighbour(cases, value, random);
    REQUIRE(value.items[0].number <= value.items[1].number);
  }
  asked = 0;
  cases.valid = [&](const Datum&) { return ++asked, false; };
  CHECK(space::neighbour(cases, value, random) == value);
  CHECK(asked == 100);
}
