// How many arguments the words and methods of the vocabulary take.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/lua.h"
#include "runtime/kernel/error.h"

namespace perigee::interpreter {

struct Word;

// As its usage writes it, "sim:fail(name [, { announced = true }])": 2. Nothing for a word that takes any
// number, or is no function.
std::optional<std::size_t> most_arguments(std::string_view usage);

// Whether it takes a table and nothing else at that place, counted from 1.
bool takes_table(std::string_view usage, std::size_t place);

namespace lua {

// Error when it was given more than it takes.
void refuse_more(lua_State* L, const Word& word, std::size_t most, std::size_t given);

// Replaces the functions of the vocabulary by such as refuse surplus arguments. After everything is open.
void check_arguments(lua_State* L);

// The function itself at `index`, behind that check; null for none in C.
lua_CFunction native_function(lua_State* L, int index);

// Within a function that a word returned, as cluster "a" does: an error when it was called with more than one
// argument.
void refuse_second(lua_State* L, std::string_view word);

// Of the native word that runs, when its own argument is of a wrong type: its usage, unless that is said.
std::string form_of_call(lua_State* L, const Diagnostic& diagnostic);

// Of the native word that runs, when its argument at that place of the stack is no table: what to say.
// Empty where the word is not called `name`.
std::string table_needed(lua_State* L, int index, std::string_view name);

// "function stats.mean", or of one of the script where it begins: "function at a.lua:3".
std::string name_of_function(lua_State* L, int index);

// Of the native method that runs: how it is called, when it was called with something else than an object
// of its type, as in sim.run_until(10). Else empty.
std::string usage_with_colon(lua_State* L);

}  // namespace lua
}  // namespace perigee::interpreter
