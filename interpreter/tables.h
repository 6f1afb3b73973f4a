// table.concat, insert, move, remove and sort, whose loops count against --steps.
#pragma once

#include "interpreter/lua.h"

namespace perigee::interpreter::lua {

// Puts them in the place of those of the table library on top of the stack.
void open_tables(lua_State* L);

}  // namespace perigee::interpreter::lua
