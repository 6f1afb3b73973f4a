// Help on words, schedulers, metrics, fields and values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/host/stack.h"

namespace perigee::bindings {

std::string help_on(lua_State* L, const std::string& topic);  // empty when nothing is known of it
std::vector<std::string> help_topics(lua_State* L);
// The message about a topic on which there is no help. Where errors of a script would have a note, it is
// there too.
std::string no_help_on(lua_State* L, const std::string& topic);
// The types of arguments of functions in scripts, by the names that the manual gives the arguments.
std::vector<std::string_view> argument_types(std::string_view name);

}  // namespace perigee::bindings
