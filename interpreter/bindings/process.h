// process(function(sim) ... end), and what it has in common with events and with simulations at the prompt.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/bindings/declarations.h"
#include "runtime/engine/process.h"

namespace perigee::interpreter::lua {

// A process of a scenario: the function, or the table { run =, name =, keeps_alive = }, at `index`. `number`
// counts the scenario's processes from 1.
std::shared_ptr<const Process> process_at(lua_State* L, int index, std::size_t number,
                                          const PlatformValue& platform, const SourceLocation& declared_at);
// What of it can be checked before there is a scenario.
void check_process(lua_State* L, int index);

// The host, cluster or link of that name.
ResourceId resource_named(const Platform& platform, std::string_view name);
// What `speed`, `factor`, `availability`, `bandwidth` or `latency` says; `add` keeps a profile and returns
// its place.
void read_change(const Fields& fields, const Platform& platform, Happening& change,
                 const std::function<std::uint32_t(Profile)>& add);
std::int32_t architecture_named(const Fields& fields, const std::vector<std::string>& names);

// A call of sim:fail(name [, { ... }]), recover, leave, join or change, of processes and of simulations under
// way: argument 2 names a host, cluster or link, argument 3 is a table of options.
struct Asked {
  Happening happening;
  bool with_hosts = false;             // a cluster joins, and its hosts with it
  std::vector<Profile> profiles = {};  // of a change; the happening has their places here
  // All that is to happen, in order; `add` keeps a profile and returns its place.
  std::vector<Happening> all(const Platform& platform,
                             const std::function<std::uint32_t(Profile)>& add) const;
};
// With a present time, the option `at` says when, not earlier than that.
Asked asked_at(lua_State* L, const char* word, HappeningKind kind, const PlatformValue& platform,
               std::optional<Time> now = {});

// What conditions and processes see of a run, by name: "queue", "running", ... Pushed, or false and nothing
// is.
bool push_state_field(lua_State* L, const Sim& sim, std::string_view name);
const std::vector<std::string>& state_fields();

// What the words of a policy's sim, a process's and a simulation's share. A host by its name, or its number
// from 1.
HostId host_at(lua_State* L, int index, const Platform& platform);
ActivityId activity_at(lua_State* L, int index);
// A list of ids, pushed.
void push_activities(lua_State* L, std::span<const ActivityId> ids);
// A table of what may be known of it, pushed; nil when it is over.
void push_activity(lua_State* L, const std::optional<ActivityView>& known);

}  // namespace perigee::interpreter::lua
