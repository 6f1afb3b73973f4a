#include "runtime/schedulers/search/symmetric_eigen.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "runtime/kernel/math.h"
#include "runtime/kernel/work.h"

namespace perigee::search {

namespace {

using math::fabs;
using math::sqrt;

// The matrix during its reduction: `rows` times itself transposed gives what is diagonal in the end.
struct Reduction {
  std::size_t n;
  std::vector<double> matrix, rows;      // `rows` begins as the identity; row by row
  std::vector<double> diagonal, beside;  // beside[k]: between k and k + 1

  double& at(std::size_t i, std::size_t j) { return matrix[i * n + j]; }

  // Reflects at the plane normal to v (entries `from` on) so that column k is zero below its entry k + 1.
  void reflect(std::size_t k, std::vector<double>& v, std::vector<double>& p) {
    did_work(n * n);
    const std::size_t from = k + 1;
    double largest = 0;
    for (std::size_t i = from; i < n; ++i) largest = std::max(largest, fabs(at(i, k)));
    double below = 0;
    for (std::size_t i = from + 1; i < n; ++i) below = std::max(below, fabs(at(i, k)));
    if (below == 0) return;
    double square = 0;
    for (std::size_t i = from; i < n; ++i) {
      v[i] = at(i, k) / largest;
      square += v[i] * v[i];
    }
    const double length = sqrt(square), sign = v[from] < 0 ? -1 : 1;
    v[from] += sign * length;
    const double factor = 1 / (length * fabs(v[from]));  // 2 / (v' v)
    // matrix - v w' - w v' with p = factor matrix v, w = p - factor (p' v) / 2 v
    double dot = 0;
    for (std::size_t i = from; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = from; j < n; ++j) sum += at(i, j) * v[j];
      p[i] = factor * sum;
      dot += p[i] * v[i];
    }
    const double half = factor * dot / 2;
    for (std::size_t i = from; i < n; ++i) p[i] -= half * v[i];
    for (std::size_t i = from; i < n; ++i)
      for (std::size_t j = from; j < n; ++j) at(i, j) -= v[i] * p[j] + p[i] * v[j];
    at(from, k) = at(k, from) = -sign * length * largest;
    for (std::size_t i = from + 1; i < n; ++i) at(i, k) = at(k, i) = 0;
    // the rows from `from` on become (1 - factor v v') times themselves
    for (std::size_t j = 0; j < n; ++j) p[j] = 0;
    for (std::size_t i = from; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) p[j] += v[i] * rows[i * n + j];
    for (std::size_t i = from; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) rows[i * n + j] -= factor * v[i] * p[j];
  }

  // One implicit step of QR on the rows `low` to `high`, none of which stands apart.
  void step(std::size_t low, std::size_t high) {
    did_work((high - low) * n);
    const double d = (diagonal[high - 1] - diagonal[high]) / 2, e = beside[high - 1];
    const double root = math::hypot(d, e);
    const double shift = diagonal[high] - e * (e / (d + (d < 0 ? -root : root)));
    double x = diagonal[low] - shift, z = beside[low];
    for (std::size_t k = low; k < high; ++k) {
      const double r = math::hypot(x, z);
      const double c = r == 0 ? 1 : x / r, s = r == 0 ? 0 : z / r;
      if (k > low) beside[k - 1] = r;
      const double a = diagonal[k], b = beside[k], g = diagonal[k + 1];
      diagonal[k] = c * c * a + 2 * c * s * b + s * s * g;
      diagonal[k + 1] = s * s * a - 2 * c * s * b + c * c * g;
      beside[k] = c * s * (g - a) + (c * c - s * s) * b;
      if (k + 1 < high) {
        x = beside[k];
        z = s * beside[k + 1];
        beside[k + 1] *= c;
      }
      for (std::size_t j = 0; j < n; ++j) {
        const double upper = rows[k * n + j], lower = rows[(k + 1) * n + j];
        rows[k * n + j] = c * upper + s * lower;
        rows[(k + 1) * n + j] = c * lower - s * upper;
      }
    }
  }

  void diagonalise() {
    constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
    const std::size_t most = 60 * n;  // some two for each value are needed
    for (std::size_t high = n - 1, steps = 0; high > 0 && steps < most; ++steps) {
      for (std::size_t k = 0; k < high; ++k)
        if (fabs(beside[k]) <= kEpsilon * (fabs(diagonal[k]) + fabs(diagonal[k + 1]))) beside[k] = 0;
      while (high > 0 && beside[high - 1] == 0) --high;
      if (high == 0) return;
      std::size_t low = high - 1;
      while (low > 0 && beside[low - 1] != 0) --low;
      step(low, high);
    }
  }
};

}  // namespace

SymmetricEigen symmetric_eigen(std::span<const double> matrix, std::size_t n) {
  if (n == 0) return {};
  Reduction r{n, {matrix.begin(), matrix.end()}, std::vector<double>(n * n, 0.0), {}, {}};
  for (std::size_t i = 0; i < n; ++i) r.rows[i * n + i] = 1;
  std::vector<double> v(n), p(n);
  for (std::size_t k = 0; k + 2 < n; ++k) r.reflect(k, v, p);
  for (std::size_t k = 0; k < n; ++k) r.diagonal.push_back(r.at(k, k));
  for (std::size_t k = 0; k + 1 < n; ++k) r.beside.push_back(r.at(k + 1, k));
  r.diagonalise();
  return {std::move(r.diagonal), std::move(r.rows)};
}

}  // namespace perigee::search
