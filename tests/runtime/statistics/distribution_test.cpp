#include "runtime/statistics/distribution.h"

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using namespace perigee::statistics::distributions;
using Catch::Matchers::Contains;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<Distribution> continuous() {
  return {uniform(-3, 5),
          exponential(67),
          normal(100, 15),
          lognormal(120, 60),
          lognormal_mu_sigma(1, 0.25),
          gamma(0.3, 2),
          gamma(1, 4),
          gamma_mean_sd(1000, 500),
          gamma_mean_sd(1000, 5),  // shape 40000
          erlang(3, 10),
          hyperexponential({0.3, 0.7}, {10, 1}),
          hyperexponential({1, 0}, {5, 7}),
          weibull(0.7, 3),
          weibull(3.5, 100),
          pareto(5, 2),
          triangular(1, 2, 6),
          triangular(0, 0, 1),
          triangular(0, 1, 1),
          tabulated({0, 1, 2, 5}, {0, 0.5, 0.5, 1})};
}

std::vector<Distribution> truncated() {
  return {normal(100, 15).truncated(70, 130),
          normal(0, 1).truncated(2, kInfinity),
          normal(0, 1).truncated(-kInfinity, -9),
          normal(0, 1).truncated(9, 10),
          exponential(67).truncated(-5, 100),
          gamma_mean_sd(1000, 5).truncated(1000, 1001),
          gamma(0.3, 2).truncated(1, kInfinity),
          lognormal(120, 60).truncated(10, 500),
          weibull(0.7, 3).truncated(0, 1),
          pareto(1.1, 2).truncated(3, 1000),
          hyperexponential({0.3, 0.7}, {10, 1}).truncated(0.5, 20),
          triangular(1, 2, 6).truncated(1.5, 5),
          uniform(-3, 5).truncated(0, 1),
          tabulated({0, 1, 2, 5}, {0, 0.5, 0.5, 1}).truncated(0.5, 3),
          normal(0, 1).truncated(-3, 3).truncated(0, 1)};
}

std::vector<Distribution> discrete() {
  return {poisson(0.2), poisson(3.5), poisson(1000), deterministic(7), empirical({3, 1, 4, 1, 5, 9, 2, 6})};
}

std::vector<Distribution> all() {
  std::vector<Distribution> out = continuous();
  for (const auto& group : {truncated(), discrete()}) out.insert(out.end(), group.begin(), group.end());
  return out;
}

// The integral in pieces that end at the corners of the tables and triangles above.
template <class F>
double integral(F f, double low, double high) {
  double sum = 0;
  for (const double corner : {1.0, 2.0, 5.0, kInfinity}) {
    const double to = std::min(corner, high);
    if (to <= low) continue;
    sum += boost::math::quadrature::gauss_kronrod<double, 61>::integrate(f, low, to, 8, 1e-8);
    low = to;
  }
  return sum;
}

// The interval that holds all but 1e-12 of the distribution, in pieces.
std::vector<double> pieces(const Distribution& d) {
  std::vector<double> at;
  for (double k = 12; k > 0; k -= 1) at.push_back(d.quantile(std::pow(10, -k)));
  for (double k = 1; k <= 12; k += 1) at.push_back(d.upper_quantile(std::pow(10, -k)));
  return at;
}

template <class F>
double over_all(const Distribution& d, F f) {
  const std::vector<double> at = pieces(d);
  double sum = 0;
  for (std::size_t i = 0; i + 1 < at.size(); ++i)
    if (at[i] < at[i + 1]) sum += integral(f, at[i], at[i + 1]);
  return sum;
}

}  // namespace

