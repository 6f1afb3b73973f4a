// The libraries of standard Lua as the sandbox has them, and what they share.
#pragma once

#include <cstdint>

#include "interpreter/host/lua.h"
#include "interpreter/layers.h"

namespace perigee::host {

// Each adds a library to the vocabulary, or fills it with what stands there without a library's name. `own`
// are further functions.
void open_base(lua_State* L, int vocabulary, const luaL_Reg* own);
void open_math(lua_State* L, const luaL_Reg* own);
void open_string(lua_State* L);
void open_coroutine(lua_State* L);

// Pushes the library that `open` makes.
void open_library(lua_State* L, const char* name, lua_CFunction open);
// The sign of NaN is the CPU's: 0 / 0 has one on some and none on others.
void drop_sign_of_nan(lua_State* L, int index);
// Raises a stop again that the script's own protected call has caught.
void let_stop_pass(lua_State* L, bool failed, bool starved = false);
// The error is on top. An overflow can be told from others by its text alone.
std::uint64_t steps_of_error(lua_State* L, int status);
// The bytes of the first `count` arguments that are texts. `filled`: a buffer is filled with them.
void count_texts(lua_State* L, int count, bool filled = false);
// Upvalue: the function. Its work on texts takes as long as they are.
int read_texts(lua_State* L);
// Calls its upvalue, a function, and counts as much as it returns.
int give_many(lua_State* L);
// Puts a C function in the place of the field of the table on top; the original is its upvalue.
void replace_field(lua_State* L, const char* name, lua_CFunction function);
void remove_field(lua_State* L, const char* name);
// In check mode, the answer of every function of the library on top is unknown for an unknown value.
void absorb_all(lua_State* L);

}  // namespace perigee::host
