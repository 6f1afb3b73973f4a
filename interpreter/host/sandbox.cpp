#include "interpreter/host/sandbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "interpreter/host/guest.h"
#include "interpreter/host/libraries.h"
#include "interpreter/host/stack.h"
#include "interpreter/host/tables.h"
#include "interpreter/host/unknown.h"

namespace perigee::host {

namespace {

// ---- globals ----

struct SandboxHint {
  std::string_view name, text;
};
constexpr SandboxHint kSandboxHints[] = {
    {"os", "scripts have no access to the system"},
    {"io", "scripts write by print and :save; data files are opened by readers such as etc.read"},
    {"debug", "it is not available to scripts"},
    {"package", "use require"},
    {"dofile", "use require"},
    {"loadfile", "use require"},
    {"next", "its order differs from run to run; use pairs, which goes in sorted order"},
    {"collectgarbage", "it is not available to scripts"},
    {"_G", "globals are reached by their names"},
};

int missing_global(lua_State* L) {
  return guard(L, [&]() -> int {
    const std::string name = text_at(L, 2) ? std::string(*text_at(L, 2)) : shown(L, 2);
    for (const SandboxHint& hint : kSandboxHints)
      if (name == hint.name) fail("unknown_name", "'{}' is not available: {}", name, hint.text);
    std::vector<std::string> names;
    const auto collect = [&](int table) {
      lua_pushnil(L);
      while (lua_next(L, table) != 0) {
        lua_pop(L, 1);
        if (const auto key = text_at(L, -1)) names.emplace_back(*key);
      }
    };
    lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
    collect(lua_gettop(L));
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    collect(lua_gettop(L));
    std::sort(names.begin(), names.end());
    const Wording& wording = Guest::of(L).wording();
    const std::string instead = wording.instead_of_field({}, name);
    fail("unknown_name", "there is no '{}'{}", name,
         !instead.empty()           ? "; " + instead
         : wording.knows_name(name) ? std::string()
                                    : did_you_mean(name, names));
  });
}

int new_global(lua_State* L) {
  return guard(L, [&] {
    const std::string name = text_at(L, 2) ? std::string(*text_at(L, 2)) : shown(L, 2);
    lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
    lua_pushvalue(L, 2);
    if (lua_rawget(L, -2) != LUA_TNIL)
      fail("protected", "'{}' is a word of perigee; write `local {} = ...` to use it for something else",
           name, name);
    lua_Debug frame;
    if (lua_getstack(L, 1, &frame) != 0 && lua_getinfo(L, "S", &frame) != 0 && *frame.what != 'm' &&
        *frame.what != 'C')
      fail("undeclared", "'{}' is assigned in a function but nowhere declared; write `local {}`", name, name);
    lua_settop(L, 3);
    lua_rawset(L, 1);
    return 0;
  });
}

}  // namespace

void replace_field(lua_State* L, const char* name, lua_CFunction function) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
}

namespace {

// Upvalue: the function. Its answer for an unknown value is unknown.
int absorb(lua_State* L) {
  const int count = lua_gettop(L);
  for (int i = 1; i <= count; ++i)
    if (is_unknown(L, i)) {
      push_unknown(L);
      return 1;
    }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, count, LUA_MULTRET);
  return lua_gettop(L);
}

}  // namespace

void absorb_all(lua_State* L) {
  if (!Guest::of(L).checking()) return;
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    if (lua_isfunction(L, -1)) {
      lua_pushcclosure(L, absorb, 1);
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_rawset(L, -4);  // an existing field: lua_next may go on
    } else {
      lua_pop(L, 1);
    }
  }
}

void remove_field(lua_State* L, const char* name) {
  lua_pushnil(L);
  lua_setfield(L, -2, name);
}

void open_library(lua_State* L, const char* name, lua_CFunction open) {
  lua_pushcfunction(L, open);
  lua_pushstring(L, name);
  lua_call(L, 1, 1);
}

namespace {

void open_table(lua_State* L) {
  open_library(L, "table", luaopen_table);
  replace_field(L, "unpack", give_many);
  open_tables(L);
  freeze(L, "table");
  define(L, "table");
}

void open_utf8(lua_State* L) {
  open_library(L, "utf8", luaopen_utf8);
  for (const char* name : {"len", "offset", "codepoint"}) replace_field(L, name, read_texts);
  freeze(L, "utf8");
  define(L, "utf8");
}

// A name that the script has not set is looked up in the vocabulary. A name that the vocabulary lacks is an
// error.
void replace_globals(lua_State* L, int vocabulary) {
  lua_newtable(L);
  lua_pushcfunction(L, missing_global);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, vocabulary);
  lua_newtable(L);
  lua_newtable(L);
  lua_pushvalue(L, vocabulary);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, new_global);
  lua_setfield(L, -2, "__newindex");
  lua_pushliteral(L, "protected");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}

}  // namespace

void open_sandbox(lua_State* L, const luaL_Reg* base, const luaL_Reg* math) {
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  const int vocabulary = lua_gettop(L);
  open_base(L, vocabulary, base);
  open_math(L, math);
  open_string(L);
  open_table(L);
  open_utf8(L);
  open_coroutine(L);
  replace_globals(L, vocabulary);
  lua_pop(L, 1);
}

}  // namespace perigee::host
