// string.find, match, gmatch and gsub: results of Lua 5.4's own, in bounded time and memory.
#pragma once

#include "interpreter/lua.h"

namespace perigee::interpreter::lua {

// Puts them in the place of those of the string library on top of the stack.
void open_patterns(lua_State* L);

}  // namespace perigee::interpreter::lua
