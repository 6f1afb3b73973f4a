// Functions that the words of statistics and distributions share.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "interpreter/host/guest.h"
#include "interpreter/language/fields/statistics.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/distribution.h"

namespace perigee::bindings {

inline constexpr Range kProbability{0, 1, false};

// Whether the value is not known before a run. A table with such an entry counts. Once the script has asked
// for an unknown result, an empty table counts, for a run may fill it. NaN counts then, too: it may be the
// quotient of two sums over such a table.
inline bool holds_unknown(lua_State* L, int index, int depth) {
  if (is_unknown(L, index)) return true;
  if (lua_type(L, index) == LUA_TNUMBER && std::isnan(lua_tonumber(L, index)))
    return Guest::of(L).has_unknown();
  if (depth == 0 || lua_type(L, index) != LUA_TTABLE) return false;
  luaL_checkstack(L, 6, "a list");
  index = lua_absindex(L, index);
  const Balanced balanced(L);
  bool empty = true;
  for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
    if (holds_unknown(L, -1, depth - 1)) return true;
    empty = false;
  }
  return empty && Guest::of(L).has_unknown();
}

// The function that Lua calls. In check mode its answer is not known when an argument is not known.
template <int (*Body)(lua_State*)>
int word(lua_State* L) {
  return guard(L, [&] {
    if (Guest::of(L).checking())
      for (int i = 1; i <= lua_gettop(L); ++i)
        if (holds_unknown(L, i, 2)) {
          push_unknown(L);
          return 1;
        }
    return Body(L);
  });
}

// Numbers that may be absent: NaN is nil.
inline int push_number(lua_State* L, double value) {
  if (std::isnan(value))
    lua_pushnil(L);
  else
    lua_pushnumber(L, value);
  return 1;
}
template <class T>
int push_value(lua_State* L, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    lua_pushboolean(L, value ? 1 : 0);
  } else if constexpr (std::is_integral_v<T>) {
    lua_pushinteger(L, static_cast<lua_Integer>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    push_number(L, value);
  } else {  // a list
    lua_createtable(L, static_cast<int>(std::min<std::size_t>(value.size(), 1 << 30)), 0);
    for (std::size_t i = 0; i < value.size(); ++i) {
      push_value(L, value[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
  }
  return 1;
}

template <class T>
struct Field {
  const char* name;
  int (*push)(lua_State* L, const T& value);
};
// Pushes a member, or the value that a member function returns.
template <auto Get, class T>
int push_field(lua_State* L, const T& value) {
  return push_value(L, std::invoke(Get, value));
}

template <class T>
struct Shown;  // its `text` and, as properties, `fields`

template <class T>
bool read_field(lua_State* L, int index, std::string_view name) {
  const T& value = check<T>(L, index);
  for (const Field<T>& field : Shown<T>::fields)
    if (name == field.name) return field.push(L, value) == 1;
  return false;
}

template <class T>
int to_text(lua_State* L) {
  return guard(L, [&] {
    host::push(L, Shown<T>::text(check<T>(L, 1)));
    return 1;
  });
}

template <class T>
void open_type(lua_State* L, const luaL_Reg* methods) {
  static constexpr luaL_Reg kMeta[] = {{"__tostring", to_text<T>}, {nullptr, nullptr}};
  std::vector<std::string> names;
  for (const Field<T>& field : Shown<T>::fields) names.emplace_back(field.name);
  new_type<T>(L, methods, kMeta, read_field<T>, names);
}

inline std::vector<double> list_at(lua_State* L, int index, const char* what) {
  std::vector<double> values = numbers_at(L, index, what, Dimension::count, kAnyNumber);
  Guest::of(L).count(values.size());
  return values;
}

// Reads the field "confidence", by the same rule for all words: 0.95, "95 %".
inline double confidence_in(const Fields& fields) {
  const double confidence = fields.number(statistics_fields::kConfidence);
  if (!(confidence > 0 && confidence < 1))
    fields.fail(statistics_fields::kConfidence, "confidence must be between 0 and 1, both excluded, got {}",
                format_number(confidence));
  return confidence;
}

// Reads a share: 0.05, "5 %".
inline double share_arg(lua_State* L, int index, const char* what, Range range) {
  return number_at(L, index, what, Dimension::fraction, range);
}

inline double number_arg(lua_State* L, int index, const char* what, Range range = kAnyNumber) {
  return number_at(L, index, what, Dimension::count, range);
}

}  // namespace perigee::bindings
