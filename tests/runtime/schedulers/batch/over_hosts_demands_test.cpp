// easy and conservative over several hosts, against their rules in plain form: sizes of moldable jobs, and what jobs take
// besides cores.
#include <catch2/catch.hpp>

#include "tests/runtime/schedulers/batch/plain_backfilling.h"
#include "tests/support/layers.h"
#include "tests/support/rounds.h"

using namespace perigee;
using namespace perigee::test;
using plain::compare;
using plain::PlainConservative;
using plain::PlainEasy;

TEST_CASE("easy and conservative choose the size of moldable jobs as their rules do in plain form") {
  std::size_t records = 0;
  for (std::uint64_t seed = 1; seed <= rounds(150); ++seed) {
    INFO("seed " << seed);
    records += compare("easy", PlainEasy(), seed, seed % 4 == 0, true);
    records += compare("conservative", PlainConservative(), seed, seed % 4 == 0, true);
  }
  CHECK(records > rounds(20000));
}

TEST_CASE("easy and conservative plan memory, resources and licences as their rules in plain form") {
  std::size_t records = 0;
  for (std::uint64_t seed = 1; seed <= rounds(100); ++seed) {
    INFO("seed " << seed);
    records += compare("easy", PlainEasy(), seed, true);
    records += compare("conservative", PlainConservative(), seed, true);
  }
  CHECK(records > rounds(10000));
}
