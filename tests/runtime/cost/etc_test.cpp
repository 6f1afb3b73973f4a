#include "runtime/cost/etc.h"
#include "runtime/kernel/constants.h"

#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

std::string complaint(const EtcMatrix& etc, const std::vector<double>& ready = {},
                      std::string_view code = "bad_etc") {
  try {
    check_problem(problem_of(etc, ready));
  } catch (const Error& error) {
    CHECK(error.diagnostic().code == code);
    return error.diagnostic().message;
  }
  return "";
}
}  // namespace

TEST_CASE("matrices are checked with the place of the fault") {
  CHECK(complaint({2, 2, {1, 0, kInfinity, 4}}).empty());
  CHECK(complaint({0, 2, {}}).empty());
  CHECK(complaint({2, 0, {}}).empty());
  CHECK_THAT(complaint({2, 2, {1, 2, -3, 4}}, {}, "etc_value"),
             Contains("task 1, machine 0") && Contains("-3"));
  CHECK_THAT(complaint({2, 2, {1, kNaN, 3, 4}}, {}, "etc_value"),
             Contains("task 0, machine 1") && Contains("nan"));
  CHECK_THAT(complaint({2, 2, {1, 2, 3}}, {}, "etc_size"), Contains("2 tasks x 2 machines") && Contains("3"));
  CHECK_THAT(complaint({2, 0, {1}}, {}, "etc_size"), Contains("1 times"));
  CHECK_THAT(complaint({1, 2, {1, 2}}, {1}), Contains("1 ready times for 2 machines"));
  CHECK_THAT(complaint({1, 2, {1, 2}}, {1, kInfinity}), Contains("machine 1"));
  CHECK_THAT(complaint({1, 2, {1, 2}}, {-1, 0}), Contains("machine 0"));
  CHECK_THROWS_AS(check_etc({1, 1, {1}, {"a", "b"}, {}}), Error);
  CHECK_THROWS_AS(check_etc({1, 1, {1}, {}, {"a", "b"}}), Error);
}

TEST_CASE("the makespan bound") {
  // Work 2 + 2 + 2 over two machines.
  const EtcMatrix equal{3, 2, {2, 2, 2, 2, 2, 2}};
  CHECK(makespan_bound(problem_of(equal)) == 3);
  // One long task.
  const EtcMatrix long_task{2, 2, {9, 10, 1, 1}};
  CHECK(makespan_bound(problem_of(long_task)) == 9);
  // Poured over ready times 0, 1, 100: 5 units of work fill the first two to (0 + 1 + 5) / 2.
  const EtcMatrix loaded{5, 3, std::vector<double>(15, 1.0)};
  const std::vector<double> ready = {100, 0, 1};
  CHECK(makespan_bound(problem_of(loaded, ready)) == 100);
  const std::vector<double> little = {0, 1, 3.5};
  CHECK(makespan_bound(problem_of(loaded, little)) == 3.5);
  const std::vector<double> near = {0, 1, 2};
  CHECK(makespan_bound(problem_of(loaded, near)) == Approx(8.0 / 3));
  // Tasks that can run nowhere do not count; empty problems end with the last machine.
  const EtcMatrix none{1, 2, {kInfinity, kInfinity}};
  CHECK(makespan_bound(problem_of(none)) == 0);
  CHECK(makespan_bound({}) == 0);
}
