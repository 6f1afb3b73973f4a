// Whether one resource is there, up, and known to be so.
#include "runtime/engine/state/presence.h"

#include <catch2/catch.hpp>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

Outage announced_outage(std::size_t place) {
  return {model::outage_number(OutageOrigin::scenario, place), Cause::outage, true};
}
Outage silent_outage(std::size_t place) {
  Outage outage = announced_outage(place);
  outage.announced = false;
  return outage;
}

}  // namespace

TEST_CASE("a silent outage takes a resource down, and nobody knows until one is announced") {
  Presence host;
  Presence::Begun begun = host.begin(silent_outage(1));
  CHECK((begun.was_up && begun.is_first && !begun.is_news));
  CHECK_FALSE(host.is_up());
  CHECK(host.seems_up());
  begun = host.begin(announced_outage(2));
  CHECK((!begun.was_up && !begun.is_first && begun.is_news));
  CHECK_FALSE(host.seems_up());
  begun = host.begin(announced_outage(3));
  CHECK_FALSE(begun.is_news);
  for (const std::size_t place : {1, 2, 3}) CHECK(host.end(announced_outage(place)));
  CHECK_FALSE(host.end(announced_outage(3)));
  CHECK(host.recover());
  CHECK(host.seems_up());
  CHECK(host.is_up());
  CHECK_FALSE(host.recover());
}

TEST_CASE("a resource that is away is neither up nor seems so, whatever its outages do") {
  Presence link;
  link.leave();
  CHECK_FALSE(link.is_up());
  CHECK_FALSE(link.seems_up());
  link.begin(announced_outage(1));
  link.join();
  CHECK_FALSE(link.is_up());
  CHECK_FALSE(link.seems_up());
  link.end(announced_outage(1));
  link.recover();
  CHECK(link.is_up());
}

TEST_CASE("a host that changes clusters is known to be down if the new cluster is, or if it was for itself") {
  Outages old_cluster, quiet_cluster, known_cluster;
  old_cluster.begin(announced_outage(1));
  quiet_cluster.begin(silent_outage(2));
  known_cluster.begin(announced_outage(3));
  Presence by_cluster;
  by_cluster.begin(announced_outage(1));
  by_cluster.move(old_cluster, quiet_cluster);
  CHECK_FALSE(by_cluster.is_up());
  CHECK(by_cluster.seems_up());
  Presence for_itself;
  for_itself.begin(announced_outage(1));
  for_itself.begin(announced_outage(4));
  for_itself.move(old_cluster, {});
  CHECK_FALSE(for_itself.seems_up());
  Presence moved;
  moved.move({}, known_cluster);
  CHECK_FALSE(moved.seems_up());
}

TEST_CASE("a host whose silent outage shows itself is known to be down until it is back, once") {
  Presence host;
  CHECK_FALSE(host.notice());
  host.begin(silent_outage(1));
  CHECK(host.seems_up());
  CHECK(host.notice());
  CHECK_FALSE(host.seems_up());
  CHECK_FALSE(host.notice());
  CHECK_FALSE(host.begin(announced_outage(2)).is_news);
  host.end(silent_outage(1));
  host.end(announced_outage(2));
  CHECK(host.recover());
  CHECK(host.seems_up());
  host.leave();  // which is no outage
  CHECK_FALSE(host.notice());
  host.join();
  CHECK(host.seems_up());
}
