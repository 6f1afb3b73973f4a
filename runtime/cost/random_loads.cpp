// Source: Mamat, 2011, sections 4.5, 5.4.1 and 7.3, see the header.
#include "runtime/cost/random_loads.h"

#include <algorithm>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"

namespace perigee::cost {

RandomLoads::RandomLoads(const UnitCosts& costs, std::size_t nodes, const LoadLaws& laws,
                         const Stream& stream)
    : costs_(costs, Partition::optimal),
      nodes_(nodes),
      laws_(laws),
      arrivals_(stream.sub(0)),
      sizes_(stream.sub(1)),
      deadlines_(stream.sub(2)),
      reservations_(stream.sub(3)),
      factors_(stream.sub(4)) {
  const auto check = [](bool holds, std::string_view name, std::string_view range, double value) {
    if (!holds || value == kNever)
      fail("bad_workload", "the {} must be {}, got {}", name, range, format_number(value));
  };
  check(nodes >= 1, "number of nodes", "1 or more", static_cast<double>(nodes));
  check(laws.mean_size > 0, "mean size", "> 0", laws.mean_size);
  check(laws.deadline_ratio > 2.0 / 3, "deadline ratio", "> 2/3, or no deadline exceeds the time of a load",
        laws.deadline_ratio);
  check(laws.reserved >= 0 && laws.reserved <= 1, "reserved share", "0 to 1", laws.reserved);
  check(laws.least_factor > 0, "least cost factor", "> 0", laws.least_factor);
  check(laws.largest_factor >= laws.least_factor, "largest cost factor", "no less than the least one",
        laws.largest_factor);
  longest_ = 1.5 * laws.deadline_ratio * reference(laws.mean_size);
}

Seconds RandomLoads::reference(double size) const {
  const bool effective = laws_.reference == DeadlineReference::effective;
  return costs_.time(size, effective ? std::min(nodes_, costs_.useful_nodes(size)) : nodes_);
}

Seconds RandomLoads::mean_interval(double load) const {
  if (!(load > 0) || load == kNever)
    fail("bad_workload", "the load must be > 0, got {}", format_number(load));
  return costs_.time(laws_.mean_size, 1) / (load * static_cast<double>(nodes_));
}

RandomLoad RandomLoads::next(Seconds mean_interval) {
  RandomLoad load;
  load.arrival = last_ += arrivals_.exponential(mean_interval);
  Seconds least = 0;
  do {
    load.size = sizes_.normal(laws_.mean_size, laws_.mean_size);
  } while (load.size <= 0 || (least = reference(load.size)) >= longest_);
  least = std::max(least, longest_ / 3);
  load.within = least + (longest_ - least) * deadlines_.uniform();
  load.reserved = reservations_.uniform() < laws_.reserved;
  load.transmission_factor = factors_.uniform(laws_.least_factor, laws_.largest_factor);
  load.computation_factor = factors_.uniform(laws_.least_factor, laws_.largest_factor);
  return load;
}

}  // namespace perigee::cost
