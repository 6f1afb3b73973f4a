#pragma once

#include "interpreter/host/fields.h"
#include "runtime/model/power.h"

namespace perigee::bindings {

// These read the table on top of the stack, which `subject` names in messages. Error "bad_power" at the line of the field.
model::PowerModel read_power(lua_State* L, const std::string& subject);
model::LinkPower read_link_power(lua_State* L, const std::string& subject);

}  // namespace perigee::bindings
