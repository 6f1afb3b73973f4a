// Whole numbers that a double holds exactly.
#pragma once

#include <cmath>

#include "runtime/layers.h"

namespace perigee::kernel {

// Every whole number up to this has a double of its own: 2^53.
inline constexpr double kMostWhole = 9007199254740992;

inline bool is_whole(double value) { return std::abs(value) <= kMostWhole && std::trunc(value) == value; }

}  // namespace perigee::kernel
