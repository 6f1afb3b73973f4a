// Each of these functions opens one part of the words, and is defined beside it.
#pragma once

#include "interpreter/host/lua.h"
#include "interpreter/layers.h"

namespace perigee::bindings {

void open_script(lua_State* L);
void open_unknown(lua_State* L);
void open_claim(lua_State* L);
void open_settings(lua_State* L);
void open_random(lua_State* L);
void open_statistics(lua_State* L);
void open_platform(lua_State* L);
void open_queues(lua_State* L);
void open_priorities(lua_State* L);
void open_graphs(lua_State* L);
void open_workload(lua_State* L);
void open_scenario(lua_State* L);
void open_readers(lua_State* L);
void open_mapping(lua_State* L);
void open_policy_sim(lua_State* L);
void open_plan(lua_State* L);
void open_catalogue(lua_State* L);
void open_result(lua_State* L);
void open_plot(lua_State* L);
void open_simulation(lua_State* L);
void open_profile(lua_State* L);
void open_why(lua_State* L);
void open_compare(lua_State* L);
void open_process(lua_State* L);
void open_whatif(lua_State* L);
void open_quote(lua_State* L);
void open_experiment(lua_State* L);
void open_spaces(lua_State* L);
void open_duels(lua_State* L);
void open_tournaments(lua_State* L);
void open_robustness(lua_State* L);
void open_help(lua_State* L);  // makes help(x) a word

// The next are called by the ones above.
void open_comparison(lua_State* L);
void open_cost(lua_State* L);
void open_distributions(lua_State* L);
void open_json(lua_State* L);
void open_problem(lua_State* L);
void open_rows(lua_State* L);
void open_written(lua_State* L);

}  // namespace perigee::bindings
