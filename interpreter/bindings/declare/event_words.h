// The fields of events.
#pragma once

#include <string>

#include "interpreter/host/stack.h"
#include "interpreter/values/declarations.h"

namespace perigee::bindings {

// The table at `index` as an event of that kind.
Fields scenario_fields_of(lua_State* L, int index, const std::string& kind);
// Exactly one field says what a change changes.
void check_change(const Fields& fields);
// When it is known, if it is before it begins; otherwise kNever.
Time check_known(const Fields& fields, const FieldRow& field, bool announced);

}  // namespace perigee::bindings
