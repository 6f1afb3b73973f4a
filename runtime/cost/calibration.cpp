#include "runtime/cost/calibration.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/kernel/error.h"
#include "runtime/kernel/math.h"

namespace perigee::cost {
namespace {

constexpr double kPivot = 1e-12;        // smaller: the equations are singular
constexpr double kShortestTime = 1e-9;  // s; no fitted time may be shorter
constexpr std::size_t kMostTerms = 3;

// Least squares by the normal equations; empty = their pivot is too small for an answer.
template <class Terms>
std::vector<double> fit(std::span<const double> times, std::size_t terms, Terms terms_of) {
  std::array<std::array<double, kMostTerms + 1>, kMostTerms> rows{};
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::array<double, kMostTerms> x = terms_of(i);
    for (std::size_t r = 0; r < terms; ++r) {
      for (std::size_t c = 0; c < terms; ++c) rows[r][c] += x[r] * x[c];
      rows[r][terms] += x[r] * times[i];
    }
  }
  for (std::size_t p = 0; p < terms; ++p) {
    std::size_t best = p;
    for (std::size_t r = p + 1; r < terms; ++r)
      if (std::abs(rows[r][p]) > std::abs(rows[best][p])) best = r;
    if (!(std::abs(rows[best][p]) >= kPivot)) return {};
    std::swap(rows[p], rows[best]);
    for (std::size_t r = 0; r < terms; ++r) {
      if (r == p) continue;
      const double times_row = rows[r][p] / rows[p][p];
      for (std::size_t c = p; c <= terms; ++c) rows[r][c] -= times_row * rows[p][c];
    }
  }
  std::vector<double> fitted;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::array<double, kMostTerms> x = terms_of(i);
    double time = 0;
    for (std::size_t r = 0; r < terms; ++r) time += rows[r][terms] / rows[r][r] * x[r];
    if (!(time > kShortestTime)) return {};
    fitted.push_back(time);
  }
  return fitted;
}

}  // namespace

Calibration calibrate(CalibrationMode mode, std::span<const double> times,
                      std::span<const double> availability, std::span<const double> latency, double left,
                      bool single) {
  const std::size_t n = times.size();
  for (const double time : times)
    if (!(time > 0) || !std::isfinite(time))
      fail("bad_time", "calibration: the time of a run must be above 0 s, got {}", time);
  if (mode != CalibrationMode::times && availability.size() != n)
    fail("missing_availability", "calibration: there are {} availabilities for {} hosts", availability.size(),
         n);
  if (mode == CalibrationMode::multivariate && latency.size() != n)
    fail("missing_availability", "calibration: there are {} latencies for {} hosts", latency.size(), n);
  if (mode != CalibrationMode::times)
    for (const double a : availability)
      if (!(a > 0 && a <= 1))
        fail("bad_availability", "calibration: availability must be above 0 and at most 1, got {}", a);

  Calibration out;
  if (mode == CalibrationMode::univariate)
    out.fitted = fit(times, 2, [&](std::size_t i) { return std::array{1.0, availability[i], 0.0}; });
  if (mode == CalibrationMode::multivariate)
    out.fitted = fit(times, 3, [&](std::size_t i) {
      return std::array{1.0, latency[i], availability[i] * availability[i]};
    });
  out.fell_back = mode != CalibrationMode::times && out.fitted.empty() && n > 0;
  if (out.fitted.empty()) out.fitted.assign(times.begin(), times.end());

  double speeds = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < n; ++i) speeds += 1 / out.fitted[i], sum += times[i];
  const double mean = sum / static_cast<double>(n);
  for (const double time : times) squares += (time - mean) * (time - mean);
  out.cv = n > 0 ? math::sqrt(squares / static_cast<double>(n)) / mean : 0;
  if (!single && left >= 3) out.k = std::max(1.0, math::pow(math::log(left), out.cv));
  for (const double time : out.fitted) {
    out.fitness.push_back((1 / time) / speeds);
    out.packages.push_back(std::max(1.0, math::floor(left / out.k * out.fitness.back() + 0.5)));
  }
  return out;
}

}  // namespace perigee::cost
