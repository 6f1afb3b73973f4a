// The ground of every binding.
#pragma once

#include "interpreter/host/errors.h"
#include "interpreter/host/fields.h"
#include "interpreter/host/objects.h"
#include "interpreter/host/reading.h"
#include "interpreter/host/sorted.h"

namespace perigee::host {

// Pushes, in check mode, a value that only a run could give. If its type is known (a type's name, "result"),
// fields that the type lacks are errors.
void push_unknown(lua_State* L, const char* type = nullptr);
bool is_unknown(lua_State* L, int index);
inline constexpr const char* kNotKnown = "not known before a run";

}  // namespace perigee::host
