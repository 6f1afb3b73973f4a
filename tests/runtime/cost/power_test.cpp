#include "runtime/cost/power.h"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("the power of a host of four cores, as SimGrid's plug-in has it") {
  // SimGrid 3.32, host_energy: idle 100, epsilon 120, all cores 200 W.
  const SpeedState state{.idle = 100, .epsilon = 120, .busy = 200};
  CHECK(power_of(state, 0, 4) == 100);
  CHECK(power_of(state, 1, 4) == 140);
  CHECK(power_of(state, 2, 4) == 160);
  CHECK(power_of(state, 3, 4) == 180);
  CHECK(power_of(state, 4, 4) == 200);
  CHECK(power_of(state, 0.5, 4) == 130);  // a core of load 0.5
}

TEST_CASE("when being off takes less than being idle") {
  // The node of Batsim's platform of 128 hosts: (6.1 * 100.997 + 151.52 * 125.174 - 9.75 * 157.62) / (95 - 9.75).
  PowerModel power{.states = {{.idle = 95, .epsilon = 95, .busy = 190.738}},
                   .off = 9.75,
                   .down = 9.75,
                   .boot = {151.52, 125.174},
                   .shutdown = {6.1, 100.997}};
  CHECK(break_even(power) == Approx(211.68).margin(0.005));
  power.boot.power = power.shutdown.power = 0;  // no less than the way there and back takes
  CHECK(break_even(power) == 151.52 + 6.1);
  power.off = 95;
  CHECK(break_even(power) == std::numeric_limits<double>::infinity());
}
