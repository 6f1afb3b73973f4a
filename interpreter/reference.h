// A page on every word that a script can use, made of what the prompt's help is made of.
#pragma once

#include <string>
#include <vector>

#include "interpreter/stack.h"

namespace perigee::interpreter {

// A type of native objects, as it is: the names of its methods and fields, sorted.
struct NativeType {
  std::string name;
  std::vector<std::string> methods, fields;
};
std::vector<NativeType> native_types(lua_State* L);  // by name

// Markdown. The catalogue is that of the interpreter.
std::string reference(lua_State* L);

// The same as declarations for editors that know the annotations of the Lua language server: a file of Lua
// without effect.
std::string editor_types(lua_State* L);

}  // namespace perigee::interpreter
