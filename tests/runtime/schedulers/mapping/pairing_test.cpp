// Pairing, worked out by hand.
#include <catch2/catch.hpp>

#include <limits>

#include "runtime/cost/etc.h"
#include "runtime/kernel/constants.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

using Machines = std::vector<std::uint32_t>;

Machines machines_of(const EtcMatrix& etc, const std::string& job, const std::vector<double>& ready = {}) {
  Mapping out;
  Catalogue().configure("pairing", {{"job", job}})->make_mapper()->map(problem_of(etc, ready), out);
  return out.machine;
}

}  // namespace

TEST_CASE("each round of pairing gives every machine one task") {
  const EtcMatrix etc{3, 2, {4, 1, 2, 8, 3, 3}};
  // Task 1 takes machine 2 until 1, task 2 what is left, machine 1 until 2; task 3 would end at 5 or 4.
  CHECK(machines_of(etc, "first") == Machines{1, 0, 1});
  // The longest times are 4, 8 and 3. Task 3: 3 on both machines; task 1: machine 2; task 2: at 5 or 9.
  CHECK(machines_of(etc, "shortest") == Machines{1, 0, 0});
  // Task 2 machine 1 until 2, task 1 machine 2 until 1, task 3 at 5 or 4.
  CHECK(machines_of(etc, "longest") == Machines{1, 0, 1});
}

TEST_CASE("pairing: of equal completions the faster machine, then the first") {
  CHECK(machines_of({1, 2, {3, 1}}, "first", {0, 2}) == Machines{1});
  CHECK(machines_of({1, 2, {3, 3}}, "first") == Machines{0});
}

TEST_CASE("pairing: a task that none of the listed machines can run begins a new round") {
  CHECK(machines_of({3, 2, {1, kInfinity, 1, kInfinity, 9, 5}}, "first") == Machines{0, 0, 1});
  CHECK(machines_of({2, 2, {kInfinity, kInfinity, 1, 2}}, "first") == Machines{kUnmapped, 0});
}