TEST_CASE("cdf(quantile(p)) = p, from both ends") {
  for (const auto& group : {continuous(), truncated()})
    for (const Distribution& d : group) {
      CAPTURE(d.text());
      for (const double p : {1e-9, 1e-4, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9999}) {
        CAPTURE(p);
        // The effect of rounding x on the cdf, and the cdf's own error.
        const auto margin = [&](double x) { return 4e-16 * (1 + std::fabs(x) * d.density(x)) + 1e-11 * p; };
        const double x = d.quantile(p), y = d.upper_quantile(p);
        CHECK(std::fabs(d.cdf(x) - p) <= margin(x));
        CHECK(std::fabs(d.tail(y) - p) <= margin(y));
        CHECK(d.cdf(d.quantile(p)) + d.tail(d.quantile(p)) == Approx(1).epsilon(1e-12));
      }
      CHECK(d.quantile(0) == d.low());
      CHECK(d.quantile(1) == d.high());
      CHECK(d.upper_quantile(0) == d.high());
      CHECK(d.cdf(d.low() - 1) == 0);
      CHECK(d.cdf(d.high() + 1) == 1);
      CHECK(d.cdf(-kInfinity) == 0);
      CHECK(d.cdf(kInfinity) == 1);
    }
}

TEST_CASE("the quantile of steps is the smallest value whose cdf is enough") {
  for (const Distribution& d : discrete()) {
    CAPTURE(d.text());
    for (const double p : {1e-9, 0.01, 0.125, 0.3, 0.5, 0.75, 0.9, 0.9999}) {
      CAPTURE(p);
      const double x = d.quantile(p);
      CHECK(d.cdf(x) >= p * (1 - 1e-12));
      CHECK((x == d.low() || d.cdf(std::nextafter(x, -kInfinity)) < p));
      CHECK(d.tail(d.upper_quantile(p)) <= p * (1 + 1e-12));
      CHECK(d.cdf(x) + d.tail(x) == Approx(1).epsilon(1e-14));
    }
  }
  CHECK(empirical({1, 2, 3, 4}).quantile(0.5) == 2);
  CHECK(empirical({1, 2, 3, 4}).quantile(0.51) == 3);
  CHECK(empirical({1, 2, 2, 4}).cdf(2) == 0.75);
  // P(X = k) = e^-2 2^k / k!, summed
  const double e = std::exp(-2.0);
  CHECK(poisson(2).cdf(1.5) == Approx(3 * e).epsilon(1e-14));
  CHECK(poisson(2).cdf(3) == Approx(e * (1 + 2 + 2 + 8.0 / 6)).epsilon(1e-14));
}

// The quadrature here is good to 1e-6 beside poles and jumps.
TEST_CASE("the density integrates to the cdf, and to the moments") {
  for (const auto& group : {continuous(), truncated()})
    for (const Distribution& d : group) {
      CAPTURE(d.text());
      const auto density = [&](double x) { return d.density(x); };
      CHECK(over_all(d, density) == Approx(1).epsilon(1e-6));
      const double mean = over_all(d, [&](double x) { return x * d.density(x); });
      const double scale = std::max(std::fabs(d.mean()), d.sd());
      CHECK(std::fabs(d.mean() - mean) <= 1e-6 * scale);
      const double variance = over_all(d, [&](double x) { return (x - mean) * (x - mean) * d.density(x); });
      CHECK(d.sd() == Approx(std::sqrt(variance)).epsilon(1e-6));
      for (const double p : {0.2, 0.6}) {
        const double from = d.quantile(0.1), to = d.quantile(p);
        if (from < to) CHECK(integral(density, from, to) == Approx(p - 0.1).epsilon(1e-6));
      }
    }
}

TEST_CASE("values computed by R 4.2") {
  const auto check = [](const Distribution& d, double x, double cdf, double tail, double density) {
    CAPTURE(d.text());
    CHECK(d.cdf(x) == Approx(cdf).epsilon(1e-12));
    CHECK(d.tail(x) == Approx(tail).epsilon(1e-12));
    CHECK(d.density(x) == Approx(density).epsilon(1e-12));
    CHECK(d.quantile(cdf) == Approx(x).epsilon(1e-11));
    CHECK(d.upper_quantile(tail) == Approx(x).epsilon(1e-11));
  };
  check(normal(100, 15), 127.5, 0.96662349241518275, 0.03337650758481726, 0.00495407757059954);
  check(gamma_mean_sd(1000, 5), 1001, 0.5798852386932064, 0.4201147613067936, 0.0781312865780547);
  check(gamma(0.3, 2), 2.5, 0.94086614571462968, 0.05913385428537034, 0.04096055857340009);
  check(lognormal_mu_sigma(1, 2), 0.1, 0.04933942675280222, 0.95066057324719777, 0.51023485573089467);
  check(weibull(0.7, 3), 9, 0.88440577491162231, 0.11559422508837774, 0.01939887509899586);
  check(exponential(67), 300, 0.9886394896360984896, 0.0113605103639015589, 0.0001695598561776352);
  check(uniform(-3, 5), 1, 0.500, 0.500, 0.125);
}

