// The slots of activities, alone: serials, copies, dependents, holds.
#include "runtime/engine/state/activities.h"

#include <catch2/catch.hpp>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("a slot is used again, a serial never") {
  Activities activities;
  const ActivityId first = activities.id_of(activities.allocate(ActivityKind::compute));
  CHECK(activities.lives(first));
  activities.release(first.slot);
  CHECK_FALSE(activities.lives(first));
  const ActivityId second = activities.id_of(activities.allocate(ActivityKind::compute, true));
  CHECK(second.slot == first.slot);
  CHECK(second.serial == first.serial + 1);
  CHECK_FALSE(activities.lives(first));
  CHECK(activities.has_been(first));
  CHECK_FALSE(activities.has_been({second.serial + 1, second.slot}));
  CHECK_FALSE(activities.lives({}));
}

TEST_CASE("the earliest copy is found whatever the order of copying, and one that is over leaves the ring") {
  Activities activities;
  const auto a = activities.allocate(ActivityKind::compute), b = activities.allocate(ActivityKind::compute),
             c = activities.allocate(ActivityKind::compute);
  CHECK(activities.earliest_copy(a) == kNone);
  activities.add_copy(a, c);
  activities.add_copy(a, b);
  CHECK(activities.earliest_copy(a) == b);
  CHECK(activities.earliest_copy(b) == a);
  activities.release(b);
  CHECK(activities.earliest_copy(a) == c);
  activities.release(c);
  CHECK(activities.earliest_copy(a) == kNone);
}

TEST_CASE("dependents are found in the order of posting") {
  Activities activities;
  const auto chunk = activities.allocate(ActivityKind::chunk);
  const ActivityId after = activities.id_of(chunk);
  const auto a = activities.allocate(ActivityKind::compute), b = activities.allocate(ActivityKind::compute);
  activities.make_dependent(b, after);
  activities.make_dependent(a, after);
  CHECK(activities.earliest_dependent(chunk) == a);
  CHECK(activities.waits_for_another(activities[b]));
  activities.make_independent(a);
  CHECK_FALSE(activities.waits_for_another(activities[a]));
  CHECK(activities.earliest_dependent(chunk) == b);
  activities.make_independent(b);
  CHECK(activities.earliest_dependent(chunk) == kNone);
  activities.release(chunk);
  activities.make_dependent(a, after);  // it is over
  CHECK_FALSE(activities.waits_for_another(activities[a]));
}

TEST_CASE("a hold ends with its activity, and so do ties of its work and its standing still") {
  Activities activities;
  const auto slot = activities.allocate(ActivityKind::hold);
  activities[slot].work = WorkId(2);
  activities[slot].hold = activities.add_hold({.hosts = {HostId(1)}});
  activities.tie(slot, 3);
  activities.freeze(slot);
  activities.freeze(slot);
  CHECK(activities.frozen() == 1);
  CHECK(activities.is_tied(WorkId(2)));
  CHECK_FALSE(activities.is_tied(WorkId(1)));
  const std::uint32_t place = activities[slot].hold;
  activities.release(slot);
  CHECK(activities.frozen() == 0);
  CHECK_FALSE(activities.is_tied(WorkId(2)));
  CHECK(activities.add_hold({.hosts = {HostId(0)}}) == place);
}

TEST_CASE("an activity waits for its time until that comes or the activity is over") {
  Activities activities;
  const auto a = activities.allocate(ActivityKind::compute), b = activities.allocate(ActivityKind::compute);
  CHECK_FALSE(activities.any_waits_for_time());
  activities.wait_for_time(a);
  activities.wait_for_time(b);
  activities.time_has_come(a);
  activities.time_has_come(a);
  CHECK(activities.any_waits_for_time());
  activities.release(b);
  CHECK_FALSE(activities.any_waits_for_time());
}
