// From a scenario and the options of a run to its result.
#pragma once

#include <functional>

#include "interpreter/bindings/simulation_value.h"
#include "interpreter/values/runs.h"

namespace perigee::bindings {

// The simulation at its start. Generators are called here.
Simulation begin_run(lua_State* L, ScenarioValue& scenario, const RunRequest& request);
ResultValue result_of(lua_State* L, const Simulation& simulation, bool validate, Warned& warned);

// The platform of a simulation, result, scenario or platform; null for any other value.
const Platform* platform_of(lua_State* L, int index);
PolicySetup setup_of(const ConfigPtr& policy, const Instants& instants);

// A function that returns the same simulation each time.
std::function<Simulation()> start_of(lua_State* L, ScenarioValue& scenario, const RunRequest& request);
// Runs to the end. If a simulation without a name is interrupted, it stays as `_`.
void advance_temporary(lua_State* L, Simulation& simulation, ScenarioValue& scenario,
                       const RunRequest& request);
ResultValue result_so_far(lua_State* L, SimulationValue& value);

}  // namespace perigee::bindings
