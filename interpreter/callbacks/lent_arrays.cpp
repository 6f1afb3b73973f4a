#include "interpreter/callbacks/lent_arrays.h"

#include <initializer_list>

#include "interpreter/values/schedulers.h"

namespace perigee::callbacks {

// One table for each argument of each callback, used again and again. Between calls it is empty, and it is
// an error to look at it.
void lend(lua_State* L, Reference& array, const std::vector<lua_Integer>& values, int metatable) {
  if (!array.valid()) {
    lua_createtable(L, static_cast<int>(values.size()), 0);
    array = Reference(L, -1);
  } else {
    array.push(L);
  }
  lua_pushvalue(L, metatable);
  lua_setmetatable(L, -2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    lua_pushinteger(L, values[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}
void take_back(lua_State* L, Reference& array, std::size_t size, int metatable) {
  if (lua_getmetatable(L, -1) == 0) {  // the script has put something into it: it is the script's now
    array = {};
    lua_pop(L, 1);
    return;
  }
  lua_pop(L, 1);
  for (std::size_t i = size; i > 0; --i) {
    lua_pushnil(L);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i));
  }
  lua_pushvalue(L, metatable);
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}
void push_metatable(lua_State* L, Reference& known, const char* name) {
  if (!known.valid()) {
    luaL_getmetatable(L, name);
    known = Reference(L, -1);
    return;
  }
  known.push(L);
}

namespace {

// An array into which the script puts a value becomes the script's own.
int keep_array(lua_State* L) {
  lua_pushnil(L);
  lua_setmetatable(L, 1);
  lua_settop(L, 3);
  lua_rawset(L, 1);
  return 0;
}
int refuse_array(lua_State* L) {
  return guard(L, []() -> int {
    fail("stale",
         "this array belongs to a callback that is over; keep a copy of it, {{ table.unpack(works) }}");
  });
}

}  // namespace

void open_lent_arrays(lua_State* L) {
  const auto new_metatable = [&](const char* name, std::initializer_list<luaL_Reg> functions) {
    luaL_newmetatable(L, name);
    lua_pushliteral(L, "protected");
    lua_setfield(L, -2, "__metatable");
    for (const auto& [event, function] : functions) {
      lua_pushcfunction(L, function);
      lua_setfield(L, -2, event);
    }
    lua_pop(L, 1);
  };
  new_metatable(kLent, {{"__newindex", keep_array}});
  new_metatable(kReturned, {{"__index", refuse_array},
                            {"__newindex", refuse_array},
                            {"__len", refuse_array},
                            {"__pairs", refuse_array}});
}

}  // namespace perigee::callbacks
