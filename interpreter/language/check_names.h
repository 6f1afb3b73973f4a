// Checks of names in functions that have not run, which `perigee check` knows by their text alone.
#pragma once

#include <optional>

#include "interpreter/session/interpreter.h"

namespace perigee::interpreter {

// The first identifier in the script or its modules that nothing declares. `whole`: the script has run to its
// end.
std::optional<Diagnostic> undeclared_name(Interpreter& interpreter, bool whole);

namespace lua {

// In check mode, checks the methods that the function at `index` calls on its parameter, an object of one of
// `types`. Error when none of the types has the method.
void check_methods(lua_State* L, int index, int parameter, std::initializer_list<std::string_view> types);
// The same for the fields of an object that has no methods.
void check_fields(lua_State* L, int index, int parameter, std::initializer_list<std::string_view> types);

}  // namespace lua
}  // namespace perigee::interpreter
