// The units in which an axis shows times.
#pragma once

#include <array>

namespace perigee::results {

struct TimeUnit {
  const char* name;
  double seconds;
};
inline constexpr std::array<TimeUnit, 7> kTimeUnits = {
    {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}}};

}  // namespace perigee::results
