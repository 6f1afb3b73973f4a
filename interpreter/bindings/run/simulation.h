// From a scenario and the options of a run to its result.
#pragma once

#include "interpreter/values/runs.h"

namespace perigee::bindings {

// The simulation at its start. Generators are called here.
Simulation begin_run(lua_State* L, ScenarioValue& scenario, const RunRequest& request);
ResultValue result_of(lua_State* L, const Simulation& simulation, bool validate, Warned& warned);

// The platform of a simulation, result, scenario or platform; null for any other value.
const Platform* platform_of(lua_State* L, int index);
PolicySetup setup_of(const ConfigPtr& policy, const Instants& instants);

}  // namespace perigee::bindings
