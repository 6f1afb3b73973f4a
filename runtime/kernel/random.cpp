#include "runtime/kernel/random.h"

#include <Random123/philox.h>

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/poisson_distribution.hpp>
#include <boost/random/weibull_distribution.hpp>
#include <cmath>

#include "runtime/kernel/error.h"
#include "runtime/kernel/math.h"
#include "runtime/kernel/quantity.h"

namespace perigee::kernel {

static_assert(sizeof(Stream) == 72);

std::uint64_t hash_name(std::string_view name) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : name) {
    h ^= static_cast<unsigned char>(c);
    h *= 0x100000001b3u;
  }
  return SplitMix64::mix(h);
}

// ---- Stream

Stream::Stream(std::uint64_t seed, std::string_view name, std::uint64_t sub)
    : key_{seed, hash_name(name)}, path_(sub) {}

Stream Stream::sub(std::uint64_t k) const {
  Stream out = *this;
  // Siblings always differ; depth keeps them from every ancestor.
  out.path_ = SplitMix64::mix(SplitMix64::mix(path_ + 0x9E3779B97F4A7C15u) ^ k);
  out.depth_ = depth_ + 1;
  out.position_ = 0;
  out.block_ = {};
  return out;
}

void Stream::refill() {
  const r123::Philox4x64::ctr_type counter{{position_ >> 2, path_, depth_, 0}};
  const r123::Philox4x64::key_type key{{key_[0], key_[1]}};
  const r123::Philox4x64::ctr_type out = r123::Philox4x64{}(counter, key);
  block_ = {out[0], out[1], out[2], out[3]};
}

double Stream::standard_exponential() { return boost::random::exponential_distribution<Real>()(*this).value; }
double Stream::standard_normal() { return boost::random::normal_distribution<Real>()(*this).value; }

// ---- SplitMix64

double SplitMix64::standard_exponential() { return -math::log(uniform_open()); }

double SplitMix64::standard_normal() {
  const double first = uniform_open();
  const double second = uniform_open();
  return math::sqrt(-2 * math::log(first)) * math::cos(2 * math::kPi * second);
}

// ---- Variates

namespace {

[[noreturn]] void refuse_parameter(const char* distribution, const char* parameter, const char* allowed,
                                   double value) {
  fail("bad_parameter", "{}: {} must be {}, got {}", distribution, parameter, allowed, format_number(value));
}

void need_finite(const char* distribution, const char* parameter, double value) {
  if (!std::isfinite(value)) refuse_parameter(distribution, parameter, "finite", value);
}
void need_positive(const char* distribution, const char* parameter, double value) {
  if (!(std::isfinite(value) && value > 0))
    refuse_parameter(distribution, parameter, "finite and > 0", value);
}
void need_nonnegative(const char* distribution, const char* parameter, double value) {
  if (!(std::isfinite(value) && value >= 0))
    refuse_parameter(distribution, parameter, "finite and >= 0", value);
}

// The sum of weights that are checked to be >= 0 and finite, with a sum > 0.
double sum_of_weights(const char* distribution, const char* parameter, std::span<const double> weights) {
  double sum = 0;
  for (const double weight : weights) {
    need_nonnegative(distribution, parameter, weight);
    sum += weight;
  }
  if (!(std::isfinite(sum) && sum > 0))
    fail("bad_parameter", "{}: the sum of {} must be finite and > 0, got {}", distribution, parameter,
         format_number(sum));
  return sum;
}

// Inverse of the cumulated weights at u in [0, 1): the first index at which they exceed u * sum.
std::size_t index_of(double u, std::span<const double> weights, double sum) {
  double rest = u * sum;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    if (rest < weights[i]) return i;
    rest -= weights[i];
    last = i;
  }
  return last;  // rounding used the sum up
}

// Inversion by sequential search, for mean < 10; ends even if rounding leaves u unspent.
std::uint64_t small_poisson(double u, double mean) {
  double p = math::exp(-mean);
  std::uint64_t x = 0;
  while (u > p && p > 0) {
    u -= p;
    ++x;
    p *= mean / static_cast<double>(x);
  }
  return x;
}

}  // namespace

template <class Self>
double Variates<Self>::uniform(double a, double b) {
  need_finite("uniform", "the lower bound", a);
  need_finite("uniform", "the upper bound", b);
  if (!(a <= b && std::isfinite(b - a)))
    fail("bad_parameter", "uniform: the bounds must be in order and less than 1.8e308 apart, got {} and {}",
         format_number(a), format_number(b));
  return a + (b - a) * self().unit();
}

