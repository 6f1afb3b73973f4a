#include "interpreter/host/reading.h"

#include <fmt/format.h>

#include <cmath>

#include "interpreter/host/guest.h"
#include "interpreter/host/stack.h"

namespace perigee::host {

std::string Wording::name_of_function(lua_State* L, int index) const {
  lua_Debug about;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">S", &about);
  if (*about.what == 'C') return "function";
  return fmt::format("function at {}:{}", static_cast<const char*>(about.short_src), about.linedefined);
}

}  // namespace perigee::host

namespace perigee::host {

std::optional<std::string_view> text_at(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TSTRING) return std::nullopt;
  std::size_t size = 0;
  const char* text = lua_tolstring(L, index, &size);
  if (size >= 1024) did_work(size / 16);  // it is about to be read
  return std::string_view(text, size);
}

void push(lua_State* L, std::string_view text) { lua_pushlstring(L, text.data(), text.size()); }

std::string with_article(std::string_view noun) {
  const bool vowel = noun.find_first_of("aeiou") == 0;
  return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

std::string shown(lua_State* L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL:
      return "nil";
    case LUA_TBOOLEAN:
      return lua_toboolean(L, index) != 0 ? "true" : "false";
    case LUA_TNUMBER:
      return lua_isinteger(L, index) != 0 ? std::to_string(lua_tointeger(L, index))
                                          : format_number(lua_tonumber(L, index));
    case LUA_TSTRING: {
      constexpr std::size_t kLongest = 60;
      const std::string_view text = *text_at(L, index);
      return fmt::format("'{}{}'", text.substr(0, kLongest), text.size() > kLongest ? "..." : "");
    }
    default: {
      std::string name = lua_typename(L, lua_type(L, index));
      const int kind = luaL_getmetafield(L, index, "__name");
      if (kind == LUA_TSTRING) name = lua_tostring(L, -1);
      if (kind != LUA_TNIL) lua_pop(L, 1);
      return with_article(name);
    }
  }
}

namespace {

std::string_view base_unit(Dimension dimension) {
  switch (dimension) {
    case Dimension::seconds:
      return " s";
    case Dimension::bytes:
      return " B";
    case Dimension::bytes_per_second:
      return " B/s";
    case Dimension::operations:
      return " op";
    case Dimension::operations_per_second:
      return " op/s";
    case Dimension::watts:
      return " W";
    case Dimension::joules:
      return " J";
    case Dimension::fraction:
    case Dimension::count:
      return "";
  }
  return "";
}

std::string rule(Range range, Dimension dimension) {
  const std::string_view unit = base_unit(dimension);
  if (range.min > -kAbsurd && range.max < kAbsurd)
    return fmt::format("must be {} {} and <= {}{}", range.above ? ">" : ">=", format_number(range.min),
                       format_number(range.max), unit);
  if (range.min > -kAbsurd)
    return fmt::format("must be {} {}{}", range.above ? ">" : ">=", format_number(range.min), unit);
  if (range.max < kAbsurd) return fmt::format("must be <= {}{}", format_number(range.max), unit);
  return "must be a number";
}

}  // namespace

double number_at(lua_State* L, int index, std::string_view what, Dimension dimension, Range range) {
  double value = 0;
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      value = lua_tonumber(L, index);
      break;
    case LUA_TSTRING:
      try {
        value = parse_with_unit(*text_at(L, index), dimension);
      } catch (const Error& error) {
        fail("bad_quantity", "{}: {}", what, error.diagnostic().message);
      }
      break;
    default:
      fail("bad_type", "{} must be a number{}, got {}", what,
           dimension == Dimension::count ? "" : " or a quantity with a unit", shown(L, index));
  }
  if (std::isnan(value)) fail("bad_number", "{} must be a number, got nan", what);
  const bool low = range.above ? !(value > range.min) : value < range.min;
  if (low || (range.max < kAbsurd && value > range.max)) {
    const bool per_cent = dimension == Dimension::fraction && lua_type(L, index) == LUA_TNUMBER &&
                          range.max == 1 && value > 1 && value <= 100;
    fail("out_of_range", "{} {}, got {}{}", what, rule(range, dimension), shown(L, index),
         per_cent ? fmt::format("; per cent are written \"{} %\"", format_number(value)) : "");
  }
  if (value > range.max || value > kAbsurd || value < -kAbsurd) {
    if (std::isinf(value) && std::isinf(range.max)) return value;
    fail("out_of_range", "{} is beyond any sense: {}", what, shown(L, index));
  }
  return value;
}

