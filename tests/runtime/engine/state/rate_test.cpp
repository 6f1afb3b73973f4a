// A rate over time, alone.
#include "runtime/engine/state/rate.h"

#include <catch2/catch.hpp>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("the time of a profile counts from its installation, and the factor stretches it") {
  // 1 for 10 s, then 3; doubled; from t = 100 s on.
  const Rate rate{Profile::steps({0, 10}, {1, 3}), 100, 2};
  CHECK(rate.at(105) == 2);
  CHECK(rate.at(110) == 6);
  CHECK(rate.next_change(105) == 110);
  CHECK(rate.next_change(110) == kNever);
  CHECK(rate.integral(105, 112) == 2 * 5 + 6 * 2);
  CHECK(rate.end_of(105, 22) == 112);
  CHECK(rate.end_of(105, 22, 1) == 110 + 17.0 / 3);
  CHECK(rate.integral(105, 112, 1) == 11);
}
