// More facts that check mode knows of values that only a run could give.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/host/lua.h"

namespace perigee::host {

// The type of such values, whose metatable is opened where the words are.
inline constexpr const char* kUnknownType = "value not known before a run";
// The field of that metatable with the function that ipairs calls with such a value.
inline constexpr const char* kLoopOverUnknown = "loop";

using Columns = std::optional<std::vector<std::string>>;  // nothing: the columns are not known

// Pushes an unknown list of rows, with the methods of such a list.
void push_unknown_rows(lua_State* L, const Columns& columns);
// Replaces the table of methods on top of the stack by an unknown value of a native type that has these
// methods. Its other methods are those of push_unknown().
void wrap_unknown(lua_State* L, const char* type);

std::string_view type_of_unknown(lua_State* L, int index);  // "" when the type is not known either
Columns columns_of_unknown(lua_State* L, int index);
// Called when the script goes through the rows, for it may give them further columns.
void forget_columns(lua_State* L, int index);

}  // namespace perigee::host
