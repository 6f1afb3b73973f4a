#pragma once

#include <lua.hpp>

namespace perigee::bindings {

// Whether the value is a table without a metatable.
inline bool is_plain_table(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TTABLE) return false;
  if (lua_getmetatable(L, index) == 0) return true;
  lua_pop(L, 1);
  return false;
}

}  // namespace perigee::bindings
