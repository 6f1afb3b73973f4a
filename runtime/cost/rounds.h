// How many runs of a sweep a round has when rounds first grow and then shrink along a sine (Sim-PETEK, 2010,
// section 3.3.2, Figure 3.10).
#pragma once

namespace perigee {

// quota(r) = runs / m * sin(r pi / 2 peak) for r < peak, then runs / m * sin((r + k - peak) pi / 2k), which
// is positive for k + peak - 1 rounds; those behind have as many runs as the last of them. round >= 1, runs
// and m > 0, 1 <= peak <= k.
double sine_quota(double runs, double peak, double k, double m, double round);

// The largest m with which the quotas, not rounded, add up to all runs.
double full_cover(double peak, double k);

}  // namespace perigee
