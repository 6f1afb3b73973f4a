#include "runtime/cost/rounds.h"

#include <algorithm>

#include "runtime/kernel/math.h"

namespace perigee {

double sine_quota(double runs, double peak, double k, double m, double round) {
  const double r = std::min(round, k + peak - 1);
  const double angle = r < peak ? r / peak : (r + k - peak) / k;
  return runs / m * math::sin(angle * math::kPi / 2);
}

// The sum behind the peak, sin(i pi / 2k) for i = k .. 2k-1, in closed form.
double full_cover(double peak, double k) {
  double sum = (1 + 1 / math::tan(math::kPi / (4 * k))) / 2;
  for (double r = 1; r < peak; ++r) sum += math::sin(r / peak * math::kPi / 2);
  return sum;
}

}  // namespace perigee
