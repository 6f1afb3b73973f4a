// Timelines, tables and figures of Sim-PETEK, 2010, chapter 3.
#include <catch2/catch.hpp>

#include "runtime/schedulers/sweep/node_power.h"
#include "tests/runtime/schedulers/sweep/chapter3.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("amra: Figure 3.7, 45 s") {
  const Outcome outcome = outcome_of(sweep_scenario(chapter3_nodes()), "amra", {{"rounds", 3.0}});
  CHECK(outcome.end == 45);
  CHECK(timeline(outcome, "A") == "0-10:8 10-20:8 20-30:8 30-39:7");
  CHECK(timeline(outcome, "B") == "0-25:4 25-45:3");
  CHECK(timeline(outcome, "C") == "0-10:4 10-20:4 20-30:4");
  CHECK(timeline(outcome, "D") == "0-20:2 20-40:2");
  CHECK(timeline(outcome, "E") == "0-10:2 10-20:2 20-30:2");
}
