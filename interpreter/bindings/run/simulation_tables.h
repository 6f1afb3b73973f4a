// Tables that the user of a terminal asks for first.
#pragma once

#include "interpreter/host/lua.h"
#include "interpreter/layers.h"

namespace perigee::bindings {

int host_table(lua_State* L);              // sim:hosts()
int work_table(lua_State* L);              // sim:jobs(): the submitted work
int simulation_queue_table(lua_State* L);  // sim:queue(): the waiting work

}  // namespace perigee::bindings
