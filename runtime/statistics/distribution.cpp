#include "runtime/statistics/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/pareto.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/math/distributions/triangular.hpp>
#include <boost/math/distributions/uniform.hpp>
#include <boost/math/distributions/weibull.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "runtime/kernel/constants.h"
#include "runtime/kernel/work.h"
#include "runtime/statistics/boost_math.h"
#include "runtime/statistics/checks.h"
#include "runtime/statistics/law.h"

namespace perigee::statistics {

namespace {

// Checks a place or a width, whose inverse must be finite too.
void need_scale(std::string_view subject, std::string_view parameter, double value) {
  constexpr double kLeast = 1e-300;
  need_positive(subject, parameter, value);
  need(value >= kLeast, subject, parameter, ">= 1e-300", value);
}

// Terms of the series of an incomplete gamma function, roughly. These series are the slowest ones here.
double terms_of_gamma(Real shape) { return std::min(3 * std::sqrt(shape.value), 1e6); }
template <class Boost>
double terms(const Boost&) {
  return 1;
}
double terms(const boost::math::gamma_distribution<Real, BoostPolicy>& law) {
  return terms_of_gamma(law.shape());
}
double terms(const boost::math::poisson_distribution<Real, BoostPolicy>& law) {
  return terms_of_gamma(law.mean());
}

// ---- distributions that Boost has

template <class Boost>
class FromBoost : public Law {
 public:
  FromBoost(std::string text, Boost law, double low, double high)
      : text_(std::move(text)), law_(law), low_(low), high_(high) {}

  std::string text() const override { return text_; }
  double low() const override { return low_; }
  double high() const override { return high_; }
  double mean() const override { return boost::math::mean(law_).value; }
  double sd() const override {
    const double sd = boost::math::standard_deviation(law_).value;
    return std::isnan(sd) ? kInfinity : sd;  // a difference of moments that are too large
  }
  double cdf(double x) const override {
    return computed("cdf", x, [&](Real at) { return boost::math::cdf(law_, at); });
  }
  double tail(double x) const override {
    return computed("tail", x, [&](Real at) { return boost::math::cdf(boost::math::complement(law_, at)); });
  }
  double density(double x) const override {
    return computed("density", x, [&](Real at) { return boost::math::pdf(law_, at); });
  }
  double quantile(double p) const override {
    return computed("quantile", p, [&](Real at) { return boost::math::quantile(law_, at); });
  }
  double upper_quantile(double q) const override {
    return computed("upper quantile", q,
                    [&](Real at) { return boost::math::quantile(boost::math::complement(law_, at)); });
  }

 private:
  // Boost gives up on some extreme parameters.
  template <class F>
  double computed(const char* what, double x, F f) const {
    did_work(static_cast<std::uint64_t>(terms(law_)));
    double value = std::numeric_limits<double>::quiet_NaN();
    try {
      value = f(Real(x)).value;
    } catch (const std::exception&) {
    }
    if (std::isnan(value))
      fail("no_convergence", "{}: that of {} at {} cannot be computed", what, text_, format_number(x));
    return value;
  }

  std::string text_;
  Boost law_;
  double low_, high_;
};

template <class Boost, class Draw>
Distribution from_boost(std::string text, const Boost& law, double low, double high, Draw draw) {
  return Distribution(make<FromBoost<Boost>>(std::move(draw), std::move(text), law, low, high));
}

// "gamma { shape = 4, scale = 25 }"
std::string written(const char* name, std::initializer_list<std::pair<const char*, double>> parameters) {
  std::string list;
  for (const auto& [parameter, value] : parameters)
    list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", parameter, format_number(value));
  return fmt::format("{} {{ {} }}", name, list);
}

using BoostPareto = boost::math::pareto_distribution<Real, BoostPolicy>;
class Pareto : public FromBoost<BoostPareto> {  // its moments are infinite up to some shape
 public:
  Pareto(double shape, double minimum)
      : FromBoost(written("pareto", {{"shape", shape}, {"minimum", minimum}}), BoostPareto(minimum, shape),
                  minimum, kInfinity),
        shape_(shape) {}
  double mean() const override { return shape_ > 1 ? FromBoost::mean() : kInfinity; }
  double sd() const override { return shape_ > 2 ? FromBoost::sd() : kInfinity; }

