// Settings of the command line: setting(name, default), args.name.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "interpreter/bindings/parts.h"
#include "interpreter/host/texts.h"
#include "interpreter/session/interpreter.h"

namespace perigee::bindings {

namespace {

// The value of `args.name`: number, boolean or text, as it looks.
void push_setting(lua_State* L, const std::string& text) {
  if (text == "true" || text == "false") {
    lua_pushboolean(L, text == "true" ? 1 : 0);
    return;
  }
  if (lua_stringtonumber(L, text.c_str()) == text.size() + 1) return;
  host::push(L, text);
}

int read_args(lua_State* L) {
  return guard(L, [&] {
    Interpreter& interpreter = Interpreter::of(L);
    const std::string name = host::text_at(L, 2) ? std::string(*host::text_at(L, 2)) : host::shown(L, 2);
    const std::string* given = interpreter.settings().find(name);
    if (given == nullptr) {
      std::vector<std::string> names;  // those given, and those that the script reads otherwise
      for (const auto& [known, value] : interpreter.options().settings) names.push_back(known);
      for (const std::string& known : interpreter.cell().reads().settings)
        if (known != name) names.push_back(known);
      Diagnostic diagnostic{"unknown_setting",
                            fmt::format("the setting '{}' was not given{}", name, did_you_mean(name, names)),
                            {},
                            {}};
      diagnostic.notes.push_back(
          fmt::format("give it as --set {}=VALUE, or read it as setting(\"{}\", DEFAULT)", name, name));
      throw Error(std::move(diagnostic));
    }
    push_setting(L, *given);
    return 1;
  });
}

// Pushes the command line's value in the default's type; else the default.
int push_value_of_setting(lua_State* L, Interpreter& interpreter) {
  const auto name = host::text_at(L, 1);
  if (!name) fail("bad_type", "setting: the first argument is a name, got {}", host::shown(L, 1));
  lua_settop(L, 2);
  const std::string* given = interpreter.settings().find(std::string(*name));
  if (given == nullptr) {
    if (lua_isnil(L, 2))
      fail("missing_setting", "the setting '{}' must be given: --set {}=VALUE", *name, *name);
    return 1;
  }
  switch (lua_type(L, 2)) {
    case LUA_TNUMBER:
      if (lua_stringtonumber(L, given->c_str()) != given->size() + 1 || !std::isfinite(lua_tonumber(L, -1)))
        fail("bad_setting", "--set {}={}: a number is needed, for the default is {}", *name, *given,
             host::shown(L, 2));
      if (lua_isinteger(L, 2) != 0 && lua_isinteger(L, -1) == 0) {
        int whole = 0;
        const lua_Integer value = lua_tointegerx(L, -1, &whole);
        if (whole != 0) lua_pushinteger(L, value);  // 1e3 where the default is 400
      }
      return 1;
    case LUA_TBOOLEAN:
      if (*given != "true" && *given != "false")
        fail("bad_setting", "--set {}={}: true or false is needed", *name, *given);
      lua_pushboolean(L, *given == "true" ? 1 : 0);
      return 1;
    case LUA_TSTRING:
      host::push(L, *given);
      return 1;
    case LUA_TNIL:
      push_setting(L, *given);
      return 1;
    default:
      fail("bad_type", "setting '{}': the default must be a number, a text, true or false, got {}", *name,
           host::shown(L, 2));
  }
}

// setting(name, default)
int read_setting(lua_State* L) {
  return guard(L, [&] {
    Interpreter& interpreter = Interpreter::of(L);
    push_value_of_setting(L, interpreter);
    std::size_t length = 0;
    const char* text = luaL_tolstring(L, -1, &length);
    interpreter.settings().note(std::string(*host::text_at(L, 1)), std::string(text, length));
    lua_pop(L, 1);
    return 1;
  });
}

int no_writing(lua_State* L) {
  return guard(L, [&]() -> int {
    fail("read_only", "args holds the settings of the command line; it cannot be changed");
  });
}

}  // namespace

void open_settings(lua_State* L) {
  lua_newtable(L);
  lua_newtable(L);
  lua_pushcfunction(L, read_args);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, no_writing);
  lua_setfield(L, -2, "__newindex");
  lua_pushliteral(L, "protected");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  host::define(L, "args");
  host::define(L, "setting", read_setting);
}

}  // namespace perigee::bindings
