// Statistics gathered during a run, without keeping the values.
#pragma once

#include <cstddef>
#include <limits>

#include "runtime/layers.h"

namespace perigee::statistics {

// A variable with one value per event, such as a waiting time. Mean and standard deviation use Welford's
// recurrence (Technometrics 4(3), 1962), which avoids cancellation.
class Observations {
 public:
  // Error "bad_parameter" unless the value is finite.
  void add(double value);
  // Forgets all values, at the end of the warm-up.
  void reset() { *this = {}; }

  std::size_t count() const { return count_; }
  // NaN while there are no values.
  double mean() const;
  double sd() const;  // divided by n - 1; of one value 0
  double min() const;
  double max() const;
  double last() const;

 private:
  std::size_t count_ = 0;
  double mean_ = 0, squares_ = 0, min_ = 0, max_ = 0, last_ = 0;
};

// Sum and extremes of values. NaN means that there is no value, and is skipped.
struct Totals {
  std::size_t count = 0;
  double sum = 0;
  double least = std::numeric_limits<double>::quiet_NaN(), most = least;  // NaN while there are none

  void add(double x);
  double mean() const { return count > 0 ? sum / static_cast<double>(count) : least; }
};

// A step function of time, such as the length of a queue. Mean and standard deviation are taken over time (no
// n - 1); a state of zero duration counts for min and max only. Weighted recurrence of West (CACM 22(9),
// 1979).
class TimeWeighted {
 public:
  // Error "bad_parameter" unless both are finite.
  explicit TimeWeighted(double value = 0, double start = 0);

  // The value is `value` from `time` on. Error "bad_parameter" when time is before now() or not finite.
  void set(double time, double value);
  // The value stays the same until `time`.
  void advance(double time);
  // The end of the warm-up: the value stays, and all statistics begin anew at `time`.
  void reset(double time);

  double now() const { return now_; }
  double period() const { return now_ - start_; }
  double value() const { return value_; }
  // Over the time from the start or the last reset until now(); NaN while that time is 0.
  double mean() const;
  double sd() const;
  double min() const { return min_; }
  double max() const { return max_; }

 private:
  double start_, now_, value_, min_, max_;
  double mean_ = 0, squares_ = 0;  // squares_: the integral of the squared deviation from mean_
};

// Little's law, number = rate * time in system, as a check of measured values.
struct LittlesLaw {
  double rate, time, number;  // arrivals per unit of time; mean time in system; mean number in system
  // (rate * time - number) / number; 0 when both are 0, infinite when only the number is.
  double relative_difference() const;
};
// Error "bad_parameter" unless all are finite and >= 0.
LittlesLaw littles_law(double rate, double time, double number);

}  // namespace perigee::statistics
