#include "runtime/model/readers/irmasim/fields.h"

#include <fmt/format.h>

#include <cmath>

#include "runtime/model/readers/lines.h"

namespace perigee::readers {

Cursor either(const JsonText& text, const Cursor& object, std::string_view name, std::string_view other) {
  const Cursor first = object.member(name), second = object.member(other);
  if (first && second && *first.value != *second.value)
    text.fail(second, "conflicting_fields", "E_FIELD", "{} is another spelling of {}, but they are {} and {}",
              other, name, json_shown(*second.value), json_shown(*first.value));
  return first ? first : second;
}

Cursor required(const JsonText& text, const Cursor& object, std::string_view name) {
  text.object(object);
  const Cursor found = object.member(name);
  if (!found) text.fail(object, "missing_field", "E_FIELD", "'{}' is missing", name);
  return found;
}

double whole_number(const JsonText& text, const Cursor& at, double smallest, double largest) {
  const double value = text.number(at);
  if (!(value >= smallest && value <= largest) || value != std::floor(value))
    text.fail(at, "out_of_range", "E_RANGE", "must be a whole number, {} to {}, got {}", smallest, largest,
              json_shown(*at.value));
  return value;
}

double number_between(const JsonText& text, const Cursor& at, double smallest, double largest,
                      std::string_view unit) {
  const double value = text.number(at);
  if (!(value >= smallest && value <= largest))
    text.fail(at, "out_of_range", "E_RANGE", "must be a number, {} to {}{}{}, got {}", smallest, largest,
              unit.empty() ? "" : " ", unit, json_shown(*at.value));
  return value;
}

double positive_number(const JsonText& text, const Cursor& at, std::string_view unit) {
  const double value = text.number(at);
  if (!(value > 0) || std::isinf(value))
    text.fail(at, "out_of_range", "E_RANGE", "must be > 0{}{}, got {}", unit.empty() ? "" : " ", unit,
              json_shown(*at.value));
  return value;
}

std::string text_or(const JsonText& text, const Cursor& at, const std::string& fallback) {
  return at ? text.string(at) : fallback;
}

std::string name_at(const JsonText& text, const Cursor& at) {
  if (at.value->is_number_integer()) return at.value->dump();
  const std::string& name = text.string(at);
  if (name.empty()) text.fail(at, "bad_json", "E_JSON", "must not be empty");
  return name;
}

std::string IrmasimIgnored::text() const {
  return fmt::format("field '{}' is ignored (first at {}{})", shown(std::string_view(key)), first,
                     count > 1 ? fmt::format(", {} times", count) : "");
}

}  // namespace perigee::readers
