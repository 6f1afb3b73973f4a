#include "runtime/kernel/math.h"
#include "runtime/kernel/constants.h"
#include "tests/support/layers.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

using namespace perigee;
using namespace perigee::test;

namespace {

// Distance from the long double value, in units of the last place of its double.
double ulps(double got, long double exact) {
  const double rounded = static_cast<double>(exact);
  if (got == rounded) return 0;
  const double next = std::nextafter(std::fabs(rounded), kInfinity);
  const long double ulp = static_cast<long double>(next) - std::fabs(rounded);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - exact) / ulp);
}

// Largest error on a grid from `low` to `high`, by ratio if `log`.
template <class F, class G>
double worst(F ours, G reference, double low, double high, bool logarithmic = false) {
  constexpr int kPoints = 20000;
  double most = 0;
  for (int i = 0; i <= kPoints; ++i) {
    const double f = (i + 0.37) / (kPoints + 1);
    const double x = logarithmic ? low * std::pow(high / low, f) : low + (high - low) * f;
    most = std::max(most, ulps(ours(x), reference(static_cast<long double>(x))));
  }
  return most;
}

#define WORST(name, low, high, ...)                                                                    \
  worst([](double x) { return math::name(x); }, [](long double x) { return std::name(x); }, low, high, \
        ##__VA_ARGS__)

}  // namespace

// Abramowitz and Stegun, Handbook of Mathematical Functions, chapters 1, 4, 6, 7.
TEST_CASE("elementary functions: tabulated values") {
  const auto near = [](double x) { return Approx(x).epsilon(1e-15).margin(0); };
  CHECK(math::exp(1) == near(2.718281828459045235));
  CHECK(math::log(2) == near(0.693147180559945309));
  CHECK(math::log(10) == near(2.302585092994045684));
  CHECK(math::log2(8) == 3);
  CHECK(math::log10(1000) == near(3));
  CHECK(math::log1p(1e-10) == near(9.9999999995e-11));
  CHECK(math::expm1(1e-10) == near(1.00000000005e-10));
  CHECK(math::pow(2, 0.5) == near(1.414213562373095049));
  CHECK(math::pow(2, 10) == 1024);
  CHECK(math::cbrt(27) == near(3));
  CHECK(math::hypot(3, 4) == 5);
  CHECK(math::sin(1) == near(0.841470984807896507));
  CHECK(math::cos(1) == near(0.540302305868139717));
  CHECK(math::tan(1) == near(1.557407724654902231));
  CHECK(math::atan(1) == near(0.785398163397448310));
  CHECK(math::atan2(-1, -1) == near(-2.356194490192344929));
  CHECK(math::asin(0.5) == near(0.523598775598298873));
  CHECK(math::acos(0.5) == near(1.047197551196597746));
  CHECK(math::sinh(1) == near(1.175201193643801457));
  CHECK(math::cosh(1) == near(1.543080634815243778));
  CHECK(math::tanh(1) == near(0.761594155955764888));
  CHECK(math::tgamma(0.5) == near(1.772453850905516027));
  CHECK(math::tgamma(5) == near(24));
  CHECK(math::lgamma(0.5) == near(0.572364942924700087));
  CHECK(math::lgamma(101) == near(363.73937555556349014));
  CHECK(math::erf(1) == near(0.842700792949714869));
  CHECK(math::erfc(2) == near(0.004677734981047265838));
}

