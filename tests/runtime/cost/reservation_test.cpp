// Loads converted to reservations (Mamat, 2011, Algorithm 5), against cases calculated by hand.
#include "runtime/cost/reservation.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "runtime/kernel/error.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

TEST_CASE("a load is reserved for on the fewest nodes that make its deadline") {
  // beta = 3/4. Within 10 s: gamma = 1 - 4/10, ln 0.6 / ln 0.75 = 1.78, so 2 nodes; they take
  // 4 / (1 - 9/16) = 64/7 s, of which 4 s are transmission.
  const Reserved two = reservation_of({1, 3}, 8, 4, 5, 10, 2);
  CHECK(two.nodes == 2);
  CHECK(two.asked == 3);
  CHECK(two.from == 5);
  CHECK(two.to == Approx(5 + 64.0 / 7).epsilon(1e-14));
  CHECK(two.io_ratio == Approx(7.0 / 16).epsilon(1e-14));
  // Nobody asks before the beginning.
  CHECK(reservation_of({1, 3}, 8, 4, 5, 10, 7).asked == 0);
  CHECK(reservation_of({1, 3}, 8, 4, 5, 10, 0).asked == 5);
  // One node takes 16 s; a little less time needs two, and just under 64/7 s needs three.
  CHECK(reservation_of({1, 3}, 8, 4, 0, 16, 0).nodes == 1);
  CHECK(reservation_of({1, 3}, 8, 4, 0, 15.999, 0).nodes == 2);
  CHECK(reservation_of({1, 3}, 8, 4, 0, 9.143, 0).nodes == 2);
  CHECK(reservation_of({1, 3}, 8, 4, 0, 9.142, 0).nodes == 3);
}

TEST_CASE("the number of reserved nodes is that of the closed form") {
  std::mt19937_64 rng(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 2000; ++i) {
    const UnitCosts costs{0.05 + 3 * uniform(rng), 0.1 + 1000 * uniform(rng)};
    const double load = 0.1 + 100 * uniform(rng),
                 beta = costs.computation / (costs.transmission + costs.computation);
    const double within = load * costs.transmission * (1.05 + 20 * uniform(rng));
    const double exact = std::log(1 - load * costs.transmission / within) / std::log(beta);
    if (std::fabs(exact - std::round(exact)) < 1e-6) continue;
    const auto nodes = static_cast<std::size_t>(std::max(1.0, std::ceil(exact)));
    const Reserved reserved = reservation_of(costs, nodes, load, 7, within, 0);
    CHECK(reserved.nodes == nodes);
    CHECK(reserved.to <= 7 + within * (1 + 1e-9));
    CHECK((reserved.to - reserved.from) * reserved.io_ratio ==
          Approx(load * costs.transmission).epsilon(1e-9));
    if (nodes > 1) {
      CHECK_THROWS_WITH(reservation_of(costs, nodes - 1, load, 7, within, 0), Contains("on all nodes"));
    }
  }
}

TEST_CASE("a load that cannot make its deadline is not converted") {
  CHECK_THROWS_WITH(reservation_of({1, 3}, 8, 4, 0, 4, 0),
                    Contains("a load of 4 that is sent in 4 s cannot be reserved for within 4 s"));
  CHECK_THROWS_WITH(reservation_of({1, 3}, 1, 4, 0, 15, 0),
                    Contains("takes 16 s on all nodes, 1: it cannot be reserved for within 15 s"));
  try {
    reservation_of({1, 3}, 8, 4, 0, 4, 0);
    FAIL("it was converted");
  } catch (const Error& error) {
    CHECK(error.diagnostic().code == "not_convertible");
  }
  CHECK_THROWS_WITH(reservation_of({1, 3, 1, 0}, 8, 4, 0, 40, 0), Contains("set-ups"));
}
