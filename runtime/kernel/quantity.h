// Quantities with units, as scripts and files write them: "10 KB/s", "67 ms", "2.6 GHz", "70 %".
#pragma once

#include <string>
#include <string_view>

#include "runtime/layers.h"

namespace perigee::kernel {

enum class Dimension {
  seconds,
  bytes,
  bytes_per_second,
  operations,
  operations_per_second,
  fraction,
  count,
  watts,
  joules
};

// "seconds", "bytes per second", ...
std::string_view name_of(Dimension dimension);

// The value in base units (s, B, B/s, op, op/s, W, J, 1). A number, optional blanks, and a unit of the
// dimension; without unit the number is in base units. Powers of 1000 except KiB, MiB, GiB, TiB;
// bit, kbit, ... are eighths of bytes; Hz and flop/s count as op/s. Decimal point only, sign
// allowed, finite. Throws Error "bad_quantity".
double parse_quantity(std::string_view text, Dimension dimension);

// The same of a text that must have a unit where the dimension has units. Scripts write the number alone
// without quotation marks; who put it in them may have forgotten the unit.
double parse_with_unit(std::string_view text, Dimension dimension);

// For people: three to four significant digits and a unit, e.g. "1.2 ms", "2 h 5 min", "10 KB/s".
std::string format_quantity(double value, Dimension dimension);

// A finite number and nothing else but blanks around it; independent of the locale. Throws Error
// "bad_number".
double parse_number(std::string_view text);

// The shortest text that reads back as the same double, a whole number as such ("100000"); "inf", "-inf",
// "nan". Zero has no sign.
std::string format_number(double value);

}  // namespace perigee::kernel
