#include "runtime/space/datum.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/space/space.h"
#include "tests/support/layers.h"
#include "tests/support/spaces.h"

using namespace perigee;
using namespace perigee::test;
using space::Datum;

TEST_CASE("a value is packed as its number and its count before its items") {
  const Datum value{0, {Datum{2.5}, Datum{3, {Datum{7}}}}};
  CHECK(space::packed(value) == std::vector<double>{0, 2, 2.5, 0, 3, 1, 7, 0});
}

TEST_CASE("what was packed is read back, one value behind the other") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto cases = random_space(seed);
    Stream random(seed, "packed");
    const Datum a = space::draw(cases, random), b = space::draw(cases, random);
    std::vector<double> numbers = space::packed(a);
    space::pack(b, numbers);
    numbers.push_back(42);
    std::span<const double> rest = numbers;
    const auto first = space::unpack(rest);
    const auto second = space::unpack(rest);
    REQUIRE(first == a);
    REQUIRE(second == b);
    REQUIRE(rest.size() == 1);
    REQUIRE(rest[0] == 42);
  }
}

TEST_CASE("numbers that are not of a value are refused") {
  const auto read = [](std::vector<double> numbers) {
    std::span<const double> rest = numbers;
    return space::unpack(rest).has_value();
  };
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  CHECK(read({1, 0}));
  CHECK(read({nan, 0}));  // any number is one
  CHECK_FALSE(read({}));
  CHECK_FALSE(read({1}));
  CHECK_FALSE(read({1, 1}));
  CHECK_FALSE(read({1, 1, 2}));
  CHECK_FALSE(read({1, 2, 2, 0, 3}));
  for (const double count : {-1.0, 0.5, nan, inf, -inf, 1e18, 1e300})
    CHECK_FALSE(read({1, count, 2, 0, 3, 0}));
  // A chain of values, each in the one before: deeper than people nest.
  std::vector<double> deep;
  for (int i = 0; i < 100'000; ++i) deep.insert(deep.end(), {0, 1});
  deep.insert(deep.end(), {0, 0});
  CHECK_FALSE(read(deep));
  // Each claims all that follows: no room is taken for it.
  std::vector<double> greedy;
  for (int i = 0; i < 1'000'000; ++i) greedy.insert(greedy.end(), {0, 999'999.0 - i});
  CHECK_FALSE(read(greedy));
}

TEST_CASE("changed numbers are read as another value or refused") {
  int read = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const auto cases = random_space(seed % 50);
    Stream random(seed, "changed");
    std::vector<double> numbers = space::packed(space::draw(cases, random));
    for (int i = 0; i < 3; ++i)
      numbers[random.below(numbers.size())] = std::vector{-1.0, 0.0, 1.0, 2.0, 1e9, 0.5}[random.below(6)];
    if (random.bernoulli(0.3)) numbers.resize(random.below(numbers.size()));
    std::span<const double> rest = numbers;
    if (const auto value = space::unpack(rest)) {
      ++read;
      const auto taken = numbers.size() - rest.size();
      numbers.resize(taken);
      REQUIRE(space::packed(*value) == numbers);
    } else {
      ++refused;
    }
  }
  CHECK(read > 100);
  CHECK(refused > 100);
}
