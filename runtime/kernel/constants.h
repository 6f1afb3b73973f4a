// Numbers that are not quantities.
#pragma once

#include <limits>

namespace perigee::kernel {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace perigee::kernel
