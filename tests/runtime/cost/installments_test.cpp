// Check values of the formulas, linear systems solved by a library, and plans carried out message by message.
#include "runtime/cost/installments.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/random.h"
#include "tests/support/layers.h"
#include "tests/support/linear.h"

using namespace perigee;
using namespace perigee::test;

namespace {

std::vector<Worker> equal(std::size_t n, Worker worker) { return std::vector<Worker>(n, worker); }

std::string installments_code_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.diagnostic().code;
  }
  return "no error";
}

// The time when the last worker is done. One port sends the chunks one after another. A chunk is computed as
// soon as it has come and the one before is done. `idle`: seconds that workers wait between two chunks.
struct Carried {
  double end = 0, idle = 0, earliest_end = 1e300;
};
Carried carry_out(std::span<const Worker> workers, std::span<const std::uint32_t> to,
                  std::span<const double> chunk) {
  double port = 0;
  std::vector<double> free(workers.size(), -1);
  Carried out;
  for (std::size_t c = 0; c < chunk.size(); ++c) {
    const Worker& w = workers[to[c]];
    port += w.send_latency + chunk[c] / w.rate;
    double& done = free[to[c]];
    if (done >= 0) out.idle += std::max(0.0, port - done);
    done = std::max(port, done) + w.start_latency + chunk[c] / w.speed;
  }
  for (const double done : free)
    if (done >= 0) out.end = std::max(out.end, done), out.earliest_end = std::min(out.earliest_end, done);
  return out;
}

std::vector<std::uint32_t> rows(const RoundPlan& rounds) {
  std::vector<std::uint32_t> to;
  for (std::size_t j = 0; j < rounds.rounds; ++j)
    to.insert(to.end(), rounds.worker.begin(), rounds.worker.end());
  return to;
}

}  // namespace

TEST_CASE("largest remainders: sum kept, ties to the earlier") {
  CHECK(largest_remainder(std::vector<double>{1.5, 1.5, 2}) == std::vector<double>{2, 1, 2});
  CHECK(largest_remainder(std::vector<double>{0.2, 0.3, 0.5}) == std::vector<double>{0, 0, 1});
  CHECK(largest_remainder(std::vector<double>{2.9999999999, 1.0000000001}) == std::vector<double>{3, 1});
  CHECK(largest_remainder(std::vector<double>{}) == std::vector<double>{});
  Stream random(3, "remainders");
  for (int round = 0; round < 1000; ++round) {
    std::vector<double> shares(1 + random.below(20));
    for (double& share : shares) share = random.uniform(0, 9);
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0), whole = std::ceil(sum);
    for (double& share : shares) share *= whole / sum;
    const std::vector<double> out = largest_remainder(shares);
    CHECK(std::accumulate(out.begin(), out.end(), 0.0) == whole);
    for (std::size_t i = 0; i < out.size(); ++i) {
      CHECK(out[i] == std::floor(out[i]));
      CHECK(std::abs(out[i] - shares[i]) < 1);
    }
  }
}

TEST_CASE("multi-installment: two workers, two installments, w = 1 s, z = 0.2 s") {
  // By hand from the recursion: a3 = (0.2 + 1) a4, a2 = 0.2 (a3 + a4), a1 = 0.2 (a2 + a3), scaled to sum 1.
  const Cut cut = multi_installment(equal(2, {.speed = 1, .rate = 5}), 2);
  const double printed[] = {.110512, .148248, .404313, .336927};
  REQUIRE(cut.fraction.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(cut.fraction[i] == Approx(printed[i]).margin(5e-7));
  CHECK(cut.time == Approx(.536927).margin(5e-7));
  CHECK(cut.worker == std::vector<std::uint32_t>{0, 1, 0, 1});
}

TEST_CASE(
    "multi-installment: the solution of its linear equations; carried out, nobody idles and all end "
    "together") {
  Stream random(7, "installments");
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + random.below(5), m = 1 + random.below(5), all = n * m;
    INFO("round " << round << ": " << n << " workers, " << m << " installments");
    std::vector<Worker> workers = equal(n, {.speed = random.uniform(0.2, 3), .rate = random.uniform(2, 20)});
    if (round % 2 == 1)
      for (Worker& w : workers) w.speed *= random.uniform(0.5, 2), w.rate *= random.uniform(0.5, 2);
    // The unknowns are the fractions. Equations: chunk c is computed until the worker's next one has come or,
    // in the last installment, until the last chunk of all is computed. The fractions sum to 1.
    Rows a(all, std::vector<double>(all, 0.0));
    std::vector<double> b(all, 0.0);
    for (std::size_t c = 0; c + 1 < all; ++c) {
      a[c][c] = 1 / workers[c % n].speed;
      for (std::size_t j = c + 1; j < all && j <= c + n; ++j) a[c][j] -= 1 / workers[j % n].rate;
      if (c + n >= all) a[c].back() -= 1 / workers[n - 1].speed;
    }
    a.back().assign(all, 1);
    b.back() = 1;
    const std::vector<double> solved = least_squares(a, b);
    const Cut cut = multi_installment(workers, m);
    REQUIRE(cut.fraction.size() == all);
    for (std::size_t c = 0; c < all; ++c) CHECK(cut.fraction[c] == Approx(solved[c]).epsilon(1e-9));

    const Carried carried = carry_out(workers, cut.worker, cut.fraction);
    CHECK(carried.end == Approx(cut.time).epsilon(1e-9));
    CHECK(carried.earliest_end == Approx(cut.time).epsilon(1e-9));
    CHECK(carried.idle == Approx(0).margin(1e-9));
  }
}

