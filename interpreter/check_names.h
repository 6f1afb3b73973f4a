// Names in functions that have not run: what `perigee check` can tell from their text.
#pragma once

#include <optional>

#include "interpreter/interpreter.h"

namespace perigee::interpreter {

// An identifier in the script or its modules that nothing declares; the first one. `whole`: the script has
// run to its end.
std::optional<Diagnostic> undeclared_name(Interpreter& interpreter, bool whole);

namespace lua {

// Of the function at `index`, in check mode: Error when it calls a method of its parameter, an object of one
// of these types, that none of them has.
void check_methods(lua_State* L, int index, int parameter, std::initializer_list<std::string_view> types);
// The same of its fields, of an object that has nothing else.
void check_fields(lua_State* L, int index, int parameter, std::initializer_list<std::string_view> types);

}  // namespace lua
}  // namespace perigee::interpreter
