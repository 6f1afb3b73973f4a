#pragma once

#include <algorithm>

#include "interpreter/host/lua.h"
#include "interpreter/layers.h"

namespace perigee::session {

// The number and the largest of the integer keys from 1 on. Lua does not define where an array with holes
// ends.
struct KeyExtent {
  lua_Integer count = 0, highest = 0;
  void take(lua_State* L, int key) {
    if (lua_isinteger(L, key) == 0 || lua_tointeger(L, key) < 1) return;
    ++count;
    highest = std::max(highest, lua_tointeger(L, key));
  }
  bool has_holes() const { return count != highest; }
};
inline KeyExtent extent_of(lua_State* L, int table) {
  KeyExtent extent;
  for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) extent.take(L, -2);
  return extent;
}

}  // namespace perigee::session
