// The times when a resource that serves one thing at a time is free: a column of a Gantt chart. A value.
//
// Source: Berman et al., LIP RR 1999-46, section 5.5. Each thing goes into the earliest free interval that
// holds it, and moves nothing that is there.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "runtime/kernel/ids.h"

namespace perigee::cost {

struct Slot {
  Time start, end;
};

// Times are equal if they differ by less than this times max(1, |time|).
inline constexpr double kChartTolerance = 1e-9;
inline Seconds chart_slack(Time t) { return kChartTolerance * std::max(1.0, std::abs(t)); }

class Timeline {
 public:
  // Free from `from` on. Free intervals shorter than `shortest` are forgotten: nothing will fit into them.
  explicit Timeline(Time from = 0, Seconds shortest = 0) : shortest_(shortest), free_{{from, kNever}} {
    measure(0);
  }

  // The earliest slot of `duration` that starts at `ready` or later; {inf, inf}: there is none.
  Slot earliest(Time ready, Seconds duration) const {
    if (!(ready < kNever) || !(duration < kNever)) return {kNever, kNever};
    if (!free_.empty() && free_.back().end == kNever && free_.back().start <= ready)
      return {ready, ready + duration};
    if (free_.size() == 1 && free_[0].end == kNever) return {free_[0].start, free_[0].start + duration};
    return earliest_gap(ready, duration);
  }
  // The same for a thing that ends at end_of(start), which must not fall as start grows.
  template <class EndOf>
  Slot earliest_by(Time ready, EndOf&& end_of) const {
    if (!(ready < kNever)) return {kNever, kNever};
    for (std::size_t i = first_after(ready); i < free_.size(); ++i) {
      const Time start = std::max(ready, free_[i].start), end = end_of(start);
      if (!(end < kNever)) break;
      if (fits(free_[i], end)) return {start, end};
    }
    return {kNever, kNever};
  }

  // Takes a slot that was found here; its end may be +inf.
  void take(Slot slot);

  // The longest time from `from` on, or later, for which it is free before `until`.
  Seconds room(Time from, Time until) const;

  // The end of the first free interval that ends after `t`; -inf: there is none.
  Time free_until(Time t) const {
    const std::size_t i = first_after(t);
    return i < free_.size() ? free_[i].end : -kNever;
  }

  std::span<const Slot> free() const { return free_; }

 private:
  Slot earliest_gap(Time ready, Seconds duration) const {
    std::size_t i = first_after(ready);
    if (i < free_.size() && free_[i].start < ready) {
      if (fits(free_[i], ready + duration)) return {ready, ready + duration};
      ++i;
    }
    if (i == 0 && !free_.empty()) i = first_of_length(duration);
    for (; i < free_.size(); ++i) {
      const Time end = free_[i].start + duration;
      if (fits(free_[i], end)) return {free_[i].start, end};
    }
    return {kNever, kNever};
  }
  static bool fits(const Slot& interval, Time end) {
    return end <= interval.end || end - interval.end <= chart_slack(end);
  }
  // The first interval that ends after `ready`.
  std::size_t first_after(Time ready) const {
    if (!free_.empty() && free_.front().end > ready) return 0;
    return static_cast<std::size_t>(std::ranges::upper_bound(free_, ready, {}, &Slot::end) - free_.begin());
  }
  // The first interval that may be long enough: none before it is.
  std::size_t first_of_length(Seconds duration) const {
    return static_cast<std::size_t>(
        std::ranges::lower_bound(longest_, duration - chart_slack(free_.back().start + duration)) -
        longest_.begin());
  }
  void measure(std::size_t from);

  Seconds shortest_;
  std::vector<Slot> free_;        // ascending
  std::vector<Seconds> longest_;  // of the intervals up to each
};

}  // namespace perigee::cost
