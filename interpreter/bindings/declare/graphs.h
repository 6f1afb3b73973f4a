// Task graphs in files: words of the module `graph`, and methods of graphs.
#pragma once

#include "interpreter/host/lua.h"
#include "interpreter/layers.h"

namespace perigee::bindings {

int graph_matrix(lua_State* L);  // graph.matrix { ... }
int graph_from_wfformat(lua_State* L);
int graph_from_stg(lua_State* L);
int graph_from_dot(lua_State* L);

int write_graph_as_wfformat(lua_State* L);
int write_graph_as_stg(lua_State* L);
int write_graph_as_dot(lua_State* L);

}  // namespace perigee::bindings
