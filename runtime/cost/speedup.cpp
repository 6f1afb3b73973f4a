#include "runtime/cost/speedup.h"

namespace perigee::cost {

double amdahl_speedup(double serial, double cores) { return 1 / (serial + (1 - serial) / cores); }

double downey_speedup(double parallelism, double sigma, double cores) {
  const double A = parallelism, s = sigma, n = cores;
  if (s >= 1) return n <= A + A * s - s ? n * A * (s + 1) / (s * (n + A - 1) + A) : A;
  if (n <= A) return A * n / (A + s * (n - 1) / 2);
  return n <= 2 * A - 1 ? A * n / (s * (A - 0.5) + n * (1 - s / 2)) : A;
}

}  // namespace perigee::cost