 private:
  double shape_;
};

using BoostPoisson = boost::math::poisson_distribution<Real, BoostPolicy>;
class Poisson : public FromBoost<BoostPoisson> {
 public:
  explicit Poisson(double mean)
      : FromBoost(written("poisson", {{"mean", mean}}), BoostPoisson(mean), 0, kInfinity) {}
  bool continuous() const override { return false; }
  double cdf(double x) const override { return FromBoost::cdf(math::floor(x)); }
  double tail(double x) const override { return FromBoost::tail(math::floor(x)); }
};

// ---- distributions that Boost does not have

class Deterministic : public Law {
 public:
  explicit Deterministic(double value) : value_(value) {}
  std::string text() const override { return written("deterministic", {{"value", value_}}); }
  bool continuous() const override { return false; }
  double low() const override { return value_; }
  double high() const override { return value_; }
  double mean() const override { return value_; }
  double sd() const override { return 0; }
  double cdf(double) const override { return 1; }
  double density(double) const override { return 0; }
  double quantile(double) const override { return value_; }

 private:
  double value_;
};

class Empirical : public Law {
 public:
  explicit Empirical(std::vector<double> values) : sorted_(std::move(values)) {
    std::sort(sorted_.begin(), sorted_.end());
  }
  std::string text() const override { return fmt::format("empirical of {} values", sorted_.size()); }
  bool continuous() const override { return false; }
  double low() const override { return sorted_.front(); }
  double high() const override { return sorted_.back(); }
  double mean() const override {
    double mean = 0, count = 0;
    for (const double value : sorted_) mean += (value - mean) / ++count;
    return mean;
  }
  double sd() const override {
    const double center = mean();
    double squares = 0;
    for (const double value : sorted_) squares += (value - center) * (value - center);
    return std::sqrt(squares / n());
  }
  double cdf(double x) const override { return static_cast<double>(up_to(x)) / n(); }
  double tail(double x) const override { return static_cast<double>(sorted_.size() - up_to(x)) / n(); }
  double density(double) const override { return 0; }
  double quantile(double p) const override {
    return first([&](double k) { return k / n() >= p; });
  }
  double upper_quantile(double q) const override {
    return first([&](double k) { return (n() - k) / n() <= q; });
  }
  const std::vector<double>& values() const { return sorted_; }

