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

namespace {

space::Space reals() {
  return space_of({{"a", real(-2, 6)},
                   {"b", list({2, 2}, log_real(1e-2, 1e2))},
                   {"c", record({{"d", matrix({2, 2}, {1, 1}, real(0, 10))}, {"e", real(3, 3)}})}});
}

}  // namespace

TEST_CASE("reals on the unit interval, by hand") {
  const Datum value{0, {Datum{0}, data({1, 100}), {0, {{0, {data({2.5}), data({10})}}, Datum{3}}}}};
  const auto unit = space::to_unit(reals(), value);
  REQUIRE(unit.size() == 6);
  CHECK(unit[0] == 0.25);
  CHECK(unit[1] == Approx(0.5).epsilon(1e-15));
  CHECK(unit[2] == 1);
  CHECK(unit[3] == 0.25);
  CHECK(unit[4] == 1);
  CHECK(unit[5] == 0);  // of no width

  const auto back = space::from_unit(reals(), std::vector{0.75, 0.25, 0.0, 0.125, 1.0, 0.6});
  CHECK(back.items[0].number == 4);
  CHECK(back.items[1].items[0].number == Approx(0.1).epsilon(1e-14));
  CHECK(back.items[1].items[1].number == 1e-2);
  CHECK(back.items[2].items[0] == Datum{0, {data({1.25}), data({10})}});
  CHECK(back.items[2].items[1].number == 3);
}

TEST_CASE("there and back is the same but for rounding; the ends are exact, and outside is cut") {
  Stream random(1, "there and back");
  for (int i = 0; i < 1000; ++i) {
    std::vector<double> unit(6);
    for (double& u : unit) u = random.uniform(-0.2, 1.2);
    const Datum value = space::from_unit(reals(), unit);
    REQUIRE(is_inside(reals(), value));
    const auto again = space::to_unit(reals(), value);
    for (std::size_t k = 0; k < 5; ++k) REQUIRE(std::fabs(again[k] - std::clamp(unit[k], 0.0, 1.0)) <= 1e-14);
  }
  CHECK(space::from_unit(reals(), std::vector<double>(6, 0)) ==
        Datum{0, {Datum{-2}, data({1e-2, 1e-2}), {0, {{0, {data({0}), data({0})}}, Datum{3}}}}});
  CHECK(space::from_unit(reals(), std::vector<double>(6, 1)) ==
        Datum{0, {Datum{6}, data({1e2, 1e2}), {0, {{0, {data({10}), data({10})}}, Datum{3}}}}});
}

TEST_CASE("bounds as far apart as numbers are") {
  const double most = std::numeric_limits<double>::max();
  const auto cases = space_of({{"x", real(-most, most)}});
  CHECK(space::from_unit(cases, std::vector{0.5}) == data({0}));
  CHECK(space::to_unit(cases, data({0})) == std::vector{0.5});
  CHECK(space::to_unit(cases, data({most / 2}))[0] == Approx(0.75));
  Stream random(2, "far");
  Datum value = space::draw(cases, random);
  for (int i = 0; i < 200; ++i) {
    REQUIRE(std::isfinite(value.items[0].number));
    value = space::neighbour(cases, value, random);
  }
}

TEST_CASE("the first parameter that is no real is named") {
  const auto name_of = [](space::Variable parameter) {
    return space::not_real(space_of({{"x", real(0, 1)}, {"jobs", std::move(parameter)}, {"z", choice(2)}}));
  };
  CHECK_FALSE(space::not_real(reals()));
  CHECK(name_of(real(0, 1)) == "z");
  CHECK(name_of(whole(1, 2)) == "jobs");
  CHECK(name_of(list({1, 2}, real(0, 1))) == "jobs");
  CHECK(name_of(list({2, 2}, real(0, 1))) == "z");
  CHECK(name_of(list(as_many_as(0), real(0, 1))) == "jobs");
  CHECK(name_of(list({2, 2}, record({{"time", real(0, 1)}, {"cores", whole(1, 2)}}))) == "jobs.cores");
  CHECK(name_of(matrix({1, 2}, {1, 1}, real(0, 1))) == "jobs");
  CHECK(name_of(matrix({1, 1}, {1, 2}, real(0, 1))) == "jobs");
  CHECK(name_of(matrix({1, 1}, {2, 2}, choice(2))) == "jobs");
  CHECK(name_of(permutation({2, 2})) == "jobs");
  CHECK(name_of(dag({2, 2}, real(0, 1))) == "jobs");
  CHECK(name_of(record({{"a", record({{"b", permutation({1, 1})}})}})) == "jobs.a.b");
}
