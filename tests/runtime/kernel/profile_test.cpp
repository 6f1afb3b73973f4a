#include "runtime/kernel/profile.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/random.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// The same function, computed segment by segment in long double, for t >= 0.
struct Naive {
  std::vector<double> times, values;
  double period = 0;  // 0: finite

  struct Place {
    long double cycle = 0;
    std::size_t i = 0;
  };
  long double end(Place p) const {
    const long double base = p.cycle * static_cast<long double>(period);
    if (p.i + 1 < times.size()) return base + times[p.i + 1];
    return period > 0 ? base + period : std::numeric_limits<long double>::infinity();
  }
  Place next(Place p) const {
    return p.i + 1 < times.size() ? Place{p.cycle, p.i + 1} : Place{p.cycle + 1, 0};
  }
  Place find(long double t) const {
    Place p;
    while (end(p) <= t) p = next(p);
    return p;
  }
  double at(long double t) const { return values[find(t).i]; }
  long double integral(long double a, long double b) const {
    long double sum = 0;
    for (Place p = find(a); a < b; p = next(p)) {
      const long double to = std::min(end(p), b);
      if (values[p.i] > 0) sum += values[p.i] * (to - a);
      a = to;
    }
    return sum;
  }
  long double end_of(long double t, long double amount, long double factor) const {
    for (Place p = find(t);; p = next(p)) {
      const long double rate = values[p.i] * factor;
      const long double capacity = rate > 0 ? rate * (end(p) - t) : 0;
      if (capacity > 0 && capacity >= amount * (1 - 1e-12L)) return std::min(t + amount / rate, end(p));
      if (std::isinf(end(p))) return end(p);
      amount -= capacity;
      t = end(p);
    }
  }
};

}  // namespace

TEST_CASE("constant profiles") {
  CHECK(Profile().at(-3) == 1);
  CHECK(Profile().end_of(0.1, 0.2) == 0.1 + 0.2);
  CHECK(Profile(0.5).end_of(0.1, 0.7, 2) == 0.1 + 0.7);
  CHECK(Profile(0.5).end_of(10, 2) == 14);
  CHECK(Profile(0).end_of(10, 2) == kNever);
  CHECK(Profile(0).end_of(10, 0) == 10);
  CHECK(Profile(4).end_of(1, 2, 0) == kNever);
  CHECK(Profile(3).integral(2, 7) == 15);
  CHECK(Profile(3).integral(7, 2) == -15);
  CHECK(Profile(0).integral(0, kNever) == 0);
  CHECK(Profile(3).next_change(0) == kNever);
  CHECK(Profile::steps({5}, {2}).is_constant());
  CHECK(Profile::steps({0, 1}, {2, 2}) == Profile(2));
  CHECK(Profile::circular({2, 2, 2}, 5) == Profile(2));
}

// 1 until 10, 0 until 20, 0.5 until 30, then 2.
TEST_CASE("finite steps, by hand") {
  const Profile p = Profile::steps({0, 10, 20, 30}, {1, 0, 0.5, 2});
  CHECK(p.at(-5) == 1);
  CHECK(p.at(9.999) == 1);
  CHECK(p.at(10) == 0);
  CHECK(p.at(30) == 2);
  CHECK(p.at(1e9) == 2);
  CHECK(p.integral(0, 30) == 15);
  CHECK(p.integral(5, 25) == 7.5);
  CHECK(p.integral(12, 18) == 0);
  CHECK(p.integral(-2, 31) == 19);
  CHECK(p.integral(0, kNever) == kNever);
  CHECK(p.integral(31, 25) == -4.5);

  CHECK(p.end_of(0, 10) == 10);  // on the boundary, before the stall
  CHECK(p.end_of(0, 10.5) == 21);
  CHECK(p.end_of(10, 5) == 30);
  CHECK(p.end_of(10, 0) == 10);
  CHECK(p.end_of(12, 0.5) == 21);
  CHECK(p.end_of(0, 16) == 30.5);
  CHECK(p.end_of(0, 32, 2) == 30.5);
  CHECK(p.end_of(-4, 3) == -1);
  CHECK(p.end_of(100, 10.5, 1, 100) == 121);  // installed at 100
  CHECK(p.end_of(0, kNever) == kNever);
  CHECK(p.end_of(kNever, 1) == kNever);
  CHECK(p.end_of(0, 10 * (1 + 1e-14)) == 10);  // rounding does not cross the stall

  CHECK(p.next_change(-1) == 10);
  CHECK(p.next_change(10) == 20);
  CHECK(p.next_change(25) == 30);
  CHECK(p.next_change(30) == kNever);

  const Profile dies = Profile::steps({0, 10}, {1, 0});
  CHECK(dies.end_of(0, 10) == 10);
  CHECK(dies.end_of(0, 11) == kNever);
  CHECK(dies.integral(0, kNever) == 10);
}

