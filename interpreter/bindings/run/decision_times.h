#pragma once

struct lua_State;

namespace perigee::bindings {

// s:decision_times { policy =, seed =, horizon =, information =, ask =, tolerance =, submit_first = }
int decision_times(lua_State* L);

}  // namespace perigee::bindings
