// Tables in an order that is the same in every run.
#pragma once

#include "interpreter/host/lua.h"

namespace perigee::host {

// A number of its own for each table, function, coroutine and userdata while it lives; no other ever gets it.
lua_Integer identity(lua_State* L, int index);
// Gives the value another number.
void renew_identity(lua_State* L, int index);

// Pushes an array of a table's keys and returns how many there are: numbers in order, texts in byte order,
// false, true, then all others by type and identity.
lua_Integer push_sorted_keys(lua_State* L, int table);

// Calls f() for each entry in that order, with the key at -2 and the value at -1.
template <class F>
void each_sorted(lua_State* L, int table, F&& f) {
  table = lua_absindex(L, table);
  const lua_Integer count = push_sorted_keys(L, table);
  const int keys = lua_gettop(L);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, keys, i);
    lua_pushvalue(L, -1);
    lua_rawget(L, table);
    f();
    lua_settop(L, keys);
  }
  lua_settop(L, keys - 1);
}

}  // namespace perigee::host
