// Random streams and variates, with the same bits on every platform.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/layers.h"

namespace perigee::kernel {

// 64-bit FNV-1a of the bytes, then SplitMix64's output function. Fixed: it is part of every result.
std::uint64_t hash_name(std::string_view name);

// The variates of a generator `Self`, which offers operator()() -> 64 bits, unit() (its uniform
// number), open() in (0, 1), standard_exponential() and standard_normal(). Parameters are checked:
// Error "bad_parameter" names distribution, parameter, value and what is allowed. Results of
// extreme parameters may overflow to +inf.
template <class Self>
class Variates {
 public:
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  // a + (b - a) * unit; a <= b, both finite.
  double uniform(double a, double b);
  // Unbiased on 0 .. n-1; n > 0.
  std::uint64_t below(std::uint64_t n);
  // floor(unit * n), the form of the published programs; bias below n / 2^53. n > 0.
  std::uint64_t floor_below(std::uint64_t n);
  bool bernoulli(double p);  // 0 <= p <= 1

  double exponential(double mean);                     // mean > 0
  double normal(double mean, double sd);               // sd >= 0
  double lognormal(double mean, double sd);            // of the variable itself; mean > 0, sd >= 0
  double lognormal_mu_sigma(double mu, double sigma);  // of its logarithm; sigma >= 0
  double gamma(double shape, double scale);            // both > 0
  double gamma_mean_sd(double mean, double sd);        // mean > 0; sd 0 gives mean and draws nothing
  double weibull(double shape, double scale);          // both > 0
  double erlang(std::uint64_t k, double mean);         // sum of k exponentials of mean / k each; k >= 1
  // Exponential of means[j] with probability p[j]; sum of p = 1 within 1e-9.
  double hyperexponential(std::span<const double> p, std::span<const double> means);
  double pareto(double shape, double minimum);              // P(X > x) = (minimum / x)^shape; both > 0
  double triangular(double low, double mode, double high);  // low <= mode <= high
  std::uint64_t poisson(double mean);                       // 0 <= mean <= 1e15
  // Index with probability proportional to its weight; weights >= 0, sum > 0.
  std::size_t discrete(std::span<const double> weights);
  // One of the values, all equally likely.
  double empirical(std::span<const double> values);

  // Fisher-Yates from the last position down, j = floor(unit * (i + 1)).
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i-- > 1;) {
      const auto j = static_cast<std::size_t>(floor_below(i + 1));
      if (j != i) std::swap(items[i], items[j]);
    }
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    shuffle(std::span<T>(items));
  }

 protected:
  Variates() = default;

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

// A named stream: Philox4x64-10 (Salmon et al., SC 2011) keyed by (seed, hash of the name). Another stream,
// or a draw from one, changes nothing here. A value of 72 bytes; a copy goes on from the same place.
class Stream : public Variates<Stream> {
 public:
  Stream() : Stream(0, "") {}
  Stream(std::uint64_t seed, std::string_view name, std::uint64_t sub = 0);

  // Stream k below this one. It does not depend on what has been drawn here, and differs from this one for
  // every k.
  Stream sub(std::uint64_t k) const;

  std::uint64_t operator()() {
    if ((position_ & 3) == 0) refill();
    return block_[position_++ & 3];
  }

  using Variates::uniform;
  // In the open interval (0, 1): an odd multiple of 2^-53.
  double uniform() { return unit(); }
  double unit() { return (static_cast<double>((*this)() >> 12) + 0.5) * 0x1p-52; }
  double open() { return unit(); }
  double standard_exponential();  // Boost.Random's ziggurats
  double standard_normal();

  std::uint64_t seed() const { return key_[0]; }

  std::uint64_t position() const { return position_; }  // numbers drawn so far

  friend bool operator==(const Stream& a, const Stream& b) {
    return a.key_ == b.key_ && a.path_ == b.path_ && a.depth_ == b.depth_ && a.position_ == b.position_;
  }

 private:
  void refill();

  std::array<std::uint64_t, 2> key_;  // seed, hash of the name
  std::uint64_t path_;                // the substream
  std::uint64_t depth_ = 0;           // how many sub() deep
  std::uint64_t position_ = 0;
  std::array<std::uint64_t, 4> block_{};  // numbers of position_ / 4, once one was drawn
};

// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), for workloads that are compared number by number with those
// of another program. Exponential: -mean * ln(open). Normal: Box-Muller with the cosine, sqrt(-2 ln open) *
// cos(2 pi open), two numbers for each draw.
class SplitMix64 : public Variates<SplitMix64> {
 public:
  explicit SplitMix64(std::uint64_t seed = 0) : state_(seed) {}

  std::uint64_t operator()() {
    state_ += 0x9E3779B97F4A7C15u;
    return mix(state_);
  }
  // The output function, a bijection.
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  using Variates::uniform;
  // (out >> 11) * 2^-53, in [0, 1).
  double uniform() { return unit(); }
  double unit() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }
  // ((out >> 11) + 0.5) * 2^-53, in (0, 1). A number that would round to 1 becomes 1 - 2^-53.
  double uniform_open() {
    return std::min((static_cast<double>((*this)() >> 11) + 0.5) * 0x1p-53, 1 - 0x1p-53);
  }
  double open() { return uniform_open(); }
  double standard_exponential();
  double standard_normal();

  std::uint64_t state() const { return state_; }

  friend bool operator==(const SplitMix64& a, const SplitMix64& b) { return a.state_ == b.state_; }

 private:
  std::uint64_t state_;
};

extern template class Variates<Stream>;
extern template class Variates<SplitMix64>;

}  // namespace perigee::kernel
