// Checks of the parameters of statistical functions. Error "bad_parameter".
#pragma once

#include <cmath>
#include <span>
#include <string_view>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"

namespace perigee::statistics {

inline void need(bool good, std::string_view subject, std::string_view parameter, std::string_view allowed,
                 double value) {
  if (!good)
    fail("bad_parameter", "{}: {} must be {}, got {}", subject, parameter, allowed, format_number(value));
}
inline void need_finite(std::string_view subject, std::string_view parameter, double value) {
  need(std::isfinite(value), subject, parameter, "finite", value);
}
inline void need_positive(std::string_view subject, std::string_view parameter, double value) {
  need(std::isfinite(value) && value > 0, subject, parameter, "finite and > 0", value);
}
inline void need_not_negative(std::string_view subject, std::string_view parameter, double value) {
  need(std::isfinite(value) && value >= 0, subject, parameter, "finite and >= 0", value);
}
inline void need_probability(std::string_view subject, std::string_view parameter, double value) {
  need(value >= 0 && value <= 1, subject, parameter, "in [0, 1]", value);
}
inline void need_all_finite(std::string_view subject, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      fail("bad_parameter", "{}: each value must be finite, got {} at {}", subject, format_number(values[i]),
           i + 1);
}

}  // namespace perigee::statistics
