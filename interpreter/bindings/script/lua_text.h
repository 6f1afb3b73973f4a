// Texts of Lua: numbers, strings and tables that read back as they were.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "interpreter/host/field_row.h"
#include "interpreter/layers.h"
#include "runtime/kernel/profile.h"

namespace perigee::bindings {

std::string indented(const std::string& text);  // each line but the first two blanks further in
bool is_lua_name(std::string_view text);        // a name that a variable can have

// The shortest decimal that reads back to the bit, -0 and infinities too. Not NaN.
std::string lua_number(double value);
// Any bytes; those that are not printable ASCII as "\ddd", and a line end as "\n".
std::string lua_string(std::string_view bytes);
std::string lua_numbers(std::span<const double> values);       // "{ 1, 2.5 }", on one line
std::string lua_strings(std::span<const std::string> values);  // the same of strings
std::string lua_rows(std::span<const double> values,
                     std::size_t columns);  // a list of rows, one on each line
// As profile_at() reads it. Error "not_plain" of one that no script could declare.
std::string lua_profile(const Profile& profile);

// A table constructor: items, then fields, in the order in which they are added.
class LuaTable {
 public:
  void item(std::string text) { items_.push_back(std::move(text)); }
  void field(std::string_view name, std::string text);
  // Left out where it is what the row says of an absent field.
  void number(const FieldRow& row, double value);
  template <class Whole>
  requires(std::is_integral_v<Whole> && !std::is_same_v<Whole, bool>) void whole(const FieldRow& row,
                                                                                 Whole value) {
    number(row, static_cast<double>(value));
  }
  void flag(const FieldRow& row, bool value);
  void text(const FieldRow& row, std::string_view value);
  void choice(const FieldRow& row, std::size_t place);
  void profile(const FieldRow& row, const Profile& value);

  bool empty() const { return items_.empty() && fields_.empty(); }
  // On one line where that is short, otherwise with a line for each entry.
  std::string text() const { return text(kMostOnALine); }
  std::string lines() const { return text(0); }  // with a line for each entry

 private:
  static constexpr std::size_t kMostOnALine = 110;
  std::string text(std::size_t most) const;
  std::vector<std::string> items_, fields_;
};

// How one field of a word is said of a value: adds it to the table, or nothing where it is the default.
template <class Of>
struct Said {
  const FieldRow& field;
  void (*say)(LuaTable& table, const FieldRow& field, const Of& of);
};

template <class Of>
void say_all(LuaTable& table, std::span<const Said<Of>> rows, const Of& of) {
  for (const Said<Of>& each : rows) each.say(table, each.field, of);
}

template <class Of, std::size_t n>
void add_names(std::vector<std::string_view>& names, const Said<Of> (&rows)[n]) {
  for (const Said<Of>& each : rows) names.push_back(each.field.name);
}

}  // namespace perigee::bindings
