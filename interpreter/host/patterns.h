// string.find, match, gmatch and gsub with the results of Lua 5.4's own, in bounded time and memory.
#pragma once

#include "interpreter/host/lua.h"

namespace perigee::host {

// Replaces those functions of the string library, which is on top of the stack.
void open_patterns(lua_State* L);

}  // namespace perigee::host
