#include "runtime/statistics/interval.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/statistics/boost_math.h"

namespace perigee {

double student_quantile(double degrees_of_freedom, double confidence) {
  if (!(confidence > 0 && confidence < 1))
    fail("bad_parameter", "interval: confidence must be between 0 and 1, both excluded, got {}",
         format_number(confidence));
  const boost::math::students_t_distribution<Real, BoostPolicy> t(degrees_of_freedom);
  return quantile(complement(t, Real((1 - confidence) / 2))).value;
}

Interval student_interval(std::span<const double> values, double confidence) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const auto n = static_cast<double>(values.size());
  // Checked even where it is not needed.
  const double t = student_quantile(values.size() > 1 ? n - 1 : 1, confidence);
  double mean = 0, squares = 0, count = 0;  // Welford, Technometrics 4(3), 1962
  for (const double value : values) {
    if (!std::isfinite(value))
      fail("bad_parameter", "interval: each value must be finite, got {} at {}", format_number(value),
           count + 1);
    const double before = value - mean;
    mean += before / ++count;
    squares += before * (value - mean);
  }
  Interval out{kNone, kNone, kNone, values.size(), confidence};
  if (count > 0) out.mean = mean, out.sd = 0;
  if (count > 1) {
    out.sd = std::sqrt(squares / (n - 1));
    out.half_width = t * out.sd / std::sqrt(n);
  }
  return out;
}

Interval paired_interval(std::span<const double> a, std::span<const double> b, double confidence) {
  if (a.size() != b.size())
    fail("bad_parameter", "paired interval: both lists must have the same length, got {} and {} values",
         a.size(), b.size());
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] = a[i] - b[i];
  return student_interval(differences, confidence);
}

std::string Interval::text() const {
  if (n == 0) return "no values";
  if (n == 1) return fmt::format("{} (n = 1)", format_number(mean));
  const std::string rest = fmt::format("({} %, n = {})", format_number(100 * confidence), n);
  if (half_width == 0) return fmt::format("{} ± 0 {}", format_number(mean), rest);
  // The half-width with two digits, the mean to the same place.
  const int place = static_cast<int>(math::floor(math::log10(half_width))) - 1;
  const double largest = std::max(std::fabs(mean), half_width);
  if (place >= -6 && largest < 1e9)
    return fmt::format("{:.{}f} ± {:.{}f} {}", mean, std::max(0, -place), half_width, std::max(0, -place),
                       rest);
  const int digits = static_cast<int>(math::floor(math::log10(largest))) - place + 1;
  return fmt::format("{:.{}e} ± {:.1e} {}", mean, std::clamp(digits, 2, 17) - 1, half_width, rest);
}

}  // namespace perigee
