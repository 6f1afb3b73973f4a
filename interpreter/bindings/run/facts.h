// Facts of a run as scripts ask for them: policies, processes, conditions and simulations at the prompt.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/host/stack.h"
#include "runtime/engine/sim.h"

namespace perigee::bindings {

// Pushes a fact of a run that conditions and processes see, by its name: "queue", "running", ... Returns
// false and pushes nothing when there is no such name.
bool push_state_field(lua_State* L, const Sim& sim, std::string_view name);
const std::vector<std::string>& state_fields();

// Reads a host by its name or by its number from 1.
HostId host_at(lua_State* L, int index, const Platform& platform);
ActivityId activity_at(lua_State* L, int index);
// Pushes a list of ids.
void push_activities(lua_State* L, std::span<const ActivityId> ids);
// Pushes a table of the known facts of an activity; nil when it is over.
void push_activity(lua_State* L, const std::optional<ActivityView>& known);

}  // namespace perigee::bindings