std::int64_t integer_at(lua_State* L, int index, std::string_view what, std::int64_t min, std::int64_t max) {
  int is_integer = 0;
  std::int64_t value = 0;
  if (lua_type(L, index) == LUA_TNUMBER) value = lua_tointegerx(L, index, &is_integer);
  if (is_integer == 0) fail("bad_type", "{} must be a whole number, got {}", what, shown(L, index));
  if (value < min || value > max) {
    if (max == std::numeric_limits<std::int64_t>::max())
      fail("out_of_range", "{} must be >= {}, got {}", what, min, value);
    fail("out_of_range", "{} must be {} to {}, got {}", what, min, max, value);
  }
  return value;
}

bool condition_at(lua_State* L, int index, std::string_view what) {
  const int type = lua_type(L, index);
  if (type != LUA_TBOOLEAN && type != LUA_TNIL && !is_unknown(L, index))
    fail("bad_answer",
         "{}: the condition must return true or false, got {}; "
         "write what it is compared with, as in x > 0 or x ~= nil",
         what, shown(L, index));
  return lua_toboolean(L, index) != 0;
}

std::vector<double> numbers_at(lua_State* L, int index, std::string_view what, Dimension dimension,
                               Range range) {
  if (lua_type(L, index) != LUA_TTABLE)
    fail("bad_type", "{} must be a list of numbers, got {}", what, shown(L, index));
  index = lua_absindex(L, index);
  const lua_Integer count = list_length(L, index, what);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(count));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, index, i);
    if (lua_type(L, -1) == LUA_TNUMBER) {
      const double value = lua_tonumber(L, -1);
      if (value > range.min && value < range.max) {
        values.push_back(value);
        lua_pop(L, 1);
        continue;
      }
    }
    values.push_back(number_at(L, -1, fmt::format("{}[{}]", what, i), dimension, range));
    lua_pop(L, 1);
  }
  return values;
}

Profile profile_at(lua_State* L, int index, std::string_view what, Dimension dimension, Range range) {
  if (lua_type(L, index) != LUA_TTABLE) return Profile(number_at(L, index, what, dimension, range));
  index = lua_absindex(L, index);
  const Range level{0, range.max, false};  // a step may be zero
  if (lua_rawlen(L, index) > 0) {
    std::vector<double> times, values;
    const lua_Integer count = list_length(L, index, what);
    for (lua_Integer i = 1; i <= count; ++i) {
      const Balanced balanced(L);
      lua_rawgeti(L, index, i);
      if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 2)
        fail("bad_profile", "{}[{}] must be {{time, value}}, got {}", what, i, shown(L, -1));
      lua_rawgeti(L, -1, 1);
      times.push_back(
          number_at(L, -1, fmt::format("{}[{}]: time", what, i), Dimension::seconds, kNotNegative));
      lua_pop(L, 1);
      lua_rawgeti(L, -1, 2);
      values.push_back(number_at(L, -1, fmt::format("{}[{}]: value", what, i), dimension, level));
    }
    return Profile::steps(std::move(times), std::move(values));
  }
  const std::string subject(what);
  const Fields fields(L, index, {subject}, {"times", "values", "period", "every"});
  const auto list = [&](const char* name, Dimension of, Range allowed) {
    if (!fields.push(name)) fields.fail(name, "{} is missing", name);
    std::vector<double> values = numbers_at(L, -1, fmt::format("{}: {}", what, name), of, allowed);
    lua_pop(L, 1);
    return values;
  };
  if (fields.has("every")) {
    if (fields.has("times") || fields.has("period")) fields.fail("every", "every goes with values alone");
    const double every = fields.number("every", Dimension::seconds, std::nullopt, kPositive);
    return Profile::circular(list("values", dimension, level), every);
  }
  std::vector<double> times = list("times", Dimension::seconds, kNotNegative);
  std::vector<double> values = list("values", dimension, level);
  if (times.size() != values.size())
    fields.fail("values", "{} times but {} values", times.size(), values.size());
  if (!fields.has("period")) return Profile::steps(std::move(times), std::move(values));
  return Profile::periodic(std::move(times), std::move(values),
                           fields.number("period", Dimension::seconds, std::nullopt, kPositive));
}

}  // namespace perigee::host
