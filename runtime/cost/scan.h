// Scans over rows of a matrix and over arrays of keys: the inner loops of the mappers. They use the
// widest registers at hand; comparing and one addition give the same bits at every width. No NaN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace perigee {

struct Smallest {
  double value;      // +inf when there is none
  std::uint32_t at;  // the lowest index that attains it; 0 when all are +inf
};

struct TwoSmallest {
  double best;
  double second;       // equal to `best` when two values tie
  std::uint32_t at;    // the lowest index that attains `best`
  std::uint32_t next;  // another index, which attains `second`; anything when that is +inf
};

Smallest smallest(std::span<const double> values);

// Of times[i] + ready[i], for each i of `ready`.
Smallest smallest_sum(const double* times, std::span<const double> ready);
TwoSmallest two_smallest_sums(const double* times, std::span<const double> ready);

}  // namespace perigee
