// Scans over rows of a matrix and over arrays of keys: the inner loops of the mappers. They use the widest
// registers available. They only compare and add once, which gives the same bits at every width. No NaN.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "runtime/layers.h"

namespace perigee::cost {

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

struct ThreeSmallest : TwoSmallest {
  double third;  // of all but those at `at` and `next`; +inf when there is none

  // Takes in another value, at an index above all earlier ones.
  void meet(double value, std::uint32_t index) {
    if (value < best) {
      third = second;
      second = best, next = at;
      best = value, at = index;
    } else if (value < second) {
      third = second;
      second = value, next = index;
    } else if (value < third) {
      third = value;
    }
  }
};

Smallest smallest(std::span<const double> values);

// The smallest of times[i] + ready[i], for each i of `ready`.
Smallest smallest_sum(const double* times, std::span<const double> ready);
TwoSmallest two_smallest_sums(const double* times, std::span<const double> ready);
ThreeSmallest three_smallest_sums(const double* times, std::span<const double> ready);

// The two greatest ready[i] of the i with times[i] + ready[i] <= limit, which is finite; ties: the
// highest i first. -inf where there are fewer.
struct TwoGreatest {
  double first, second;
  std::uint32_t at, next;

  void meet(double value, std::uint32_t index) {
    if (value > first || (value == first && index > at)) {
      second = first, next = at;
      first = value, at = index;
    } else if (value > second || (value == second && index > next)) {
      second = value, next = index;
    }
  }
};
TwoGreatest two_latest_within(const double* times, std::span<const double> ready, double limit);

// Machines that end a task first, and its times there.
struct Shortlist {
  static constexpr std::size_t kMost = 16;
  double rest = -std::numeric_limits<double>::infinity();  // on all others the task ends then or later
  std::uint32_t size = 0;
  std::array<std::uint32_t, kMost> machine;  // by end, then by index
  std::array<double, kMost> time;
};
// Overwrites `out` by the machines of the smallest times[i] + ready[i]: kMost of them, or all that are
// finite.
void shorten(const double* times, std::span<const double> ready, Shortlist& out);

// The tasks of a mapping in blocks of kBlock, and as columns the machines on which they may run.
inline constexpr std::size_t kBlock = 16;

struct TimedColumn {
  const double* times;       // per task
  const double *low, *high;  // per block: at most and at least the times of its tasks
  double ready;              // s
};

// A task ends at the earliest of rest_best and, on each of the columns, time + ready. The second earliest
// uses rest_second in the same way.
struct TaskBlocks {
  std::span<const TimedColumn> columns;
  std::size_t blocks;
  const double *rest_best, *rest_second;  // per task; a task whose rest_best is NaN is passed over
  const double* position;                 // per task
  const double* rest_low;                 // per block: at most rest_best of its tasks
  const std::uint32_t* waiting;           // per block: tasks not passed over
  double *bound, *limit;                  // per block: room to work in
  Smallest* known;                        // per block: what was found in it
  std::uint8_t* is_known;                 // per block: whether that still holds
  TimedColumn* scratch;                   // room for the columns
};

struct Greatest {
  double value;      // -inf when there is none
  std::uint32_t at;  // the lowest position that attains it
};

// latest_best: the latest of the tasks' best ends. largest_sufferage: the most that a task loses on its
// second machine; tasks whose best end is +inf are passed over. Block `first` is looked at first: the larger
// its key, the fewer others need a look. `blocks` is a multiple of 4, and not 0.
Greatest latest_best(const TaskBlocks& tasks, std::size_t first);
Greatest largest_sufferage(const TaskBlocks& tasks, std::size_t first);

}  // namespace perigee::cost
