// Forecasts of the next value of a series, with the methods of the Network Weather Service.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/layers.h"

namespace perigee::statistics {

// A method that predicts the value after x_1 ... x_n. Source: R. Wolski, "Dynamically forecasting network
// performance using the Network Weather Service", Cluster Computing 1(1), 1998; quantile: Berman et al., LIP
// RR 1999-46, section 5.2.2.
struct ForecastMethod {
  enum class Kind {
    last,      // x_n
    run_avg,   // the mean of all
    sw_avg,    // the mean of the last min(w, n)
    median,    // the median of the last min(w, n); of an even number the mean of the middle two
    exp,       // s_n of s_1 = x_1, s_t = g x_t + (1 - g) s_{t-1}
    quantile,  // of all, of type 7: see sample_quantile()
    // The forecast of that method of the bank which would have predicted x_2 ... x_n with the least squared,
    // or the least absolute, error. Ties: the first method. `last` for n = 1. The bank: last, run_avg,
    // sw_avg 5, 10, 20, median 5, 11, 21, exp 0.05, 0.1, 0.25, 0.5, 0.75, 0.9.
    adapt_mse,
    adapt_mae,
  };
  Kind kind = Kind::last;
  double parameter = 0;  // w, a whole number 1 .. 1e6; g, 0 < g <= 1; of quantile 0 .. 1

  std::string text() const;  // "median(5)"
  friend bool operator==(const ForecastMethod&, const ForecastMethod&) = default;
};
// Error "bad_forecast" naming what is allowed.
ForecastMethod forecast_method(std::string_view text);
std::span<const std::string_view> forecast_names();  // "last", "run_avg", "sw_avg", ...

// A growing series and its forecast. A value. Its memory does not grow with the series, except for quantile,
// where it grows with the number of different values.
class Forecaster {
 public:
  explicit Forecaster(ForecastMethod method = {});
  void add(double x);
  double next() const;  // NaN for n = 0
  std::size_t count() const { return count_; }

 private:
  bool adapts() const {
    return method_.kind == ForecastMethod::Kind::adapt_mse || method_.kind == ForecastMethod::Kind::adapt_mae;
  }
  double next_by(const ForecastMethod& method, double smoothed) const;

  ForecastMethod method_;
  std::size_t count_ = 0;
  double last_ = 0, sum_ = 0;
  std::size_t longest_ = 0;                             // window
  std::vector<double> window_;                          // its last values are those of the window
  std::vector<double> smoothed_;                        // per method of the bank, or of the one method
  std::vector<double> errors_;                          // per method of the bank, so far
  std::vector<std::pair<double, std::size_t>> counts_;  // ascending values and how often each came
};

// Error "bad_parameter" without values or unless all are finite.
double forecast(std::span<const double> values, const ForecastMethod& method);

}  // namespace perigee::statistics
