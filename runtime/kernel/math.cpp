#include "runtime/kernel/math.h"

#include <sleef.h>

namespace perigee::math {

namespace {
constexpr double kTiny = 1e-300;  // below: f(x) = x + O(x^2), where SLEEF loses subnormal bits
}  // namespace

double exp(double x) { return Sleef_cinz_expd1_u10purec(x); }
double exp2(double x) { return Sleef_cinz_exp2d1_u10purec(x); }
double expm1(double x) { return Sleef_cinz_expm1d1_u10purec(x); }
double log(double x) { return Sleef_cinz_logd1_u10purec(x); }
double log2(double x) { return Sleef_cinz_log2d1_u10purec(x); }
double log10(double x) { return Sleef_cinz_log10d1_u10purec(x); }
double log1p(double x) { return std::fabs(x) < kTiny ? x : Sleef_cinz_log1pd1_u10purec(x); }
double pow(double x, double y) { return Sleef_cinz_powd1_u10purec(x, y); }
double cbrt(double x) { return Sleef_cinz_cbrtd1_u10purec(x); }
double hypot(double x, double y) { return Sleef_cinz_hypotd1_u05purec(x, y); }
double sin(double x) { return Sleef_cinz_sind1_u10purec(x); }
double cos(double x) { return Sleef_cinz_cosd1_u10purec(x); }
double tan(double x) { return std::fabs(x) < kTiny ? x : Sleef_cinz_tand1_u10purec(x); }
double asin(double x) { return Sleef_cinz_asind1_u10purec(x); }
double acos(double x) { return Sleef_cinz_acosd1_u10purec(x); }
double atan(double x) { return Sleef_cinz_atand1_u10purec(x); }
double atan2(double y, double x) { return Sleef_cinz_atan2d1_u10purec(y, x); }
double tanh(double x) { return Sleef_cinz_tanhd1_u10purec(x); }
double erf(double x) { return Sleef_cinz_erfd1_u10purec(x); }
double erfc(double x) { return Sleef_cinz_erfcd1_u15purec(x); }
double tgamma(double x) { return Sleef_cinz_tgammad1_u10purec(x); }
double lgamma(double x) { return Sleef_cinz_lgammad1_u10purec(x); }

// SLEEF's sinh and cosh overflow from 709 on, the results only from 710.48 on. There the smaller
// exponential is nothing; halving the exponent keeps the rest in range, at 3 ulp.
double sinh(double x) {
  if (!(std::fabs(x) > 709)) return Sleef_cinz_sinhd1_u10purec(x);
  return std::copysign(cosh(x), x);
}
double cosh(double x) {
  const double a = std::fabs(x);
  if (!(a > 709)) return Sleef_cinz_coshd1_u10purec(x);
  const double root = exp(a / 2);
  return 0.5 * root * root;
}

}  // namespace perigee::math
