// Tables and other values as people read them.
#pragma once

#include <string>

#include "interpreter/host/lua.h"

namespace perigee::bindings {

// The text of a table with all its contents, without a last "\n". Lists of records are aligned tables of at
// most `most_rows` rows.
std::string table_text(lua_State* L, int index, int width, std::size_t most_rows);
// Whether the value is a table without a text of its own.
bool is_plain_table(lua_State* L, int index);
// The text of any other value, without control characters.
std::string plain_text(lua_State* L, int index);
inline constexpr std::size_t kMostRows = 200;  // of a list that the prompt shows

}  // namespace perigee::bindings
