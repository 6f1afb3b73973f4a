#include "runtime/cost/timeline.h"
#include "tests/support/layers.h"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace perigee;
using namespace perigee::test;

TEST_CASE("a thing goes into the earliest interval that holds it") {
  Timeline line(0);
  line.take({2, 5});
  line.take({6, 10});
  const auto is = [&](Time ready, Seconds duration, Time start) {
    const Slot slot = line.earliest(ready, duration);
    CHECK(slot.start == start);
    CHECK(slot.end == start + duration);
  };
  is(0, 2, 0);
  is(0, 1, 0);
  is(1, 1, 1);
  is(1, 2, 10);
  is(0, 2.5, 10);
  is(3, 1, 5);
  is(5.5, 1, 10);
  is(40, 3, 40);
  CHECK(line.earliest(0, kNever).start == kNever);
  CHECK(line.earliest(kNever, 1).start == kNever);
  line.take({10, kNever});
  CHECK(line.earliest(0, 2.5).start == kNever);
  is(0, 2, 0);
}

TEST_CASE("how long a timeline is free before a time") {
  Timeline times(10);
  times.take({12, 13});
  times.take({20, 21});  // free: 10-12, 13-20, from 21
  CHECK(times.room(0, 10) == 0);
  CHECK(times.room(0, 11.5) == 1.5);
  CHECK(times.room(0, 16) == 3);
  CHECK(times.room(0, 14) == 2);
  CHECK(times.room(0, 20.5) == 7);
  CHECK(times.room(0, 30) == 9);
  CHECK(times.room(11, 13) == 1);
  CHECK(times.room(18, 22) == 2);
  CHECK(times.room(0, kNever) == kNever);
  CHECK(times.free_until(10) == 12);
  CHECK(times.free_until(12) == 20);
  CHECK(times.free_until(20) == kNever);
  times.take({21, kNever});
  CHECK(times.free_until(20) == -kNever);
  CHECK(times.room(0, kNever) == 7);
}

TEST_CASE("an interval may be exceeded by rounding, and what is left by rounding is gone") {
  Timeline line(0);
  line.take({0.3, 1});
  const Slot slot = line.earliest(0, 0.1 + 0.2);  // 0.30000000000000004
  CHECK(slot.start == 0);
  line.take(slot);
  CHECK(line.free().size() == 1);
  CHECK(line.free().front().start == 1);
  line.take({1 + 1e-12, 2});
  CHECK(line.free().front().start == 2);
}

TEST_CASE("a thing whose length depends on its start") {
  Timeline line(0);
  line.take({4, 6});
  // Half speed until 6, full speed then: 3 s of work.
  const auto end_of = [](Time start) {
    return start >= 6 ? start + 3 : start + 6 <= 6 ? start + 6 : 6 + (3 - (6 - start) / 2);
  };
  const Slot slot = line.earliest_by(0, end_of);
  CHECK(slot.start == 6);
  CHECK(slot.end == 9);
}

TEST_CASE("the earliest interval is that of a table of seconds") {
  std::mt19937_64 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 300; ++round) {
    const int shortest = 1 + below(3);
    Timeline line(0, shortest);
    std::vector<bool> busy(4000, false);
    for (int step = 0; step < 60; ++step) {
      const int ready = below(2) == 0 ? 0 : below(120), duration = shortest + below(9);
      int start = ready;
      for (int free = 0; free < duration; ++start)
        free = busy[static_cast<std::size_t>(start)] ? 0 : free + 1;
      start -= duration;
      const Slot slot = line.earliest(ready, duration);
      REQUIRE(slot.start == start);
      const Slot same = line.earliest_by(ready, [&](Time at) { return at + duration; });
      REQUIRE(same.start == start);
      if (below(4) == 0) continue;
      line.take(slot);
      for (int t = start; t < start + duration; ++t) busy[static_cast<std::size_t>(t)] = true;
    }
  }
}
