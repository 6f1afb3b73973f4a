// Values on Lua's stack, read with an error where they are not what is needed.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/host/lua.h"
#include "runtime/kernel/profile.h"
#include "runtime/kernel/quantity.h"

namespace perigee::host {

// "nil", "-2", "'text'", "a table", "a platform": a value as an error message shows it.
std::string shown(lua_State* L, int index);

std::string with_article(std::string_view noun);  // "a host", "an etc matrix"

std::optional<std::string_view> text_at(lua_State* L, int index);  // strings only, no numbers
void push(lua_State* L, std::string_view text);

// The bounds of a number.
struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool above = false;  // greater than min, not equal
};
inline constexpr double kAbsurd = 1e30;  // no quantity of this world is larger
inline constexpr Range kPositive{0, kAbsurd, true};
inline constexpr Range kNotNegative{0, kAbsurd, false};
inline constexpr Range kAnyNumber{-kAbsurd, kAbsurd, false};
inline constexpr Range kTimeOrNever{0, std::numeric_limits<double>::infinity(), false};  // +inf: never

// The number at `index`, or the quantity written there as a text. An Error names `what`.
double number_at(lua_State* L, int index, std::string_view what, Dimension dimension,
                 Range range = kAnyNumber);
// A whole number.
std::int64_t integer_at(lua_State* L, int index, std::string_view what, std::int64_t min, std::int64_t max);
// The answer of a condition written as a function: true or false; nil is false. Any other value is an Error
// "bad_answer", for Lua would take it for true, even the number 0.
bool condition_at(lua_State* L, int index, std::string_view what);
// A profile: a number or quantity; { {time, value}, ... }; { times = , values = , period = }; { values = ,
// every = }.
Profile profile_at(lua_State* L, int index, std::string_view what, Dimension dimension, Range range);
std::vector<double> numbers_at(lua_State* L, int index, std::string_view what, Dimension dimension,
                               Range range);

}  // namespace perigee::host
