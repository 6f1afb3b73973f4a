#include "runtime/statistics/queues.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "runtime/kernel/error.h"
#include "runtime/statistics/distribution.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

TEST_CASE("M/M/1: the moments are sums over the probabilities") {
  for (const double rho : {0.1, 0.5, 0.9}) {
    CAPTURE(rho);
    const MM1 q = mm1(rho * 0.004, 0.004);
    double total = 0, n1 = 0, n2 = 0, queue_total = 0, k1 = 0, k2 = 0;
    for (std::int64_t n = 0; n < 2000; ++n) {
      const auto x = static_cast<double>(n);
      const double p = std::pow(rho, n) * (1 - rho);
      CHECK(q.probability(n) == Approx(p).margin(1e-300));
      CHECK(q.at_least(n) == Approx(1 - total).margin(1e-12));
      total += p, n1 += x * p, n2 += x * x * p;
      // If n jobs are in the system, n - 1 wait.
      const double pq = n == 0 ? (1 - rho) + rho * (1 - rho) : std::pow(rho, n + 1) * (1 - rho);
      CHECK(q.queue_probability(n) == Approx(pq).margin(1e-300));
      queue_total += pq, k1 += x * pq, k2 += x * x * pq;
    }
    CHECK(total == Approx(1));
    CHECK(queue_total == Approx(1));
    CHECK(q.utilization() == Approx(rho).epsilon(1e-15));
    CHECK(q.mean_number() == Approx(n1).epsilon(1e-10));
    CHECK(q.var_number() == Approx(n2 - n1 * n1).epsilon(1e-10));
    CHECK(q.mean_queue() == Approx(k1).epsilon(1e-10));
    CHECK(q.var_queue() == Approx(k2 - k1 * k1).epsilon(1e-10));
    // Little's law.
    CHECK(q.mean_response() == Approx(n1 / q.lambda).epsilon(1e-10));
    CHECK(q.mean_wait() == Approx(k1 / q.lambda).epsilon(1e-10));
    CHECK(q.probability(-1) == 0);
    CHECK(q.queue_probability(-1) == 0);
    CHECK(q.at_least(-1) == 1);
  }
}

TEST_CASE("M/M/1: times are mixtures of Erlang distributions over what is found on arrival") {
  const double rho = 0.7, mu = 2;
  const MM1 q = mm1(rho * mu, mu);
  for (const double t : {0.1, 1.0, 4.0}) {
    double response = 0, wait = 1 - rho;  // in an empty system nobody waits
    for (int n = 0; n < 300; ++n) {
      const double p = (1 - rho) * std::pow(rho, n);
      const auto sum_of = [&](int k) {
        return distributions::erlang(static_cast<std::uint64_t>(k), k / mu).cdf(t);
      };
      response += p * sum_of(n + 1);
      if (n > 0) wait += p * sum_of(n);
    }
    CHECK(q.response_cdf(t) == Approx(response).epsilon(1e-10));
    CHECK(q.wait_cdf(t) == Approx(wait).epsilon(1e-10));
  }
  // The variance of a wait: E[w^2] = sum of p (n / mu^2 + n^2 / mu^2).
  double w2 = 0, r2 = 0;
  for (int n = 0; n < 2000; ++n) {
    const double p = (1 - rho) * std::pow(rho, n);
    w2 += p * (n + 1.0 * n * n) / (mu * mu);
    r2 += p * ((n + 1) + (n + 1.0) * (n + 1.0)) / (mu * mu);
  }
  CHECK(q.var_wait() == Approx(w2 - q.mean_wait() * q.mean_wait()).epsilon(1e-10));
  CHECK(q.var_response() == Approx(r2 - q.mean_response() * q.mean_response()).epsilon(1e-10));
  CHECK(q.response_cdf(-1) == 0);
  CHECK(q.wait_cdf(-1) == 0);
  CHECK(q.wait_cdf(0) == Approx(1 - rho));
  for (const double p : {0.31, 0.5, 0.9, 0.99}) {
    CHECK(q.response_cdf(q.response_quantile(p)) == Approx(p).epsilon(1e-12));
    CHECK(q.wait_cdf(q.wait_quantile(p)) == Approx(p).epsilon(1e-12));
  }
  CHECK(q.wait_quantile(0.3) == 0);
  CHECK(q.wait_quantile(0) == 0);
  // 90 %: E[r] ln 10, E[w] / rho * ln(10 rho).
  CHECK(q.response_quantile(0.9) == Approx(q.mean_response() * std::log(10.0)).epsilon(1e-14));
  CHECK(q.wait_quantile(0.9) == Approx(q.mean_wait() / rho * std::log(10 * rho)).epsilon(1e-13));
  CHECK(std::isinf(q.response_quantile(1)));
}