TEST_CASE("moments known in closed form") {
  CHECK(gamma_mean_sd(1000, 5).mean() == Approx(1000).epsilon(1e-14));
  CHECK(gamma_mean_sd(1000, 5).sd() == Approx(5).epsilon(1e-14));
  CHECK(erlang(4, 10).sd() == Approx(5).epsilon(1e-14));
  CHECK(lognormal(120, 60).mean() == Approx(120).epsilon(1e-13));
  CHECK(lognormal(120, 60).sd() == Approx(60).epsilon(1e-13));
  // Variance of a mixture: 0.3 * 2 * 10^2 + 0.7 * 2 * 1 - 3.7^2
  CHECK(hyperexponential({0.3, 0.7}, {10, 1}).mean() == Approx(3.7).epsilon(1e-15));
  CHECK(hyperexponential({0.3, 0.7}, {10, 1}).sd() == Approx(std::sqrt(61.4 - 13.69)).epsilon(1e-14));
  CHECK(pareto(3, 2).mean() == Approx(3).epsilon(1e-15));
  CHECK(pareto(3, 2).sd() == Approx(std::sqrt(3.0)).epsilon(1e-14));
  CHECK(pareto(2, 2).sd() == kInfinity);
  CHECK(pareto(1, 2).mean() == kInfinity);
  CHECK(pareto(1, 2).truncated(3, kInfinity).mean() == kInfinity);
  CHECK(triangular(1, 2, 6).mean() == Approx(3).epsilon(1e-15));
  CHECK(poisson(3.5).sd() == Approx(std::sqrt(3.5)).epsilon(1e-15));
  CHECK(empirical({1, 2, 3, 4}).sd() == Approx(std::sqrt(1.25)).epsilon(1e-15));  // divided by n
  CHECK(deterministic(7).sd() == 0);
  // Half a standard normal: sqrt(2 / pi), sqrt(1 - 2 / pi). An exponential forgets.
  const Distribution half = normal(0, 1).truncated(0, kInfinity);
  CHECK(half.mean() == Approx(std::sqrt(2 / M_PI)).epsilon(1e-12));
  CHECK(half.sd() == Approx(std::sqrt(1 - 2 / M_PI)).epsilon(1e-12));
  CHECK(exponential(67).truncated(100, kInfinity).mean() == Approx(167).epsilon(1e-12));
  CHECK(exponential(67).truncated(100, kInfinity).sd() == Approx(67).epsilon(1e-12));
  // Far out in the tail, where 1 - cdf is 0; a Pareto from 3 on is one with minimum 3.
  CHECK(exponential(1).truncated(500, kInfinity).mean() == Approx(501).epsilon(1e-12));
  CHECK(pareto(2.2, 2).truncated(3, kInfinity).sd() == Approx(pareto(2.2, 3).sd()).epsilon(1e-6));
  CHECK(uniform(-3, 5).truncated(0, 1).sd() == Approx(std::sqrt(1 / 12.0)).epsilon(1e-12));
  // No width at all.
  for (const Distribution& d :
       {uniform(4, 4), normal(4, 0), lognormal(4, 0), gamma_mean_sd(4, 0), triangular(4, 4, 4)}) {
    CHECK(d.quantile(0.3) == 4);
    CHECK(d.text() == "deterministic { value = 4 }");
  }
}

