#pragma once

#include "interpreter/host/lua.h"

namespace perigee::bindings {

// cost.chart { times =, ... }: a chart that a script fills.
int make_chart(lua_State* L);

// sim:chart([planner]): the chart with which a planner would begin now.
int chart_of_simulation(lua_State* L);

}  // namespace perigee::bindings
