#include "interpreter/bindings/script/lua_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <variant>

#include "runtime/kernel/error.h"

namespace perigee::bindings {

namespace {

constexpr std::array<std::string_view, 22> kKeywords = {
    "and", "break", "do",  "else", "elseif", "end",    "false",  "for",  "function", "goto",  "if",
    "in",  "local", "nil", "not",  "or",     "repeat", "return", "then", "true",     "until", "while"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool same_bits(double a, double b) { return a == b && std::signbit(a) == std::signbit(b); }

}  // namespace

std::string indented(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

bool is_lua_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c); }) &&
         std::ranges::find(kKeywords, text) == kKeywords.end();
}

std::string lua_number(double value) {
  PERIGEE_ASSERT(!std::isnan(value), "a number in a script");
  if (std::isinf(value)) return value > 0 ? "math.huge" : "-math.huge";
  if (value == 0) return std::signbit(value) ? "-0.0" : "0";
  return fmt::format("{}", value);
}

std::string lua_string(std::string_view bytes) {
  std::string out = "\"";
  for (const char c : bytes) {
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (c == '\n')
      out += "\\n";
    else if (c >= 0x20 && c < 0x7f)
      out += c;
    else
      out += fmt::format("\\{:03}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return out += '"';
}

namespace {

template <class Values, class Text>
std::string on_one_line(const Values& values, Text text) {
  if (values.empty()) return "{}";
  std::string out = "{ ";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ", ";
    out += text(values[i]);
  }
  return out += " }";
}

}  // namespace

std::string lua_numbers(std::span<const double> values) { return on_one_line(values, lua_number); }
std::string lua_strings(std::span<const std::string> values) { return on_one_line(values, lua_string); }

std::string lua_rows(std::span<const double> values, std::size_t columns) {
  LuaTable rows;
  for (std::size_t first = 0; first < values.size(); first += columns)
    rows.item(lua_numbers(values.subspan(first, columns)));
  return rows.text();
}

std::string lua_profile(const Profile& profile) {
  const std::span<const double> times = profile.times(), values = profile.values();
  if (profile.is_constant()) return lua_number(values[0]);
  if (!profile.is_periodic()) {
    LuaTable steps;
    for (std::size_t i = 0; i < times.size(); ++i)
      steps.item(lua_numbers(std::vector<double>{times[i], values[i]}));
    return steps.text();
  }
  // Where steps of equal values are one, or a step counts as reached early, is told by the shortest step.
  const auto is_same = [&](const Profile& made) {
    return made == profile && made.slack() == profile.slack();
  };
  const auto table = [](std::span<const double> at, std::span<const double> of, double period) {
    LuaTable made;
    made.field("times", lua_numbers(at));
    made.field("values", lua_numbers(of));
    made.field("period", lua_number(period));
    return made.text();
  };
  if (profile.loop_begin() == 0 && times[0] == 0) {
    std::vector<double> at(times.begin(), times.end()), of(values.begin(), values.end());
    if (is_same(Profile::periodic(at, of, profile.period()))) return table(at, of, profile.period());
    const double shortest = profile.slack() / Profile::kStepSlack,
                 count = std::round(profile.period() / shortest);
    if (count >= 1 && count <= 1e6) {  // of equal lengths
      for (const double every : {profile.period() / count, shortest}) {
        std::vector<double> samples;
        for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
          samples.push_back(profile.at(every * static_cast<double>(k)));
        if (!is_same(Profile::circular(samples, every))) continue;
        LuaTable made;
        made.field("values", lua_numbers(samples));
        made.field("every", lua_number(every));
        return made.text();
      }
    }
    // One more step, of the value before it, as long as the shortest.
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double end = i + 1 < times.size() ? times[i + 1] : profile.period();
      for (const double cut : {times[i] + shortest, end - shortest}) {
        if (!(cut > times[i] && cut < end)) continue;
        at.assign(times.begin(), times.end());
        of.assign(values.begin(), values.end());
        at.insert(at.begin() + static_cast<std::ptrdiff_t>(i) + 1, cut);
        of.insert(of.begin() + static_cast<std::ptrdiff_t>(i) + 1, values[i]);
        if (is_same(Profile::periodic(at, of, profile.period()))) return table(at, of, profile.period());
      }
    }
  }
  fail("not_plain",
       "a profile of {} steps that repeats from t = {} s on every {} s is none that a script declares",
       times.size(), lua_number(times[profile.loop_begin()]), lua_number(profile.period()));
}

void LuaTable::field(std::string_view name, std::string text) {
  fields_.push_back(is_lua_name(name) ? fmt::format("{} = {}", name, text)
                                      : fmt::format("[{}] = {}", lua_string(name), text));
}

void LuaTable::number(const FieldRow& row, double value) {
  const auto* fallback = std::get_if<double>(&row.fallback);
  if (fallback == nullptr || !same_bits(*fallback, value)) field(row.name, lua_number(value));
}

void LuaTable::flag(const FieldRow& row, bool value) {
  const auto* fallback = std::get_if<bool>(&row.fallback);
  if (fallback == nullptr || *fallback != value) field(row.name, value ? "true" : "false");
}

void LuaTable::text(const FieldRow& row, std::string_view value) {
  const auto* fallback = std::get_if<std::string_view>(&row.fallback);
  if (fallback == nullptr || *fallback != value) field(row.name, lua_string(value));
}

void LuaTable::choice(const FieldRow& row, std::size_t place) {
  if (place == 0) return;
  std::string_view rest = row.choices;
  for (; place > 0; --place) rest.remove_prefix(rest.find('|') + 1);
  field(row.name, lua_string(rest.substr(0, rest.find('|'))));
}

void LuaTable::profile(const FieldRow& row, const Profile& value) {
  if (value.is_constant())
    number(row, value.values()[0]);
  else
    field(row.name, lua_profile(value));
}

std::string LuaTable::text(std::size_t most) const {
  if (empty()) return "{}";
  std::size_t length = 4;
  bool is_short = most > 0;
  for (const auto* list : {&items_, &fields_})
    for (const std::string& each : *list) {
      length += each.size() + 2;
      is_short = is_short && length <= most && each.find('\n') == std::string::npos;
    }
  std::string out = is_short ? "{ " : "{\n";
  bool first = true;
  for (const auto* list : {&items_, &fields_})
    for (const std::string& each : *list) {
      if (is_short)
        out += (first ? "" : ", ") + each;
      else
        out += "  " + indented(each) + ",\n";
      first = false;
    }
  return out += is_short ? " }" : "}";
}

}  // namespace perigee::bindings