TEST_CASE("draws have the distribution: Kolmogorov-Smirnov at 0.1 %, moments within 4 standard errors") {
  constexpr int kDraws = 10000;
  const auto judge = [](const Distribution& d, auto rng) {
    CAPTURE(d.text());
    std::vector<double> drawn(kDraws);
    double mean = 0;
    for (double& x : drawn) mean += (x = d.draw(rng)) / kDraws;
    double variance = 0, fourth = 0;
    for (const double x : drawn) {
      variance += (x - mean) * (x - mean) / kDraws;
      fourth += std::pow(x - mean, 4) / kDraws;
    }
    CHECK(std::fabs(mean - d.mean()) <= 4 * d.sd() / std::sqrt(kDraws) + 1e-11 * std::fabs(mean));
    const double se = std::sqrt(std::max(0.0, fourth - variance * variance) / kDraws);
    CHECK(std::fabs(variance - d.sd() * d.sd()) <= 4 * se + 1e-11 * variance + 1e-22);
    std::sort(drawn.begin(), drawn.end());
    CHECK(drawn.front() >= d.low());
    CHECK(drawn.back() <= d.high());
    double distance = 0;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      const double x = drawn[i];
      const auto up_to = std::upper_bound(drawn.begin(), drawn.end(), x) - drawn.begin();
      const auto below = std::lower_bound(drawn.begin(), drawn.end(), x) - drawn.begin();
      distance = std::max(distance, std::fabs(d.cdf(x) - 1.0 * up_to / kDraws));
      if (d.is_continuous()) distance = std::max(distance, std::fabs(d.cdf(x) - 1.0 * below / kDraws));
    }
    CHECK(distance * std::sqrt(kDraws) <= 1.9495);  // exceeded with probability 0.001
  };
  for (const Distribution& d : all()) {
    judge(d, Stream(1, d.text()));
    judge(d, SplitMix64(2));  // the numbers of seed 1 are among the 0.1 % themselves: distance 2.105
  }
}

TEST_CASE("draws are those of Variates where it has the distribution") {
  Stream a(7, "same"), b(7, "same");
  for (int i = 0; i < 100; ++i) {
    CHECK(exponential(67).draw(a) == b.exponential(67));
    CHECK(gamma_mean_sd(1000, 5).draw(a) == b.gamma_mean_sd(1000, 5));
    CHECK(lognormal(120, 60).draw(a) == b.lognormal(120, 60));
    CHECK(erlang(3, 10).draw(a) == b.erlang(3, 10));
    CHECK(poisson(1000).draw(a) == static_cast<double>(b.poisson(1000)));
  }
  const std::uint64_t before = a.position();
  normal(0, 1).truncated(9, 10).draw(a);  // one number each, however unlikely
  CHECK(a.position() == before + 1);
}

TEST_CASE("truncated distributions print, and refuse what is empty") {
  CHECK(gamma(4, 25).truncated(-1, 200).text() == "gamma { shape = 4, scale = 25 } truncated to 0 .. 200");
  CHECK(normal(0, 1).truncated(-3, 3).truncated(0, 9).text() ==
        "normal { mean = 0, sd = 1 } truncated to 0 .. 3");
  CHECK_THROWS_WITH(normal(0, 1).truncated(-3, 3).truncated(3, 9), Contains("has nothing between 3 and 9"));
  CHECK_THROWS_WITH(normal(0, 1).truncated(2, 2), Contains("low must be < high, got 2 and 2"));
  CHECK_THROWS_WITH(exponential(1).truncated(-2, -1), Contains("has nothing between -2 and -1"));
  CHECK_THROWS_WITH(exponential(1).truncated(2000, 2001), Contains("has nothing between 2000 and 2001"));
  CHECK_THROWS_WITH(tabulated({0, 1, 2, 5}, {0, 0.5, 0.5, 1}).truncated(1.2, 1.7), Contains("has nothing"));
  CHECK_THROWS_WITH(poisson(3).truncated(0, 5), Contains("only continuous distributions can be truncated"));
  CHECK_THROWS_WITH(normal(0, 1).truncated(0, std::nan("")), Contains("high must be a number, got nan"));
}

