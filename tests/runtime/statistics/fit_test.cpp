#include "runtime/statistics/fit.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

// Breitinger, Optimal Size of Job Pool for Initiating a Scheduling Event, 1999, table 2: mean time in system,
// ms, of odd group sizes from 1 on.
const std::vector<double> kFitTimes{3196, 2899, 2623, 2502, 2421, 2178, 2104, 1885, 1872,
                                    1971, 2065, 2112, 2243, 2368, 2534, 2682, 2828, 2954,
                                    3108, 3216, 3346, 3500, 3640, 3773, 4061, 4152};

struct Points {
  std::vector<double> x, y;
};
Points branch(double from, double to) {
  Points out;
  for (std::size_t i = 0; i < kFitTimes.size(); ++i) {
    const double size = 1 + 2 * static_cast<double>(i);
    if (size < from || size > to) continue;
    out.x.push_back(size);
    out.y.push_back(kFitTimes[i]);
  }
  return out;
}

void check_near(double value, double printed, double last_digit) {
  CHECK(std::fabs(value - printed) <= 0.5 * last_digit);
}

}  // namespace

TEST_CASE("the left branch of table 2") {
  const auto [x, y] = branch(1, 17);
  const Fit line = fit(Fit::Curve::linear, x, y);
  check_near(line.coefficients[0], 3136.39, 0.01);
  check_near(line.coefficients[1], -80.833, 0.001);
  check_near(line.r_squared, 0.9660, 0.0001);
  const Fit curve = fit(Fit::Curve::exponential, x, y);
  check_near(curve.coefficients[0], 3204.9, 0.1);
  check_near(curve.coefficients[1], -0.033421, 0.000001);
  check_near(curve.r_squared, 0.9818, 0.0001);
  check_near(curve.r_squared_log, 0.9818, 0.0001);
  check_near(fit(Fit::Curve::quadratic, x, y).r_squared, 0.9864, 0.0001);
  CHECK(line.text() == "y = 3136.39 - 80.8333 x (R² = 0.9660, n = 9)");
}

TEST_CASE("the right branch of table 2") {
  const auto [x, y] = branch(17, 51);
  const Fit line = fit(Fit::Curve::linear, x, y);
  check_near(line.coefficients[0], 595.04, 0.01);
  check_near(line.coefficients[1], 68.160, 0.001);
  check_near(line.r_squared, 0.9931, 0.0001);
  const Fit curve = fit(Fit::Curve::exponential, x, y);
  check_near(curve.coefficients[0], 1253.7, 0.1);
  check_near(curve.coefficients[1], 0.023896, 0.000001);
  check_near(curve.r_squared, 0.9956, 0.0001);
  check_near(curve.r_squared_log, 0.9960, 0.0001);
  check_near(fit(Fit::Curve::quadratic, x, y).r_squared, 0.9977, 0.0001);
  CHECK(curve.text() == "y = 1253.74 e^(0.0238962 x) (R² = 0.9956, of ln y 0.9960, n = 18)");
}

TEST_CASE("table 7: the best group size against the utilization factor") {
  const Fit parabola = fit(Fit::Curve::quadratic, std::vector<double>{0.67, 0.75, 0.995, 1.25, 1.33},
                           std::vector<double>{7, 11, 17, 14, 5});
  check_near(parabola.coefficients[0], -86.144, 0.001);
  check_near(parabola.coefficients[1], 207.844, 0.001);
  check_near(parabola.coefficients[2], -103.784, 0.001);
  check_near(parabola.r_squared, 0.8930, 0.0001);
  // The parabola is 1 at both ends of the published range.
  CHECK(parabola.predict(0.5976) == Approx(1).epsilon(0.01));
  CHECK(parabola.predict(1.4051) == Approx(1).epsilon(0.01));
}