TEST_CASE("multi-installment: free links, huge growth") {
  const Cut even = multi_installment(equal(4, {.speed = 2}), 3);  // nothing to overlap: the last one is all
  for (std::size_t c = 0; c < 12; ++c) CHECK(even.fraction[c] == (c < 8 ? 0 : 0.25));
  CHECK(even.time == 0.125);
  const Cut slow = multi_installment(equal(2000, {.speed = 1, .rate = 0.5}), 2);
  CHECK(std::accumulate(slow.fraction.begin(), slow.fraction.end(), 0.0) == Approx(1));
  CHECK(std::isfinite(slow.time));
}

TEST_CASE("single installment: all end together, the fastest link first") {
  Stream random(11, "single");
  for (int round = 0; round < 200; ++round) {
    std::vector<Worker> workers(1 + random.below(6));
    for (Worker& w : workers) w = {.speed = random.uniform(0.1, 5), .rate = random.uniform(0.5, 20)};
    const Cut cut = single_installment(workers);
    CHECK(std::accumulate(cut.fraction.begin(), cut.fraction.end(), 0.0) == Approx(1));
    for (std::size_t i = 1; i < workers.size(); ++i)
      CHECK(workers[cut.worker[i - 1]].rate >= workers[cut.worker[i]].rate);
    const Carried carried = carry_out(workers, cut.worker, cut.fraction);
    CHECK(carried.end == Approx(cut.time).epsilon(1e-9));
    CHECK(carried.earliest_end == Approx(cut.time).epsilon(1e-9));
    CHECK(cut.time ==  // its first worker: time to send and to compute its share
          Approx(cut.fraction[0] * (1 / workers[cut.worker[0]].rate + 1 / workers[cut.worker[0]].speed)));
  }
}

TEST_CASE("UMR: 1000 runs, 10 equal workers") {
  // The homogeneous closed form, theta = B / (N S) = 2, evaluated with a pocket calculator.
  const std::vector<Worker> workers =
      equal(10, {.speed = 1, .rate = 20, .send_latency = .1, .start_latency = .3});
  const RoundPlan plan = umr(1000, workers);
  CHECK(plan.rounds == 7);
  const double chunks[] = {2.11024, 2.82047, 4.24094, 7.08189, 12.76378, 24.12756, 46.85512};
  REQUIRE(plan.chunk.size() == 70);
  for (std::size_t j = 0; j < 7; ++j)
    for (std::size_t i = 0; i < 10; ++i) CHECK(plan.chunk[10 * j + i] == Approx(chunks[j]).margin(5e-6));
  CHECK(plan.makespan == Approx(104.15512).margin(5e-6));
  const Carried carried = carry_out(workers, rows(plan), plan.chunk);
  CHECK(carried.end == Approx(plan.makespan).epsilon(1e-12));
  CHECK(carried.idle == Approx(0).margin(1e-9));
  // h = 1/2: half of the first round's sending, 10 * (0.1 + 2.11024 / 20) = 2.05512, when seven rounds are
  // kept; a tail is added.
  const RoundPlan recut = umr(1000, workers, {.rounds = 7, .first_share = 0.5, .tail = 3});
  CHECK(recut.makespan == Approx(104.15512 - 2.05512 / 2 + 3).margin(1e-5));
}

TEST_CASE("UMR: the published closed forms") {
  Stream random(5, "umr");
  int closed = 0;
  for (int round = 0; round < 300; ++round) {
    INFO("round " << round);
    const std::size_t n = 1 + random.below(6), m = 1 + random.below(6);
    std::vector<Worker> workers(n);
    for (Worker& w : workers)
      w = {.speed = random.uniform(0.5, 2),
           .rate = random.uniform(2, 40),
           .send_latency = random.uniform(0, 0.2),
           .start_latency = random.uniform(0, 0.4)};
    const double load = random.uniform(200, 5000);
    double S = 0, a = 0, c = 0, started = 0;
    for (const Worker& w : workers) {
      S += w.speed, a += w.speed / w.rate, started += w.speed * w.start_latency;
      c += w.send_latency - w.speed * w.start_latency / w.rate;
    }
    const double M = static_cast<double>(m), R = (load + M * started) / S;
    const double fix = c / (1 - a), G = (1 - std::pow(a, -M)) / (1 - 1 / a);
    const double first = fix + (R - M * fix) / G;
    RoundPlan plan;
    try {
      plan = umr(load, workers, {.rounds = m});
    } catch (const Error& error) {
      CHECK(error.diagnostic().code == "infeasible_rounds");
      continue;
    }
    ++closed;
    double sent = 0;
    for (std::size_t j = 0; j < m; ++j)
      CHECK(plan.time[j] == Approx(fix + (first - fix) * std::pow(a, -static_cast<double>(j))).epsilon(1e-8));
    for (const double chunk : plan.chunk) sent += chunk;
    CHECK(sent == Approx(load));
    const Carried carried = carry_out(workers, rows(plan), plan.chunk);
    CHECK(carried.end == Approx(plan.makespan).epsilon(1e-9));
    // The number of rounds is the best of all: no other number tried here is shorter.
    const RoundPlan best = umr(load, workers);
    CHECK(best.makespan <= plan.makespan);
  }
  CHECK(closed > 100);
}

