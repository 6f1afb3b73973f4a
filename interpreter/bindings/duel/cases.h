// Cases of a space as tables of a script, and back.
#pragma once

#include <string>

#include "interpreter/values/duels.h"

namespace perigee::bindings {

// Pushes the value as the script is given it: a number, one of the choices, a list, a table with names. A record has only
// the fields at the first `known` places of its order.
void push_datum(lua_State* L, const Variable& variable, const Datum& value, std::size_t known = SIZE_MAX);
// Pushes a fresh table of the case.
void push_case(lua_State* L, const Space& space, const Datum& value);
// Pushes a copy of the value at `index`: of a table without a metatable, one with copies of its fields.
void push_copy(lua_State* L, int index, int depth = 0);
// The case in the table at `index`. Error "bad_case" naming `what` and the field where it is none of the space.
Datum case_at(lua_State* L, int index, const SpaceValue& space, std::string_view what);
// The case as a table of Lua, numbers so that they are read back exactly; in one line, or over several ones.
std::string text_of_case(lua_State* L, const Space& space, const Datum& value, bool lines = false);

}  // namespace perigee::bindings
