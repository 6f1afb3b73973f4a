// The part of standard Lua that a script may use. It is an allow list, made strict, bounded and free of
// anything that differs from run to run (addresses, hash order, the wall clock, an unstable sort).
#pragma once

#include <string>
#include <string_view>

#include "interpreter/host/lua.h"

namespace perigee::host {

// Compiles a text as lua_load does. A long text is read piece by piece: each counts against --steps, and the
// script may be stopped between two.
int load_in_pieces(lua_State* L, std::string_view text, const std::string& chunk);

// Fills the vocabulary with it. `base` and `math` are further functions of those libraries.
void open_sandbox(lua_State* L, const luaL_Reg* base, const luaL_Reg* math);

}  // namespace perigee::host
