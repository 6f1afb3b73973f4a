// At which line of a source a table stands that the script has given.
#pragma once

#include <optional>
#include <string_view>

#include "interpreter/lua.h"

namespace perigee::interpreter::lua {

// The line of `field =` in the table at `index`, which the statement at line `call` was given; with no field
// the line at which the table begins. The table is known again by what is written in it: of a list of records
// it is the right one. Nothing where that is not sure.
std::optional<int> line_in_source(lua_State* L, int index, std::string_view source, int call,
                                  std::string_view field);

}  // namespace perigee::interpreter::lua
