// Random divisible loads with deadlines, drawn as in published experiments (Mamat, 2011, sections 4.5, 5.4.1
// and 7.3).
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/cost/divisible.h"
#include "runtime/kernel/random.h"

namespace perigee::cost {

// The time of a load on all nodes; no deadline is shorter. It is that of the optimal rule whatever the
// policies use, so that all policies meet the same loads.
enum class DeadlineReference : std::uint8_t {
  effective,  // on as many nodes as make it shorter
  raw,        // by equation 4.6 for all nodes: with set-ups, chunks of negative size
};

struct LoadLaws {
  // > 0: mean and standard deviation of a normal distribution. Sizes are drawn from its part above 0 in which
  // the longest deadline can be met; with deadline_ratio = 2 and no set-ups, this reaches up to 3 mean_size.
  // The mean of the sizes is then 1.2296 mean_size. Without a largest size it would be 1.2876 mean_size.
  double mean_size = 0;       // units
  double deadline_ratio = 0;  // > 2/3: mean relative deadline per reference of a load of mean size
  DeadlineReference reference = DeadlineReference::effective;
  double reserved = 0;  // 0 to 1: share of loads that become reservations
  double least_factor = 1,
         largest_factor = 1;  // > 0: true cost per estimated one, of transmission and computation
};

struct RandomLoad {
  Time arrival = 0;
  double size = 0;     // units
  Seconds within = 0;  // relative deadline
  bool reserved = false;
  double transmission_factor = 1, computation_factor = 1;  // true cost per estimated one
};

// Poisson arrivals from 0 on and normal sizes. Deadlines are uniform from half to three halves of their mean,
// and no shorter than the reference. Arrivals, sizes, deadlines, reservations and factors each have a stream
// of their own, so that a change of one law changes nothing else.
class RandomLoads {
 public:
  // Draws loads for so many nodes. Error "bad_workload" for values in `laws` that are infinite or out of
  // their range.
  RandomLoads(const UnitCosts& costs, std::size_t nodes, const LoadLaws& laws, const Stream& stream);

  // The mean interval of arrivals if the offered load is `load` > 0 of what all nodes compute, with each load
  // on one node. It is time(mean_size, 1) / (load nodes), by equations 4.11 and 4.12.
  Seconds mean_interval(double load) const;
  // The next load. It follows the last one after `mean_interval` > 0 on average.
  RandomLoad next(Seconds mean_interval);

 private:
  Seconds reference(double size) const;
  DivisibleCosts costs_;
  std::size_t nodes_;
  LoadLaws laws_;
  Seconds longest_;  // relative deadline
  Time last_ = 0;
  Stream arrivals_, sizes_, deadlines_, reservations_, factors_;
};

}  // namespace perigee::cost
