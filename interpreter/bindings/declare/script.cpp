// Words of the script itself: what it prints, its modules, its random numbers and settings.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/show/items.h"
#include "interpreter/bindings/show/texts.h"
#include "interpreter/host/sandbox.h"
#include "interpreter/host/texts.h"
#include "interpreter/session/interpreter.h"

namespace perigee::bindings {

namespace {

int print_values(lua_State* L) {
  return guard(L, [&] {
    Interpreter& interpreter = Interpreter::of(L);
    if (interpreter.checking()) return 0;
    std::string out;
    const int count = lua_gettop(L), width = interpreter.output().width();
    for (int i = 1; i <= count; ++i) {
      if (i > 1) out += '\t';
      if (is_plain_table(L, i)) {
        out += table_text(L, i, width, std::numeric_limits<std::size_t>::max());
        continue;
      }
      push_text(L, i, width);
      out += *host::text_at(L, -1);
      lua_pop(L, 1);
    }
    out += '\n';
    if (count == 1 && interpreter.output().has_audience())
      if (const auto item = item_of(L, 1)) {
        interpreter.output().show(out, false, [&] { return *item; });
        return 0;
      }
    interpreter.output().print(out);
    return 0;
  });
}

int require(lua_State* L) {
  return guard(L, [&] {
    const auto name = host::text_at(L, 1);
    if (!name) fail("bad_type", "require: the name of a module is needed, got {}", host::shown(L, 1));
    Interpreter::of(L).modules().require(L, *name);
    return 1;
  });
}

// math.random draws from the stream "script" of the script's seed.
int random_number(lua_State* L) {
  return guard(L, [&] {
    if (Interpreter::of(L).in_run())
      fail("bad_call",
           "math.random draws from the script's own stream, so a run would depend on "
           "what ran before; draw from sim:stream(name) in a policy, from c:stream() "
           "or problem:stream() in a heuristic, from the generator's rng in a workload");
    Stream& stream = Interpreter::of(L).script_stream();
    if (lua_gettop(L) == 0) {
      lua_pushnumber(L, stream.uniform());
      return 1;
    }
    const bool one = lua_gettop(L) == 1;
    const lua_Integer low = one ? 1 : luaL_checkinteger(L, 1);
    const lua_Integer high = luaL_checkinteger(L, one ? 1 : 2);
    if (low > high) fail("bad_parameter", "math.random: the interval {} to {} is empty", low, high);
    const std::uint64_t width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    const std::uint64_t drawn = width == 0 ? stream() : stream.below(width);
    const std::uint64_t value = static_cast<std::uint64_t>(low) + drawn;  // wraps as it should
    lua_pushinteger(L, static_cast<lua_Integer>(value));
    return 1;
  });
}

}  // namespace

void open_script(lua_State* L) {
  static constexpr luaL_Reg kBase[] = {{"print", print_values}, {"require", require}, {nullptr, nullptr}};
  static constexpr luaL_Reg kMath[] = {{"random", random_number}, {nullptr, nullptr}};
  open_sandbox(L, kBase, kMath);
}

// ---- settings ----

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
