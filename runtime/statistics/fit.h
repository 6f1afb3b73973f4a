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
  // The coefficients of 1, x, x^2; exponential: a and b of a e^(b x).
  std::vector<double> coefficients;
  // 1 - SS_residual / SS_total for y; NaN when all y are equal.
  double r_squared;
  // Exponential: the same for ln y, which is what was fitted. Otherwise equal to r_squared.
  double r_squared_log;
  std::size_t n;
  // The fit itself is in u = (x - centre) / scale, with coefficients of 1, u, u^2; exponential: for ln y.
  double centre, scale;
  std::vector<double> of_centred;

  double centred(double x) const;
  // Computed from the fit in u, which keeps its digits where x is far from 0.
  double predict(double x) const;
  // "y = 595.04 + 68.16 x (R² = 0.9931, n = 18)"
  std::string text() const;
};

// Ordinary least squares by a rank-revealing QR decomposition. The exponential curve is fitted by least
// squares on ln y, which differs from a fit on y. Error "bad_parameter" unless x and y have the same length,
// all values are finite, and there are at least as many different x as coefficients. The exponential also
// needs all y > 0.
Fit fit(Fit::Curve curve, std::span<const double> x, std::span<const double> y);

// The coefficients of any terms: y = sum of coefficient * term, by ordinary least squares. Each point has a
// row of terms. With as many points as terms, the curve goes through all points. Error "bad_parameter" unless
// all rows have one length, each y has a row, all values are finite, and the rows tell the terms apart.
std::vector<double> fit_terms(std::span<const std::vector<double>> rows, std::span<const double> y);

}  // namespace perigee::statistics
