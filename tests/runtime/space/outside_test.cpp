#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "runtime/space/space.h"
#include "tests/support/layers.h"
#include "tests/support/spaces.h"

using namespace perigee;
using namespace perigee::test;
using space::Datum;

namespace {

// Why the value is none of the parameter `x`.
std::string why(const space::Variable& parameter, const Datum& value) {
  return space::why_outside(space_of({{"x", parameter}}), {0, {value}});
}

// A place in the value, any.
Datum& any_place(Datum& value, Stream& random) {
  if (value.items.empty() || random.below(4) == 0) return value;
  return any_place(value.items[random.below(value.items.size())], random);
}

}  // namespace

TEST_CASE("a value outside is named with where it is and what is allowed") {
  CHECK(why(real(1, 2), Datum{1.5}) == "");
  CHECK(why(real(1, 2), Datum{2.5}) == "x: must be between 1 and 2, got 2.5");
  CHECK(why(real(1, 2), Datum{std::nan("")}) == "x: must be between 1 and 2, got nan");
  CHECK(why(real(0, 2), data({1, 2})) == "x: must be a number, got 2 values");
  CHECK(why(whole(1, 4), Datum{1.5}) == "x: must be a whole number, got 1.5");
  CHECK(why(choice(4), Datum{4}) == "x: must be between 0 and 3, got 4");
  const auto jobs = list({1, 3}, record({{"time", real(0, 9)}, {"cores", whole(1, 4)}}));
  CHECK(why(jobs, {0, {data({1, 1}), data({1, 5})}}) == "x[2].cores: must be between 1 and 4, got 5");
  CHECK(why(jobs, {0, {data({1, 1}), data({1})}}) == "x[2]: must have 2 fields, got 1");
  CHECK(why(jobs, {}) == "x: must have between 1 and 3 elements, got 0");
  CHECK(why(jobs, Datum{7}) == "x: must be a list, got 7");
  const auto times = matrix({2, 2}, {2, 3}, real(0, 9));
  CHECK(why(times, {0, {data({1, 2}), data({3, 4})}}) == "");
  CHECK(why(times, {0, {data({1, 2})}}) == "x: must have 2 rows, got 1");
  CHECK(why(times, {0, {data({1}), data({2})}}) == "x: must have between 2 and 3 columns, got 1");
  CHECK(why(times, {0, {data({1, 2}), data({3})}}) ==
        "x[2]: must have as many columns as the first row, 2, got 1");
  CHECK(why(times, {0, {data({1, 2}), data({3, 10})}}) == "x[2][2]: must be between 0 and 9, got 10");
  CHECK(why(permutation({3, 3}), data({3, 1, 2})) == "");
  CHECK(why(permutation({3, 3}), data({3, 1, 3})) == "x[3]: 3 must be there once, got it twice");
  CHECK(why(permutation({3, 3}), data({3, 1, 4})) == "x[3]: must be a whole number between 1 and 3, got 4");
  const auto graph = dag({3, 3}, real(0, 9));
  CHECK(why(graph, {3, {edge(1, 2, 5), edge(2, 3, 5)}}) == "");
  CHECK(why(graph, {4, {}}) == "x: must have 3 tasks, got 4");
  CHECK(why(graph, {-1, {}}) == "x: must have a whole number of tasks, got -1");
  CHECK(why(graph, {3, {edge(2, 1, 5)}}) == "x[1]: must go from a lower to a higher of 3 tasks, got 2 to 1");
  CHECK(why(graph, {3, {edge(2, 4, 5)}}) == "x[1]: must go from a lower to a higher of 3 tasks, got 2 to 4");
  CHECK(why(graph, {3, {edge(2, 3, 5), edge(1, 2, 5)}}) ==
        "x[2]: edges must ascend, each pair once, got 1 to 2 after 2 to 3");
  CHECK(why(graph, {3, {edge(1, 2, 10)}}) == "x[1]: must be between 0 and 9, got 10");
  CHECK(why(graph, {3, {data({1, 2})}}) == "x[1]: must be an edge { from, to, value }");

  const auto counted = space_of({{"n", whole(0, 9)}, {"x", list(as_many_as(0), choice(2))}});
  CHECK(space::why_outside(counted, {0, {Datum{2}, data({0, 1})}}) == "");
  CHECK(space::why_outside(counted, {0, {Datum{2}, data({0})}}) == "x: must have 2 elements, got 1");
  CHECK(space::why_outside(counted, Datum{}) == "the case: must have 2 fields, got 0");
}

TEST_CASE("values of any form are told from cases") {
  int inside = 0, outside = 0;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    const auto cases = random_space(seed % 100);
    Stream random(seed, "any form");
    Datum value = space::draw(cases, random);
    for (std::uint64_t i = random.below(3); i-- > 0;) {
      Datum& place = any_place(value, random);
      switch (random.below(5)) {
        case 0:
          place.number = std::vector{-1.0, 0.5, 2.0, 3.0, 1e300, std::nan("")}[random.below(6)];
          break;
        case 1:
          place.items.resize(random.below(place.items.size() + 2));
          break;
        case 2:
          if (place.items.size() > 1) std::swap(place.items.front(), place.items.back());
          break;
        case 3:
          place.number += 1;
          break;
        default: {
          const Datum other = any_place(value, random);
          any_place(value, random) = other;
        }
      }
    }
    const bool is_case = is_inside(cases, value);
    INFO("seed " << seed);
    REQUIRE((space::why_outside(cases, value) == "") == is_case);
    (is_case ? inside : outside) += 1;
  }
  CHECK(inside > 1000);
  CHECK(outside > 1000);
}
