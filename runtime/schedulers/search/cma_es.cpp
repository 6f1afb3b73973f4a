// The evolution strategy with covariance matrix adaptation, (mu/mu_w, lambda), on [0, 1] for each real of the case (of its
// logarithm where so declared). A generation is drawn from a normal distribution; its better half, weighted, gives the next
// mean, covariance and step. A case that leaves the box, or that `valid` refuses, is drawn again, at most 10 times, then
// cut. A case that is refused even so makes place for a draw of the space, from which nothing is learnt.
//
// It begins anew from a fresh draw with twice the population when the best score of the restart has grown by no more than
// 1e-9 over 10 + ceil(30 n / population) generations, or when the distribution has become too thin to be drawn from; and
// with the same population where no case of a generation counts.
//
// Source: Hansen, "The CMA evolution strategy: a tutorial", arXiv 1604.00772: the summary of the algorithm with its default
// parameters, and of the weights those that are positive. Restarts with twice the population: Auger, Hansen,
// CEC 2005.
//
// Cost: O(n^2) an evaluation for n reals, and O(n^3) each 1 / (10 n (c_1 + c_mu)) generations. Ties: the lower place in the
// generation.
#include <algorithm>
#include <functional>
#include <numeric>

#include "runtime/kernel/math.h"
#include "runtime/kernel/work.h"
#include "runtime/schedulers/search/symmetric_eigen.h"
#include "runtime/schedulers/search/try_of.h"

namespace perigee::search {
namespace {

constexpr int kMostDraws = 10;      // again, of what is outside
constexpr double kProgress = 1e-9;  // of the best score
constexpr double kMostCondition = 1e14;
constexpr double kLeastStep = 1e-15;  // of the box

// The constants of a population of `lambda` on n reals; symbols are those of the tutorial.
struct Rates {
  std::size_t lambda, mu;
  std::vector<double> weights;                                // of the mu best, sum 1
  double mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, expected;  // expected: length of a standard normal vector

  Rates(std::size_t population, double n) : lambda(population), mu(population / 2), weights(mu) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < mu; ++i) {
      weights[i] = math::log((static_cast<double>(lambda) + 1) / 2) - math::log(static_cast<double>(i + 1));
      sum += weights[i];
    }
    for (double& weight : weights) {
      weight /= sum;
      squares += weight * weight;
    }
    mu_eff = 1 / squares;
    c_sigma = (mu_eff + 2) / (n + mu_eff + 5);
    d_sigma = 1 + 2 * std::max(0.0, math::sqrt((mu_eff - 1) / (n + 1)) - 1) + c_sigma;
    c_c = (4 + mu_eff / n) / (n + 4 + 2 * mu_eff / n);
    c_1 = 2 / ((n + 1.3) * (n + 1.3) + mu_eff);
    c_mu = std::min(1 - c_1, 2 * (0.25 + mu_eff + 1 / mu_eff - 2) / ((n + 2) * (n + 2) + mu_eff));
    expected = math::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
  }
};

// One of a generation.
struct Offspring {
  std::vector<double> unit;  // its reals on [0, 1]; empty: a draw, from which nothing is learnt
  double score = std::numeric_limits<double>::quiet_NaN();
};

class CmaEs final : public TryOf<CmaEs> {
 public:
  CmaEs(double tries, double sigma) : tries_(tries), first_sigma_(sigma) {}

  std::size_t tries(const Space& space, std::uint64_t budget) const override {
    if (const auto name = not_real(space))
      fail("not_real",
           "cma_es: '{}' is no real, and it takes spaces of reals only; annealing takes every space", *name);
    return tries_of(tries_, budget);
  }

  std::vector<Datum> propose(std::size_t most) {
    if (population_ == 0) restart(least_population());
    if (n_ == 0) {  // one case
      Stream stream = self().stream;
      return told() == 0 ? std::vector<Datum>{draw(space(), stream)} : std::vector<Datum>();
    }
    std::vector<Datum> cases;
    while (cases.size() < most && generation_.size() < population_) {
      Datum value;
      generation_.push_back(offspring(generation_.size(), value));
      cases.push_back(std::move(value));
    }
    return cases;
  }

  void judge(std::span<const double> scores) {
    if (n_ == 0) return;
    const std::size_t before = generation_.size() - scores.size();
    for (std::size_t i = 0; i < scores.size(); ++i) generation_[before + i].score = scores[i];
    if (generation_.size() == population_) learn();
  }

