// The part of standard Lua that a script may use. It is an allow list, made strict, bounded and free of
// anything that differs from run to run (addresses, hash order, the wall clock, an unstable sort).
#pragma once

#include "interpreter/host/lua.h"

namespace perigee::interpreter {

// Fills the vocabulary with it. `base` and `math` are further functions of those libraries.
void open_sandbox(lua_State* L, const luaL_Reg* base, const luaL_Reg* math);

}  // namespace perigee::interpreter
