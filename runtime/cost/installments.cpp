#include "runtime/cost/installments.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/kernel/error.h"
#include "runtime/kernel/math.h"
#include "runtime/kernel/work.h"

namespace perigee::cost {
namespace {

constexpr double kSumRounding = 1e-9;

double sum_of(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

void check(std::span<const Worker> workers) {
  if (workers.empty()) fail("bad_size", "installments: there must be a worker");
  for (std::size_t i = 0; i < workers.size(); ++i) {
    const Worker& worker = workers[i];
    if (!(worker.speed > 0) || !std::isfinite(worker.speed))
      fail("bad_speed", "installments: worker {}: its speed must be above 0 runs/s, got {}", i + 1,
           worker.speed);
    if (!(worker.rate > 0))
      fail("bad_link", "installments: worker {}: its rate must be above 0 runs/s, got {}", i + 1,
           worker.rate);
    if (!(worker.send_latency >= 0) || !std::isfinite(worker.send_latency) || !(worker.start_latency >= 0) ||
        !std::isfinite(worker.start_latency))
      fail("bad_link", "installments: worker {}: its latencies must be at least 0 s, got {} and {}", i + 1,
           worker.send_latency, worker.start_latency);
  }
}

void check_load(double load) {
  if (!(load > 0) || !std::isfinite(load))
    fail("bad_size", "installments: the load must be above 0 runs, got {}", load);
}

void normalise(Cut& cut, std::span<const Worker> workers) {
  const double sum = sum_of(cut.fraction);
  cut.time = 0;
  for (std::size_t c = 0; c < cut.fraction.size(); ++c) {
    cut.fraction[c] /= sum;
    cut.time += cut.fraction[c] / workers[cut.worker[c]].rate;
  }
  cut.time += cut.fraction.back() / workers[cut.worker.back()].speed;
}

// Sums over the workers of a plan, with the names of UMR's derivation.
struct Sums {
  double speed = 0, a = 0, c = 0, started = 0;  // S, S/B, nLat - S cLat/B, S cLat

  explicit Sums(std::span<const Worker> workers) {
    for (const Worker& w : workers) {
      speed += w.speed;
      a += w.speed / w.rate;
      c += w.send_latency - w.speed * w.start_latency / w.rate;
      started += w.speed * w.start_latency;
    }
  }
};

// A plan of so many rounds in `out`, whose memory is used again; out.rounds = 0 if some worker would get
// nothing in one of them. T_j = a T_{j+1} + c, so each T is A x + C with x the last one.
void of_rounds(double load, std::span<const Worker> workers, const Sums& sums, std::size_t rounds,
               const RoundOptions& options, RoundPlan& out) {
  did_work(rounds * (1 + workers.size() / 8));
  const double whole = (load + static_cast<double>(rounds) * sums.started) / sums.speed;
  double factor = 1, offset = 0, factors = 0, offsets = 0;
  for (std::size_t j = 0; j < rounds; ++j) {
    factors += factor, offsets += offset;
    factor *= sums.a, offset = sums.a * offset + sums.c;
  }
  out.rounds = 0;
  out.chunk.clear();
  double time = (whole - offsets) / factors;
  if (!std::isfinite(time)) return;
  out.time.resize(rounds);
  for (std::size_t j = rounds; j-- > 0; time = sums.a * time + sums.c) out.time[j] = time;
  out.makespan = options.tail + whole;
  for (std::size_t j = 0; j < rounds; ++j)
    for (const Worker& w : workers) {
      const double chunk = w.speed * (out.time[j] - w.start_latency);
      if (!(chunk > 0)) return;
      if (j == 0) out.makespan += options.first_share * (w.send_latency + chunk / w.rate);
      out.chunk.push_back(chunk);
    }
  out.rounds = rounds;
}

RoundPlan best_rounds(double load, std::span<const Worker> workers, const RoundOptions& options) {
  const Sums sums(workers);
  const std::size_t fewest = options.rounds > 0 ? options.rounds : 1,
                    most = options.rounds > 0 ? options.rounds : options.most;
  RoundPlan best, next;
  for (std::size_t rounds = fewest; rounds <= most; ++rounds) {
    of_rounds(load, workers, sums, rounds, options, next);
    if (next.rounds > 0 && (best.rounds == 0 || next.makespan < best.makespan)) std::swap(best, next);
  }
  return best;
}

[[noreturn]] void infeasible(double load, std::size_t workers, const RoundOptions& options) {
  if (options.rounds > 0)
    fail("infeasible_rounds",
         "{} runs for {} workers in {} rounds: somebody would "
         "get nothing in one of them; fewer rounds are needed",
         load, workers, options.rounds);
  fail("infeasible_rounds",
       "{} runs for {} workers: with any number of rounds "
       "from 1 to {} somebody would get nothing in one of them",
       load, workers, options.most);
}

Worker mean_of(std::span<const Worker> workers) {
  Worker mean{.speed = 0};
  const auto n = static_cast<double>(workers.size());
  for (const Worker& w : workers) {
    mean.speed += w.speed / n;
    mean.send_latency += w.send_latency / n;
    mean.start_latency += w.start_latency / n;
  }
  return mean;
}

double overhead(const Worker& mean, std::size_t workers) {
  return mean.start_latency + static_cast<double>(workers) * mean.send_latency;
}

}  // namespace

std::vector<double> largest_remainder(std::span<const double> shares) {
  std::vector<double> whole;
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (const double share : shares) whole.push_back(math::floor(share + kSumRounding));
  const double missing = std::round(sum_of(shares)) - sum_of(whole);
  std::vector<double> rest(shares.size());
  for (std::size_t i = 0; i < rest.size(); ++i)
    rest[i] = math::round((shares[i] - whole[i]) / kSumRounding);  // ties are ties despite rounding
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rest[a] > rest[b]; });
  for (std::size_t i = 0; i < order.size() && static_cast<double>(i) < missing; ++i) ++whole[order[i]];
  return whole;
}

