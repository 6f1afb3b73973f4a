// json.read(path): a JSON file as tables. json.text(value): tables as JSON.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "interpreter/bindings/files.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/values/runs.h"
#include "runtime/model/readers/json_text.h"
#include "runtime/model/readers/lines.h"

namespace perigee::bindings {

namespace {

using readers::JsonText;
constexpr std::uintmax_t kLargest = std::uintmax_t{256} << 20;  // bytes
constexpr int kDeepestJson = 100;

void push_json_value(lua_State* L, const JsonText& text, const JsonText::Cursor& at, int depth) {
  Interpreter::of(L).count(1);
  if (depth > kDeepestJson) text.fail(at, "bad_json", "E_JSON", "more than {} levels deep", kDeepestJson);
  luaL_checkstack(L, 4, "json");
  switch (at.value->type()) {
    case readers::Json::value_t::object:
      lua_newtable(L);
      for (const auto& [key, value] : text.object(at)) {
        if (value.is_null()) continue;  // null is an absent field
        host::push(L, key);
        push_json_value(L, text, at.member(key), depth + 1);
        lua_rawset(L, -3);
      }
      return;
    case readers::Json::value_t::array:
      lua_createtable(L, static_cast<int>(at.value->size()), 0);
      for (std::size_t i = 0; i < at.value->size(); ++i) {
        const JsonText::Cursor item = at.item(i);
        if (item.value->is_null()) text.fail(item, "bad_json", "E_JSON", "a list of a script has no null");
        push_json_value(L, text, item, depth + 1);
        lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
      }
      return;
    case readers::Json::value_t::string:
      host::push(L, text.string(at));
      return;
    case readers::Json::value_t::boolean:
      lua_pushboolean(L, text.boolean(at) ? 1 : 0);
      return;
    case readers::Json::value_t::null:
      lua_pushnil(L);
      return;
    default:
      push_cell(L, text.number(at));
  }
}

// json.read(path)
int json_read(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "json.read");
    const std::string whole =
        with_file(L, path, [](const std::string& real) { return readers::Lines::whole(real, kLargest); });
    const JsonText text(whole, path);
    push_json_value(L, text, text.root(), 0);
    return 1;
  });
}

// Appends the value at `index` to `out`. Keys go in order. A table with a first entry is a list.
void append(lua_State* L, int index, std::string& out, int depth) {
  Interpreter::of(L).count(1);
  if (depth > kDeepestJson) fail("bad_json", "json.text: more than {} levels deep", kDeepestJson);
  luaL_checkstack(L, 6, "json");
  index = lua_absindex(L, index);
  switch (lua_type(L, index)) {
    case LUA_TNIL:
      out += "null";
      return;
    case LUA_TBOOLEAN:
      out += lua_toboolean(L, index) != 0 ? "true" : "false";
      return;
    case LUA_TNUMBER: {
      if (lua_isinteger(L, index) != 0) {
        out += fmt::format("{}", lua_tointeger(L, index));
        return;
      }
      const double value = lua_tonumber(L, index);
      if (!std::isfinite(value))
        fail("bad_json", "json.text: JSON has no {}; nil leaves the field out, and tostring makes it a text",
             std::isnan(value) ? "nan"
             : value > 0       ? "inf"
                               : "-inf");
      out += format_number(value);
      return;
    }
    case LUA_TSTRING:
      out += readers::json_string(*text_at(L, index));
      return;
    case LUA_TTABLE:
      break;
    default:
      fail("bad_json", "json.text: {} is neither a number, a text, true, false nor a table", shown(L, index));
  }
  constexpr std::uint64_t kStepsOfTable = 10;
  Interpreter::of(L).count(kStepsOfTable);
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, index));
  bool first = true;
  out += count > 0 ? '[' : '{';
  each_sorted(L, index, [&] {
    if (!first) out += ',';
    if (count > 0) {
      const lua_Integer place = lua_isinteger(L, -2) != 0 ? lua_tointeger(L, -2) : 0;
      if (place < 1 || place > count) fail("bad_json", "json.text: a list has the key {}", shown(L, -2));
    } else {
      const auto key = text_at(L, -2);
      if (!key) fail("bad_json", "json.text: the key {} is no text", shown(L, -2));
      out += readers::json_string(*key) + ":";
    }
    first = false;
    append(L, -1, out, depth + 1);
  });
  out += count > 0 ? ']' : '}';
}

// json.text(value)
int json_write(lua_State* L) {
  return guard(L, [&] {
    std::string out;
    lua_settop(L, 1);
    append(L, 1, out, 0);
    host::push(L, out);
    return 1;
  });
}

constexpr luaL_Reg kJsonModule[] = {{"read", json_read}, {"text", json_write}, {nullptr, nullptr}};

}  // namespace

void open_json(lua_State* L) {
  push_module(L, "json", kJsonModule);
  define(L, "json");
}

}  // namespace perigee::bindings
