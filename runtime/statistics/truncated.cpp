// Distributions cut off at one end or at both.
#include <fmt/format.h>

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>

#include "runtime/kernel/constants.h"
#include "runtime/kernel/math.h"
#include "runtime/kernel/quantity.h"
#include "runtime/statistics/boost_math.h"
#include "runtime/statistics/law.h"

namespace perigee::statistics {

namespace {

// Null if the part has less than a share of 1e-280: shares of that could not be represented as numbers.
LawPtr truncate(const LawPtr& law, double low, double high);

class Truncated : public Law {
 public:
  Truncated(LawPtr of, double low, double high)
      : of_(std::move(of)),
        low_(std::max(low, of_->low())),
        high_(std::min(high, of_->high())),
        below_(low_ > of_->low() ? of_->cdf(low_) : 0),
        not_below_(low_ > of_->low() ? of_->tail(low_) : 1),
        above_(high_ < of_->high() ? of_->tail(high_) : 0),
        share_(below_ > 0.5 ? not_below_ - above_ : 1 - above_ - below_) {
    // If both ends are in the lower half, 1 - above would cancel.
    if (above_ > 0.5) share_ = of_->cdf(high_) - below_;
  }
  double share() const { return share_; }

  std::string text() const override {
    return fmt::format("{} truncated to {} .. {}", of_->text(), format_number(low_), format_number(high_));
  }
  double low() const override { return low_; }
  double high() const override { return high_; }
  double mean() const override {
    if (high_ == kInfinity && of_->mean() == kInfinity) return kInfinity;
    return expected([](double x) { return x; });
  }
  double sd() const override {
    if (high_ == kInfinity && of_->sd() == kInfinity) return kInfinity;
    const double center = mean();
    return std::sqrt(expected([&](double x) { return (x - center) * (x - center); }));
  }
  double cdf(double x) const override {
    const double part = below_ > 0.5 ? not_below_ - of_->tail(x) : of_->cdf(x) - below_;
    return std::clamp(part / share_, 0.0, 1.0);
  }
  double tail(double x) const override {
    const double part = above_ > 0.5 ? of_->cdf(high_) - of_->cdf(x) : of_->tail(x) - above_;
    return std::clamp(part / share_, 0.0, 1.0);
  }
  double density(double x) const override { return of_->density(x) / share_; }
  LawPtr between(const LawPtr& /*self*/, double low, double high) const override {
    return truncate(of_, std::max(low, low_), std::min(high, high_));  // not one inside of another
  }
  double quantile(double p) const override {
    return from_ends(below_ + p * share_, above_ + (1 - p) * share_);
  }
  double upper_quantile(double q) const override {
    return from_ends(below_ + (1 - q) * share_, above_ + q * share_);
  }

 private:
  // The x with these probabilities below and above it, in terms of the whole law.
  double from_ends(double below, double above) const {
    const double x = below < above ? of_->quantile(below) : of_->upper_quantile(above);
    return std::clamp(x, low_, high_);
  }
  // The mean of f(X): the integral over the quantiles of e^-s from either end, for s = ln 2 .. 700. The
  // integrand is smooth even where the quantile has a pole.
  template <class F>
  double expected(F f) const {
    const auto at = [&](double s) {
      const double p = math::exp(-s);
      return (f(quantile(p)) + f(upper_quantile(p))) * p;
    };
    constexpr unsigned kDepth = 12;
    constexpr double kTolerance = 1e-12;
    using Rule = boost::math::quadrature::gauss_kronrod<double, 31, BoostPolicy>;
    double sum = 0, from = std::numbers::ln2;
    const double smallest = 700 + math::log(share_);  // e^-s times the share is a number still
    for (const double to : {5.0, 40.0, smallest}) {
      sum += Rule::integrate(at, from, to, kDepth, kTolerance);
      from = to;
    }
    return sum;
  }

  LawPtr of_;
  double low_, high_;
  double below_, not_below_, above_, share_;  // P(X < low), its complement, P(X > high), the rest
};

LawPtr truncate(const LawPtr& law, double low, double high) {
  auto part = make<Truncated>(kInverseTransform, law, low, high);
  return part->share() >= 1e-280 ? part : nullptr;
}

}  // namespace

LawPtr Law::between(const LawPtr& self, double low, double high) const { return truncate(self, low, high); }

}  // namespace perigee::statistics
