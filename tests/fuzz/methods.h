// All that a script may call, and values to call it with.
#pragma once

#include "interpreter/session/interpreter.h"
#include "tests/support/layers.h"

namespace perigee::fuzz {

// Pushes a list of every function of the vocabulary, its modules and the methods of every native type, in the
// order of their names; and the list of these names.
void push_functions(lua_State* L);
void push_function_names(lua_State* L);

// Lua: the globals `values`, one of every kind, and `makers`, functions that make one of every kind that
// calls can change.
extern const char* const kValues;

}  // namespace perigee::fuzz
