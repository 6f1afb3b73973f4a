#include "runtime/statistics/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "runtime/kernel/math.h"
#include "runtime/statistics/accumulators.h"
#include "runtime/statistics/checks.h"

namespace perigee::statistics {

using namespace statistics;

namespace {

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> out(values.begin(), values.end());
  std::sort(out.begin(), out.end());
  return out;
}

double quantile_of_sorted(std::span<const double> values, double p, int type) {
  return statistics::quantile_of_sorted(
      values.size(), [&](std::size_t k) { return values[k]; }, p, type);
}

}  // namespace

double quantile_of_sorted(std::size_t count, const std::function<double(std::size_t)>& sorted, double p,
                          int type) {
  const auto n = static_cast<double>(count);
  // With j + g = n p + m, the quantile is between the values number j and j + 1, counted from 1.
  static constexpr double kShift[] = {0, 0, -0.5, 0, 0.5};
  const double m = type <= 5   ? kShift[type - 1]
                   : type == 6 ? p
                   : type == 7 ? 1 - p
                   : type == 8 ? (p + 1) / 3
                               : p / 4 + 3.0 / 8;
  const double place = n * p + m;
  // Rounding may make n p miss a whole number.
  const double whole = math::round(place);
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  const bool is_whole = std::fabs(place - whole) <= kRounding * std::max(1.0, n);
  const double j = is_whole ? whole : math::floor(place);
  double g = is_whole ? 0 : place - j;
  if (type == 1) g = g > 0 ? 1 : 0;
  if (type == 2) g = g > 0 ? 1 : 0.5;
  if (type == 3) g = g > 0 || math::fmod(j, 2) != 0 ? 1 : 0;
  const auto at = [&](double number) {
    return sorted(static_cast<std::size_t>(std::clamp(number, 1.0, n)) - 1);
  };
  if (g == 0) return at(j);
  const double low = at(j), high = at(j + 1);
  return low + g * (high - low);
}

double sample_quantile(std::span<const double> values, double p, int type) {
  need_probability("quantile", "p", p);
  need(type >= 1 && type <= 9, "quantile", "the type", "1 to 9", type);
  if (values.empty()) fail("bad_parameter", "quantile: needs at least one value, got none");
  need_all_finite("quantile", values);
  return quantile_of_sorted(sorted(values), p, type);
}

Summary summarize(std::span<const double> values) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  need_all_finite("summary", values);
  if (values.empty()) return {0, kNothing, kNothing, kNothing, kNothing, kNothing, kNothing, kNothing};
  Observations seen;
  for (const double value : values) seen.add(value);
  const std::vector<double> order = sorted(values);
  const auto quantile = [&](double p) { return quantile_of_sorted(order, p, 7); };
  return {order.size(),   seen.mean(),   seen.sd(),      order.front(),
          quantile(0.25), quantile(0.5), quantile(0.75), order.back()};
}

std::string Summary::text() const {
  if (n == 0) return "no values";
  return fmt::format(
      "mean {:.5g}, sd {:.5g}, min {:.5g}, quartiles {:.5g} {:.5g} {:.5g}, max {:.5g} (n = {})", mean + 0.0,
      sd, min + 0.0, q1 + 0.0, median + 0.0, q3 + 0.0, max + 0.0, n);
}

std::size_t Histogram::n() const { return std::accumulate(counts.begin(), counts.end(), below + above); }

std::string Histogram::text() const {
  std::string out = fmt::format("{} values in {} bins from {:.5g} to {:.5g}: {}", n(), counts.size(),
                                edges.front() + 0.0, edges.back() + 0.0, fmt::join(counts, " "));
  if (below + above > 0) out += fmt::format(" ({} below, {} above)", below, above);
  return out;
}

Histogram histogram(std::span<const double> values, std::vector<double> edges) {
  need_all_finite("histogram", values);
  if (edges.size() < 2) fail("bad_parameter", "histogram: needs at least two edges, got {}", edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    need_finite("histogram", "each edge", edges[i]);
    if (i > 0 && !(edges[i - 1] < edges[i]))
      fail("bad_parameter", "histogram: the edges must ascend, got {} after {}", format_number(edges[i]),
           format_number(edges[i - 1]));
  }
  Histogram out{std::move(edges), {}};
  out.counts.resize(out.edges.size() - 1);
  for (const double value : values) {
    const auto next = std::upper_bound(out.edges.begin(), out.edges.end(), value);
    if (next == out.edges.begin())
      ++out.below;
    else if (next != out.edges.end())
      ++out.counts[static_cast<std::size_t>(next - out.edges.begin()) - 1];
    else if (value == out.edges.back())
      ++out.counts.back();
    else
      ++out.above;
  }
  return out;
}

Histogram histogram(std::span<const double> values, std::size_t bins) {
  need(bins >= 1 && bins <= 1'000'000, "histogram", "the number of bins", "1 to 1000000",
       static_cast<double>(bins));
  if (values.empty()) fail("bad_parameter", "histogram: without values the edges must be given");
  need_all_finite("histogram", values);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  double low = *least, high = *most;
  if (low == high) {  // of large numbers halves are lost
    const double around = std::max(0.5, std::fabs(low) / 1e9);
    low -= around, high += around;
  }
  std::vector<double> edges(bins + 1);
  for (std::size_t i = 0; i <= bins; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(bins);
    edges[i] = low * (1 - share) + high * share;  // does not overflow
  }
  return histogram(values, std::move(edges));
}

std::size_t freedman_diaconis(std::span<const double> values) {
  const Summary all = summarize(values);
  if (all.n < 2 || all.min == all.max) return 1;
  const auto n = static_cast<double>(all.n);
  if (all.q1 == all.q3) return 1 + static_cast<std::size_t>(math::ceil(math::log2(n)));
  const double width = 2 * (all.q3 - all.q1) / math::cbrt(n);
  const double bins = math::ceil((all.max - all.min) / width);
  return static_cast<std::size_t>(std::clamp(bins, 1.0, n));
}

}  // namespace perigee::statistics