TEST_CASE("UMR: a = 1, free links, what is infeasible") {
  // S/B sums to 1: T_j = R/M + c (M-1)/2 - j c. Two workers, S = 1, B = 2, nLat = .5, cLat = 0: c = 1, R
  // = 15.
  const std::vector<Worker> balanced = equal(2, {.speed = 1, .rate = 2, .send_latency = .5});
  const RoundPlan plan = umr(30, balanced, {.rounds = 3});
  REQUIRE(plan.time.size() == 3);
  CHECK(plan.time[0] == Approx(6));
  CHECK(plan.time[1] == Approx(5));
  CHECK(plan.time[2] == Approx(4));
  CHECK(plan.makespan == Approx(2 * (.5 + 6 / 2.) + 15));
  const RoundPlan free = umr(30, equal(3, {.speed = 2}));
  CHECK(free.rounds == 1);
  CHECK(free.makespan == Approx(5));
  // Links so slow that each round is shorter than the one before: 1 round always works.
  CHECK(umr(10, equal(4, {.speed = 1, .rate = 1})).rounds >= 1);
  CHECK(installments_code_of([&] { umr(2, balanced, {.rounds = 9}); }) == "infeasible_rounds");
  CHECK(installments_code_of([&] { umr(10, equal(2, {.speed = 1, .rate = 0})); }) == "bad_link");
  CHECK(installments_code_of([&] { umr(10, equal(2, {.speed = 1, .rate = 1, .send_latency = -1})); }) ==
        "bad_link");
  CHECK(installments_code_of([&] { umr(10, equal(2, {.speed = 0, .rate = 1})); }) == "bad_speed");
  CHECK(installments_code_of([&] { umr(0, equal(2, {.speed = 1, .rate = 1})); }) == "bad_size");
  CHECK(installments_code_of([&] { umr(1, {}); }) == "bad_size");
  CHECK(installments_code_of([&] { multi_installment(equal(2, {.rate = -1}), 1); }) == "bad_link");
}

TEST_CASE("MRRS: the prefix of the workers that is predicted to be fastest") {
  Stream random(9, "mrrs");
  for (int round = 0; round < 200; ++round) {
    std::vector<Worker> workers(1 + random.below(7));
    for (Worker& w : workers)
      w = {.speed = random.uniform(0.5, 2),
           .rate = random.uniform(1, 12),
           .send_latency = random.uniform(0, 0.5),
           .start_latency = random.uniform(0, 0.5)};
    std::vector<std::uint32_t> order(workers.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](auto x, auto y) {
      return workers[x].speed / workers[x].rate < workers[y].speed / workers[y].rate;
    });
    double best = 1e300, sum = 0;
    std::size_t members = 0;
    std::vector<Worker> prefix;
    for (const std::uint32_t w : order) {
      sum += workers[w].speed / workers[w].rate;
      if (!prefix.empty() && sum >= 1) break;
      prefix.push_back(workers[w]);
      const double end = umr(500, prefix).makespan;
      if (end < best) best = end, members = prefix.size();
    }
    const RoundPlan plan = mrrs(500, workers);
    CHECK(plan.makespan == best);
    order.resize(members);
    CHECK(plan.worker == order);
    CHECK(carry_out(workers, rows(plan), plan.chunk).end == Approx(plan.makespan).epsilon(1e-9));
  }
}

TEST_CASE("RUMR: how the load is split, and the chunks of the second phase") {
  // W = 1000, N = 10, S = 1, cLat = .3, nLat = .1: cLat + N nLat = 1.3 s; e W / (N S) = 20, 1, 150 s.
  const std::vector<Worker> workers =
      equal(10, {.speed = 1, .rate = 20, .send_latency = .1, .start_latency = .3});
  const auto split = [&](double error) {
    const RobustSplit out = rumr_split(1000, workers, error);
    return std::pair(out.planned, out.factored);
  };
  CHECK(split(.2) == std::pair(800., 200.));
  CHECK(split(.01) == std::pair(1000., 0.));
  CHECK(split(1.5) == std::pair(0., 1000.));
  CHECK(split(NAN) == std::pair(800., 200.));
  CHECK(installments_code_of([&] { rumr_split(1000, workers, -1); }) == "bad_number");
  CHECK(rumr_chunk(200, workers, .2) == Approx(10));   // half of a tenth, above 1.3 / .2 = 6.5
  CHECK(rumr_chunk(100, workers, .2) == Approx(6.5));  // the bound
  CHECK(rumr_chunk(100, workers, NAN) == Approx(5));
}
