// Confidence intervals of a mean.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "runtime/statistics/accumulators.h"

namespace perigee::statistics {

struct Interval {
  double mean, sd;    // sd with n - 1; 0 for n = 1
  double half_width;  // NaN for n < 2
  std::size_t n;      // 0: mean and sd are NaN too
  double confidence;  // 0.95 = 95 %

  double low() const { return mean - half_width; }
  double high() const { return mean + half_width; }
  // False for n < 2.
  bool contains(double x) const { return low() <= x && x <= high(); }
  // half_width / |mean|; NaN for n < 2, infinite for a mean of 0.
  double relative_half_width() const;
  // "12.3 ± 0.4 (95 %, n = 10)"
  std::string text() const;
};

// Student's interval of the mean of independent values: half-width t(n - 1) * sd / sqrt(n). It holds the true
// mean at the stated rate when the values are normal, and approximately for many other distributions. Error
// "bad_parameter" unless 0 < confidence < 1 and all values are finite.
Interval student_interval(std::span<const double> values, double confidence = 0.95);
Interval interval_of(const Observations& values, double confidence = 0.95);

// The interval of the differences a[i] - b[i], for values that belong together in pairs (common random
// numbers). Error "bad_parameter" also when the lengths differ.
Interval paired_interval(std::span<const double> a, std::span<const double> b, double confidence = 0.95);

// `difference` is an interval of differences: true if 0 is outside of it. The text says if it is not.
bool distinguishable(const Interval& difference);
std::string difference_text(const Interval& difference);  // "0.2 ± 0.4 (95 %, n = 10), not distinguishable"

// The value that Student's t with so many degrees of freedom exceeds with probability (1 - confidence) / 2.
double student_quantile(double degrees_of_freedom, double confidence);

// The number of values, in all, that give a half-width of at most relative * |mean| if mean and sd are those
// of the interval so far, n >= 2. Error "bad_parameter" for fewer values, for a mean of 0, and unless
// relative > 0.
std::size_t replications_needed(const Interval& pilot, double relative);

// Adds values until the interval is narrow enough, one at a time: the sequential procedure of Law,
// Simulation Modeling and Analysis, 9.4.1, with the ratio itself as the criterion.
struct StoppingRule {
  double relative = 0.05;                     // wanted: half_width <= relative * |mean|
  double confidence = 0.95;                   // between 0 and 1
  std::size_t at_least = 10, at_most = 1000;  // values
  void check() const;                         // Error "bad_parameter"
  bool met(const Interval& so_far) const;     // narrow enough, and at least so many
};

}  // namespace perigee::statistics
