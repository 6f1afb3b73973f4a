#include "runtime/cost/calibration.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/random.h"
#include "tests/support/layers.h"
#include "tests/support/linear.h"

using namespace perigee;
using namespace perigee::test;

namespace {

const std::vector<double> kCalibrationTimes = {2, 7.5, 3, 10,
                                               5};  // a run on each node of the worked example, 10 trials

}  // namespace

TEST_CASE("calibration of the five nodes of the worked example, 55 runs left") {
  const Calibration out = calibrate(CalibrationMode::times, kCalibrationTimes, {}, {}, 55, false);
  const double fitness[] = {.394737, .105263, .263158, .078947, .157895};
  for (std::size_t i = 0; i < 5; ++i) CHECK(out.fitness[i] == Approx(fitness[i]).margin(5e-7));
  CHECK(out.cv == Approx(.533196).margin(5e-7));
  CHECK(out.k == Approx(2.096234).margin(5e-7));
  CHECK(out.packages == std::vector<double>{10, 3, 7, 2, 4});
  CHECK(!out.fell_back);
  // One installment: 55 F + 1/2, rounded down: 21.71 5.79 14.47 4.34 8.68.
  const Calibration single = calibrate(CalibrationMode::times, kCalibrationTimes, {}, {}, 55, true);
  CHECK(single.k == 1);
  CHECK(single.packages == std::vector<double>{22, 6, 14, 4, 9});
}

TEST_CASE("calibration: few runs, equal nodes, each at least one") {
  CHECK(calibrate(CalibrationMode::times, kCalibrationTimes, {}, {}, 2, false).k == 1);
  CHECK(calibrate(CalibrationMode::times, std::vector<double>{3, 3, 3}, {}, {}, 30, false).k == 1);
  for (const double runs : calibrate(CalibrationMode::times, kCalibrationTimes, {}, {}, 1, false).packages)
    CHECK(runs == 1);
}

TEST_CASE("calibration by fits: as by QR") {
  Stream random(2, "fits");
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 4 + random.below(10);
    std::vector<double> times(n), availability(n), latency(n);
    for (std::size_t i = 0; i < n; ++i) {
      availability[i] = random.uniform(0.1, 1);
      latency[i] = random.uniform(0, 2);
      times[i] = 5 + 3 * latency[i] - 2 * availability[i] + random.uniform(0, 1);
    }
    for (const bool multi : {false, true}) {
      Rows rows(n);
      for (std::size_t i = 0; i < n; ++i)
        rows[i] = multi ? std::vector<double>{1, latency[i], availability[i] * availability[i]}
                        : std::vector<double>{1, availability[i]};
      const std::vector<double> x = least_squares(rows, times);
      std::vector<double> fitted;
      for (const auto& row : rows)
        fitted.push_back(std::inner_product(row.begin(), row.end(), x.begin(), 0.0));
      const Calibration out = calibrate(multi ? CalibrationMode::multivariate : CalibrationMode::univariate,
                                        times, availability, latency, 100, false);
      REQUIRE(!out.fell_back);
      double speeds = 0;
      for (const double time : fitted) speeds += 1 / time;
      for (std::size_t i = 0; i < n; ++i) {
        CHECK(out.fitted[i] == Approx(fitted[i]).epsilon(1e-7));
        CHECK(out.fitness[i] == Approx(1 / fitted[i] / speeds).epsilon(1e-7));
      }
      // CV and k come from the measured times.
      CHECK(out.cv == Approx(calibrate(CalibrationMode::times, times, {}, {}, 100, false).cv));
    }
  }
}

TEST_CASE("calibration: a fit that cannot be made falls back on the measured times") {
  const std::vector<double> same(5, 0.5), spread = {.1, .3, .5, .7, .9}, latency(5, 1.0);
  const Calibration singular = calibrate(CalibrationMode::univariate, kCalibrationTimes, same, {}, 55, false);
  CHECK(singular.fell_back);
  CHECK(singular.fitted == kCalibrationTimes);
  CHECK(calibrate(CalibrationMode::multivariate, kCalibrationTimes, spread, latency, 55, false).fell_back);
  // A line through (0.1, 10), (0.2, 8), (1, 0.001): below 0 at the end.
  CHECK(calibrate(CalibrationMode::univariate, std::vector<double>{10, 8, .001},
                  std::vector<double>{.1, .2, 1}, {}, 55, false)
            .fell_back);
  CHECK(!calibrate(CalibrationMode::univariate, kCalibrationTimes, spread, {}, 55, false).fell_back);
}

TEST_CASE("calibration: what is refused") {
  const auto code = [](CalibrationMode mode, std::vector<double> times, std::vector<double> availability,
                       std::vector<double> latency) -> std::string {
    try {
      calibrate(mode, times, availability, latency, 10, false);
    } catch (const Error& error) {
      return error.diagnostic().code;
    }
    return "no error";
  };
  CHECK(code(CalibrationMode::univariate, {1, 2}, {.5}, {}) == "missing_availability");
  CHECK(code(CalibrationMode::multivariate, {1, 2}, {.5, .6}, {}) == "missing_availability");
  CHECK(code(CalibrationMode::univariate, {1, 2}, {.5, 1.5}, {}) == "bad_availability");
  CHECK(code(CalibrationMode::univariate, {1, 2}, {.5, 0}, {}) == "bad_availability");
  CHECK(code(CalibrationMode::times, {1, 0}, {}, {}) == "bad_time");
}
