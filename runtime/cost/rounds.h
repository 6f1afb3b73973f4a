// How sweeps are cut into rounds and packages (Sim-PETEK, 2010, sections 3.1, 3.3.1 and 3.3.2, equation 3.1,
// Figure 3.10).
#pragma once

#include <span>

#include "runtime/layers.h"

namespace perigee::cost {

// quota(r) = runs / m * sin(r pi / 2 peak) for r < peak, then runs / m * sin((r + k - peak) pi / 2k), which
// is positive for k + peak - 1 rounds; those behind have as many runs as the last of them. round >= 1, runs
// and m > 0, 1 <= peak <= k.
double sine_quota(double runs, double peak, double k, double m, double round);

// The largest m with which the quotas, not rounded, add up to all runs.
double full_cover(double peak, double k);

// A share of x runs as whole runs: rounded up, at least 1; 0 for none (Table 3.4: 4.4 becomes 5).
double whole_share(double x);
// The same, but shares above a unit down to whole units: 19 with the unit 8 are 16, 4.4 are 5.
double unit_share(double x, double unit);
// As few runs as fill the slots of a host without one left idle, when each run has so many trials.
double filling_unit(double slots, double trials);
// The rule as published: trials come in tens, and 8 slots are always filled by 8.
double published_unit(double slots);

// ENPR <- (1 - alpha) ENPR + alpha NPP / sum of all NPP (equation 3.1). Nothing happens while no host has an
// NPP, which is 0 then.
void blend_enpr(std::span<double> enpr, std::span<const double> npp, double alpha);

}  // namespace perigee::cost
