// Numbers as spelt in the files of a run, and shares of a whole.
#pragma once

#include <cmath>
#include <string>

#include "runtime/kernel/constants.h"
#include "runtime/kernel/quantity.h"

namespace perigee::results {

// The number with all its digits, and without -0.
inline std::string exact(double value) { return format_number(value == 0 ? 0.0 : value); }
// The same, and nothing for NaN.
inline std::string exact_or_blank(double value) { return std::isnan(value) ? "" : exact(value); }
// NaN if the whole is not above 0.
inline double share(double part, double whole) { return whole > 0 ? part / whole : kNaN; }

}  // namespace perigee::results
