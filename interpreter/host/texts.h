// Values as people read them, without addresses.
#pragma once

#include <string>

#include "interpreter/host/lua.h"

namespace perigee::interpreter::lua {

// tostring: pushes the text of a value. Tables are cut to the `width` of a terminal; 0 = no terminal.
void push_text(lua_State* L, int index, int width = 0);

// The text of a table with all its contents, without a last "\n". Lists of records are aligned tables of at
// most `most_rows` rows.
std::string table_text(lua_State* L, int index, int width, std::size_t most_rows);
// Whether the value is a table without a text of its own.
bool is_plain_table(lua_State* L, int index);

}  // namespace perigee::interpreter::lua
