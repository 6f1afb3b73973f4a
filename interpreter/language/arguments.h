// How many arguments the words and methods of the vocabulary take.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/host/wording.h"
#include "runtime/kernel/error.h"

namespace perigee::language {

struct Word;

// The most arguments that a word takes by its usage; "sim:fail(name [, { announced = true }])" takes 2.
// Nothing for a word that takes any number, or is no function.
std::optional<std::size_t> most_arguments(std::string_view usage);

// The fewest arguments, by a usage with brackets behind the name: "e:save(name)" takes 1, "sim:fork([n])"
// none. 0 for any other usage.
std::size_t least_arguments(std::string_view usage);

// Whether the word takes a table and nothing else at that place, counted from 1.
bool takes_table(std::string_view usage, std::size_t place);

// Error when a word was given more arguments than it takes.
void refuse_more(lua_State* L, const Word& word, std::size_t most, std::size_t given);

// Replaces the functions of the vocabulary by functions that refuse surplus arguments. To be called when
// everything is open.
void check_arguments(lua_State* L);
// The same for the methods of a type in the table on top of the stack, which stand for its own in check mode.
void check_arguments_of(lua_State* L, std::string_view type);

// The function at `index` without that check; null when it is no function in C.
lua_CFunction native_function(lua_State* L, int index);

// Called in a function that a word returned, as cluster "a" returns one. Error when it was called with more
// than one argument.
void refuse_second(lua_State* L, std::string_view word);

// The wording in which messages of the host speak of the words of the vocabulary.
const Wording& vocabulary_wording();

}  // namespace perigee::language
