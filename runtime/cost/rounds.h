// The cutting of sweeps into rounds and packages (Sim-PETEK, 2010, sections 3.1, 3.3.1 and 3.3.2, equation
// 3.1, Figure 3.10).
#pragma once

#include <span>

#include "runtime/layers.h"

namespace perigee::cost {

// quota(r) = runs / m * sin(r pi / 2 peak) for r < peak, then runs / m * sin((r + k - peak) pi / 2k). It is
// positive for k + peak - 1 rounds; later rounds have as many runs as the last of them. round >= 1, runs and
// m > 0, 1 <= peak <= k.
double sine_quota(double runs, double peak, double k, double m, double round);

// The largest m for which the quotas, not rounded, add up to all runs.
double full_cover(double peak, double k);

// A share of x runs as whole runs. It is rounded up and at least 1; 0 stays 0 (Table 3.4: 4.4 becomes 5).
double whole_share(double x);
// The same, but shares above `unit` are rounded down to whole units: with the unit 8, 19 become 16; 4.4
// become 5.
double unit_share(double x, double unit);
// The smallest number of runs, of so many trials each, that fills the slots of a host and leaves none idle.
double filling_unit(double slots, double trials);
// The published rule: trials come in tens, and 8 runs always fill 8 slots.
double published_unit(double slots);

// ENPR <- (1 - alpha) ENPR + alpha NPP / sum of all NPP (equation 3.1). An NPP of 0 = the host has none.
// While no host has one, nothing changes.
void blend_enpr(std::span<double> enpr, std::span<const double> npp, double alpha);

}  // namespace perigee::cost
