// The elementary functions of the whole project. They give the same bits on every CPU (SLEEF's
// `cinz` scalar variants, which use neither FMA nor tables chosen at run time); glibc's do not.
// Accuracy: at most 1.0 ulp (erfc 1.5) over the whole range, unless said otherwise. Special values
// are those of C99 Annex F: domain error = NaN, pole = infinity. errno is never set.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <numbers>
#include <type_traits>

#include "runtime/layers.h"

namespace perigee::math {

inline constexpr double kPi = std::numbers::pi;

double exp(double x);
double exp2(double x);
double expm1(double x);
double log(double x);
double log2(double x);
double log10(double x);
double log1p(double x);
double pow(double x, double y);
double cbrt(double x);
double hypot(double x, double y);
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double erf(double x);
double erfc(double x);
double tgamma(double x);  // overflows above 171.62
// ln |gamma(x)|. For x < 0 the error is 1 ulp or 1e-15 absolute, whichever is larger.
double lgamma(double x);

// Exact or correctly rounded in IEEE 754, so the standard library's are already portable.
inline double sqrt(double x) { return std::sqrt(x); }
inline double fmod(double x, double y) { return std::fmod(x, y); }
inline double floor(double x) { return std::floor(x); }
inline double ceil(double x) { return std::ceil(x); }
inline double trunc(double x) { return std::trunc(x); }
inline double round(double x) { return std::round(x); }
inline double fabs(double x) { return std::fabs(x); }
inline double ldexp(double x, int exponent) { return std::ldexp(x, exponent); }

}  // namespace perigee::math

namespace perigee::kernel {

// A double whose elementary functions, found by argument-dependent lookup, are those above: a
// template instantiated on Real (Boost's distributions) cannot reach glibc's.
struct Real {
  double value;

  Real() = default;  // uninitialised, as double
  template <class T>
  requires std::is_arithmetic_v<T>
  constexpr Real(T x) : value(static_cast<double>(x)) {}
  template <class T>
  requires std::is_arithmetic_v<T>
  explicit constexpr operator T() const { return static_cast<T>(value); }

  constexpr Real operator-() const { return -value; }
  constexpr Real operator+() const { return value; }
  constexpr Real& operator+=(Real o) {
    value += o.value;
    return *this;
  }
  constexpr Real& operator-=(Real o) {
    value -= o.value;
    return *this;
  }
  constexpr Real& operator*=(Real o) {
    value *= o.value;
    return *this;
  }
  constexpr Real& operator/=(Real o) {
    value /= o.value;
    return *this;
  }
  friend constexpr Real operator+(Real a, Real b) { return a.value + b.value; }
  friend constexpr Real operator-(Real a, Real b) { return a.value - b.value; }
  friend constexpr Real operator*(Real a, Real b) { return a.value * b.value; }
  friend constexpr Real operator/(Real a, Real b) { return a.value / b.value; }
  friend constexpr bool operator==(Real a, Real b) { return a.value == b.value; }
  friend constexpr auto operator<=>(Real a, Real b) { return a.value <=> b.value; }

  friend Real exp(Real x) { return math::exp(x.value); }
  friend Real exp2(Real x) { return math::exp2(x.value); }
  friend Real expm1(Real x) { return math::expm1(x.value); }
  friend Real log(Real x) { return math::log(x.value); }
  friend Real log2(Real x) { return math::log2(x.value); }
  friend Real log10(Real x) { return math::log10(x.value); }
  friend Real log1p(Real x) { return math::log1p(x.value); }
  friend Real pow(Real x, Real y) { return math::pow(x.value, y.value); }
  friend Real sqrt(Real x) { return math::sqrt(x.value); }
  friend Real cbrt(Real x) { return math::cbrt(x.value); }
  friend Real sin(Real x) { return math::sin(x.value); }
  friend Real cos(Real x) { return math::cos(x.value); }
  friend Real tan(Real x) { return math::tan(x.value); }
  friend Real asin(Real x) { return math::asin(x.value); }
  friend Real acos(Real x) { return math::acos(x.value); }
  friend Real atan(Real x) { return math::atan(x.value); }
  friend Real atan2(Real y, Real x) { return math::atan2(y.value, x.value); }
  friend Real sinh(Real x) { return math::sinh(x.value); }
  friend Real cosh(Real x) { return math::cosh(x.value); }
  friend Real tanh(Real x) { return math::tanh(x.value); }
  friend Real lgamma(Real x) { return math::lgamma(x.value); }
  friend Real tgamma(Real x) { return math::tgamma(x.value); }
  friend Real erf(Real x) { return math::erf(x.value); }
  friend Real erfc(Real x) { return math::erfc(x.value); }
  friend Real floor(Real x) { return math::floor(x.value); }
  friend Real ceil(Real x) { return math::ceil(x.value); }
  friend Real trunc(Real x) { return math::trunc(x.value); }
  friend Real fmod(Real x, Real y) { return math::fmod(x.value, y.value); }
  friend Real ldexp(Real x, int exponent) { return math::ldexp(x.value, exponent); }
  friend Real frexp(Real x, int* exponent) { return std::frexp(x.value, exponent); }
  friend Real abs(Real x) { return math::fabs(x.value); }
  friend Real fabs(Real x) { return math::fabs(x.value); }
};

// Lets Boost print a Real in its messages.
template <class Out, std::same_as<Real> T>
auto operator<<(Out& out, T x) -> decltype(out << x.value) {
  return out << x.value;
}

}  // namespace perigee::kernel

template <>
class std::numeric_limits<perigee::kernel::Real> : public std::numeric_limits<double> {
  using Base = std::numeric_limits<double>;

 public:
  static constexpr perigee::kernel::Real min() noexcept { return Base::min(); }
  static constexpr perigee::kernel::Real max() noexcept { return Base::max(); }
  static constexpr perigee::kernel::Real lowest() noexcept { return Base::lowest(); }
  static constexpr perigee::kernel::Real epsilon() noexcept { return Base::epsilon(); }
  static constexpr perigee::kernel::Real round_error() noexcept { return Base::round_error(); }
  static constexpr perigee::kernel::Real infinity() noexcept { return Base::infinity(); }
  static constexpr perigee::kernel::Real quiet_NaN() noexcept { return Base::quiet_NaN(); }
  static constexpr perigee::kernel::Real signaling_NaN() noexcept { return Base::signaling_NaN(); }
  static constexpr perigee::kernel::Real denorm_min() noexcept { return Base::denorm_min(); }
};
