// Tables for people (aligned text) and for programs (CSV).
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/layers.h"

namespace perigee::results {

// An absent cell, a number, a text, or true or false.
using Cell = std::variant<std::monostate, double, std::string, bool>;

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;  // short ones are filled up with absent cells
  std::vector<std::string> units = {};  // of the columns, "s"; "" or none: not known, or there is none

  // Aligned text: two blanks between columns, a line under the header, "\n" after every line. A column of
  // numbers or absent cells is right-aligned; absent = "-", true = "yes", false = "no". Numbers are short
  // ones. `marked` cells (row * columns + column) get a '*' behind the number. At most `most` columns of the
  // terminal are used, 0 = any number; table columns that do not fit are named below. Control characters
  // become blanks. Hosts in a column that lists them are written as ranges (kernel/name_ranges.h).
  std::string text(const std::vector<bool>& marked = {}, std::size_t most = 0) const;
  // For reading: as text or, if that is wider than `width` (0 = any), each row as a paragraph.
  std::string list(std::size_t width) const;
  // RFC 4180 with "\n" line ends, whatever the locale: a header, exact numbers ("nan" and absent = empty,
  // "inf"), "true", "false".
  std::string csv() const;
};

// All digits of a whole number. Other numbers have five, without an exponent if that is readable: "0.125",
// "1234.5", "123457", "1.234e-05"; "-" for NaN.
std::string short_number(double value);

// A field of a CSV line, in quotes if it needs them.
std::string csv_field(std::string_view text);
void add_csv_field(std::string& line, std::string_view text);
// The fields of each line, with quotes resolved. Throws Error "bad_csv" if a quote is not closed or is
// followed by more text.
std::vector<std::vector<std::string>> parse_csv(std::string_view text);

// Blanks replace control characters except those `kept`; "?" replaces bytes that are not valid UTF-8.
std::string printable(std::string_view text, std::string_view kept = {});

// The text in lines of at most `width` columns, broken at blanks; further lines are indented. Ends with "\n".
std::string folded(std::string_view text, std::size_t width, std::size_t indent);

// Code points of UTF-8, each one column wide.
std::size_t display_width(std::string_view text);

}  // namespace perigee::results
