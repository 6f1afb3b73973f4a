// The text of inputs: whether Lua reads it, what it uses, and how a script has it.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "interpreter/host/stack.h"

namespace perigee::prompt {

inline constexpr const char* kPromptName = "prompt";  // of the session in messages

// Pushes the text as a function, or false and its message.
bool loads(lua_State* L, const std::string& text, const std::string& name = kPromptName);
// The message of a failed load; empty when the error is no text, as for an overflow.
std::string_view message_at(lua_State* L, int index);
// The message of a failed load, on top of the stack, is about the end of the text.
bool at_end(lua_State* L);

bool uses_word(const std::string& text, const std::string& word);
std::set<std::string> global_names(lua_State* L);
// Where the last expression of a cell begins that has statements before it; npos where it ends with a statement.
// A call is both, and its value is wanted.
std::size_t last_expression(lua_State* L, const std::string& text);

// A function that does it, which sees the locals around it, as an argument of `of`.
std::string as_function(std::string_view of, const std::string& text);
// A cell whose last expression begins at `at`, with something done to that.
std::string cell_by(const std::string& text, std::size_t at, std::string_view before,
                    std::string_view behind);
std::string commented(const std::string& text, std::string_view why);

}  // namespace perigee::prompt
