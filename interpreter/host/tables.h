// table.concat, insert, move, remove and sort, whose loops count against --steps.
#pragma once

#include "interpreter/host/lua.h"

namespace perigee::host {

// Replaces those functions of the table library, which is on top of the stack.
void open_tables(lua_State* L);

}  // namespace perigee::host
