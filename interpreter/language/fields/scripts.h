// The fields of the words that write declarations as texts of Lua.
#pragma once

#include "interpreter/host/field_row.h"

namespace perigee::language::script_fields {

inline constexpr FieldRow kSeed = whole_field(
    "seed", {0}, {}, "of the works that functions make, which are written as they come out (--seed)");
inline constexpr FieldRow kName =
    text_field("name", "", "of a local variable that the text declares (none: the text returns the value)");
inline constexpr FieldRow kScenario[] = {kSeed, kName};
inline constexpr FieldRow kProblem[] = {kName};

}  // namespace perigee::language::script_fields
