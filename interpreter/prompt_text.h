// What the prompt shows and offers: values as people read them, help, completions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/stack.h"

namespace perigee::interpreter {

// The value as the prompt shows it, without a last "\n". May raise what its __tostring raises.
std::string pretty(lua_State* L, int index);

// The global `_`: the last value shown.
void set_last_value(lua_State* L, int index);
const void* last_value(lua_State* L);

// help(x) becomes a word.
void open_help(lua_State* L);
std::string help_on(lua_State* L, const std::string& topic);  // empty when nothing is known of it
std::vector<std::string> help_topics(lua_State* L);

// What may stand for the last `length` bytes of `source`; not yet compared with them.
std::vector<std::string> completions(lua_State* L, const std::string& source, std::size_t& length,
                                     bool& files);

}  // namespace perigee::interpreter
