#pragma once

#include <algorithm>

#include "runtime/layers.h"

namespace perigee::cost {

// The time that a scheduler takes for a group of G tasks on M machines. It is a4 G^2 M + a3 G M + a2 G + a1 M
// + a0 seconds, 0 if that is negative. Source: Breitinger, Optimal Size of Job Pool for Initiating a
// Scheduling Event, 1999, equation 5. The default coefficients are those of Table 4, which has milliseconds.
struct SchedulingTime {
  double a4 = 53.0 / 180e6, a3 = -187.0 / 18e6, a2 = 37.0 / 45e3, a1 = 49.0 / 180e3, a0 = -0.025;

  double operator()(double tasks, double machines) const {
    return std::max(0.0,
                    a4 * tasks * tasks * machines + a3 * tasks * machines + a2 * tasks + a1 * machines + a0);
  }
};

}  // namespace perigee::cost
