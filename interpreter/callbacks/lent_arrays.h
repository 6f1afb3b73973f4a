// The arrays of works and hosts that callbacks of a policy are given: lent to the script while the callback runs.
#pragma once

#include <cstddef>
#include <vector>

#include "interpreter/host/stack.h"
#include "interpreter/layers.h"

namespace perigee::callbacks {

// Pushes `array`, made where there is none, with the values. `metatable`: the place of that of lent arrays.
void lend(lua_State* L, Reference& array, const std::vector<lua_Integer>& values, int metatable);
// Pops the array on top of the stack and takes it back from the script. `metatable`: the place of that of arrays that
// are taken back. An array into which the script has put something is the script's from then on.
void take_back(lua_State* L, Reference& array, std::size_t size, int metatable);
// Pushes the metatable of that name, and keeps it in `known`.
void push_metatable(lua_State* L, Reference& known, const char* name);
// Makes both metatables, kLent and kReturned.
void open_lent_arrays(lua_State* L);

}  // namespace perigee::callbacks
