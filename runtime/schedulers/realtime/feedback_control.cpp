// Source: Mamat, 2011, Chapter 7, see the header.
#include "runtime/schedulers/realtime/feedback_control.h"

#include <algorithm>
#include <utility>

#include "runtime/cost/divisible.h"

namespace perigee::realtime {

void BoundController::update(std::optional<double> miss_ratio) {
  if (!miss_ratio) return;
  const double error = settings_.target - *miss_ratio;
  bound_ = std::clamp(bound_ + settings_.proportional * (error - error_) + settings_.integral * error,
                      settings_.least, settings_.most);
  error_ = error;
}

std::optional<double> MissMonitor::Counts::ratio() const {
  if (resolved == 0) return {};
  return static_cast<double>(misses) / static_cast<double>(resolved);
}

void MissMonitor::complete(std::uint32_t id, Time deadline, Time at) {
  if (open_.erase({deadline, id}) == 0) return;  // counted at its deadline
  ++counts_.resolved;
  if (!at_most(at, deadline, tolerance_)) ++counts_.misses;
}

void MissMonitor::given_up(std::uint32_t id, Time deadline) {
  const std::size_t counted = open_.erase({deadline, id});
  counts_.resolved += counted;
  counts_.misses += counted;
}

MissMonitor::Counts MissMonitor::sample(Time now) {
  while (!open_.empty() && !at_most(now, open_.begin()->first, tolerance_)) {
    open_.erase(open_.begin());
    ++counts_.resolved;
    ++counts_.misses;
  }
  return std::exchange(counts_, {});
}

bool within_bound(std::span<const LoadOnAll> loads, Time start, double bound, double tolerance) {
  for (const LoadOnAll& load : loads) {
    const Seconds room = load.deadline - start;
    if (!(room > 0) || !at_most(load.time / room, bound, tolerance)) return false;
    start += load.time;
  }
  return true;
}

}  // namespace perigee::realtime