 private:
  double n() const { return static_cast<double>(sorted_.size()); }
  std::size_t up_to(double x) const {
    return static_cast<std::size_t>(std::upper_bound(sorted_.begin(), sorted_.end(), x) - sorted_.begin());
  }
  // The k-th value, from 1 on, for the smallest k with enough(k).
  template <class Enough>
  double first(Enough enough) const {
    std::size_t low = 1, high = sorted_.size();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (enough(static_cast<double>(middle)))
        high = middle;
      else
        low = middle + 1;
    }
    return sorted_[low - 1];
  }
  std::vector<double> sorted_;
};

class Tabulated : public Law {
 public:
  Tabulated(std::vector<double> x, std::vector<double> cdf) : x_(std::move(x)), cdf_(std::move(cdf)) {}
  std::string text() const override {
    return fmt::format("tabulated at {} points from {} to {}", x_.size(), format_number(low()),
                       format_number(high()));
  }
  double low() const override { return x_.front(); }
  double high() const override { return x_.back(); }
  double mean() const override {
    return over_segments([](double a, double b) { return (a + b) / 2; });
  }
  double sd() const override {
    const double center = mean();
    return std::sqrt(over_segments([&](double a, double b) {
      a -= center, b -= center;
      return (a * a + a * b + b * b) / 3;
    }));
  }
  double cdf(double x) const override {
    const std::size_t i = segment(x);
    return cdf_[i] + (cdf_[i + 1] - cdf_[i]) * ((x - x_[i]) / (x_[i + 1] - x_[i]));
  }
  double density(double x) const override {
    const std::size_t i = segment(x);
    return (cdf_[i + 1] - cdf_[i]) / (x_[i + 1] - x_[i]);
  }
  double quantile(double p) const override {
    const auto at = std::lower_bound(cdf_.begin(), cdf_.end(), p);
    const auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(at - cdf_.begin(), 1));
    return x_[i - 1] + (x_[i] - x_[i - 1]) * ((p - cdf_[i - 1]) / (cdf_[i] - cdf_[i - 1]));
  }
  LawPtr between(const LawPtr& /*self*/, double low, double high) const override {
    const double below = low > x_.front() ? cdf(low) : 0, above = high < x_.back() ? cdf(high) : 1;
    if (!(above > below)) return nullptr;
    std::vector<double> x{std::max(low, x_.front())}, part{0};
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (x_[i] <= x.front() || x_[i] >= high) continue;
      x.push_back(x_[i]);
      part.push_back(std::clamp((cdf_[i] - below) / (above - below), 0.0, 1.0));
    }
    x.push_back(std::min(high, x_.back()));
    part.push_back(1);
    return make<Tabulated>(kInverseTransform, std::move(x), std::move(part));
  }

 private:
  std::size_t segment(double x) const {
    const auto next = std::upper_bound(x_.begin(), x_.end(), x) - x_.begin();
    return static_cast<std::size_t>(std::min(next, std::ssize(x_) - 1)) - 1;
  }
  template <class F>
  double over_segments(F f) const {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < x_.size(); ++i) sum += (cdf_[i + 1] - cdf_[i]) * f(x_[i], x_[i + 1]);
    return sum;
  }
  std::vector<double> x_, cdf_;
};

// The x in low .. high at which `f`, which ascends, crosses 0.
template <class F>
double root(F f, double low, double high) {
  const double at_low = f(low), at_high = f(high);
  if (at_low >= 0) return low;
  if (at_high <= 0) return high;
  std::uintmax_t steps = 4000;  // at worst one halving in three: any two numbers
  const auto found = boost::math::tools::toms748_solve(
      f, low, high, at_low, at_high, boost::math::tools::eps_tolerance<double>(52), steps, BoostPolicy());
  return found.first + (found.second - found.first) / 2;
}

class Hyperexponential : public Law {
 public:
  Hyperexponential(std::vector<double> p, std::vector<double> means)
      : p_(std::move(p)), means_(std::move(means)) {}
  std::string text() const override {
    return fmt::format("hyperexponential of {} exponentials with mean {}", p_.size(), format_number(mean()));
  }
  double low() const override { return 0; }
  double high() const override { return kInfinity; }
  double mean() const override {
    return mixed([](double m) { return m; });
  }
  double sd() const override {
    const double center = mean();
    return std::sqrt(mixed([&](double m) { return m * m + (m - center) * (m - center); }));
  }
  double cdf(double x) const override {
    return mixed([&](double m) { return -math::expm1(-x / m); });
  }
  double tail(double x) const override {
    return mixed([&](double m) { return math::exp(-x / m); });
  }
  double density(double x) const override {
    return mixed([&](double m) { return math::exp(-x / m) / m; });
  }
  double quantile(double p) const override {
    const auto [low, high] = extreme_means();
    const double standard = -math::log1p(-p);
    return root([&](double x) { return cdf(x) - p; }, low * standard, high * standard);
  }
  double upper_quantile(double q) const override {
    const auto [low, high] = extreme_means();
    const double standard = -math::log(q);
    return root([&](double x) { return q - tail(x); }, low * standard, high * standard);
  }
  const std::vector<double>& p() const { return p_; }
  const std::vector<double>& means() const { return means_; }

