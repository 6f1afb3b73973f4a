// Divisible loads turned into reservations, to compare both under the same workload (Mamat, 2011, section
// 5.4, Algorithm 5).
#pragma once

#include <cstddef>

#include "runtime/cost/divisible.h"

namespace perigee::cost {

// Whole nodes during [from, to), and the channel during the first io_ratio of that time.
struct Reserved {
  Time asked = 0;  // when the request arrives
  Time from = 0, to = 0;
  std::size_t nodes = 0;
  double io_ratio = 0;  // from 0 to 1
};

// The fewest nodes, of a cluster of so many, on which the load is done within its deadline. They are reserved
// from its arrival to the end that it would have on them. The request comes `advance` >= 0 earlier, but at 0
// at the earliest. Units as in DivisibleCosts; `within` > 0 is the relative deadline. Errors:
// "not_convertible" if the load's transmission alone, or its time on all nodes, exceeds the deadline;
// "bad_costs" for set-ups.
Reserved reservation_of(const UnitCosts& costs, std::size_t nodes, double load, Time arrival, Seconds within,
                        Seconds advance);

}  // namespace perigee::cost
