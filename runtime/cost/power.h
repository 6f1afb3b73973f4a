// The power of a host, and when it is worth being switched off.
#pragma once

#include "runtime/model/power.h"

namespace perigee::cost {

// W of a host that is on, of which so many cores are busy; each counts by the `load` of its job. It is `idle` where none
// is, else epsilon + (busy - epsilon) load / cores: SimGrid 3.32, plug-in host_energy.
inline double power_of(const SpeedState& state, double load, std::int32_t cores) {
  return load > 0 ? state.epsilon + (state.busy - state.epsilon) * (load / cores) : state.idle;
}

// The idle time from which on being off takes less energy, boot and shutdown included (Orgerie, Lefevre, Gelas,
// ICPADS 2008): max((E_down + E_up - off (t_down + t_up)) / (idle - off), t_down + t_up), in the first state of speed.
// Infinite where an idle host draws no more than one that is off.
Seconds break_even(const PowerModel& power);

}  // namespace perigee::cost