 private:
  template <class F>
  double mixed(F f) const {
    double sum = 0;
    for (std::size_t j = 0; j < p_.size(); ++j)
      if (p_[j] > 0) sum += p_[j] * f(means_[j]);
    return sum;
  }
  std::pair<double, double> extreme_means() const {
    const auto [low, high] = std::minmax_element(means_.begin(), means_.end());
    return {*low, *high};
  }
  std::vector<double> p_, means_;
};

}  // namespace

// ---- Distribution

double Distribution::cdf(double x) const {
  need(!std::isnan(x), "cdf", "x", "a number", x);
  if (x < low()) return 0;
  return x >= high() ? 1 : law_->cdf(x);
}

double Distribution::tail(double x) const {
  need(!std::isnan(x), "tail", "x", "a number", x);
  if (x < low()) return 1;
  return x >= high() ? 0 : law_->tail(x);
}

double Distribution::density(double x) const {
  need(!std::isnan(x), "density", "x", "a number", x);
  if (!is_continuous())
    fail("no_density", "density: {} has none: it is not continuous; its cdf has steps", text());
  if (x < low() || x > high() || std::isinf(x)) return 0;
  return law_->density(x == low() ? std::nextafter(x, kInfinity) : x);
}

double Distribution::quantile(double p) const {
  need_probability("quantile", "p", p);
  if (p == 0) return low();
  return p == 1 ? high() : law_->quantile(p);
}

double Distribution::upper_quantile(double q) const {
  need_probability("upper quantile", "q", q);
  if (q == 0) return high();
  return q == 1 ? low() : law_->upper_quantile(q);
}

Distribution Distribution::truncated(double from, double to) const {
  if (!is_continuous())
    fail("bad_parameter", "truncated: {} is not continuous; only continuous distributions can be truncated",
         text());
  need(!std::isnan(from), "truncated", "low", "a number", from);
  need(!std::isnan(to), "truncated", "high", "a number", to);
  if (!(from < to))
    fail("bad_parameter", "truncated: low must be < high, got {} and {}", format_number(from),
         format_number(to));
  const LawPtr part = from < high() && to > low() ? law_->between(law_, from, to) : nullptr;
  if (part == nullptr)
    fail("bad_parameter", "truncated: {} has nothing between {} and {}", text(), format_number(from),
         format_number(to));
  return Distribution(part);
}

// ---- the distributions

