// process(function(sim) ... end), and what it has in common with events and with simulations at the prompt.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "interpreter/bindings/declarations.h"
#include "runtime/engine/process.h"

namespace perigee::lua {

// A process of a scenario: the function, or the table { run =, name =, keeps_alive = }, at `index`. `number`
// counts the scenario's processes from 1.
std::shared_ptr<const Process> process_at(lua_State* L, int index, std::size_t number,
                                          const PlatformValue& platform, const SourceLocation& declared_at);
// What of it can be checked before there is a scenario.
void check_process(lua_State* L, int index);

// The host, cluster or link of that name.
ResourceId resource_named(const Platform& platform, std::string_view name);
// What `speed`, `factor`, `availability`, `bandwidth` or `latency` says; `add` keeps a profile and returns its place.
void read_change(const Fields& fields, const Platform& platform, Happening& change,
                 const std::function<std::uint32_t(Profile)>& add);
std::int32_t architecture_named(const Fields& fields, const std::vector<std::string>& names);

// What conditions and processes see of a run, by name: "queue", "running", ... Pushed, or false and nothing
// is.
bool push_state_field(lua_State* L, const Sim& sim, std::string_view name);
const std::vector<std::string>& state_fields();

}  // namespace perigee::lua
