#include "runtime/cost/scan.h"

#include <limits>

namespace perigee {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

#if defined(__x86_64__) && defined(__GNUC__)
#define PERIGEE_WIDE_SCANS 1
#pragma GCC push_options
#pragma GCC target("avx2")
namespace wide {
constexpr std::size_t kLanes = 4;
using Reals [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;
using Mask [[gnu::vector_size(32)]] = std::int64_t;
constexpr Reals kFirst = {0, 1, 2, 3};
#define PERIGEE_SWAP_HALVES(v) __builtin_shufflevector(v, v, 2, 3, 0, 1)
#define PERIGEE_SWAP_PAIRS(v) __builtin_shufflevector(v, v, 1, 0, 3, 2)
#include "runtime/cost/scan_lanes.inc"
#undef PERIGEE_SWAP_HALVES
#undef PERIGEE_SWAP_PAIRS
}  // namespace wide
#pragma GCC pop_options
bool is_wide() { return __builtin_cpu_supports("avx2") != 0; }
#endif

}  // namespace

// Calls the widest version of a scan that this processor runs.
#ifdef PERIGEE_WIDE_SCANS
#define PERIGEE_SCAN(scan, n, Source, ...) \
  (is_wide() ? wide::scan(wide::Source{__VA_ARGS__}, n) : narrow::scan(narrow::Source{__VA_ARGS__}, n))
#else
#define PERIGEE_SCAN(scan, n, Source, ...) narrow::scan(narrow::Source{__VA_ARGS__}, n)
#endif

Smallest smallest(std::span<const double> values) {
  return PERIGEE_SCAN(smallest, values.size(), Values, values.data());
}

Smallest smallest_sum(const double* times, std::span<const double> ready) {
  return PERIGEE_SCAN(smallest, ready.size(), Sums, times, ready.data());
}

TwoSmallest two_smallest_sums(const double* times, std::span<const double> ready) {
  return PERIGEE_SCAN(two_smallest, ready.size(), Sums, times, ready.data());
}

Smallest latest_best(std::span<const TimedColumn> columns, std::span<const double> best) {
  return PERIGEE_SCAN(latest<false>, best.size(), Columns, columns, best.data(), nullptr);
}

Smallest largest_sufferage(std::span<const TimedColumn> columns, std::span<const double> best,
                           std::span<const double> second) {
  return PERIGEE_SCAN(latest<true>, best.size(), Columns, columns, best.data(), second.data());
}

}  // namespace perigee
