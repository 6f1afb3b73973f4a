// Random mapping problems of many kinds.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "runtime/cost/mapping.h"
#include "tests/support/layers.h"

namespace perigee::test {

inline constexpr double kInf = std::numeric_limits<double>::infinity();

struct Case {
  std::size_t tasks = 0, machines = 0;
  std::vector<double> etc, ready;
  std::vector<std::uint32_t> first_core = {}, width = {};
  bool whole_machine = false;
  MappingProblem problem() const {
    return {tasks, machines, etc, ready, first_core, width, 0, whole_machine};
  }
};

// Kinds of matrices, each with its own way to produce ties, rounding collisions and changes of the best
// machine.
enum Kind {
  random_times,
  small_integers,
  consistent,
  related,
  identical_related,
  identical_rows,
  holes,
  colliding,
  zeros,
  huge_spread,
  overflowing,
  outlier_and_cluster,
  semi_consistent,
  consistent_integers,
  consistent_holes,
  nearly_related,
  equal_machines,
  rounding_ties,
  tiny_beside_ready,
  kKinds
};

inline Case make(Kind kind, std::size_t tasks, std::size_t machines, bool ready, std::mt19937_64& rng) {
  const auto u = [&rng] { return static_cast<double>(rng() >> 11) * 0x1p-53; };
  Case c{tasks, machines, std::vector<double>(tasks * machines), {}};
  std::vector<double> speed(machines), row(machines);
  for (double& s : speed) s = 1 + 3 * u();
  for (double& r : row) r = 1 + 3 * u();
  for (std::size_t t = 0; t < tasks; ++t) {
    const double size = 1 + 99 * u();
    for (std::size_t m = 0; m < machines; ++m) {
      double& e = c.etc[t * machines + m];
      switch (kind) {
        case random_times:
          e = 1 + 999 * u();
          break;
        case small_integers:
          e = std::floor(4 * u());
          break;
        case consistent:
          e = size * (1 + static_cast<double>(m) + 0.5 * u());
          break;
        case related:
          e = size / speed[m];
          break;
        case identical_related:
          e = 100 / speed[m];
          break;
        case identical_rows:
          e = row[m];
          break;
        case holes:
          e = u() < 0.5 ? kInf : std::floor(6 * u());
          break;
        case colliding:
          e = 1 + std::floor(8 * u()) * 0x1p-52;
          break;
        case zeros:
          e = u() < 0.7 ? (u() < 0.5 ? 0.0 : -0.0) : u();
          break;
        case huge_spread:
          e = std::exp2(std::floor(200 * u()) - 100) * (1 + u());
          break;
        case overflowing:
          e = u() < 0.5 ? 6e307 * (1 + u()) : u();
          break;
        case outlier_and_cluster:
          e = t == 0 ? 1e300 : 1 + std::floor(32 * u()) * 0x1p-50;
          break;
        case semi_consistent:
          e = size * (1 + (m % 2 == 0 ? static_cast<double>(m) + u() : 50 * u()));
          break;
        case consistent_integers:
          e = std::floor(size / speed[m] / 20);
          break;
        case consistent_holes:
          e = m * 8 > machines * 5 ? kInf : std::floor(size / 40) * static_cast<double>(1 + m / 2);
          break;
        case nearly_related:
          e = size / speed[m] * (1 + 1e-6 * u());
          break;
        case equal_machines:
          e = size;
          break;
        case rounding_ties:
          e = (1 + std::floor(4 * u()) * 0x1p-52) * (1 + static_cast<double>(m / 3));
          break;
        case tiny_beside_ready:
          e = size / speed[m] * 0x1p-50;
          break;
        case kKinds:
          break;
      }
    }
    if (kind == holes && u() < 0.1)
      for (std::size_t m = 0; m < machines; ++m) c.etc[t * machines + m] = kInf;
  }
  if (ready)
    for (std::size_t m = 0; m < machines; ++m)
      c.ready.push_back(kind == small_integers      ? std::floor(3 * u())
                        : kind == colliding         ? 1e3 * u()
                        : kind == tiny_beside_ready ? 1e3 + std::floor(4 * u()) * 0x1p-43
                                                    : 50 * u());
  return c;
}

// Gives each machine one to four cores and each task a width, some wider than every machine.
inline void add_cores(Case& c, bool whole_machine, std::mt19937_64& rng) {
  c.whole_machine = whole_machine;
  c.first_core = {0};
  for (std::size_t m = 0; m < c.machines; ++m)
    c.first_core.push_back(c.first_core.back() + 1 + static_cast<std::uint32_t>(rng() % 4));
  for (std::size_t t = 0; t < c.tasks; ++t) c.width.push_back(1 + static_cast<std::uint32_t>(rng() % 5));
  c.ready.assign(c.first_core.back(), 0.0);
  for (double& each : c.ready) each = static_cast<double>(rng() % 8);
}

}  // namespace perigee::test
