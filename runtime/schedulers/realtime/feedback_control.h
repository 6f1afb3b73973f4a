// Measurement and control when the costs of loads are not known. It measures the ratio of admitted loads that
// miss their deadlines. It controls the bound of utilization up to which loads are admitted.
//
// Source: Mamat, 2011, Chapter 7 (Algorithm 12 and section 7.2.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "runtime/kernel/ids.h"

namespace perigee::realtime {

// A PI controller in velocity form. From period to period the bound changes by
//   proportional (err(k) - err(k - 1)) + integral err(k),
//   err(k) = target - miss ratio of period k, err(0) = 0,
// and is kept within [least, most]. There is no sum of errors that could grow while the bound is at its
// limit.
class BoundController {
 public:
  struct Settings {
    double target = 0.05;                       // of the miss ratio
    double proportional = 0.2, integral = 0.6;  // gains
    double least = 0.1, most = 2;               // of the bound
  };

  BoundController(const Settings& settings, double bound) : settings_(settings), bound_(bound) {}

  double bound() const { return bound_; }
  // To be called at the end of a period. Without a miss ratio, as no load was done or late, nothing changes.
  void update(std::optional<double> miss_ratio);

 private:
  Settings settings_;
  double bound_;
  double error_ = 0;  // err(k - 1)
};

// Counts each admitted load once: when it is complete in time, or at its deadline.
class MissMonitor {
 public:
  struct Counts {
    std::size_t misses = 0, resolved = 0;
    std::optional<double> ratio() const;  // none of none
  };

  explicit MissMonitor(double tolerance) : tolerance_(tolerance) {}

  void admitted(std::uint32_t id, Time deadline) { open_.emplace(deadline, id); }
  void complete(std::uint32_t id, Time deadline, Time at);
  void given_up(std::uint32_t id, Time deadline);
  // The counts of the period that ends now. The next one begins.
  Counts sample(Time now);

 private:
  double tolerance_;
  std::set<std::pair<Time, std::uint32_t>> open_;  // by deadline
  Counts counts_;
};

// A waiting load, or the rest of it.
struct LoadOnAll {
  Time deadline = 0;
  Seconds time = 0;  // estimated, on all nodes together
};
// True if each of the loads, one after another from `start`, takes at most `bound` of the time that then
// remains until its deadline (Algorithm 12).
bool within_bound(std::span<const LoadOnAll> loads, Time start, double bound, double tolerance);

}  // namespace perigee::realtime
