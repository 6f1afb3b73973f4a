// Where an axis of numbers is marked.
#pragma once

#include <string>
#include <vector>

#include "runtime/layers.h"

namespace perigee::plots {

struct Tick {
  double value = 0;
  std::string text;
};

// The distance of ticks: 1, 2 or 5 times a power of ten.
struct TickStep {
  int factor = 1, exponent = 0;
  double size() const;
  TickStep next() const;  // the next longer one
  // The shortest that is at least as long.
  static TickStep at_least(double size);
};

// The multiples of the step from `from` to `to`, which must be at most 10,000.
std::vector<Tick> linear_ticks(double from, double to, TickStep step);

// Ticks of a logarithmic axis from close to far apart: level 0 has all digits, 1 has the digits 1, 2 and 5, level 2 and
// above every power of ten, every second, every tenth, every twentieth and so on.
std::vector<Tick> logarithmic_ticks(double from, double to, int level);

}  // namespace perigee::plots
