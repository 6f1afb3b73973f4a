// Closed forms of queues in steady state. Times are in the unit of 1 / rate. w is the time that a job waits,
// and r its time in system, including the wait. n is the number of jobs in the system, and n_q the number
// that wait.
#pragma once

#include <cstdint>

#include "runtime/layers.h"

namespace perigee::statistics {

// One server, Poisson arrivals, exponential service; r and w under first come, first served.
// Jain, The Art of Computer Systems Performance Analysis, 1991, box 31.1.
struct MM1 {
  double lambda, mu;  // arrivals, services per unit of time; lambda < mu

  double utilization() const { return lambda / mu; }
  double probability(std::int64_t n) const;        // P(N = n)
  double at_least(std::int64_t n) const;           // P(N >= n)
  double queue_probability(std::int64_t k) const;  // P(N_q = k)
  double mean_number() const;                      // E[n]
  double var_number() const;
  double mean_queue() const;  // E[n_q]
  double var_queue() const;
  double mean_response() const;  // E[r]
  double var_response() const;
  double mean_wait() const;  // E[w]
  double var_wait() const;
  double response_cdf(double t) const;  // P(r <= t)
  double wait_cdf(double t) const;
  double response_quantile(double p) const;  // 0 <= p <= 1; Error "bad_parameter"
  double wait_quantile(double p) const;      // 0 where nobody waits at all
};

// The same with c servers and one queue. Erlang's formulas use the recurrence on B.
struct MMC {
  double lambda, mu;  // lambda < servers * mu
  std::int64_t servers;

  double utilization() const { return lambda / (static_cast<double>(servers) * mu); }
  double erlang_b() const;  // the share of arrivals lost if nobody could wait
  double erlang_c() const;  // the share of arrivals that wait
  double mean_wait() const;
  double mean_response() const;
  double mean_queue() const;
  double mean_number() const;
};

// One server, Poisson arrivals, any service: the formula of Pollaczek and Khinchine.
struct MG1 {
  double lambda;               // arrivals per unit of time
  double mean, second_moment;  // of the service time; lambda * mean < 1

  double utilization() const { return lambda * mean; }
  double mean_wait() const;
  double mean_response() const;
  double mean_queue() const;
  double mean_number() const;
};

// Error "bad_parameter" unless the rates and the mean are finite and > 0, 1 <= servers <= 1e6, and
// second_moment >= mean^2. The utilization must be < 1 too: otherwise the queue has no steady state.
MM1 mm1(double lambda, double mu);
MMC mmc(double lambda, double mu, std::int64_t servers);
MG1 mg1(double lambda, double mean, double second_moment);

}  // namespace perigee::statistics
