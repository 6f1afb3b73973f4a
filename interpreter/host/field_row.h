// The row of a field: its name, what values it takes, and what stands for it where a table lacks it. Tables
// are read by the rows of their fields, see fields.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "interpreter/host/reading.h"

namespace perigee::host {

enum class FieldKind : std::uint8_t {
  number,   // or a quantity, written as a text
  whole,    // a whole number
  numbers,  // a list of numbers
  profile,
  flag,  // true or false
  text,
  choice,  // one of several texts
  other    // a table, a function, a value of the language: the word's own code reads it
};

// The functions below make one of each kind. `choices`: separated by '|', the first is the default.
// `meaning`: {default} stands for the default.
struct FieldRow {
  using Fallback = std::variant<std::monostate, bool, double, std::string_view>;
  std::string_view name;  // a literal, so that Lua finds its end
  FieldKind kind = FieldKind::other;
  Dimension dimension = Dimension::count;
  Range range = {};
  Fallback fallback = {};
  std::string_view choices = {};
  std::string_view meaning = {};
  std::string_view type = {};  // as vocabulary.h writes types, where the kind does not say all
  bool required = false;       // its absence is always an Error

  constexpr FieldRow of_type(std::string_view all) const {
    FieldRow field = *this;
    field.type = all;
    return field;
  }
  constexpr FieldRow must_be_given() const {
    FieldRow field = *this;
    field.required = true;
    return field;
  }
};

// An absent number without a fallback is an Error where it is read.
constexpr FieldRow number_field(std::string_view name, Dimension dimension, Range range,
                                std::optional<double> fallback, std::string_view meaning) {
  return {name,
          FieldKind::number,
          dimension,
          range,
          fallback ? FieldRow::Fallback(*fallback) : FieldRow::Fallback(),
          {},
          meaning};
}
constexpr FieldRow whole_field(std::string_view name, Range range, std::optional<double> fallback,
                               std::string_view meaning) {
  FieldRow field = number_field(name, Dimension::count, range, fallback, meaning);
  field.kind = FieldKind::whole;
  return field;
}
constexpr FieldRow profile_field(std::string_view name, Dimension dimension, Range range,
                                 std::optional<double> fallback, std::string_view meaning) {
  FieldRow field = number_field(name, dimension, range, fallback, meaning);
  field.kind = FieldKind::profile;
  return field;
}
constexpr FieldRow numbers_field(std::string_view name, Dimension dimension, Range range,
                                 std::string_view meaning) {
  return {name, FieldKind::numbers, dimension, range, {}, {}, meaning};
}
constexpr FieldRow flag_field(std::string_view name, bool fallback, std::string_view meaning) {
  return {name, FieldKind::flag, Dimension::count, {}, fallback, {}, meaning};
}
constexpr FieldRow text_field(std::string_view name, std::optional<std::string_view> fallback,
                              std::string_view meaning) {
  return {name,
          FieldKind::text,
          Dimension::count,
          {},
          fallback ? FieldRow::Fallback(*fallback) : FieldRow::Fallback(),
          {},
          meaning};
}
constexpr FieldRow choice_field(std::string_view name, std::string_view choices, std::string_view meaning) {
  return {name,   FieldKind::choice, Dimension::count, {}, choices.substr(0, choices.find('|')), choices,
          meaning};
}
constexpr FieldRow other_field(std::string_view name, std::string_view meaning) {
  return {name, FieldKind::other, Dimension::count, {}, {}, {}, meaning};
}

}  // namespace perigee::host
