// Names and values at the prompt, read without running any function of the script.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/host/stack.h"

namespace perigee::bindings {

// Pushes the value that a chain "a.b.c" names, or returns false.
bool push_named(lua_State* L, std::string_view chain);
// The name of a native value's type; empty for any other value.
std::string type_of(lua_State* L, int index);
// Methods, and unless `methods_only` fields, of the value on top.
std::vector<std::string> members(lua_State* L, bool methods_only);
// The globals of the script and of the vocabulary, sorted.
std::vector<std::string> all_globals(lua_State* L);

}  // namespace perigee::bindings
