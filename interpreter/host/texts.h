// Values as people read them, without addresses.
#pragma once

#include <string>

#include "interpreter/host/lua.h"

namespace perigee::host {

// tostring: pushes the text of a value. Tables are cut to the `width` of a terminal; 0 = no terminal.
void push_text(lua_State* L, int index, int width = 0);

}  // namespace perigee::host
