#include "runtime/model/etc_generators.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/kernel/work.h"
#include "tests/support/faults.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

struct EtcGeneratorsMoments {
  double mean, cv;
};
EtcGeneratorsMoments moments(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double x : values) sum += x;
  const double mean = sum / static_cast<double>(values.size());
  for (const double x : values) squares += (x - mean) * (x - mean);
  return {mean, std::sqrt(squares / static_cast<double>(values.size() - 1)) / mean};
}

}  // namespace

TEST_CASE("range-based matrices, number by number") {
  // The first three numbers of SplitMix64 from 1 are 0x910a2dec89025cc1, 0xbeeb8da1658eec67 and
  // 0xf893a2eefb32555e (published with the generator).
  const auto unit = [](std::uint64_t out) { return static_cast<double>(out >> 11) * 0x1p-53; };
  const double q = 1 + unit(0x910a2dec89025cc1) * 2999;
  SplitMix64 rng(1);
  const EtcMatrix etc = range_based_etc(1, 2, {}, rng);
  CHECK(etc.at(0, 0) == q * (1 + unit(0xbeeb8da1658eec67) * 999));
  CHECK(etc.at(0, 1) == q * (1 + unit(0xf893a2eefb32555e) * 999));
}

TEST_CASE("range-based matrices have the mean of their ranges") {
  // (1 + R_task) / 2 * (1 + R_machine) / 2, four standard errors of the mean of independent tasks: the
  // variance of a row's mean is at most that of one entry.
  for (const RangeBased ranges :
       {RangeBased{3000, 1000}, RangeBased{3000, 10}, RangeBased{100, 1000}, RangeBased{100, 10}}) {
    Stream rng(1, "ranges");
    const EtcMatrix etc = range_based_etc(4000, 16, ranges, rng);
    const double mean = (1 + ranges.task_range) / 2 * (1 + ranges.machine_range) / 2;
    const EtcGeneratorsMoments found = moments(etc.values);
    CHECK(found.mean == Approx(mean).margin(4 * found.cv * mean / std::sqrt(4000.0)).epsilon(0));
    CHECK(*std::ranges::min_element(etc.values) >= 1);
    CHECK(*std::ranges::max_element(etc.values) < ranges.task_range * ranges.machine_range);
  }
}

TEST_CASE("matrices by coefficients of variation have their moments") {
  for (const CvBased cv : {CvBased{1000, 0.6, 0.6}, CvBased{1000, 0.6, 0.1}, CvBased{50, 0.1, 0.1}}) {
    Stream rng(2, "cv");
    const EtcMatrix etc = cv_based_etc(20000, 10, cv, rng);
    // The means of tasks have the relative variance task_cv^2 + machine_cv^2 (1 + task_cv^2) / machines.
    std::vector<double> rows(etc.tasks);
    double within = 0;
    for (std::size_t t = 0; t < etc.tasks; ++t) {
      const std::vector<double> row(etc.values.begin() + static_cast<std::ptrdiff_t>(t * 10),
                                    etc.values.begin() + static_cast<std::ptrdiff_t>(t * 10 + 10));
      const EtcGeneratorsMoments its = moments(row);
      rows[t] = its.mean;
      within += its.cv * its.cv * its.mean * its.mean;
    }
    const double task = cv.task_cv * cv.task_cv, machine = cv.machine_cv * cv.machine_cv;
    const double spread = std::sqrt(task + machine * (1 + task) / 10);
    const EtcGeneratorsMoments found = moments(rows);
    CHECK(found.mean == Approx(cv.mean).margin(4 * spread * cv.mean / std::sqrt(20000.0)).epsilon(0));
    CHECK(found.cv == Approx(spread).epsilon(0.05));
    // The variance within a row is machine_cv^2 q^2 in the mean: E[q^2] = mean^2 (1 + task_cv^2).
    CHECK(within / 20000 == Approx(machine * cv.mean * cv.mean * (1 + task)).epsilon(0.05));
  }
}

TEST_CASE("with more variation between machines than between tasks the roles are exchanged") {
  Stream rng(3, "cv");
  const EtcMatrix etc = cv_based_etc(2000, 400, {1000, 0.1, 0.6}, rng);
  // Every row has the same machine means, so means of columns vary by 0.6, means of rows hardly.
  std::vector<double> columns(400, 0.0), rows(2000, 0.0);
  for (std::size_t t = 0; t < 2000; ++t)
    for (std::size_t m = 0; m < 400; ++m) {
      columns[m] += etc.at(t, m) / 2000;
      rows[t] += etc.at(t, m) / 400;
    }
  CHECK(moments(columns).cv == Approx(0.6).margin(4 * 0.6 / std::sqrt(2 * 400.0)).epsilon(0));
  CHECK(moments(rows).cv < 0.02);
}

TEST_CASE("no variation gives the mean") {
  Stream rng(4, "cv");
  for (const double time : cv_based_etc(3, 3, {7, 0, 0}, rng).values) CHECK(time == 7);
}

TEST_CASE("consistency sorts rows, or every other machine of them") {
  const EtcMatrix raw{2, 5, {9, 3, 7, 1, 5, 2, 8, 1, 4, 6}};
  EtcMatrix etc = raw;
  make_consistent(etc, Consistency::inconsistent);
  CHECK(etc.values == raw.values);
  make_consistent(etc, Consistency::semi_consistent);
  CHECK(etc.values == std::vector<double>{5, 3, 7, 1, 9, 1, 8, 2, 4, 6});
  etc = raw;
  make_consistent(etc, Consistency::consistent);
  CHECK(etc.values == std::vector<double>{1, 3, 5, 7, 9, 1, 2, 4, 6, 8});
}

TEST_CASE("whoever wants to stop a large matrix is asked at every row") {
  int looks = 0;
  const WorkMeter before = work_meter;
  work_meter = {0, &looks, [](void* who, std::uint64_t) { ++*static_cast<int*>(who); }};
  Stream rng(3, "looks");
  EtcMatrix etc = range_based_etc(50, 4, {}, rng);
  const int of_rows = std::exchange(looks, 0);
  make_consistent(etc, Consistency::consistent);
  work_meter = before;
  CHECK(of_rows >= 50);
  CHECK(looks >= 50);
}

TEST_CASE("bad parameters of generated matrices") {
  Stream rng(5, "bad");
  const auto fault = [](auto make) { return test::fault_line(make); };
  CHECK(fault([&] { range_based_etc(0, 3, {}, rng); }) ==
        "bad_parameter a matrix has at least one task and one machine, got 0 x 3");
  CHECK(fault([&] {
          range_based_etc(2, 3, {1, 10}, rng);
        }) == "bad_parameter task_range must be > 1 and finite, got 1");
  CHECK(fault([&] {
          cv_based_etc(2, 3, {0, 0.1, 0.1}, rng);
        }) == "bad_parameter mean must be > 0 and finite, got 0");
  CHECK(fault([&] {
          cv_based_etc(2, 3, {1, -0.1, 0.1}, rng);
        }) == "bad_parameter task_cv must be >= 0 and finite, got -0.1");
  CHECK(fault([&] { cv_based_etc(std::size_t{1} << 40, 3, {}, rng); }).find("at most") != std::string::npos);
}