TEST_CASE("elementary functions: error against long double") {
  CHECK(WORST(exp, -740, 709.7) <= 1.0);
  CHECK(WORST(exp2, -1000, 1000) <= 1.0);
  CHECK(WORST(expm1, -40, 709) <= 1.0);
  CHECK(WORST(log, 1e-300, 1e300, true) <= 1.0);
  CHECK(WORST(log, 0.5, 2) <= 1.0);
  CHECK(WORST(log2, 1e-300, 1e300, true) <= 1.0);
  CHECK(WORST(log10, 1e-300, 1e300, true) <= 1.0);
  CHECK(WORST(log1p, -0.999, 10) <= 1.0);
  CHECK(WORST(log1p, 1e-300, 1e300, true) <= 1.0);
  CHECK(WORST(cbrt, 1e-300, 1e300, true) <= 1.0);
  CHECK(WORST(sin, -1000, 1000) <= 1.0);
  CHECK(WORST(cos, -1000, 1000) <= 1.0);
  CHECK(WORST(tan, -1000, 1000) <= 1.0);
  CHECK(WORST(sin, 1, 1e15, true) <= 1.0);
  CHECK(WORST(asin, -1, 1) <= 1.0);
  CHECK(WORST(acos, -1, 1) <= 1.0);
  CHECK(WORST(atan, -100, 100) <= 1.0);
  CHECK(WORST(sinh, -708, 708) <= 1.0);
  CHECK(WORST(cosh, -708, 708) <= 1.0);
  CHECK(WORST(sinh, 709, 710.4) <= 3.0);
  CHECK(WORST(cosh, 709, 710.4) <= 3.0);
  CHECK(WORST(tanh, -20, 20) <= 1.0);
  CHECK(WORST(erf, -6, 6) <= 1.0);
  CHECK(WORST(erfc, -6, 26) <= 1.5);
  CHECK(WORST(tgamma, 0.01, 171) <= 1.0);
  CHECK(WORST(lgamma, 0.01, 1000) <= 1.0);
  CHECK(WORST(lgamma, 1000, 1e300, true) <= 1.0);
  for (const double y : {-3.7, -0.5, 0.333, 2.0, 19.25}) {
    CHECK(worst([y](double x) { return math::pow(x, y); },
                [y](long double x) { return std::pow(x, static_cast<long double>(y)); }, 1e-10, 1e10,
                true) <= 1.0);
    CHECK(worst([y](double x) { return math::atan2(y, x); },
                [y](long double x) { return std::atan2(static_cast<long double>(y), x); }, -50, 50) <= 1.0);
    CHECK(worst([y](double x) { return math::hypot(y, x); },
                [y](long double x) { return std::hypot(static_cast<long double>(y), x); }, -50, 50) <= 1.0);
  }
}

TEST_CASE("elementary functions: special values") {
  CHECK(math::exp(-kInfinity) == 0);
  CHECK(math::exp(kInfinity) == kInfinity);
  CHECK(math::exp(0) == 1);
  CHECK(math::exp(1000) == kInfinity);
  CHECK(math::exp(-1000) == 0);
  CHECK(math::log(0) == -kInfinity);
  CHECK(math::log(kInfinity) == kInfinity);
  CHECK(std::isnan(math::log(-1)));
  CHECK(math::log(5e-324) == Approx(-744.4400719213812));
  CHECK(math::log(1) == 0);
  CHECK(math::log1p(-1) == -kInfinity);
  CHECK(math::log1p(5e-324) == 5e-324);
  CHECK(std::signbit(math::log1p(-0.0)));
  CHECK(math::pow(0, 0) == 1);
  CHECK(math::pow(0, -1) == kInfinity);
  CHECK(math::pow(1, kNaN) == 1);
  CHECK(math::pow(-2, 3) == -8);
  CHECK(std::isnan(math::pow(-2, 0.5)));
  CHECK(std::isnan(math::sin(kInfinity)));
  CHECK(math::tan(1e-310) == 1e-310);
  CHECK(math::cos(0) == 1);
  CHECK(std::isnan(math::asin(2)));
  CHECK(math::atan(kInfinity) == Approx(1.5707963267948966));
  CHECK(math::sinh(-800) == -kInfinity);
  CHECK(math::cosh(-kInfinity) == kInfinity);
  CHECK(math::tanh(kInfinity) == 1);
  CHECK(math::tgamma(172) == kInfinity);
  CHECK(std::isnan(math::tgamma(-1)));
  CHECK(math::lgamma(0) == kInfinity);
  CHECK(math::lgamma(-3) == kInfinity);
  CHECK(math::hypot(kInfinity, kNaN) == kInfinity);
  for (const auto f : {math::exp, math::log, math::sin, math::tan, math::expm1, math::log1p, math::lgamma,
                       math::cbrt, math::sinh, math::cosh})
    CHECK(std::isnan(f(kNaN)));
}

TEST_CASE("Real reaches the project's functions by lookup") {
  const Real x = 2.0;
  CHECK(log(x).value == math::log(2));
  CHECK(pow(x, 0.5).value == math::pow(2, 0.5));
  CHECK((1 - x * 3 + 0.5F).value == -4.5);
  CHECK((x < 3 && 3 > x && x == 2 && x != 1));
  CHECK(static_cast<int>(Real(2.9)) == 2);
  static_assert(!std::is_convertible_v<Real, double>);  // std::log(x) cannot slip in
  static_assert(std::numeric_limits<Real>::digits == 53);
  static_assert(std::is_trivially_copyable_v<Real>);
}