// Lemire, ACM TOMACS 29(1), 2019: multiply and reject.
template <class Self>
std::uint64_t Variates<Self>::below(std::uint64_t n) {
  if (n == 0) refuse_parameter("below", "n", "> 0", 0);
  __extension__ using Wide = unsigned __int128;
  Wide product = Wide{self()()} * n;
  if (static_cast<std::uint64_t>(product) < n) {
    const std::uint64_t threshold = (0 - n) % n;
    while (static_cast<std::uint64_t>(product) < threshold) product = Wide{self()()} * n;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

template <class Self>
std::uint64_t Variates<Self>::floor_below(std::uint64_t n) {
  if (n == 0) refuse_parameter("floor_below", "n", "> 0", 0);
  // Above 2^53 the product may round to n, even to 2^64, which no integer holds.
  const double product = self().unit() * static_cast<double>(n);
  if (product >= 0x1p64) return n - 1;
  return std::min(static_cast<std::uint64_t>(product), n - 1);
}

template <class Self>
bool Variates<Self>::bernoulli(double p) {
  if (!(p >= 0 && p <= 1)) refuse_parameter("bernoulli", "p", "in [0, 1]", p);
  return self().unit() < p;
}

template <class Self>
double Variates<Self>::exponential(double mean) {
  need_positive("exponential", "the mean", mean);
  return mean * self().standard_exponential();
}

template <class Self>
double Variates<Self>::normal(double mean, double sd) {
  need_finite("normal", "the mean", mean);
  need_nonnegative("normal", "the standard deviation", sd);
  return mean + sd * self().standard_normal();
}

template <class Self>
double Variates<Self>::lognormal(double mean, double sd) {
  need_positive("lognormal", "the mean", mean);
  need_nonnegative("lognormal", "the standard deviation", sd);
  const double cv = sd / mean;
  const double variance = math::log1p(cv * cv);
  // exp(ln mean + x), kept apart so that sd 0 gives the mean itself.
  return mean * math::exp(math::sqrt(variance) * self().standard_normal() - variance / 2);
}

template <class Self>
double Variates<Self>::lognormal_mu_sigma(double mu, double sigma) {
  need_finite("lognormal", "mu", mu);
  need_nonnegative("lognormal", "sigma", sigma);
  return math::exp(mu + sigma * self().standard_normal());
}

template <class Self>
double Variates<Self>::gamma(double shape, double scale) {
  need_positive("gamma", "the shape", shape);
  need_positive("gamma", "the scale", scale);
  return boost::random::gamma_distribution<Real>(shape, 1)(self()).value * scale;
}

template <class Self>
double Variates<Self>::gamma_mean_sd(double mean, double sd) {
  need_positive("gamma", "the mean", mean);
  need_nonnegative("gamma", "the standard deviation", sd);
  if (sd == 0) return mean;
  const double ratio = mean / sd;
  const double shape = ratio * ratio;
  if (!(std::isfinite(shape) && shape > 0))
    fail("bad_parameter", "gamma: mean / standard deviation must be within 1e-150 and 1e150, got {} / {}",
         format_number(mean), format_number(sd));
  return gamma(shape, sd / ratio);
}

template <class Self>
double Variates<Self>::weibull(double shape, double scale) {
  need_positive("weibull", "the shape", shape);
  need_positive("weibull", "the scale", scale);
  return boost::random::weibull_distribution<Real>(shape, scale)(self()).value;
}

template <class Self>
double Variates<Self>::erlang(std::uint64_t k, double mean) {
  if (k == 0) refuse_parameter("erlang", "k", ">= 1", 0);
  need_positive("erlang", "the mean", mean);
  const double part = mean / static_cast<double>(k);
  constexpr std::uint64_t kMostTerms = 1000;  // beyond, the gamma law of the sum
  if (k > kMostTerms) return gamma(static_cast<double>(k), part);
  double sum = 0;
  for (std::uint64_t i = 0; i < k; ++i) sum += self().standard_exponential();
  return part * sum;
}

template <class Self>
double Variates<Self>::hyperexponential(std::span<const double> p, std::span<const double> means) {
  if (p.size() != means.size() || p.empty())
    fail("bad_parameter",
         "hyperexponential: needs as many probabilities as means and at least one, got {} and {}", p.size(),
         means.size());
  for (const double mean : means) need_positive("hyperexponential", "each mean", mean);
  const double sum = sum_of_weights("hyperexponential", "the probabilities", p);
  if (std::fabs(sum - 1) > 1e-9)
    refuse_parameter("hyperexponential", "the sum of the probabilities", "1 within 1e-9", sum);
  const std::size_t j = index_of(self().unit(), p, sum);
  return means[j] * self().standard_exponential();
}

template <class Self>
double Variates<Self>::pareto(double shape, double minimum) {
  need_positive("pareto", "the shape", shape);
  need_positive("pareto", "the minimum", minimum);
  return minimum * math::pow(self().open(), -1 / shape);
}

template <class Self>
double Variates<Self>::triangular(double low, double mode, double high) {
  need_finite("triangular", "the low end", low);
  need_finite("triangular", "the mode", mode);
  need_finite("triangular", "the high end", high);
  if (!(low <= mode && mode <= high && std::isfinite(high - low)))
    fail("bad_parameter", "triangular: low <= mode <= high must hold, got {}, {}, {}", format_number(low),
         format_number(mode), format_number(high));
  const double width = high - low;
  const double u = self().open();
  if (width == 0) return low;
  // Inverse transform; fractions of the width, so that nothing overflows.
  const double left = (mode - low) / width;
  if (u < left) return low + width * math::sqrt(u * left);
  return high - width * math::sqrt((1 - u) * ((high - mode) / width));
}

template <class Self>
std::uint64_t Variates<Self>::poisson(double mean) {
  if (!(mean >= 0 && mean <= 1e15)) refuse_parameter("poisson", "the mean", "in [0, 1e15]", mean);
  if (mean < 10) return small_poisson(self().unit(), mean);
  return static_cast<std::uint64_t>(boost::random::poisson_distribution<std::int64_t, Real>(mean)(self()));
}

template <class Self>
std::size_t Variates<Self>::discrete(std::span<const double> weights) {
  const double sum = sum_of_weights("discrete", "the weights", weights);
  return index_of(self().unit(), weights, sum);
}

template <class Self>
double Variates<Self>::empirical(std::span<const double> values) {
  if (values.empty()) fail("bad_parameter", "empirical: needs at least one value, got none");
  return values[static_cast<std::size_t>(floor_below(values.size()))];
}

template class Variates<Stream>;
template class Variates<SplitMix64>;

}  // namespace perigee::kernel
