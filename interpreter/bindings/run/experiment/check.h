// Experiments in check mode.
#pragma once

#include "interpreter/bindings/run/experiment/declaration.h"

namespace perigee::bindings {

// In check mode: calls the functions for some combinations of levels, and pushes a value that stands for the
// experiment and knows its columns.
void push_checked_experiment(lua_State* L, const Declaration& declaration);
// Opens what such values need.
void open_check(lua_State* L);

}  // namespace perigee::bindings
