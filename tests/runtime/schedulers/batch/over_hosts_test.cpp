// easy and conservative over several hosts, against their rules in plain form: all that is taken is a list, and every
// question goes through all of it.
#include <catch2/catch.hpp>

#include "tests/runtime/schedulers/batch/plain_backfilling.h"
#include "tests/support/layers.h"
#include "tests/support/rounds.h"

using namespace perigee;
using namespace perigee::test;
using plain::compare;
using plain::PlainConservative;
using plain::PlainEasy;

TEST_CASE("easy over several hosts decides as its rule in plain form") {
  std::size_t records = 0;
  for (std::uint64_t seed = 1; seed <= rounds(150); ++seed) {
    INFO("seed " << seed);
    records += compare("easy", PlainEasy(), seed);
  }
  CHECK(records > rounds(10000));
}

TEST_CASE("conservative over several hosts decides as its rule in plain form") {
  std::size_t records = 0;
  for (std::uint64_t seed = 1; seed <= rounds(150); ++seed) {
    INFO("seed " << seed);
    records += compare("conservative", PlainConservative(), seed);
  }
  CHECK(records > rounds(10000));
}
