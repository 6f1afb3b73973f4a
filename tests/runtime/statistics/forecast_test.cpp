// The forecasters, against worked numbers and against their definitions computed anew for each length.
#include "runtime/statistics/forecast.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "runtime/kernel/error.h"
#include "runtime/kernel/random.h"
#include "runtime/statistics/sample.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Contains;
using Kind = ForecastMethod::Kind;

namespace {

std::vector<double> tail(const std::vector<double>& xs, double window) {
  const auto n = std::min(xs.size(), static_cast<std::size_t>(window));
  return {xs.end() - static_cast<std::ptrdiff_t>(n), xs.end()};
}

double mean(const std::vector<double>& xs) {
  return std::accumulate(xs.begin(), xs.end(), 0.0) / static_cast<double>(xs.size());
}

const std::vector<ForecastMethod> kBank = {
    {Kind::last, 0},   {Kind::run_avg, 0}, {Kind::sw_avg, 5},  {Kind::sw_avg, 10}, {Kind::sw_avg, 20},
    {Kind::median, 5}, {Kind::median, 11}, {Kind::median, 21}, {Kind::exp, 0.05},  {Kind::exp, 0.1},
    {Kind::exp, 0.25}, {Kind::exp, 0.5},   {Kind::exp, 0.75},  {Kind::exp, 0.9},
};

// The forecast by the definitions.
double naive(const std::vector<double>& xs, const ForecastMethod& method) {
  switch (method.kind) {
    case Kind::last:
      return xs.back();
    case Kind::run_avg:
      return mean(xs);
    case Kind::sw_avg:
      return mean(tail(xs, method.parameter));
    case Kind::median:
      return sample_quantile(tail(xs, method.parameter), 0.5);
    case Kind::exp: {
      double s = xs.front();
      for (std::size_t t = 1; t < xs.size(); ++t) s = method.parameter * xs[t] + (1 - method.parameter) * s;
      return s;
    }
    case Kind::quantile:
      return sample_quantile(xs, method.parameter);
    default: {
      double best = 0;
      const ForecastMethod* winner = nullptr;
      for (const ForecastMethod& member : kBank) {
        double total = 0;
        for (std::size_t t = 1; t < xs.size(); ++t) {
          const std::vector<double> before(xs.begin(), xs.begin() + static_cast<std::ptrdiff_t>(t));
          const double error = std::abs(naive(before, member) - xs[t]);
          total += method.kind == Kind::adapt_mse ? error * error : error;
        }
        if (winner == nullptr || total < best - 1e-9 * std::max(1.0, best)) winner = &member, best = total;
      }
      return naive(xs, *winner);
    }
  }
}

double of(const std::vector<double>& xs, const char* method) { return forecast(xs, forecast_method(method)); }

}  // namespace

TEST_CASE("forecasts of a short series, by hand") {
  const std::vector<double> xs = {50, 52, 49, 51, 90, 50, 48};
  CHECK(of(xs, "last") == 48);
  CHECK(of(xs, "run_avg") == 390.0 / 7);
  CHECK(of(xs, "sw_avg(5)") == 288.0 / 5);
  CHECK(of(xs, "sw_avg(100)") == 390.0 / 7);
  CHECK(of(xs, "median(5)") == 50);
  CHECK(of(xs, "median(4)") == 50.5);  // of 48, 50, 51, 90
  CHECK(of(xs, "median(1)") == 48);
  CHECK(of(xs, "quantile(0)") == 48);
  CHECK(of(xs, "quantile(1)") == 90);
  CHECK(of(xs, "quantile(0.25)") == 49.5);  // 1 + 0.25 * 6 = 2.5: between 49 and 50
  CHECK(of({8, 4, 2}, "exp(0.25)") == 0.25 * 2 + 0.75 * (0.25 * 4 + 0.75 * 8));
  CHECK(of({8, 4, 2}, "exp(1)") == 2);
  CHECK(of(xs, "exp(25 %)") == of(xs, "exp(0.25)"));
}

