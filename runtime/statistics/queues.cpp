#include "runtime/statistics/queues.h"

#include <algorithm>

#include "runtime/kernel/math.h"
#include "runtime/statistics/checks.h"

namespace perigee::statistics {

using namespace statistics;

namespace {

void need_steady(const char* queue, double utilization, const char* formula) {
  if (!(utilization < 1))
    fail("bad_parameter", "{}: the utilization {} must be < 1 for a steady state, got {}", queue, formula,
         format_number(utilization));
}

double power(double base, std::int64_t exponent) {
  return exponent == 0 ? 1 : math::pow(base, static_cast<double>(exponent));
}

}  // namespace

MM1 mm1(double lambda, double mu) {
  need_positive("M/M/1", "lambda", lambda);
  need_positive("M/M/1", "mu", mu);
  const MM1 queue{lambda, mu};
  need_steady("M/M/1", queue.utilization(), "lambda / mu");
  return queue;
}

double MM1::at_least(std::int64_t n) const { return n <= 0 ? 1 : power(utilization(), n); }
double MM1::probability(std::int64_t n) const { return n < 0 ? 0 : (1 - utilization()) * at_least(n); }
double MM1::queue_probability(std::int64_t k) const {
  if (k == 0) return 1 - utilization() * utilization();
  return k < 0 ? 0 : probability(k + 1);
}
double MM1::mean_number() const { return utilization() / (1 - utilization()); }
double MM1::var_number() const { return mean_number() / (1 - utilization()); }
double MM1::mean_queue() const { return utilization() * mean_number(); }
double MM1::var_queue() const {
  const double rho = utilization(), idle = 1 - rho;
  return rho * rho * (1 + rho - rho * rho) / (idle * idle);
}
double MM1::mean_response() const { return 1 / mu / (1 - utilization()); }
double MM1::var_response() const { return mean_response() * mean_response(); }
double MM1::mean_wait() const { return utilization() * mean_response(); }
double MM1::var_wait() const { return (2 - utilization()) * utilization() * var_response(); }

double MM1::response_cdf(double t) const { return t <= 0 ? 0 : -math::expm1(-t / mean_response()); }
double MM1::wait_cdf(double t) const {
  return t < 0 ? 0 : 1 - utilization() * math::exp(-t / mean_response());
}
double MM1::response_quantile(double p) const {
  need_probability("M/M/1", "p", p);
  return -mean_response() * math::log1p(-p);
}
double MM1::wait_quantile(double p) const {
  need_probability("M/M/1", "p", p);
  return std::max(0.0, mean_response() * math::log(utilization() / (1 - p)));
}

MMC mmc(double lambda, double mu, std::int64_t servers) {
  need_positive("M/M/c", "lambda", lambda);
  need_positive("M/M/c", "mu", mu);
  need(servers >= 1 && servers <= 1'000'000, "M/M/c", "servers", "1 to 1e6", static_cast<double>(servers));
  const MMC queue{lambda, mu, servers};
  need_steady("M/M/c", queue.utilization(), "lambda / (servers * mu)");
  return queue;
}

double MMC::erlang_b() const {
  const double load = lambda / mu;
  double blocked = 1;
  for (std::int64_t k = 1; k <= servers; ++k)
    blocked = load * blocked / (static_cast<double>(k) + load * blocked);
  return blocked;
}
double MMC::erlang_c() const {
  const double blocked = erlang_b();
  return blocked / (1 - utilization() * (1 - blocked));
}
double MMC::mean_wait() const { return erlang_c() / (static_cast<double>(servers) * mu - lambda); }
double MMC::mean_response() const { return mean_wait() + 1 / mu; }
double MMC::mean_queue() const { return lambda * mean_wait(); }
double MMC::mean_number() const { return lambda * mean_response(); }

MG1 mg1(double lambda, double mean, double second_moment) {
  need_positive("M/G/1", "lambda", lambda);
  need_positive("M/G/1", "the mean service time", mean);
  constexpr double kRounding = 1e-12;
  need(std::isfinite(second_moment) && second_moment >= mean * mean * (1 - kRounding), "M/G/1",
       "the second moment", "finite and >= the square of the mean", second_moment);
  const MG1 queue{lambda, mean, second_moment};
  need_steady("M/G/1", queue.utilization(), "lambda * mean");
  return queue;
}

double MG1::mean_wait() const { return lambda * second_moment / (2 * (1 - utilization())); }
double MG1::mean_response() const { return mean + mean_wait(); }
double MG1::mean_queue() const { return lambda * mean_wait(); }
double MG1::mean_number() const { return lambda * mean_response(); }

}  // namespace perigee::statistics
