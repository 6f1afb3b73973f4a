// The outages of one resource, alone.
#include "runtime/engine/state/outages.h"

#include <catch2/catch.hpp>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

Outage one(OutageOrigin origin, std::size_t place, Cause cause = Cause::outage) {
  return {model::outage_number(origin, place), cause, true};
}
Outage declared(std::size_t place, Cause cause = Cause::outage) {
  return one(OutageOrigin::scenario, place, cause);
}
Outage by_hand(std::size_t place = 0) { return one(OutageOrigin::intervention, place); }
Outage by_process(std::size_t place = 0) { return one(OutageOrigin::process, place); }

}  // namespace

TEST_CASE("a declared outage ends for itself, whatever else covers") {
  Outages outages;
  outages.begin(declared(1));
  outages.begin(declared(2));
  CHECK(outages.end(outages.ended_by(declared(1))));
  CHECK_FALSE(outages.end(outages.ended_by(declared(1))));
  CHECK(outages.size() == 1);
  CHECK(outages.end(outages.ended_by(declared(2))));
  CHECK(outages.empty());
}

TEST_CASE("a recovery prefers the outage of its own origin, then one of no declaration, then the first") {
  Outages outages;
  outages.begin(declared(1));
  outages.begin(declared(2));
  outages.begin(by_hand(3));
  outages.begin(by_process(4));
  outages.begin(by_process(5));
  CHECK(outages.ended_by(by_process(9)).number == by_process(5).number);
  CHECK(outages.any_by_hand());
  CHECK(outages.end(outages.ended_by(by_hand(9))));
  CHECK_FALSE(outages.any_by_hand());
  CHECK(outages.ended_by(by_hand(9)).number == by_process(5).number);
  CHECK(outages.end(by_process(5)));
  CHECK(outages.end(outages.ended_by(by_hand(9))));
  CHECK(outages.ended_by(by_hand(9)).number == declared(1).number);
}

TEST_CASE("a recovery never ends a reservation") {
  Outages outages;
  outages.begin(declared(1, Cause::reservation));
  CHECK(outages.any_reserved());
  CHECK_FALSE(outages.any_to_recover());
  CHECK_FALSE(outages.end(outages.ended_by(by_hand())));
  outages.begin(declared(2));
  CHECK(outages.any_to_recover());
  CHECK(outages.end(outages.ended_by(by_process())));
  CHECK(outages.end(outages.ended_by(one(OutageOrigin::process, 7, Cause::reservation))));
  CHECK(outages.empty());
}

TEST_CASE("a host that moves leaves the outages of its cluster behind and has those of the new one") {
  Outages old_cluster, new_cluster, host;
  old_cluster.begin(declared(1));
  Outage silent = declared(2);
  silent.announced = false;
  new_cluster.begin(silent);
  host.begin(declared(1));
  host.begin(declared(3));
  host.move(old_cluster, new_cluster);
  CHECK(host.size() == 2);
  CHECK_FALSE(host.end(declared(1)));
  CHECK(host.end(declared(3)));
  CHECK_FALSE(host.any_announced());
  CHECK(host.end(declared(2)));
}

TEST_CASE("a cluster's recovery ends its own outage on a host, not one that the host has besides") {
  Outages host;
  host.begin(by_hand(1));                      // of the cluster
  CHECK(host.end(host.ended_by(by_hand(2))));  // the host recovers
  host.begin(by_hand(3));                      // and fails for itself
  CHECK_FALSE(host.end(by_hand(1)));           // the cluster recovers
  CHECK(host.size() == 1);
}

TEST_CASE("only drawn outages end by themselves") {
  Outages outages;
  CHECK_FALSE(outages.only_drawn());
  outages.begin(one(OutageOrigin::drawn, 4, Cause::failure));
  CHECK(outages.only_drawn());
  outages.begin(by_hand());
  CHECK_FALSE(outages.only_drawn());
}
