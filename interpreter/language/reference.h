// A page on every word that a script can use, made from the same data as the prompt's help.
#pragma once

#include <string>
#include <vector>

#include "interpreter/host/stack.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::language {

// A type of native objects, read from its metatable: the names of its methods and fields, sorted.
struct NativeType {
  std::string name;
  std::vector<std::string> methods, fields;
};
std::vector<NativeType> native_types(lua_State* L);  // by name

// The page as Markdown.
std::string reference(lua_State* L, const Catalogue& catalogue);

// The same content as declarations for editors that know the annotations of the Lua language server. The text
// is a file of Lua without effect.
std::string editor_types(lua_State* L, const Catalogue& catalogue);

}  // namespace perigee::language