  void write(Writer& out) const {
    out.count(population_);
    if (population_ == 0 || n_ == 0) return;
    for (const std::uint64_t each : {restarts_, generations_, decomposed_, idle_}) out.count(each);
    out.number(sigma_);
    out.number(best_);
    for (const std::vector<double>* each :
         {&mean_, &path_sigma_, &path_c_, &covariance_, &eigen_.values, &eigen_.vectors})
      out.numbers(*each);
    out.count(generation_.size());
    for (const Offspring& each : generation_) out.number(each.score);
  }
  bool read(Reader& in) {
    const std::uint64_t population = in.count(1'000'000'000);
    if (population == 0) {
      population_ = 0;
      return true;
    }
    restart(population);
    if (n_ == 0) return true;
    if (population < least_population()) return false;  // half of it are parents
    for (std::uint64_t* each : {&restarts_, &generations_, &decomposed_, &idle_}) *each = in.count(told());
    sigma_ = in.number();
    best_ = in.number();
    for (std::vector<double>* each :
         {&mean_, &path_sigma_, &path_c_, &covariance_, &eigen_.values, &eigen_.vectors})
      in.numbers(*each);
    const std::uint64_t count = in.count(population_ - 1);
    generation_.clear();
    if (in.wrong() || !is_sound()) return false;
    for (std::uint64_t i = 0; i < count; ++i) {
      Datum value;
      generation_.push_back(offspring(i, value));
      generation_.back().score = in.number();
    }
    return true;
  }

 private:
  std::size_t least_population() const {
    const std::size_t n = unit_of_draw().size();
    return n == 0 ? 1 : 4 + static_cast<std::size_t>(math::floor(3 * math::log(static_cast<double>(n))));
  }
  std::vector<double> unit_of_draw() const {
    Stream stream = self().stream.sub(restarts_);
    return to_unit(space(), draw(space(), stream));
  }

  // From a fresh draw.
  void restart(std::size_t population) {
    population_ = population;
    mean_ = unit_of_draw();
    n_ = mean_.size();
    sigma_ = first_sigma_;
    generations_ = decomposed_ = idle_ = 0;
    best_ = -std::numeric_limits<double>::infinity();
    path_sigma_.assign(n_, 0);
    path_c_.assign(n_, 0);
    covariance_.assign(n_ * n_, 0);
    for (std::size_t i = 0; i < n_; ++i) covariance_[i * n_ + i] = 1;
    eigen_ = {std::vector<double>(n_, 1.0), covariance_};
    generation_.clear();
  }
  void restart_with(std::size_t population) {
    ++restarts_;
    restart(population);
  }

  // Whether a generation can be drawn.
  bool is_sound() const {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const double value : eigen_.values) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
    const double sum = std::accumulate(mean_.begin(), mean_.end(), 0.0) +
                       std::accumulate(eigen_.vectors.begin(), eigen_.vectors.end(), 0.0);
    return std::isfinite(sum) && std::isfinite(most) && least > 0 && most <= kMostCondition * least &&
           std::isfinite(sigma_) && sigma_ * math::sqrt(most) >= kLeastStep;
  }

  // Its case in `value`. It depends on the distribution and its place in the generation alone.
  Offspring offspring(std::size_t place, Datum& value) const {
    Stream stream = self().stream.sub(restarts_).sub(generations_).sub(place);
    std::vector<double> unit(n_), z(n_);
    for (int drawn = 0; drawn <= kMostDraws; ++drawn) {
      did_work(n_ * n_);
      for (std::size_t k = 0; k < n_; ++k) z[k] = math::sqrt(eigen_.values[k]) * stream.standard_normal();
      unit = mean_;
      for (std::size_t k = 0; k < n_; ++k)
        for (std::size_t i = 0; i < n_; ++i) unit[i] += sigma_ * z[k] * eigen_.vectors[k * n_ + i];
      if (!std::ranges::all_of(unit, [](double x) { return x >= 0 && x <= 1; })) continue;
      value = from_unit(space(), unit);
      if (allowed(value)) return {unit};
    }
    for (double& x : unit) x = std::clamp(x, 0.0, 1.0);
    value = from_unit(space(), unit);
    if (allowed(value)) return {unit};
    value = draw(space(), stream);
    return {};
  }
  bool allowed(const Datum& value) const { return !space().valid || space().valid(value); }

