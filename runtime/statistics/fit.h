// Curves through points, by least squares.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "runtime/layers.h"

namespace perigee::statistics {

struct Fit {
  enum class Curve { linear, quadratic, exponential };
  Curve curve;
  // Of 1, x, x^2; exponential: a and b of a e^(b x).
  std::vector<double> coefficients;
  // 1 - SS_residual / SS_total, of y; NaN when all y are equal.
  double r_squared;
  // Exponential: the same of ln y, which is what was fitted. Otherwise equal to r_squared.
  double r_squared_log;
  std::size_t n;
  // What was fitted, of u = (x - centre) / scale, and its coefficients of 1, u, u^2; exponential: of ln y.
  double centre, scale;
  std::vector<double> of_centred;

  double centred(double x) const;
  // From those, which keep their digits where x is far from 0.
  double predict(double x) const;
  // "y = 595.04 + 68.16 x (R² = 0.9931, n = 18)"
  std::string text() const;
};

// Ordinary least squares by a rank-revealing QR decomposition; the exponential curve by least squares on ln
// y, which differs from a fit on y. Error "bad_parameter" unless x and y have the same length, all values are
// finite, there are as many different x as coefficients, and, for the exponential, all y > 0.
Fit fit(Fit::Curve curve, std::span<const double> x, std::span<const double> y);

// Coefficients of any terms, of which each point has a row: y = sum of coefficient * term, by ordinary least
// squares; where there are as many points as terms it goes through all. Error "bad_parameter" unless all rows
// are of one length, there is one for each y, all values are finite, and they tell the terms apart.
std::vector<double> fit_terms(std::span<const std::vector<double>> rows, std::span<const double> y);

}  // namespace perigee::statistics