TEST_CASE("circular and periodic profiles, by hand") {
  const Profile p = Profile::circular({1, 0, 0.5}, 5);  // a cycle of 15 s holds 7.5
  CHECK(p.is_periodic());
  CHECK(p.at(0) == 1);
  CHECK(p.at(5) == 0);
  CHECK(p.at(14.9) == 0.5);
  CHECK(p.at(15) == 1);
  CHECK(p.at(-1) == 0.5);
  CHECK(p.integral(0, 15) == 7.5);
  CHECK(p.integral(3, 48) == 22.5);
  CHECK(p.integral(12, 33) == 1.5 + 7.5 + 3);
  CHECK(p.integral(0, kNever) == kNever);
  CHECK(p.end_of(0, 5) == 5);
  CHECK(p.end_of(0, 7.5) == 15);
  CHECK(p.end_of(0, 12.5) == 20);
  CHECK(p.end_of(0, 13) == 26);
  CHECK(p.end_of(6, 2.5) == 15);
  CHECK(p.end_of(6, 3) == 15.5);
  CHECK(p.end_of(106, 3, 1, 100) == 115.5);
  CHECK(p.next_change(0) == 5);
  CHECK(p.next_change(14) == 15);
  CHECK(p.next_change(15) == 20);

  // A million cycles: exactly on the end of the last value, not past the stall after it.
  CHECK(p.end_of(0, 7.5e6) == 15e6);
  CHECK(p.end_of(0, 7.5e6 + 5) == 15e6 + 5);
  CHECK(p.end_of(0, 7.5e6 + 5.5) == 15e6 + 11);
  CHECK(p.end_of(7, 7.5e6) == 15e6 + 5);  // at the start of the stall that 7 lies in
  CHECK(p.integral(0, 15e6 + 5) == 7.5e6 + 5);
  CHECK(Profile::circular({0, 0}, 5).end_of(0, 1) == kNever);

  // A long stall: one second in a million gives anything.
  const Profile rare = Profile::periodic({0, 1e6 - 1}, {0, 1}, 1e6);
  CHECK(rare.end_of(0, 0.5) == 1e6 - 0.5);
  CHECK(rare.end_of(0, 1) == 1e6);
  CHECK(rare.end_of(0, 1000) == 1e9);
  CHECK(rare.end_of(0, 1000.25) == 1e9 + 1e6 - 0.75);

  // Instants summed from sample periods are on the step.
  std::vector<double> values(10);
  for (std::size_t i = 0; i < 10; ++i) values[i] = static_cast<double>(i);
  const Profile tenths = Profile::circular(values, 0.1);
  double t = 0;
  for (int i = 0; i < 1000; ++i) {
    CHECK(tenths.at(t) == i % 10);
    t += 0.1;
  }
  // The wrap may join equal values.
  CHECK(Profile::circular({1, 0, 1}, 5).next_change(11) == 20);
}

TEST_CASE("profiles are multiplied") {
  const Profile a = Profile::steps({0, 10, 20}, {1, 0.5, 2});
  const Profile b = Profile::steps({0, 15}, {1, 4});
  const Profile ab = a * b;
  for (const double t : {-1.0, 0.0, 9.0, 10.0, 14.0, 15.0, 19.0, 20.0, 100.0})
    CHECK(ab.at(t) == a.at(t) * b.at(t));
  CHECK(ab.integral(0, 20) == 10 + 2.5 + 10);
  CHECK(a * Profile(2) == Profile::steps({0, 10, 20}, {2, 1, 4}));
  CHECK(Profile(0) * a == Profile(0));

  // Steps times the background load of Sim-PETEK: period 40, busy 30, factor 0.5.
  const Profile load = Profile::periodic({0, 30}, {0.5, 1}, 40);
  const Profile steps = Profile::steps({0, 100, 110}, {1, 0.5, 0.25});
  const Profile both = steps * load;
  CHECK(both == load * steps);
  for (double t = 0; t < 700; t += 2.5) CHECK(both.at(t) == steps.at(t) * load.at(t));
  CHECK(both.is_periodic());
  CHECK(both.end_of(110, 10000 * 0.25 * 25) == 110 + 400000);
  CHECK(both.integral(0, 120) == 25 + 25 + 20 * 0.5 + 10 * 0.25 + 10 * 0.25);

  const Profile other = Profile::periodic({0, 10}, {1, 3}, 40);
  const Profile product = load * other;
  for (double t = 0; t < 200; t += 2.5) CHECK(product.at(t) == load.at(t) * other.at(t));
  CHECK(product.times().size() == 3);
  CHECK_THROWS_AS(load * Profile::periodic({0, 1}, {1, 2}, 41), Error);
}

