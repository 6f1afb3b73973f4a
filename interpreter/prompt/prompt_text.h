// Values as the prompt shows them.
#pragma once

#include <string>

#include "interpreter/host/stack.h"

namespace perigee::prompt {

// Without a last "\n". May raise an error of its __tostring.
std::string pretty(lua_State* L, int index);

// The global `_`: the last value shown.
void set_last_value(lua_State* L, int index);
const void* last_value(lua_State* L);

}  // namespace perigee::prompt