Cut multi_installment(std::span<const Worker> workers, std::size_t installments) {
  check(workers);
  if (installments < 1) fail("bad_size", "multi_installment: installments must be at least 1");
  constexpr double kHuge = 1e200;
  const std::size_t n = workers.size(), all = n * installments;
  Cut cut;
  cut.fraction.assign(all, 1);
  for (std::size_t c = 0; c < all; ++c) cut.worker.push_back(static_cast<std::uint32_t>(c % n));
  const auto seconds_to_send = [&](std::size_t c) { return cut.fraction[c] / workers[c % n].rate; };
  for (std::size_t c = all - 1; c-- > 0;) {
    double time = 0;  // s for computing chunk c: until the worker's next one has come, or until the end
    for (std::size_t j = c + 1; j <= std::min(c + n, all - 1); ++j) time += seconds_to_send(j);
    if (c + n >= all) time += cut.fraction.back() / workers[n - 1].speed;
    cut.fraction[c] = time * workers[c % n].speed;
    if (cut.fraction[c] > kHuge)
      for (std::size_t j = c; j < all; ++j) cut.fraction[j] /= kHuge;
  }
  normalise(cut, workers);
  return cut;
}

Cut single_installment(std::span<const Worker> workers) {
  check(workers);
  Cut cut;
  cut.worker.resize(workers.size());
  std::iota(cut.worker.begin(), cut.worker.end(), 0U);
  std::stable_sort(cut.worker.begin(), cut.worker.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return workers[a].rate > workers[b].rate; });
  double fraction = 1;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    const Worker& now = workers[cut.worker[i]];
    if (i > 0) fraction *= (1 / workers[cut.worker[i - 1]].speed) / (1 / now.rate + 1 / now.speed);
    cut.fraction.push_back(fraction);
  }
  normalise(cut, workers);
  return cut;
}

RoundPlan umr(double load, std::span<const Worker> workers, const RoundOptions& options) {
  check(workers);
  check_load(load);
  RoundPlan out = best_rounds(load, workers, options);
  if (out.rounds == 0) infeasible(load, workers.size(), options);
  out.worker.resize(workers.size());
  std::iota(out.worker.begin(), out.worker.end(), 0U);
  return out;
}

RoundPlan mrrs(double load, std::span<const Worker> workers, const RoundOptions& options) {
  check(workers);
  check_load(load);
  std::vector<std::uint32_t> order(workers.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto ratio = [&](std::uint32_t w) { return workers[w].speed / workers[w].rate; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return ratio(a) < ratio(b); });
  RoundPlan best;
  std::vector<Worker> prefix;
  double ratios = 0;
  for (const std::uint32_t w : order) {
    ratios += ratio(w);
    if (!prefix.empty() && !(ratios < 1)) break;
    prefix.push_back(workers[w]);
    RoundPlan next = best_rounds(load, prefix, options);
    if (next.rounds == 0 || (best.rounds > 0 && !(next.makespan < best.makespan))) continue;
    best = std::move(next);
    best.worker.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(prefix.size()));
  }
  if (best.rounds == 0) infeasible(load, workers.size(), options);
  return best;
}

RobustSplit rumr_split(double load, std::span<const Worker> workers, double error) {
  check(workers);
  check_load(load);
  if (error < 0) fail("bad_number", "rumr: the error must be at least 0, got {}", error);
  const Worker mean = mean_of(workers);
  double factored = 0.2 * load;  // nothing is known
  if (error >= 1)
    factored = load;
  else if (!std::isnan(error))
    factored =
        error * load / (static_cast<double>(workers.size()) * mean.speed) < overhead(mean, workers.size())
            ? 0
            : error * load;
  return {load - factored, factored};
}

double rumr_chunk(double left, std::span<const Worker> workers, double error) {
  check(workers);
  const Worker mean = mean_of(workers);
  const double half = left / (2 * static_cast<double>(workers.size()));
  if (!(error > 0)) return half;
  return std::max(half, overhead(mean, workers.size()) * mean.speed / error);
}

}  // namespace perigee::cost