TEST_CASE("points on a curve give the curve") {
  std::vector<double> x, line, parabola, growth;
  for (int i = 0; i < 8; ++i) {
    x.push_back(i - 2.5);
    line.push_back(3 - 2 * x.back());
    parabola.push_back(1 + 0.5 * x.back() - 4 * x.back() * x.back());
    growth.push_back(5 * std::exp(0.3 * x.back()));
  }
  CHECK(fit(Fit::Curve::linear, x, line).coefficients[1] == Approx(-2).epsilon(1e-13));
  CHECK(fit(Fit::Curve::linear, x, line).r_squared == Approx(1).epsilon(1e-14));
  CHECK(fit(Fit::Curve::quadratic, x, parabola).coefficients[2] == Approx(-4).epsilon(1e-13));
  CHECK(fit(Fit::Curve::quadratic, x, parabola).predict(10) == Approx(1 + 5 - 400.0).epsilon(1e-12));
  CHECK(fit(Fit::Curve::exponential, x, growth).coefficients[1] == Approx(0.3).epsilon(1e-13));
  CHECK(fit(Fit::Curve::exponential, x, growth).predict(0) == Approx(5).epsilon(1e-13));
  CHECK(fit(Fit::Curve::quadratic, x, parabola).text() == "y = 1 + 0.5 x - 4 x² (R² = 1.0000, n = 8)");
  // Two points: the line through them; all y equal: nothing to explain.
  CHECK(fit(Fit::Curve::linear, std::vector<double>{1, 2}, std::vector<double>{5, 7}).predict(3) ==
        Approx(9));
  const Fit flat = fit(Fit::Curve::linear, std::vector<double>{1, 2, 3}, std::vector<double>{4, 4, 4});
  CHECK(std::isnan(flat.r_squared));
  CHECK(flat.text().find("R² = not defined") != std::string::npos);
}

TEST_CASE("points far from 0") {
  using V = std::vector<double>;
  const double far = 1e9;
  const Fit line = fit(Fit::Curve::linear, V{far, far + 1, far + 2}, V{5, 7, 9});  // 5 + 2 (x - far)
  CHECK(line.coefficients[1] == Approx(2).epsilon(1e-14));
  CHECK(line.coefficients[0] == Approx(5 - 2 * far).epsilon(1e-14));
  CHECK(line.predict(far + 3) == Approx(11).epsilon(1e-14));
  // 1 + (x - far)^2 = 1 + far^2 - 2 far x + x^2
  const Fit parabola = fit(Fit::Curve::quadratic, V{far, far + 1, far + 2, far + 3}, V{1, 2, 5, 10});
  CHECK(parabola.coefficients[2] == Approx(1).epsilon(1e-13));
  CHECK(parabola.coefficients[1] == Approx(-2 * far).epsilon(1e-13));
  CHECK(parabola.predict(far + 4) == Approx(17).epsilon(1e-13));
  const Fit growth = fit(Fit::Curve::exponential, V{far, far + 1, far + 2}, V{3, 6, 12});  // 3 * 2^(x - far)
  CHECK(growth.predict(far + 3) == Approx(24).epsilon(1e-13));
}

TEST_CASE("bad points") {
  using V = std::vector<double>;
  CHECK_THROWS_WITH(fit(Fit::Curve::linear, V{1, 2}, V{1}),
                    "linear fit: x and y must have the same length, got 2 and 1 values");
  CHECK_THROWS_WITH(fit(Fit::Curve::linear, V{1}, V{1}),
                    "linear fit: 2 coefficients need as many points with different x, got 1");
  CHECK_THROWS_WITH(fit(Fit::Curve::linear, V{3, 3, 3}, V{1, 2, 3}), Contains("different x, got 1"));
  CHECK_THROWS_WITH(fit(Fit::Curve::quadratic, V{1, 2}, V{1, 2}),
                    "quadratic fit: 3 coefficients need as many points with different x, got 2");
  CHECK_THROWS_WITH(fit(Fit::Curve::exponential, V{1, 2}, V{1, 0}),
                    "exponential fit: each y must be finite and > 0, got 0");
  CHECK_THROWS_WITH(fit(Fit::Curve::exponential, V{1, 2}, V{1, -3}), Contains("got -3"));
  CHECK_THROWS_WITH(fit(Fit::Curve::linear, V{1, 0.0 / 0.0}, V{1, 2}),
                    Contains("each value must be finite, got nan at 2"));
  CHECK_THROWS_WITH(fit(Fit::Curve::quadratic, V{0, 1e-20, 1}, V{1, 2, 5}),
                    Contains("too close to each other"));
}
