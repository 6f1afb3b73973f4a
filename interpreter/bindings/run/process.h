// process(function(sim) ... end), and the functions that it shares with events and with simulations at the
// prompt.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/values/declarations.h"
#include "runtime/engine/process.h"

namespace perigee::bindings {

// A process of a scenario: the function, or the table { run =, name =, keeps_alive = }, at `index`. `number`
// counts the scenario's processes from 1.
std::shared_ptr<const Process> process_at(lua_State* L, int index, std::size_t number,
                                          const PlatformValue& platform, const SourceLocation& declared_at);
// Checks as much of a process as can be checked before there is a scenario.
void check_process(lua_State* L, int index);

// Pushes a fact of a run that conditions and processes see, by its name: "queue", "running", ... Returns
// false and pushes nothing when there is no such name.
bool push_state_field(lua_State* L, const Sim& sim, std::string_view name);
const std::vector<std::string>& state_fields();

// The next functions are shared by the words of a policy's sim, a process's sim and a simulation. host_at()
// reads a host by its name or by its number from 1.
HostId host_at(lua_State* L, int index, const Platform& platform);
ActivityId activity_at(lua_State* L, int index);
// Pushes a list of ids.
void push_activities(lua_State* L, std::span<const ActivityId> ids);
// Pushes a table of the known facts of an activity; nil when it is over.
void push_activity(lua_State* L, const std::optional<ActivityView>& known);

}  // namespace perigee::bindings
