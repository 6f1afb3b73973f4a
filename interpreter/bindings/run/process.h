// process(function(sim) ... end)
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

}  // namespace perigee::bindings
