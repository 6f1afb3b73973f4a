// The rate at which a host computes or a link sends.
#pragma once

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

}  // namespace perigee::engine
