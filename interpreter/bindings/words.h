#pragma once

#include "interpreter/host/lua.h"
#include "interpreter/layers.h"

namespace perigee::bindings {

// Opens all words of perigee; an Interpreter is given this function.
void open_words(lua_State* L);

}  // namespace perigee::bindings
