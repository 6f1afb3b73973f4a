// Tables for people (aligned text) and for programs (CSV).
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace perigee {

// Absent, a number or a text.
using Cell = std::variant<std::monostate, double, std::string>;

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;  // short ones are filled up with absent cells
  std::vector<std::string> units = {};  // of the columns, "s"; "" or none: not known, or there is none

  // Aligned, two blanks between columns, a line under the header, "\n" after every line. A column whose cells
  // are numbers or absent is right-aligned; absent = "-". Numbers have five significant digits. `marked`
  // cells (row * columns + column) get a '*' behind the number.
  std::string text(const std::vector<bool>& marked = {}) const;
  // RFC 4180 with "\n" line ends: a header, exact numbers ("nan" and absent = empty, "inf"), whatever the
  // locale.
  std::string csv() const;
};

// Five significant digits without an exponent where that is readable: "0.125", "1234.5", "123457", "1.5e+09";
// "-" for NaN.
std::string short_number(double value);

// A field of a CSV line, in quotes where it needs them.
std::string csv_field(std::string_view text);
// The fields of each line, quotes resolved. Throws Error "bad_csv" on a quote that is not closed or is
// followed by more text.
std::vector<std::vector<std::string>> parse_csv(std::string_view text);

// Code points of UTF-8, each one column wide.
std::size_t display_width(std::string_view text);

}  // namespace perigee