TEST_CASE("M/M/c: Erlang's formulas as direct sums") {
  for (const int c : {1, 2, 5, 30}) {
    for (const double rho : {0.2, 0.8, 0.99}) {
      CAPTURE(c, rho);
      const double mu = 0.5, a = rho * c;
      const MMC q = mmc(a * mu, mu, c);
      double sum = 0, term = 1;  // a^k / k!
      for (int k = 0; k < c; ++k) sum += term, term *= a / (k + 1);
      CHECK(q.utilization() == Approx(rho));
      CHECK(q.erlang_b() == Approx(term / (sum + term)).epsilon(1e-12));
      const double waits = term / (1 - rho);
      CHECK(q.erlang_c() == Approx(waits / (sum + waits)).epsilon(1e-12));
      // The queue's mean from the probabilities of c + k in system.
      double queue = 0, p = term / (sum + waits);
      for (int k = 0; k < 20000; ++k, p *= rho) queue += k * p;
      CHECK(q.mean_queue() == Approx(queue).epsilon(1e-9));
      CHECK(q.mean_wait() == Approx(queue / (a * mu)).epsilon(1e-9));
      CHECK(q.mean_response() == Approx(q.mean_wait() + 2).epsilon(1e-12));
      CHECK(q.mean_number() == Approx(queue + a).epsilon(1e-9));
    }
  }
  const MM1 one = mm1(3, 5);
  CHECK(mmc(3, 5, 1).mean_response() == Approx(one.mean_response()).epsilon(1e-14));
}

TEST_CASE("M/G/1: exponential, constant, and Breitinger's smallest of 15 gamma times") {
  const MM1 exponential = mm1(0.6, 1);
  CHECK(mg1(0.6, 1, 2).mean_response() == Approx(exponential.mean_response()).epsilon(1e-14));
  CHECK(mg1(0.6, 1, 2).mean_number() == Approx(exponential.mean_number()).epsilon(1e-14));
  CHECK(mg1(0.6, 1, 1).mean_wait() == Approx(exponential.mean_wait() / 2).epsilon(1e-14));  // constant: half
  CHECK(mg1(0.6, 1, 2).mean_queue() == Approx(exponential.mean_queue()).epsilon(1e-14));
  // 15 random queues at rate 1 / (15 * 67), service q * m with q of mean 1000 and sd 500 and m the smallest
  // of 15 gamma variates of mean 1 and sd 0.1, whose moments are integrals of P(m > x)^15.
  const Distribution gamma = distributions::gamma_mean_sd(1, 0.1);
  double m1 = 0, m2 = 0;
  constexpr double kStep = 1e-4;
  for (double x = kStep / 2; x < 2; x += kStep) {
    const double above = std::pow(gamma.tail(x), 15);
    m1 += above * kStep, m2 += 2 * x * above * kStep;
  }
  CHECK(m1 == Approx(0.8344).epsilon(1e-3));
  CHECK(m2 == Approx(0.6985).epsilon(1e-3));
  const double published[][2] = {{67, 3393}, {89, 1706}, {100, 1490}};
  for (const auto& [tau, response] : published)
    CHECK(mg1(1 / (15 * tau), 1000 * m1, 1.25e6 * m2).mean_response() == Approx(response).epsilon(2e-3));
}

TEST_CASE("no closed form at a utilization of 1 or more; bad rates") {
  CHECK_THROWS_WITH(mm1(2, 2),
                    Contains("M/M/1: the utilization lambda / mu must be < 1") && Contains("got 1"));
  CHECK_THROWS_WITH(mmc(9, 2, 3), Contains("lambda / (servers * mu) must be < 1") && Contains("got 1.5"));
  CHECK_THROWS_WITH(mg1(1, 2, 5), Contains("lambda * mean must be < 1") && Contains("got 2"));
  CHECK_THROWS_WITH(mm1(0, 1), "M/M/1: lambda must be finite and > 0, got 0");
  CHECK_THROWS_WITH(mm1(1, -1), "M/M/1: mu must be finite and > 0, got -1");
  CHECK_THROWS_WITH(mmc(1, 1, 0), "M/M/c: servers must be 1 to 1e6, got 0");
  CHECK_THROWS_WITH(mg1(0.1, 2, 3.9),
                    Contains("second moment must be finite and >= the square of the mean, got 3.9"));
  CHECK_THROWS_WITH(mm1(1, 2).wait_quantile(1.1), Contains("p must be in [0, 1], got 1.1"));
}
