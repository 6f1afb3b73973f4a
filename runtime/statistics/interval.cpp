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
#include "runtime/statistics/checks.h"

namespace perigee::statistics {

using namespace statistics;

namespace {

// "-0.00" -> "0.00"
std::string without_negative_zero(std::string text) {
  const bool is_zero = text.substr(0, text.find('e')).find_first_of("123456789") == std::string::npos;
  if (is_zero && text.starts_with('-')) text.erase(0, 1);
  return text;
}

}  // namespace

double student_quantile(double degrees_of_freedom, double confidence) {
  need_positive("interval", "degrees of freedom", degrees_of_freedom);
  need(confidence > 0 && confidence < 1, "interval", "confidence", "between 0 and 1, both excluded",
       confidence);
  const boost::math::students_t_distribution<Real, BoostPolicy> t(degrees_of_freedom);
  return quantile(complement(t, Real((1 - confidence) / 2))).value;
}

Interval interval_of(const Observations& values, double confidence) {
  const auto n = static_cast<double>(values.count());
  const double t = student_quantile(std::max(n - 1, 1.0), confidence);  // checks, even when not needed
  const double half_width = n < 2 ? std::numeric_limits<double>::quiet_NaN() : t * values.sd() / std::sqrt(n);
  return {values.mean(), values.sd(), half_width, values.count(), confidence};
}

Interval student_interval(std::span<const double> values, double confidence) {
  need_all_finite("interval", values);
  Observations seen;
  for (const double value : values) seen.add(value);
  return interval_of(seen, confidence);
}

Interval paired_interval(std::span<const double> a, std::span<const double> b, double confidence) {
  if (a.size() != b.size())
    fail("bad_parameter", "paired interval: both lists must have the same length, got {} and {} values",
         a.size(), b.size());
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] = a[i] - b[i];
  return student_interval(differences, confidence);
}

std::size_t replications_needed(const Interval& pilot, double relative) {
  need_positive("replications needed", "relative", relative);
  if (pilot.n < 2)
    fail("bad_parameter", "replications needed: a pilot of at least 2 values is needed, got {}", pilot.n);
  if (pilot.mean == 0)
    fail("bad_parameter", "replications needed: no half-width is small relative to a mean of 0");
  const double wanted = relative * std::fabs(pilot.mean) / pilot.sd;
  const auto enough = [&](double n) {
    return student_quantile(n - 1, pilot.confidence) <= wanted * std::sqrt(n);
  };
  constexpr double kMost = 1e15;
  double high = 2;
  while (!enough(high)) {
    if (high > kMost)
      fail("bad_parameter", "replications needed: more than 1e15 for {}", format_number(relative));
    high *= 2;
  }
  double low = high / 2;  // not enough, or 1
  while (high - low > 1) {
    const double middle = math::floor((low + high) / 2);
    (enough(middle) ? high : low) = middle;
  }
  return static_cast<std::size_t>(high);
}

void StoppingRule::check() const {
  need_positive("stopping rule", "relative", relative);
  need(confidence > 0 && confidence < 1, "stopping rule", "confidence", "between 0 and 1, both excluded",
       confidence);
  need(at_least >= 2, "stopping rule", "at_least", ">= 2", static_cast<double>(at_least));
  if (at_most < at_least)
    fail("bad_parameter", "stopping rule: at_most must be >= at_least, {}, got {}", at_least, at_most);
}

bool StoppingRule::met(const Interval& so_far) const {
  return so_far.n >= at_least && so_far.half_width <= relative * std::fabs(so_far.mean);
}

bool distinguishable(const Interval& difference) { return difference.low() > 0 || difference.high() < 0; }

std::string difference_text(const Interval& difference) {
  return difference.text() + (distinguishable(difference) ? "" : ", not distinguishable");
}

double Interval::relative_half_width() const {
  return mean == 0 && half_width == 0 ? 0 : half_width / std::fabs(mean);
}

std::string Interval::text() const {
  if (n == 0) return "no values";
  if (n == 1) return fmt::format("{:.6g} (n = 1)", mean + 0.0);
  const std::string rest = fmt::format("({:.6g} %, n = {})", 100 * confidence, n);
  if (half_width == 0) return fmt::format("{:.6g} ± 0 {}", mean + 0.0, rest);
  // The half-width has two digits; the mean ends at the same decimal place.
  const int place = static_cast<int>(math::floor(math::log10(half_width))) - 1;
  const double largest = std::max(std::fabs(mean), half_width);
  if (place >= -6 && largest < 1e9)
    return fmt::format("{} ± {:.{}f} {}",
                       without_negative_zero(fmt::format("{:.{}f}", mean, std::max(0, -place))), half_width,
                       std::max(0, -place), rest);
  const int digits = static_cast<int>(math::floor(math::log10(largest))) - place + 1;
  return fmt::format("{} ± {:.1e} {}",
                     without_negative_zero(fmt::format("{:.{}e}", mean, std::clamp(digits, 2, 17) - 1)),
                     half_width, rest);
}

}  // namespace perigee::statistics
