// More of what check mode knows of values that only a run could give.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/lua.h"

namespace perigee::interpreter::lua {

using Columns = std::optional<std::vector<std::string>>;  // nothing: they are not known

// A list of rows that is not known, with the methods of one.
void push_unknown_rows(lua_State* L, const Columns& columns);
// A value of a native type that is not known, with the methods in the table on top of the stack, which it
// replaces; its other methods are as push_unknown() has them.
void wrap_unknown(lua_State* L, const char* type);

std::string_view type_of_unknown(lua_State* L, int index);  // "" when that is not known either
Columns columns_of_unknown(lua_State* L, int index);
// The script goes through the rows, and may give them further columns.
void forget_columns(lua_State* L, int index);

// Error "unknown_field" or "bad_value" when the plain table at `index` has fields that the word's table does not
// have, or a text that is none of a field's values. `chain`: "result.plot".
void check_word_fields(lua_State* L, int index, std::string_view chain);

}  // namespace perigee::interpreter::lua
