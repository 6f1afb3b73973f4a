#pragma once

#include "interpreter/host/lua.h"

namespace perigee::interpreter::lua {

int why(lua_State* L);      // sim:why(work), r:why(work)
int why_not(lua_State* L);  // sim:why_not(work, host), r:why_not(work, host)

}  // namespace perigee::interpreter::lua