TEST_CASE("bad parameters of distributions name parameter, value and what is allowed") {
  const double nan = std::nan("");
  CHECK_THROWS_WITH(uniform(2, 1), Contains("low must be <= high") && Contains("got 2 and 1"));
  CHECK_THROWS_WITH(exponential(0), "exponential: mean must be finite and > 0, got 0");
  CHECK_THROWS_WITH(exponential(kInfinity), Contains("got inf"));
  CHECK_THROWS_WITH(normal(0, -1), "normal: sd must be finite and >= 0, got -1");
  CHECK_THROWS_WITH(normal(nan, 1), "normal: mean must be finite, got nan");
  CHECK_THROWS_WITH(lognormal(-1, 1), "lognormal: mean must be finite and > 0, got -1");
  CHECK_THROWS_WITH(lognormal_mu_sigma(0, -1), "lognormal: sigma must be finite and >= 0, got -1");
  CHECK_THROWS_WITH(gamma(0, 1), "gamma: shape must be finite and > 0, got 0");
  CHECK_THROWS_WITH(gamma(1, nan), "gamma: scale must be finite and > 0, got nan");
  CHECK_THROWS_WITH(gamma_mean_sd(1, -1), "gamma: sd must be finite and >= 0, got -1");
  CHECK_THROWS_WITH(gamma_mean_sd(1e200, 1), Contains("mean / sd must be within 1e-150 and 1e150"));
  CHECK_THROWS_WITH(erlang(0, 1), "erlang: k must be >= 1, got 0");
  CHECK_THROWS_WITH(hyperexponential({0.5, 0.4}, {1, 2}),
                    Contains("sum of the probabilities must be 1 within 1e-9, got 0.9"));
  CHECK_THROWS_WITH(hyperexponential({1.5, -0.5}, {1, 2}),
                    Contains("each probability must be in [0, 1], got 1.5"));
  CHECK_THROWS_WITH(hyperexponential({1}, {1, 2}), Contains("got 1 and 2"));
  CHECK_THROWS_WITH(hyperexponential({1}, {0}), Contains("each mean must be finite and > 0, got 0"));
  CHECK_THROWS_WITH(weibull(-2, 1), "weibull: shape must be finite and > 0, got -2");
  CHECK_THROWS_WITH(pareto(1, 0), "pareto: minimum must be finite and > 0, got 0");
  CHECK_THROWS_WITH(triangular(0, 3, 2), Contains("low <= mode <= high must hold, got 0, 3, 2"));
  CHECK_THROWS_WITH(poisson(-1), "poisson: mean must be in [0, 1e15], got -1");
  CHECK_THROWS_WITH(deterministic(nan), "deterministic: value must be finite, got nan");
  CHECK_THROWS_WITH(empirical({}), Contains("at least one value, got none"));
  CHECK_THROWS_WITH(empirical({1, nan}), Contains("got nan at 2"));
  CHECK_THROWS_WITH(tabulated({0}, {1}), Contains("two points or more"));
  CHECK_THROWS_WITH(tabulated({0, 0}, {0, 1}), Contains("x must ascend, got 0 after 0"));
  CHECK_THROWS_WITH(tabulated({0, 1, 2}, {0, 0.7, 0.6}), Contains("F must not descend, got 0.6 after 0.7"));
  CHECK_THROWS_WITH(tabulated({0, 1}, {0.1, 1}), Contains("the first F must be 0, got 0.1"));
  CHECK_THROWS_WITH(tabulated({0, 1}, {0, 0.9}), Contains("the last F must be 1, got 0.9"));
  CHECK_THROWS_WITH(normal(0, 1).quantile(1.5), "quantile: p must be in [0, 1], got 1.5");
  CHECK_THROWS_WITH(normal(0, 1).cdf(nan), "cdf: x must be a number, got nan");
  CHECK_THROWS_WITH(poisson(3).density(2), Contains("poisson { mean = 3 } has none"));
}

TEST_CASE("extreme but allowed parameters stay numbers") {
  for (const Distribution& d :
       {gamma(1e-3, 1), gamma(1e10, 1), weibull(0.01, 1), weibull(1000, 1), lognormal(1, 1e6),
        exponential(1e-300), exponential(1e300), pareto(1e-3, 1), poisson(1e9), normal(1e100, 1e-100),
        uniform(-8e307, 8e307), triangular(0, 1e-100, 1e100)}) {
    CAPTURE(d.text());
    CHECK_FALSE(std::isnan(d.mean()));
    CHECK_FALSE(std::isnan(d.sd()));
    for (const double p : {1e-300, 1e-10, 0.5, 1 - 1e-10}) {
      const double x = d.quantile(p);
      CHECK_FALSE(std::isnan(x));
      CHECK(d.low() <= x);
      CHECK(x <= d.high());
      const double below = d.cdf(x);
      CHECK(below >= 0);
      CHECK(below <= 1);
      if (d.is_continuous()) CHECK(d.density(x) >= 0);
    }
  }
}

