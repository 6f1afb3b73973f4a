// The rate at which a host computes or a link sends.
#pragma once

#include <algorithm>
#include <cmath>

#include "runtime/kernel/ids.h"
#include "runtime/kernel/profile.h"

namespace perigee::engine {

// A profile in force since some time, from which its own time counts, and a factor on its values.
struct Rate {
  Profile profile{1.0};
  Time since = 0;
  double factor = 1;  // >= 0

  double at(Time t) const { return profile.at(t - since) * factor; }
  Time next_change(Time after) const { return profile.next_change(after - since) + since; }
  double integral(Time from, Time to) const { return integral(from, to, factor); }
  // The time at which `amount` is done that begins at `from`; kNever = it is never done.
  Time end_of(Time from, double amount) const { return end_of(from, amount, factor); }

  // The same with another factor.
  double integral(Time from, Time to, double part) const {
    return profile.integral(from - since, to - since) * part;
  }
  Time end_of(Time from, double amount, double part) const {
    return profile.end_of(from, amount, part, since);
  }
};

// The end of what moves at the least of several rates cannot be found in reasonable time.
struct TooManySteps {
  int steps = 0;
  Time at = 0;  // the point that was reached
};

// The least of several rates at some time, constant until `until`. Where one of them is 0, `until` may lie behind
// changes of the others.
struct LeastRate {
  double rate = kNever;  // kNever: there are no rates
  Time until = kNever;

  // of(each) is a Rate, null where it does not count, and its value at `now`.
  template <class Rates, class Of>
  static LeastRate at(Time now, const Rates& rates, Of of) {
    LeastRate least;
    Time closed = now;
    for (const auto& each : rates) {
      const auto [rate, here] = of(each);
      if (rate == nullptr) continue;
      const Time change = rate->next_change(now);
      least.rate = std::min(least.rate, here);
      if (here == 0) closed = std::max(closed, change);
      least.until = std::min(least.until, change);
    }
    if (least.rate == 0) least.until = closed;
    if (least.until <= now) least.until = std::nextafter(now, kNever);  // a step lost to rounding
    return least;
  }
};

// The time at which `amount` is done that begins at `from`, where at(time) is the LeastRate then. An amount ends in
// a segment that holds all the rest of it but a share of 1e-12. Throws TooManySteps.
template <class At>
Time end_at_least_rate(Time from, double amount, At at) {
  constexpr int kMostSteps = 10'000'000;
  if (amount <= 0) return from;
  double left = amount;
  Time now = from;
  for (int steps = 0; steps < kMostSteps; ++steps) {
    const auto [rate, until] = at(now);
    if (rate == kNever) return now;
    if (rate * (until - now) >= left * (1 - 1e-12)) return rate > 0 ? now + left / rate : kNever;
    if (until == kNever) return kNever;
    left -= rate * (until - now);
    now = until;
  }
  throw TooManySteps{kMostSteps, now};
}

// The amount that is done between two times; `all` where there are no rates.
template <class At>
double done_at_least_rate(Time from, Time to, double all, At at) {
  double done = 0;
  for (Time now = from; now < to;) {
    const auto [rate, until] = at(now);
    if (rate == kNever) return all;
    const Time stop = std::min(until, to);
    done += rate * (stop - now);
    now = stop;
  }
  return done;
}

}  // namespace perigee::engine
