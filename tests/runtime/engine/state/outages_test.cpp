// The outages of one resource, alone.
#include "runtime/engine/state/outages.h"

#include <catch2/catch.hpp>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

Outage declared(std::uint32_t number, Cause cause = Cause::outage) { return {number, cause, true}; }
Outage by_hand() { return {Outage::kByHand, Cause::outage, true}; }
Outage by_process() { return {kNone, Cause::outage, true}; }

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

TEST_CASE(
    "a recovery prefers the outage of its own origin, then one that nobody has declared, then the first") {
  Outages outages;
  outages.begin(declared(1));
  outages.begin(declared(2));
  outages.begin(by_process());
  outages.begin(by_hand());
  CHECK(outages.ended_by(by_process()).number == kNone);
  CHECK(outages.any_by_hand());
  CHECK(outages.end(outages.ended_by(by_hand())));
  CHECK_FALSE(outages.any_by_hand());
  CHECK(outages.ended_by(by_hand()).number == kNone);
  CHECK(outages.end(outages.ended_by(by_hand())));
  CHECK(outages.ended_by(by_hand()).number == 1);
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
  CHECK(outages.end(outages.ended_by({kNone, Cause::reservation, true})));
  CHECK(outages.empty());
}

TEST_CASE("a host that moves leaves the outages of its cluster behind and has those of the new one") {
  Outages old_cluster, new_cluster, host;
  old_cluster.begin(declared(1));
  new_cluster.begin({2, Cause::outage, false});
  host.begin(declared(1));
  host.begin(declared(3));
  host.move(old_cluster, new_cluster);
  CHECK(host.size() == 2);
  CHECK_FALSE(host.end(declared(1)));
  CHECK(host.end(declared(3)));
  CHECK_FALSE(host.any_announced());
  CHECK(host.end(declared(2)));
}

TEST_CASE("only drawn outages end by themselves") {
  Outages outages;
  CHECK_FALSE(outages.only_drawn());
  outages.begin({Outage::kDrawn + 4, Cause::failure, true});
  CHECK(outages.only_drawn());
  outages.begin(by_hand());
  CHECK_FALSE(outages.only_drawn());
}
