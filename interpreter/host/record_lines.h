// Finds the line of a source at which a table of the script stands.
#pragma once

#include <optional>
#include <string_view>

#include "interpreter/host/lua.h"

namespace perigee::host {

// The line of `field =` in the table at `index`, an argument in the statement at line `call`. With no field,
// the line at which the table begins. The table is recognized by the entries written in it, so that the right
// record of a list is found. Nothing when the line is not certain.
std::optional<int> line_in_source(lua_State* L, int index, std::string_view source, int call,
                                  std::string_view field);

}  // namespace perigee::host
