// When two numbers of a task graph's schedule count as equal, and how a choice is made among such.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "runtime/kernel/index_set.h"

namespace perigee::cost {

inline constexpr double kAlike = 1e-9;  // relative, and absolute below 1

inline bool alike(double a, double b) {
  if (a == b) return true;  // also of two infinities
  return std::abs(a - b) <= kAlike * std::max({1.0, std::abs(a), std::abs(b)}) && std::isfinite(a) &&
         std::isfinite(b);
}
inline bool is_less(double a, double b) { return a < b && !alike(a, b); }

// All values above it are more than `value`, and not alike.
inline double limit_of_alike(double value) { return value + 2 * kAlike * std::max(1.0, std::abs(value)); }

inline constexpr std::size_t kNoChoice = std::numeric_limits<std::size_t>::max();

// The first of 0 .. count - 1 whose value is alike to the least; kNoChoice if no value is less than +inf.
template <std::invocable<std::size_t> Value>
std::size_t first_least(std::size_t count, Value&& value) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count; ++i) least = std::min(least, static_cast<double>(value(i)));
  if (!(least < std::numeric_limits<double>::infinity())) return kNoChoice;
  for (std::size_t i = 0; i < count; ++i)
    if (alike(value(i), least)) return i;
  return kNoChoice;
}
inline std::size_t first_least(std::span<const double> values) {
  return first_least(values.size(), [values](std::size_t i) { return values[i]; });
}

// Per value, the number of different ones below it. Values alike to the least of their group are one.
std::vector<std::uint32_t> ranks_of(std::span<const double> values);

// Some of a number of tasks. The one of greatest priority is found among them; of those that are alike to it, the
// lowest. Priorities do not change; +inf and -inf are allowed.
class PriorityTasks {
 public:
  explicit PriorityTasks(std::span<const double> priority);

  bool empty() const { return places_.empty(); }
  void insert(std::uint32_t task) { places_.insert(place_[task]); }
  void erase(std::uint32_t task) { places_.erase(place_[task]); }
  std::uint32_t first() const;  // of one at least

 private:
  std::vector<std::uint32_t> task_;       // by priority, the greatest first, then by number
  std::vector<std::uint32_t> place_;      // in task_
  std::vector<std::uint32_t> group_end_;  // per place: that of the next lower priority
  std::vector<double> priority_;          // per place
  IndexSet places_;
};

}  // namespace perigee::cost
