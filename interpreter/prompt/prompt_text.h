// Texts of the prompt: values as people read them, help, completions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/host/stack.h"

namespace perigee::interpreter {

// The value as the prompt shows it, without a last "\n". May raise an error of its __tostring.
std::string pretty(lua_State* L, int index);

// The global `_`: the last value shown.
void set_last_value(lua_State* L, int index);
const void* last_value(lua_State* L);

// Makes help(x) a word.
void open_help(lua_State* L);
std::string help_on(lua_State* L, const std::string& topic);  // empty when nothing is known of it
std::vector<std::string> help_topics(lua_State* L);
// The message about a topic on which there is no help. Where errors of a script would have a note, it is there too.
std::string no_help_on(lua_State* L, const std::string& topic);

// Texts that may replace the last `length` bytes of `source`. They are not yet compared with these bytes.
std::vector<std::string> completions(lua_State* L, const std::string& source, std::size_t& length,
                                     bool& files);

}  // namespace perigee::interpreter
