// Numbers as the files of a run spell them, and parts of a whole.
#pragma once

#include <cmath>
#include <string>

#include "runtime/kernel/constants.h"
#include "runtime/kernel/quantity.h"

namespace perigee::results {

// All its digits; no -0.
inline std::string exact(double value) { return format_number(value == 0 ? 0.0 : value); }
// The same, and nothing for NaN.
inline std::string exact_or_blank(double value) { return std::isnan(value) ? "" : exact(value); }
// NaN where there is no whole.
inline double share(double part, double whole) { return whole > 0 ? part / whole : kNaN; }

}  // namespace perigee::results
