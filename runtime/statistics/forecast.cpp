#include "runtime/statistics/forecast.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "runtime/kernel/term.h"
#include "runtime/statistics/checks.h"
#include "runtime/statistics/sample.h"

namespace perigee::statistics {

namespace {

using Kind = ForecastMethod::Kind;

constexpr std::string_view kNames[] = {"last", "run_avg",  "sw_avg",    "median",
                                       "exp",  "quantile", "adapt_mse", "adapt_mae"};

constexpr std::array kBank = {
    ForecastMethod{Kind::last},       ForecastMethod{Kind::run_avg},    ForecastMethod{Kind::sw_avg, 5},
    ForecastMethod{Kind::sw_avg, 10}, ForecastMethod{Kind::sw_avg, 20}, ForecastMethod{Kind::median, 5},
    ForecastMethod{Kind::median, 11}, ForecastMethod{Kind::median, 21}, ForecastMethod{Kind::exp, 0.05},
    ForecastMethod{Kind::exp, 0.1},   ForecastMethod{Kind::exp, 0.25},  ForecastMethod{Kind::exp, 0.5},
    ForecastMethod{Kind::exp, 0.75},  ForecastMethod{Kind::exp, 0.9},
};

bool takes_parameter(Kind kind) {
  return kind == Kind::sw_avg || kind == Kind::median || kind == Kind::exp || kind == Kind::quantile;
}

std::size_t window_of(const ForecastMethod& method) {
  return method.kind == Kind::sw_avg || method.kind == Kind::median
             ? static_cast<std::size_t>(method.parameter)
             : 0;
}

// Compares errors that were summed up in different orders.
bool smaller(double a, double b) { return a < b - 1e-9 * std::max(1.0, std::abs(b)); }

}  // namespace

std::string ForecastMethod::text() const {
  const std::string_view name = kNames[static_cast<std::size_t>(kind)];
  return takes_parameter(kind) ? fmt::format("{}({})", name, format_number(parameter)) : std::string(name);
}

std::span<const std::string_view> forecast_names() { return kNames; }

ForecastMethod forecast_method(std::string_view text) {
  constexpr const char* kCode = "bad_forecast";
  const Term term = term_of(text);
  const auto* const found = std::ranges::find(kNames, term.name);
  if (found == std::end(kNames))
    fail(kCode,
         "'{}' is no forecast: last, run_avg, sw_avg(w), "
         "median(w), exp(g), quantile(q), adapt_mse or adapt_mae{}",
         text, did_you_mean(term.name, kNames));
  ForecastMethod method{static_cast<Kind>(found - kNames)};
  if (!takes_parameter(method.kind)) {
    if (term.argument) fail(kCode, "'{}': {} takes no number", text, term.name);
    return method;
  }
  const bool windowed = method.kind == Kind::sw_avg || method.kind == Kind::median;
  if (!term.argument)
    fail(kCode, "'{}' needs {}", text,
         windowed ? fmt::format("the number of values that it looks at, as in {}(5)", term.name)
                  : fmt::format("a number, as in {}(0.25)", term.name));
  method.parameter = term.number(kCode, Dimension::fraction);
  const double value = method.parameter;
  const bool good = windowed                   ? value >= 1 && value <= 1e6 && value == std::floor(value)
                    : method.kind == Kind::exp ? value > 0 && value <= 1
                                               : value >= 0 && value <= 1;
  if (!good)
    fail(kCode, "'{}': the number must be {}, got {}", text,
         windowed                   ? "a whole one from 1 to 1000000"
         : method.kind == Kind::exp ? "above 0 and at most 1"
                                    : "from 0 to 1",
         format_number(value));
  return method;
}

Forecaster::Forecaster(ForecastMethod method) : method_(method), longest_(window_of(method)) {
  if (adapts()) {
    for (const ForecastMethod& each : kBank) longest_ = std::max(longest_, window_of(each));
    errors_.assign(kBank.size(), 0);
  }
  smoothed_.assign(adapts() ? kBank.size() : 1, 0);
}

void Forecaster::add(double x) {
  if (adapts() && count_ > 0)
    for (std::size_t k = 0; k < kBank.size(); ++k) {
      const double error = next_by(kBank[k], smoothed_[k]) - x;
      errors_[k] += method_.kind == Kind::adapt_mse ? error * error : std::abs(error);
    }
  const auto smooth = [&](const ForecastMethod& method, double& s) {
    if (method.kind == Kind::exp) s = count_ == 0 ? x : method.parameter * x + (1 - method.parameter) * s;
  };
  if (adapts())
    for (std::size_t k = 0; k < kBank.size(); ++k) smooth(kBank[k], smoothed_[k]);
  else
    smooth(method_, smoothed_.front());
  ++count_;
  last_ = x;
  sum_ += x;
  if (longest_ > 0) {
    if (window_.size() >= 2 * longest_)
      window_.erase(window_.begin(), window_.end() - static_cast<std::ptrdiff_t>(longest_));
    window_.push_back(x);
  }
  if (method_.kind == Kind::quantile) {
    const auto at = std::ranges::lower_bound(counts_, x, {}, &std::pair<double, std::size_t>::first);
    if (at != counts_.end() && at->first == x)
      ++at->second;
    else
      counts_.insert(at, {x, 1});
  }
}

double Forecaster::next_by(const ForecastMethod& method, double smoothed) const {
  const std::size_t in_window = std::min({window_of(method), count_, window_.size()});
  const std::span<const double> recent = std::span(window_).last(in_window);
  switch (method.kind) {
    case Kind::last:
      return last_;
    case Kind::run_avg:
      return sum_ / static_cast<double>(count_);
    case Kind::sw_avg:
      return std::accumulate(recent.begin(), recent.end(), 0.0) / static_cast<double>(in_window);
    case Kind::median: {
      std::vector<double> sorted;
      std::array<double, 32> few;  // most windows are short
      std::span<double> values(few.data(), std::min(in_window, few.size()));
      if (in_window > few.size()) {
        sorted.resize(in_window);
        values = sorted;
      }
      std::ranges::copy(recent, values.begin());
      const auto middle = values.begin() + static_cast<std::ptrdiff_t>(in_window / 2);
      std::nth_element(values.begin(), middle, values.end());
      if (in_window % 2 == 1) return *middle;
      return (*std::max_element(values.begin(), middle) + *middle) / 2;
    }
    case Kind::exp:
      return smoothed;
    case Kind::quantile:
      return quantile_of_sorted(
          count_,
          [this](std::size_t k) {
            for (const auto& [value, times] : counts_) {
              if (k < times) return value;
              k -= times;
            }
            return counts_.back().first;
          },
          method.parameter);
    default: {  // adapt_mse, adapt_mae
      std::size_t best = 0;
      for (std::size_t k = 1; k < kBank.size(); ++k)
        if (smaller(errors_[k], errors_[best])) best = k;
      return next_by(kBank[best], smoothed_[best]);
    }
  }
}

double Forecaster::next() const {
  if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
  return next_by(method_, smoothed_.front());
}

double forecast(std::span<const double> values, const ForecastMethod& method) {
  if (values.empty()) fail("bad_parameter", "forecast: needs at least one value, got none");
  statistics::need_all_finite("forecast", values);
  Forecaster forecaster(method);
  for (const double value : values) forecaster.add(value);
  return forecaster.next();
}

}  // namespace perigee::statistics