TEST_CASE("the quantile of exponentials that are far apart") {
  const Distribution d = hyperexponential({0.5, 0.5}, {1e-100, 1e100});
  for (const double p : {1e-9, 0.3, 0.5, 0.7, 1 - 1e-9}) {
    CHECK(d.cdf(d.quantile(p)) == Approx(p).epsilon(1e-12));
    CHECK(d.tail(d.upper_quantile(p)) == Approx(p).epsilon(1e-12));
  }
}

TEST_CASE("what cannot be computed is said") {
  const Distribution d = gamma(1e12, 1);
  CHECK_THROWS_WITH(
      d.cdf(1e12),
      "cdf: that of gamma { shape = 1000000000000, scale = 1 } at 1000000000000 cannot be computed");
}

TEST_CASE("the four ways to make variates of a function") {
  Stream rng(3, "ways");
  constexpr int kDraws = 20000;
  const auto mean_of = [&](auto draw) {
    double sum = 0;
    for (int i = 0; i < kDraws; ++i) sum += draw();
    return sum / kDraws;
  };
  // The exponential of mean 2 by -2 ln(1 - u).
  const auto by_inverse = [&] {
    return sampling::inverse_transform(rng, [](double u) { return -2 * std::log1p(-u); });
  };
  CHECK(std::fabs(mean_of(by_inverse) - 2) <= 4 * 2 / std::sqrt(kDraws));
  const std::vector<double> p{0.3, 0.7}, means{10, 1};
  const auto by_composition = [&] { return rng.exponential(means[sampling::composition(rng, p)]); };
  CHECK(std::fabs(mean_of(by_composition) - 3.7) <= 4 * std::sqrt(47.71 / kDraws));
  // The density 6 x (1 - x) under 1.5: mean 1 / 2, variance 1 / 20.
  const auto beta = [](double x) { return 6 * x * (1 - x); };
  const auto by_rejection = [&](double level) {
    return sampling::acceptance_rejection(
        rng, [](Stream& r) { return r.uniform(); }, beta, [=](double) { return level; });
  };
  CHECK(std::fabs(mean_of([&] { return by_rejection(1.5); }) - 0.5) <= 4 * std::sqrt(0.05 / kDraws));
  CHECK_THROWS_WITH(mean_of([&] { return by_rejection(1.2); }),
                    Contains("not a majorant") && Contains("above 1.2"));
  CHECK_THROWS_WITH(by_rejection(0), Contains("the majorant must be finite and > 0, got 0"));
  const auto nothing = [&] {
    return sampling::acceptance_rejection(
        rng, [](Stream& r) { return r.uniform(); }, [](double) { return 0.0; }, [](double) { return 1.0; });
  };
  CHECK_THROWS_WITH(nothing(), Contains("a million proposals in a row were refused"));
  CHECK_THROWS_WITH(sampling::check_composition(std::vector<double>{}), Contains("at least one probability"));
}

TEST_CASE("Monte Carlo integration of e^(-x^2) over 0 .. 2 ") {
  constexpr double kPublished = 0.8820813908;  // Breitinger 1999, III.E
  Stream rng(1, "monte carlo");
  const Distribution x = uniform(0, 2);
  constexpr int kDraws = 100000;
  double mean = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double at = x.draw(rng), y = 2 * std::exp(-at * at);
    mean += y / kDraws;
    squares += y * y / kDraws;
  }
  CHECK(std::fabs(mean - kPublished) <= 4 * std::sqrt((squares - mean * mean) / kDraws));
  CHECK(integral([](double at) { return std::exp(-at * at); }, 0, 2) == Approx(kPublished).epsilon(1e-10));
}