TEST_CASE("bad profiles are refused") {
  const double inf = kNever, nan = std::nan("");
  for (const double bad : {-1.0, inf, nan}) {
    CHECK_THROWS_AS(Profile(bad), Error);
    CHECK_THROWS_AS(Profile::steps({0, 1}, {1, bad}), Error);
    CHECK_THROWS_AS(Profile::circular({1, 2}, bad), Error);
    CHECK_THROWS_AS(Profile::circular({1, bad}, 1), Error);
    CHECK_THROWS_AS(Profile(1).scaled(bad), Error);
  }
  CHECK_THROWS_AS(Profile::steps({}, {}), Error);
  CHECK_THROWS_AS(Profile::steps({0, 1}, {1}), Error);
  CHECK_THROWS_AS(Profile::steps({0, 0}, {1, 2}), Error);
  CHECK_THROWS_AS(Profile::steps({0, nan}, {1, 2}), Error);
  CHECK_THROWS_AS(Profile::periodic({1, 2}, {1, 2}, 3), Error);
  CHECK_THROWS_AS(Profile::periodic({0, 2}, {1, 2}, 2), Error);
  CHECK_THROWS_AS(Profile::circular({}, 1), Error);
  CHECK_THROWS_AS(Profile::circular({1, 2}, 0), Error);
  CHECK_THROWS_WITH(Profile::circular({1, 0.5}, 5e-324),
                    "profile: the sample period is too short: it must be at least 1e-200 s, got 5e-324");
  CHECK_THROWS_WITH(Profile::periodic({0, 5e-324}, {1, 0.5}, 1e-323),
                    Catch::Contains("the period is too short: it must be at least 1e-200 s"));
  CHECK(Profile::circular({1, 0.5}, 1e-200).end_of(0, 5) == Approx(20.0 / 3));
  try {
    Profile::steps({0, 5, 4}, {1, 2, 3});
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK(e.diagnostic().code == "bad_profile");
    CHECK(std::string(e.what()) == "profile: times must increase, but time 3 is 4 after 5");
  }
}

TEST_CASE("random profiles agree with a walk in long double") {
  SplitMix64 rng(20);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t n = 1 + static_cast<std::size_t>(rng.below(8));
    Naive naive;
    double t = 0;
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      naive.times.push_back(t);
      t += rng.uniform(0.1, 10);
      naive.values.push_back(rng.bernoulli(0.3) ? 0.0 : rng.uniform(0.01, 2));
      total += naive.values.back();
    }
    const bool periodic = rng.bernoulli(0.5);
    if (periodic) naive.period = t;
    const Profile p = periodic ? Profile::periodic(naive.times, naive.values, t)
                               : Profile::steps(naive.times, naive.values);
    for (int k = 0; k < 10; ++k) {
      const double a = rng.uniform(0, 3 * t), b = a + rng.uniform(0, 5 * t);
      CHECK(p.at(a) == naive.at(a));
      const double integral = p.integral(a, b);
      CHECK(integral == Approx(static_cast<double>(naive.integral(a, b))).epsilon(1e-12).margin(1e-12));
      if (periodic && total == 0) continue;
      const double factor = rng.uniform(0.1, 4);
      const double amount = rng.exponential(t * 3);
      const double end = p.end_of(a, amount, factor);
      const auto expected = static_cast<double>(naive.end_of(a, amount, factor));
      if (std::isinf(expected)) {
        CHECK(end == kNever);
        continue;
      }
      CHECK(end == Approx(expected).epsilon(1e-12));
      CHECK(p.end_of(a + 1000, amount, factor, 1000) == Approx(1000 + expected).epsilon(1e-12));
      CHECK(factor * p.integral(a, end) == Approx(amount).epsilon(1e-10));
      // The same in two parts, stopped anywhere.
      const double stop = rng.uniform(a, end);
      const double rest = amount - factor * p.integral(a, stop);
      if (rest > 1e-9 * amount) CHECK(p.end_of(stop, rest, factor) == Approx(end).epsilon(1e-9));
    }
  }
}
