// How many arguments the words and methods of the vocabulary take.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/lua.h"

namespace perigee::interpreter {

// As its usage writes it, "sim:fail(name [, { announced = true }])": 2. Nothing for a word that takes any
// number, or is no function.
std::optional<std::size_t> most_arguments(std::string_view usage);

namespace lua {

// Replaces the functions of the vocabulary by such as refuse surplus arguments. After everything is open.
void check_arguments(lua_State* L);

// The function itself at `index`, behind that check; null for none in C.
lua_CFunction native_function(lua_State* L, int index);

// "function stats.mean", or of one of the script where it begins: "function at a.lua:3".
std::string name_of_function(lua_State* L, int index);

// Of the native method that runs: how it is called, when it was called with something else than an object
// of its type, as in sim.run_until(10). Else empty.
std::string usage_with_colon(lua_State* L);

}  // namespace lua
}  // namespace perigee::interpreter
