// Hints that go with an error, for a person who thinks in another programming language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/layers.h"
#include "runtime/kernel/error.h"

namespace perigee::interpreter {

// Notes for an error of a script. They follow from its message, from the line that it is about, and, where
// Lua could not read the text, from the whole `source`.
std::vector<std::string> hints_for(const Diagnostic& diagnostic, std::string_view line,
                                   std::string_view source);

}  // namespace perigee::interpreter