  void learn() {
    std::vector<std::size_t> order;  // of those that count, best first
    for (std::size_t i = 0; i < generation_.size(); ++i)
      if (!std::isnan(generation_[i].score) && !generation_[i].unit.empty()) order.push_back(i);
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return generation_[i].score; });
    if (order.empty()) return restart_with(population_);
    const Rates rates(population_, static_cast<double>(n_));
    order.resize(std::min(order.size(), rates.mu));
    adapt(rates, order);
    const double best = generation_[order.front()].score;
    generation_.clear();
    ++generations_;
    idle_ = best > best_ + kProgress ? 0 : idle_ + 1;
    if (idle_ == 0) best_ = best;
    const double patience = 10 + math::ceil(30 * static_cast<double>(n_) / static_cast<double>(population_));
    if (static_cast<double>(idle_) >= patience || !is_sound()) restart_with(2 * population_);
  }

  void adapt(const Rates& r, const std::vector<std::size_t>& order) {
    const auto n = static_cast<double>(n_);
    double sum = 0;  // of the weights: fewer than mu may count
    for (std::size_t k = 0; k < order.size(); ++k) sum += r.weights[k];
    std::vector<std::vector<double>> y;  // steps from the mean, in units of sigma
    std::vector<double> step(n_, 0.0);
    for (std::size_t k = 0; k < order.size(); ++k) {
      y.push_back(generation_[order[k]].unit);
      for (std::size_t i = 0; i < n_; ++i) {
        y[k][i] = (y[k][i] - mean_[i]) / sigma_;
        step[i] += r.weights[k] / sum * y[k][i];
      }
    }
    for (std::size_t i = 0; i < n_; ++i) mean_[i] = std::clamp(mean_[i] + sigma_ * step[i], 0.0, 1.0);

    // The step with its scale by direction taken out: C^(-1/2) step.
    std::vector<double> even(n_, 0.0);
    for (std::size_t k = 0; k < n_; ++k) {
      const double* vector = &eigen_.vectors[k * n_];
      double along = 0;
      for (std::size_t i = 0; i < n_; ++i) along += vector[i] * step[i];
      along /= math::sqrt(eigen_.values[k]);
      for (std::size_t i = 0; i < n_; ++i) even[i] += along * vector[i];
    }
    double square = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      path_sigma_[i] =
          (1 - r.c_sigma) * path_sigma_[i] + math::sqrt(r.c_sigma * (2 - r.c_sigma) * r.mu_eff) * even[i];
      square += path_sigma_[i] * path_sigma_[i];
    }
    const double length = math::sqrt(square);
    const double settled =
        math::sqrt(1 - math::pow(1 - r.c_sigma, 2 * (static_cast<double>(generations_) + 1)));
    const bool is_short = length / settled < (1.4 + 2 / (n + 1)) * r.expected;  // h_sigma
    for (std::size_t i = 0; i < n_; ++i)
      path_c_[i] =
          (1 - r.c_c) * path_c_[i] + (is_short ? math::sqrt(r.c_c * (2 - r.c_c) * r.mu_eff) * step[i] : 0.0);
    const double kept = 1 - r.c_1 - r.c_mu + (is_short ? 0 : r.c_1 * r.c_c * (2 - r.c_c));
    did_work(n_ * n_ * order.size());
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double rank_mu = 0;
        for (std::size_t k = 0; k < order.size(); ++k) rank_mu += r.weights[k] / sum * y[k][i] * y[k][j];
        double& c = covariance_[i * n_ + j];
        c = kept * c + r.c_1 * path_c_[i] * path_c_[j] + r.c_mu * rank_mu;
        covariance_[j * n_ + i] = c;
      }
    sigma_ *= math::exp(std::min(1.0, r.c_sigma / r.d_sigma * (length / r.expected - 1)));

    const double since = static_cast<double>(generations_ + 1 - decomposed_);
    if (since * 10 * n * (r.c_1 + r.c_mu) < 1) return;
    decomposed_ = generations_ + 1;
    eigen_ = symmetric_eigen(covariance_, n_);
  }

  double tries_, first_sigma_;
  std::size_t n_ = 0;
  std::uint64_t population_ = 0;  // lambda; 0: nothing was asked yet
  std::uint64_t restarts_ = 0, generations_ = 0;
  std::uint64_t decomposed_ = 0;  // the generation whose covariance `eigen_` is of
  std::uint64_t idle_ = 0;        // generations without progress
  double sigma_ = 0, best_ = 0;   // best_: the score from which progress is counted
  std::vector<double> mean_, path_sigma_, path_c_, covariance_;
  SymmetricEigen eigen_;
  std::vector<Offspring> generation_;  // as far as it is asked for
};

}  // namespace

Entry cma_es() {
  return {.name = "cma_es",
          .family = Family::search,
          .role = Role::search,
          .summary = "evolution strategy with covariance matrix adaptation: for spaces of reals only",
          .source = "Hansen, arXiv 1604.00772; restarts: Auger, Hansen 2005",
          .complexity = "O(n^2) an evaluation for n reals, and O(n^3) each generation at most",
          .ties = "the lower place in the generation",
          .parameters = {tries_parameter(1),
                         {.name = "sigma",
                          .type = ParameterType::number,
                          .summary = "first step, as a share of the widths",
                          .fallback = 0.3,
                          .min = 0,
                          .max = 10,
                          .open_min = true}},
          .make_search = [](const Arguments& given) {
            return std::make_unique<CmaEs>(given.number("tries"), given.number("sigma"));
          }};
}

}  // namespace perigee::search
