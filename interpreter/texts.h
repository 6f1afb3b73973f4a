// Values as people read them, without addresses.
#pragma once

#include <string>

#include "interpreter/lua.h"

namespace perigee::interpreter::lua {

// tostring: pushes the text of a value. `width` is that of the terminal for which tables are cut; 0 = none.
void push_text(lua_State* L, int index, int width = 0);

// A table with all that is in it, lists of records as aligned tables of at most so many rows; no last "\n".
std::string table_text(lua_State* L, int index, int width, std::size_t most_rows);
// Whether it is a table that has no text of its own.
bool is_plain_table(lua_State* L, int index);

}  // namespace perigee::interpreter::lua
