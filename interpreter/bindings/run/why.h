#pragma once

#include "interpreter/host/lua.h"

namespace perigee::bindings {

int why(lua_State* L);      // sim:why(work), r:why(work)
int why_not(lua_State* L);  // sim:why_not(work, host), r:why_not(work, host)

}  // namespace perigee::bindings
