// Step-function profiles: availability of a host, bandwidth of a link, over time.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "runtime/kernel/ids.h"

namespace perigee::kernel {

// A right-continuous, piecewise constant function of time, finite and >= 0. It is a constant, finite steps,
// or a loop, perhaps after a finite head. Finite steps have their first value before the first step too, and
// their last value for ever. A value: copies share one immutable table.
//
// In a loop, an instant at most 1e-9 of the shortest segment before a step counts as the step. So 0.1 + 0.1 +
// 0.1 is where the third step of 0.1 s is.
class Profile {
 public:
  explicit Profile(double constant = 1);

  // values[i] from times[i] on. Times finite, strictly increasing.
  static Profile steps(std::vector<double> times, std::vector<double> values);
  // The steps repeat every `period` >= 1e-200 seconds, at negative times too. times[0] == 0, all < period.
  static Profile periodic(std::vector<double> times, std::vector<double> values, double period);
  // values[k mod n] on [k, k+1) * sample_period, which is >= 1e-200 seconds.
  static Profile circular(std::vector<double> values, double sample_period);
  // All of the above throw Error "bad_profile".

  bool is_constant() const noexcept { return !table_; }
  bool is_periodic() const noexcept;
  double at(Time t) const { return table_ ? table_at(t) : constant_; }

  // Exact but for rounding; negative if b < a. b may be +inf.
  double integral(Time a, Time b) const;

  // Smallest e >= start with factor * integral(start - anchor, e - anchor) == amount; +inf if there is none;
  // `start` if amount <= 0. Factor >= 0. The amount ends in a segment that holds all the rest of it but a
  // share of 1e-12. O(number of segments), however many cycles.
  Time end_of(Time start, double amount, double factor = 1, Time anchor = 0) const {
    if (amount <= 0) return start;
    if (table_) return table_end_of(start, amount, factor, anchor);
    const double rate = constant_ * factor;
    return rate == 1 ? start + amount : start + amount / rate;
  }

  // First t' > t with at(t') different from just before it; +inf if none.
  Time next_change(Time t) const { return table_ ? table_next_change(t) : kNever; }

  // The product of the values. Error "bad_profile" for two loops of unequal periods, or if a loop would have
  // to be unrolled to more than a million segments. If one is a loop and the other has steps, the product at
  // t < 0 is that at the first step.
  friend Profile operator*(const Profile& a, const Profile& b);
  Profile scaled(double factor) const;

  // For display and export. A constant has one value, from time 0. After the last time comes
  // times()[loop_begin()] + period() again; period is +inf without loop.
  std::span<const double> times() const;
  std::span<const double> values() const;
  double period() const noexcept;
  std::size_t loop_begin() const noexcept;
  // Seconds by which an instant before a step of a loop counts as the step; 0 without loop. It may be of steps between
  // equal values, which are no others.
  double slack() const noexcept;
  static constexpr double kStepSlack = 1e-9;  // of the shortest segment

  friend bool operator==(const Profile& a, const Profile& b);

 private:
  struct Table;
  struct Position;
  static Profile make(std::vector<double> times, std::vector<double> values, double period, std::size_t loop,
                      double shortest);
  double table_at(Time t) const;
  Time table_end_of(Time start, double amount, double factor, Time anchor) const;
  Time table_next_change(Time t) const;
  bool loops_from_zero() const;

  double constant_;                     // without table
  std::shared_ptr<const Table> table_;  // never changed once made
};

}  // namespace perigee::kernel
