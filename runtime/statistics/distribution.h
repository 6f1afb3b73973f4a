// Probability distributions as values.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/kernel/random.h"

namespace perigee::statistics {

// One distribution; a copy shares it. F is its cumulative distribution function.
class Distribution {
 public:
  // The functions that each kind of distribution provides. Arguments have been checked: 0 < p < 1, low() <= x
  // <= high().
  class Law {
   public:
    virtual ~Law() = default;
    virtual std::string text() const = 0;
    virtual bool continuous() const { return true; }
    virtual double low() const = 0, high() const = 0;
    virtual double mean() const = 0, sd() const = 0;
    virtual double cdf(double x) const = 0;
    virtual double tail(double x) const { return 1 - cdf(x); }
    virtual double density(double x) const = 0;
    virtual double quantile(double p) const = 0;
    virtual double upper_quantile(double q) const { return quantile(1 - q); }
    virtual double draw(Stream& rng) const = 0;
    virtual double draw(SplitMix64& rng) const = 0;
    // This law, which `self` holds, restricted to low .. high; null if that has less than a share of 1e-280.
    virtual std::shared_ptr<const Law> between(const std::shared_ptr<const Law>& self, double low,
                                               double high) const;
  };
  explicit Distribution(std::shared_ptr<const Law> law) : law_(std::move(law)) {}

  double low() const { return law_->low(); }  // no value is outside of low() .. high(); may be infinite
  double high() const { return law_->high(); }
  double mean() const { return law_->mean(); }  // may be infinite, as the standard deviation
  double sd() const { return law_->sd(); }
  bool is_continuous() const { return law_->continuous(); }
  // Error "no_convergence" if one of these cannot be computed (a gamma of shape 1e12 far from its mean).
  double cdf(double x) const;   // P(X <= x)
  double tail(double x) const;  // P(X > x), exact where cdf(x) is next to 1
  // At the lower end it is the limit from the right. Error "no_density" unless is_continuous().
  double density(double x) const;
  // The smallest x with cdf(x) >= p. Error "bad_parameter" unless 0 <= p <= 1.
  double quantile(double p) const;
  // The smallest x with tail(x) <= q. It is quantile(1 - q), but exact for small q.
  double upper_quantile(double q) const;
  // Draws as Variates does if that has the distribution; otherwise one number, by inverse transform.
  double draw(Stream& rng) const { return law_->draw(rng); }
  double draw(SplitMix64& rng) const { return law_->draw(rng); }

  // The distribution given that the value is within low .. high; either may be infinite. Each draw takes one
  // number, by inverse transform. Error "bad_parameter" unless the distribution is continuous, low < high,
  // and a share of at least 1e-280 is between them.
  Distribution truncated(double low, double high) const;

  // The text that would declare it: "gamma { shape = 4, scale = 25 }".
  std::string text() const { return law_->text(); }

 private:
  std::shared_ptr<const Law> law_;
};

// Error "bad_parameter" for parameters outside the ranges given here. A distribution without width (sd 0, low
// = high) is deterministic.
namespace distributions {

Distribution uniform(double low, double high);             // low <= high
Distribution exponential(double mean);                     // > 0
Distribution normal(double mean, double sd);               // sd >= 0
Distribution lognormal(double mean, double sd);            // of the variable itself; mean > 0, sd >= 0
Distribution lognormal_mu_sigma(double mu, double sigma);  // of its logarithm; sigma >= 0
Distribution gamma(double shape, double scale);            // both > 0
Distribution gamma_mean_sd(double mean, double sd);        // mean > 0, sd >= 0
Distribution erlang(std::uint64_t k, double mean);         // of k exponentials, k >= 1; mean of the sum > 0
Distribution hyperexponential(std::vector<double> p, std::vector<double> means);  // sum of p 1 within 1e-9
Distribution weibull(double shape, double scale);                                 // both > 0
Distribution pareto(double shape, double minimum);                                // both > 0
Distribution triangular(double low, double mode, double high);
Distribution poisson(double mean);  // 0 <= mean <= 1e15
Distribution deterministic(double value);
Distribution empirical(std::vector<double> values);  // each alike; its sd divides by n
// F at two or more points, ascending from 0 to 1, and linear between them; x ascending.
Distribution tabulated(std::vector<double> x, std::vector<double> cdf);

}  // namespace distributions

// Methods that make variates of given functions, as in [Law, Simulation Modeling and Analysis, ch. 8]. `rng`
// is a Stream or SplitMix64, which functions that draw get too.
namespace sampling {

template <class Rng, class Quantile>
double inverse_transform(Rng& rng, Quantile&& quantile) {
  return quantile(rng.open());
}

// The index of the part from which the variate comes. Error "bad_parameter" unless each p >= 0 and their sum
// is 1 within 1e-9.
void check_composition(std::span<const double> p);
template <class Rng>
std::size_t composition(Rng& rng, std::span<const double> p) {
  return rng.discrete(p);
}

// `majorant` is >= `density` everywhere. `propose` draws from the density proportional to `majorant`; the
// result has the distribution proportional to `density`. Error "not_a_majorant" if density(y) > majorant(y)
// for some drawn y, if either is negative or not finite, or after a million refusals in a row.
bool accepts(double y, double density, double majorant, double u, std::uint64_t tries);
template <class Rng, class Propose, class Density, class Majorant>
double acceptance_rejection(Rng& rng, Propose&& propose, Density&& density, Majorant&& majorant) {
  for (std::uint64_t tries = 1;; ++tries) {
    const double y = propose(rng);
    const double f = density(y), t = majorant(y);
    if (accepts(y, f, t, rng.open(), tries)) return y;
  }
}

}  // namespace sampling

}  // namespace perigee::statistics
