// The timers of a policy, alone.
#include "runtime/engine/state/timers.h"

#include <catch2/catch.hpp>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("a timer that is over is recognised, although its slot is used again") {
  Timers timers;
  const TimerId first = timers.add(1, TimerPhase::due, Keeps::run);
  CHECK(timers.waits(first));
  timers.remove(first);
  CHECK_FALSE(timers.waits(first));
  const TimerId second = timers.add(2, TimerPhase::late, Keeps::nothing);
  CHECK(second.slot == first.slot);
  CHECK_FALSE(timers.waits(first));
  CHECK(timers.has_been(first));
  timers.remove(first);  // changes nothing
  CHECK(timers.waits(second));
  CHECK_FALSE(timers.has_been({second.serial + 1, second.slot}));
}

TEST_CASE("a timer keeps the run going, or counts as progress, until it is removed") {
  Timers timers;
  timers.add(1, TimerPhase::due, Keeps::nothing);
  CHECK_FALSE(timers.any_keeping());
  const TimerId run = timers.add(1, TimerPhase::due, Keeps::run);
  CHECK(timers.any_keeping());
  CHECK_FALSE(timers.any_alive());
  timers.add(1, TimerPhase::due, Keeps::alive);
  timers.remove(run);
  CHECK(timers.any_keeping());
  CHECK(timers.any_alive());
  timers.remove_all();
  CHECK_FALSE(timers.any_keeping());
  CHECK_FALSE(timers.any_alive());
}
