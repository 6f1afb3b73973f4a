// Tables for people (aligned text) and for programs (CSV).
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/layers.h"

namespace perigee::results {

// Absent, a number, a text, or true or false.
using Cell = std::variant<std::monostate, double, std::string, bool>;

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;  // short ones are filled up with absent cells
  std::vector<std::string> units = {};  // of the columns, "s"; "" or none: not known, or there is none

  // Aligned, two blanks between columns, a line under the header, "\n" after every line. A column whose cells
  // are numbers or absent is right-aligned; absent = "-", true = "yes", false = "no". Numbers are short ones.
  // `marked` cells (row * columns + column) get a '*' behind the number. `most` columns of the terminal at most:
  // what does not fit is named below; 0 = any number. Control characters are blanks.
  std::string text(const std::vector<bool>& marked = {}, std::size_t most = 0) const;
  // For reading: as text, or, where that is wider than `width` (0 = any), each row as a paragraph.
  std::string list(std::size_t width) const;
  // RFC 4180 with "\n" line ends: a header, exact numbers ("nan" and absent = empty, "inf"), "true", "false",
  // whatever the locale.
  std::string csv() const;
};

// All digits of a whole number, of others five without an exponent where that is readable: "0.125", "1234.5",
// "123457", "1.234e-05"; "-" for NaN.
std::string short_number(double value);

// A field of a CSV line, in quotes where it needs them.
std::string csv_field(std::string_view text);
// The fields of each line, quotes resolved. Throws Error "bad_csv" on a quote that is not closed or is
// followed by more text.
std::vector<std::vector<std::string>> parse_csv(std::string_view text);

// Blanks for control characters but those `kept`, "?" for what is no valid UTF-8.
std::string printable(std::string_view text, std::string_view kept = {});

// In lines of at most `width` columns, broken at blanks, the further ones indented. Ends with "\n".
std::string folded(std::string_view text, std::size_t width, std::size_t indent);

// Code points of UTF-8, each one column wide.
std::size_t display_width(std::string_view text);

}  // namespace perigee::results
