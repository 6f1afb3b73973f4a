#include "runtime/cost/scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <type_traits>
#include <utility>

#include "runtime/kernel/constants.h"

namespace perigee::cost {
namespace {

namespace narrow {
constexpr std::size_t kLanes = 2;
using Reals [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = double;
using Mask [[gnu::vector_size(16)]] = std::int64_t;
constexpr Reals kFirst = {0, 1};
#define PERIGEE_SWAP_HALVES(v) __builtin_shufflevector(v, v, 1, 0)
#define PERIGEE_SWAP_PAIRS(v) (v)
#include "runtime/cost/scan_lanes.inc"
#undef PERIGEE_SWAP_HALVES
#undef PERIGEE_SWAP_PAIRS
}  // namespace narrow

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)  // clang has no such pragmas
#define PERIGEE_WIDE_SCANS 1
#pragma GCC push_options
#pragma GCC target("avx2")
namespace wide {
constexpr std::size_t kLanes = 4;
using Reals [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;
using Mask [[gnu::vector_size(32)]] = std::int64_t;
constexpr Reals kFirst = {0, 1, 2, 3};
using Full [[gnu::vector_size(32)]] = double;
#define PERIGEE_BITS(mask) __builtin_ia32_movmskpd256(reinterpret_cast<Full>(mask))  // the sign of each lane
#define PERIGEE_SWAP_HALVES(v) __builtin_shufflevector(v, v, 2, 3, 0, 1)
#define PERIGEE_SWAP_PAIRS(v) __builtin_shufflevector(v, v, 1, 0, 3, 2)
#include "runtime/cost/scan_lanes.inc"
#include "runtime/kernel/constants.h"
#undef PERIGEE_SWAP_HALVES
#undef PERIGEE_SWAP_PAIRS
#undef PERIGEE_BITS
}  // namespace wide
#pragma GCC pop_options
bool is_wide() { return __builtin_cpu_supports("avx2") != 0; }
#endif

}  // namespace

// The widest version of a scan that this processor can run.
#ifdef PERIGEE_WIDE_SCANS
#define PERIGEE_WIDEST(scan) (is_wide() ? wide::scan : narrow::scan)
#else
#define PERIGEE_WIDEST(scan) narrow::scan
#endif

Smallest smallest(std::span<const double> values) {
  return PERIGEE_WIDEST(smallest_value)(values.data(), values.size());
}

Smallest smallest_sum(const double* times, std::span<const double> ready) {
  return PERIGEE_WIDEST(smallest_sum)(times, ready.data(), ready.size());
}

TwoSmallest two_smallest_sums(const double* times, std::span<const double> ready) {
  return PERIGEE_WIDEST(few_smallest<false>)(times, ready.data(), ready.size());
}

ThreeSmallest three_smallest_sums(const double* times, std::span<const double> ready) {
  return PERIGEE_WIDEST(few_smallest<true>)(times, ready.data(), ready.size());
}

TwoGreatest two_latest_within(const double* times, std::span<const double> ready, double limit) {
  return PERIGEE_WIDEST(two_latest_within)(times, ready.data(), ready.size(), limit);
}

void shorten(const double* times, std::span<const double> ready, Shortlist& out) {
  PERIGEE_WIDEST(shorten)(times, ready.data(), ready.size(), out);
}

Greatest latest_best(const TaskBlocks& tasks, std::size_t first) {
  const Smallest found = PERIGEE_WIDEST(latest<false>)(tasks, first);
  return {-found.value, found.at};
}

Greatest largest_sufferage(const TaskBlocks& tasks, std::size_t first) {
  const Smallest found = PERIGEE_WIDEST(latest<true>)(tasks, first);
  return {-found.value, found.at};
}

}  // namespace perigee::cost
