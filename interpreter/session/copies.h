#pragma once

#include <string>

#include "interpreter/host/lua.h"
#include "interpreter/layers.h"

namespace perigee::session {

// Pushes a copy of a policy's `self`: plain data with cycles and sharing kept. An Error names the value that
// cannot be copied.
void copy_plain(lua_State* L, int index, const std::string& who, const std::string& name);

}  // namespace perigee::session
