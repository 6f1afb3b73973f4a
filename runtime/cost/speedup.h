// How much faster a job is on several cores than on one.
//
// Sources: Amdahl, Validity of the single processor approach to achieving large scale computing capabilities, AFIPS
// Spring Joint Computer Conference, 1967; Downey, A model for speedup of parallel programs, UC Berkeley CSD-97-933, 1997.
#pragma once

#include "runtime/layers.h"

namespace perigee::cost {

// 1 / (serial + (1 - serial) / n) on n >= 1 cores. `serial`: the share of the time on one core that is not spread, 0 to
// 1.
double amdahl_speedup(double serial, double cores);

// By the average parallelism A >= 1 and the coefficient s >= 0 of the variance of parallelism, on n >= 1 cores; 1 <= S <=
// A:
//   s <= 1:  A n / (A + s (n - 1) / 2)               n <= A
//            A n / (s (A - 1/2) + n (1 - s / 2))     A <= n <= 2 A - 1
//            A                                       beyond
//   s >= 1:  n A (s + 1) / (s (n + A - 1) + A)       n <= A + A s - s
//            A                                       beyond
double downey_speedup(double parallelism, double sigma, double cores);

}  // namespace perigee::cost