TEST_CASE("adaptive forecasts take the method that has erred least") {
  CHECK(of({7}, "adapt_mse") == 7);
  CHECK(of({7}, "adapt_mae") == 7);
  // The series 10, 20, 30, ...: `last` errs by 10 each time; all methods that average or lag err by more.
  std::vector<double> up;
  for (int i = 1; i <= 30; ++i) up.push_back(10 * i);
  CHECK(of(up, "adapt_mse") == 300);
  // Alternating 0 and 12: the last errs by 12 always, the mean of all by about 6.
  std::vector<double> zigzag;
  for (int i = 0; i < 40; ++i) zigzag.push_back(i % 2 == 0 ? 0 : 12);
  CHECK(of(zigzag, "adapt_mse") == Approx(6).margin(0.4));
  // A spike now and then: by absolute error the median, which never moves, by squared error a mean.
  std::vector<double> spikes;
  for (int i = 0; i < 60; ++i) spikes.push_back(i % 6 == 5 ? 100 : 10);
  CHECK(of(spikes, "adapt_mae") == 10);
  CHECK(of(spikes, "adapt_mse") > 15);
}

TEST_CASE("forecasts of random series are what their definitions say, at every length") {
  std::vector<std::string> methods = {
      "last",     "run_avg",       "sw_avg(1)",     "sw_avg(7)",      "median(2)", "median(9)", "median(50)",
      "exp(0.3)", "quantile(0.1)", "quantile(0.5)", "quantile(0.77)", "adapt_mse", "adapt_mae"};
  Stream random(5, "forecasts");
  for (int repetition = 0; repetition < 20; ++repetition) {
    const bool whole = repetition % 2 == 0;  // few different values: many ties
    std::vector<double> xs;
    std::vector<Forecaster> growing;
    for (const std::string& method : methods) growing.emplace_back(forecast_method(method));
    for (int t = 0; t < 60; ++t) {
      xs.push_back(whole ? static_cast<double>(random.below(4)) : random.uniform(0, 100));
      for (std::size_t m = 0; m < methods.size(); ++m) {
        growing[m].add(xs.back());
        if (t % 7 != 0 && t > 3) continue;
        INFO(methods[m] << " of " << xs.size());
        const ForecastMethod method = forecast_method(methods[m]);
        CHECK(growing[m].next() == Approx(naive(xs, method)).epsilon(1e-12).margin(1e-12));
        CHECK(forecast(xs, method) == growing[m].next());
        CHECK(growing[m].count() == xs.size());
      }
    }
  }
}

TEST_CASE("forecasts of equal values are that value") {
  for (const char* method : {"last", "sw_avg(5)", "median(4)", "exp(0.1)", "quantile(0.9)", "adapt_mse"})
    CHECK(of(std::vector<double>(50, 0.5), method) == 0.5);
  CHECK(std::isnan(Forecaster().next()));
}

TEST_CASE("what is no forecast is refused") {
  const auto says = [](const char* text, const char* what) {
    INFO(text);
    CHECK_THROWS_WITH(forecast_method(text), Contains(what));
  };
  says("medium(5)", "did you mean 'median'?");
  says("", "'' is no forecast");
  says("median", "needs the number of values that it looks at, as in median(5)");
  says("median(0)", "a whole one from 1 to 1000000, got 0");
  says("sw_avg(2.5)", "a whole one from 1 to 1000000, got 2.5");
  says("sw_avg(1e9)", "a whole one from 1 to 1000000");
  says("exp(0)", "above 0 and at most 1, got 0");
  says("exp(1.5)", "above 0 and at most 1, got 1.5");
  says("exp(nan)", "nan");
  says("exp()", "exp()");
  says("quantile(-0.1)", "from 0 to 1, got -0.1");
  says("quantile(1.01)", "from 0 to 1, got 1.01");
  says("last(3)", "last takes no number");
  CHECK(forecast_method(" median( 5 ) ").text() == "median(5)");
  for (const char* text : {"last", "run_avg", "sw_avg(10)", "exp(0.05)", "quantile(0.9)", "adapt_mae"})
    CHECK(forecast_method(text).text() == text);
  CHECK_THROWS_WITH(of({}, "last"), Contains("at least one value"));
  CHECK_THROWS_WITH(of({1, NAN}, "last"), Contains("finite"));
}
