#include "runtime/cost/rounds.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "runtime/kernel/math.h"

namespace perigee::cost {
namespace {

constexpr double kEps = 1e-9;  // of a share of runs

}  // namespace

double sine_quota(double runs, double peak, double k, double m, double round) {
  const double r = std::min(round, k + peak - 1);
  const double angle = r < peak ? r / peak : (r + k - peak) / k;
  return runs / m * math::sin(angle * math::kPi / 2);
}

// The quotas behind the peak, sin(i pi / 2k) for i = k .. 2k-1, are summed in closed form.
double full_cover(double peak, double k) {
  double sum = (1 + 1 / math::tan(math::kPi / (4 * k))) / 2;
  for (double r = 1; r < peak; ++r) sum += math::sin(r / peak * math::kPi / 2);
  return sum;
}

double whole_share(double x) { return x <= 0 ? 0 : std::max(1.0, std::ceil(x - kEps)); }

double unit_share(double x, double unit) {
  return x > unit + kEps ? std::floor(x / unit + kEps) * unit : whole_share(x);
}

double filling_unit(double slots, double trials) {
  return slots /
         static_cast<double>(std::gcd(static_cast<std::int64_t>(slots), static_cast<std::int64_t>(trials)));
}

double published_unit(double slots) { return slots == 8 ? 8 : filling_unit(slots, 10); }

void blend_enpr(std::span<double> enpr, std::span<const double> npp, double alpha) {
  const double total = std::accumulate(npp.begin(), npp.end(), 0.0);
  if (!(total > 0) || !std::isfinite(total)) return;
  for (std::size_t h = 0; h < enpr.size(); ++h) enpr[h] = (1 - alpha) * enpr[h] + alpha * (npp[h] / total);
}

}  // namespace perigee::cost