namespace distributions {

Distribution uniform(double low, double high) {
  need_finite("uniform", "low", low);
  need_finite("uniform", "high", high);
  if (!(low <= high && std::isfinite(high - low)))
    fail("bad_parameter", "uniform: low must be <= high, and less than 1.8e308 apart, got {} and {}",
         format_number(low), format_number(high));
  if (low == high) return deterministic(low);
  return from_boost(written("uniform", {{"low", low}, {"high", high}}),
                    boost::math::uniform_distribution<Real, BoostPolicy>(low, high), low, high,
                    [=](const Law&, auto& rng) { return rng.uniform(low, high); });
}

Distribution exponential(double mean) {
  need_scale("exponential", "mean", mean);
  return from_boost(written("exponential", {{"mean", mean}}),
                    boost::math::exponential_distribution<Real, BoostPolicy>(1 / mean), 0, kInfinity,
                    [=](const Law&, auto& rng) { return rng.exponential(mean); });
}

Distribution normal(double mean, double sd) {
  need_finite("normal", "mean", mean);
  need_not_negative("normal", "sd", sd);
  if (sd == 0) return deterministic(mean);
  need_scale("normal", "sd", sd);
  return from_boost(written("normal", {{"mean", mean}, {"sd", sd}}),
                    boost::math::normal_distribution<Real, BoostPolicy>(mean, sd), -kInfinity, kInfinity,
                    [=](const Law&, auto& rng) { return rng.normal(mean, sd); });
}

Distribution lognormal(double mean, double sd) {
  need_scale("lognormal", "mean", mean);
  need_not_negative("lognormal", "sd", sd);
  if (sd == 0) return deterministic(mean);
  need(sd / mean > 1e-150 && sd / mean < 1e150, "lognormal", "sd / mean", "within 1e-150 and 1e150",
       sd / mean);
  const double cv = sd / mean, variance = math::log1p(cv * cv);
  return from_boost(written("lognormal", {{"mean", mean}, {"sd", sd}}),
                    boost::math::lognormal_distribution<Real, BoostPolicy>(math::log(mean) - variance / 2,
                                                                           std::sqrt(variance)),
                    0, kInfinity, [=](const Law&, auto& rng) { return rng.lognormal(mean, sd); });
}

Distribution lognormal_mu_sigma(double mu, double sigma) {
  need_finite("lognormal", "mu", mu);
  need_not_negative("lognormal", "sigma", sigma);
  if (sigma == 0) return deterministic(math::exp(mu));
  need_scale("lognormal", "sigma", sigma);
  return from_boost(written("lognormal", {{"mu", mu}, {"sigma", sigma}}),
                    boost::math::lognormal_distribution<Real, BoostPolicy>(mu, sigma), 0, kInfinity,
                    [=](const Law&, auto& rng) { return rng.lognormal_mu_sigma(mu, sigma); });
}

Distribution gamma(double shape, double scale) {
  need_scale("gamma", "shape", shape);
  need_scale("gamma", "scale", scale);
  return from_boost(written("gamma", {{"shape", shape}, {"scale", scale}}),
                    boost::math::gamma_distribution<Real, BoostPolicy>(shape, scale), 0, kInfinity,
                    [=](const Law&, auto& rng) { return rng.gamma(shape, scale); });
}

Distribution gamma_mean_sd(double mean, double sd) {
  need_scale("gamma", "mean", mean);
  need_not_negative("gamma", "sd", sd);
  if (sd == 0) return deterministic(mean);
  const double ratio = mean / sd;
  need(ratio > 1e-150 && ratio < 1e150, "gamma", "mean / sd", "within 1e-150 and 1e150", ratio);
  return gamma(ratio * ratio, sd / ratio);  // as Variates::gamma_mean_sd
}

Distribution erlang(std::uint64_t k, double mean) {
  need(k >= 1, "erlang", "k", ">= 1", 0);
  need_scale("erlang", "mean", mean);
  const auto shape = static_cast<double>(k);
  need_scale("erlang", "mean / k", mean / shape);
  return from_boost(written("erlang", {{"k", shape}, {"mean", mean}}),
                    boost::math::gamma_distribution<Real, BoostPolicy>(shape, mean / shape), 0, kInfinity,
                    [=](const Law&, auto& rng) { return rng.erlang(k, mean); });
}

Distribution hyperexponential(std::vector<double> p, std::vector<double> means) {
  if (p.size() != means.size())
    fail("bad_parameter", "hyperexponential: as many probabilities as means are needed, got {} and {}",
         p.size(), means.size());
  sampling::check_composition(p);
  for (const double mean : means) need_scale("hyperexponential", "each mean", mean);
  const auto draw = [](const Hyperexponential& law, auto& rng) {
    return rng.hyperexponential(law.p(), law.means());
  };
  return Distribution(make<Hyperexponential>(draw, std::move(p), std::move(means)));
}

Distribution weibull(double shape, double scale) {
  need_scale("weibull", "shape", shape);
  need_scale("weibull", "scale", scale);
  return from_boost(written("weibull", {{"shape", shape}, {"scale", scale}}),
                    boost::math::weibull_distribution<Real, BoostPolicy>(shape, scale), 0, kInfinity,
                    [=](const Law&, auto& rng) { return rng.weibull(shape, scale); });
}

Distribution pareto(double shape, double minimum) {
  need_scale("pareto", "shape", shape);
  need_scale("pareto", "minimum", minimum);
  const auto draw = [=](const Law&, auto& rng) { return rng.pareto(shape, minimum); };
  return Distribution(make<Pareto>(draw, shape, minimum));
}

Distribution triangular(double low, double mode, double high) {
  need_finite("triangular", "low", low);
  need_finite("triangular", "mode", mode);
  need_finite("triangular", "high", high);
  if (!(low <= mode && mode <= high && std::isfinite(high - low)))
    fail("bad_parameter", "triangular: low <= mode <= high must hold, got {}, {}, {}", format_number(low),
         format_number(mode), format_number(high));
  if (low == high) return deterministic(low);
  return from_boost(written("triangular", {{"low", low}, {"mode", mode}, {"high", high}}),
                    boost::math::triangular_distribution<Real, BoostPolicy>(low, mode, high), low, high,
                    [=](const Law&, auto& rng) { return rng.triangular(low, mode, high); });
}

Distribution poisson(double mean) {
  need(mean >= 0 && mean <= 1e15, "poisson", "mean", "in [0, 1e15]", mean);
  if (mean == 0) return deterministic(0);
  const auto draw = [=](const Law&, auto& rng) { return static_cast<double>(rng.poisson(mean)); };
  return Distribution(make<Poisson>(draw, mean));
}

Distribution deterministic(double value) {
  need_finite("deterministic", "value", value);
  return Distribution(make<Deterministic>([=](const Law&, auto&) { return value; }, value));
}

Distribution empirical(std::vector<double> values) {
  if (values.empty()) fail("bad_parameter", "empirical: needs at least one value, got none");
  need_all_finite("empirical", values);
  const auto draw = [](const Empirical& law, auto& rng) { return rng.empirical(law.values()); };
  return Distribution(make<Empirical>(draw, std::move(values)));
}

Distribution tabulated(std::vector<double> x, std::vector<double> cdf) {
  if (x.size() != cdf.size() || x.size() < 2)
    fail("bad_parameter", "tabulated: needs two points or more, each x with its F, got {} x and {} F",
         x.size(), cdf.size());
  need_all_finite("tabulated", x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    need_probability("tabulated", "each F", cdf[i]);
    if (i == 0) continue;
    if (!(x[i - 1] < x[i] && std::isfinite(x[i] - x[i - 1])))
      fail("bad_parameter", "tabulated: the x must ascend, got {} after {}", format_number(x[i]),
           format_number(x[i - 1]));
    if (!(cdf[i - 1] <= cdf[i]))
      fail("bad_parameter", "tabulated: F must not descend, got {} after {}", format_number(cdf[i]),
           format_number(cdf[i - 1]));
  }
  need(cdf.front() == 0, "tabulated", "the first F", "0", cdf.front());
  need(cdf.back() == 1, "tabulated", "the last F", "1", cdf.back());
  return Distribution(make<Tabulated>(kInverseTransform, std::move(x), std::move(cdf)));
}

}  // namespace distributions

// ---- sampling

namespace sampling {

void check_composition(std::span<const double> p) {
  if (p.empty()) fail("bad_parameter", "composition: needs at least one probability, got none");
  double sum = 0;
  for (const double share : p) {
    need_probability("composition", "each probability", share);
    sum += share;
  }
  need(std::fabs(sum - 1) <= 1e-9, "composition", "the sum of the probabilities", "1 within 1e-9", sum);
}

bool accepts(double y, double density, double majorant, double u, std::uint64_t tries) {
  need(std::isfinite(density) && density >= 0, "acceptance-rejection", "the density", "finite and >= 0",
       density);
  need_positive("acceptance-rejection", "the majorant", majorant);
  if (density > majorant)
    fail("not_a_majorant", "acceptance-rejection: not a majorant: the density is {} at {}, above {}",
         format_number(density), format_number(y), format_number(majorant));
  constexpr std::uint64_t kMost = 1'000'000;
  if (tries >= kMost)
    fail("bad_parameter", "acceptance-rejection: a million proposals in a row were refused; the last was {}",
         format_number(y));
  return u * majorant <= density && density > 0;
}

}  // namespace sampling

}  // namespace perigee::statistics
