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

// One machine: the times of tasks 0, 1, ... on it, and when it is ready.
struct TimedColumn {
  const double* times;
  double ready;
};

inline constexpr std::size_t kTasksTogether = 16;

// Task i ends at best[i] or, on one of the machines, at times[i] + ready, whichever is earliest; `second` is
// the same for the second earliest. The first task whose best end is latest, or that loses most by its
// second; `value` is the negative of that. Their number is a multiple of kTasksTogether; those whose best[i]
// is NaN are passed over, and in largest_sufferage those whose best end is +inf. +inf: there is none.
Smallest latest_best(std::span<const TimedColumn> columns, std::span<const double> best);
Smallest largest_sufferage(std::span<const TimedColumn> columns, std::span<const double> best,
                           std::span<const double> second);

}  // namespace perigee
