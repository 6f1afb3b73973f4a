#include "runtime/cost/power.h"

#include <algorithm>

namespace perigee::cost {

Seconds break_even(const PowerModel& power) {
  const double idle = power.states.front().idle;
  const Seconds away = power.boot.time + power.shutdown.time;
  if (!(idle > power.off)) return kNever;
  const double more = power.boot.energy() + power.shutdown.energy() - power.off * away;
  return std::max(more / (idle - power.off), away);
}

}  // namespace perigee::cost
