// Hints that go with an error, for a person who thinks in another programming language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/host/stack.h"
#include "interpreter/layers.h"
#include "runtime/kernel/error.h"

namespace perigee::language {

// Notes for an error of a script. They follow from its message, from the line that it is about, and, where
// Lua could not read the text, from the whole `source`.
std::vector<std::string> hints_for(const Diagnostic& diagnostic, std::string_view line,
                                   std::string_view source);

// Whether there is a hint for a script that uses this name, which perigee does not have: "str", "math.inf".
bool has_hint_for_name(std::string_view name);

// Adds a note to the error of a function, a field of a word's table ("policy.arrived"), that seems to lack
// the first of the arguments that it is called with.
void add_note_of_arguments(lua_State* L, const host::Reference& function, std::string_view chain,
                           Diagnostic& diagnostic);

}  // namespace perigee::language
