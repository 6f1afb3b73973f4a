// Texts of scripts as functions of Lua.
#pragma once

#include <functional>
#include <string>

#include "interpreter/host/lua.h"
#include "interpreter/layers.h"

namespace perigee::session {

// Loads the text as a function, or raises the syntax error.
void load_chunk(lua_State* L, const std::string& text, const std::string& chunk);

// Compiles the file, then runs body(L) with its function on top of the stack. An error that no line tells
// while the file is compiled is told of the file.
void protect_file(lua_State* state, const std::string& file, const std::string& text,
                  const std::function<void(lua_State*)>& body);

}  // namespace perigee::session
