#include "interpreter/host/sorted.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "interpreter/host/stack.h"

namespace perigee::host {

namespace {

void push_identities(lua_State* L) {  // [object] = number, [number] = object, [0] = the last number
  constexpr const char* kName = "perigee.identities";
  if (lua_getfield(L, LUA_REGISTRYINDEX, kName) == LUA_TTABLE) return;
  lua_pop(L, 1);
  push_weak(L, "kv");
  lua_pushvalue(L, -1);
  lua_setfield(L, LUA_REGISTRYINDEX, kName);
}

struct Key {
  int order;  // numbers, texts, booleans, others
  bool is_integer;
  lua_Integer integer;  // for other keys: the identity
  lua_Number number;
  std::string_view text;  // kept alive by the table; of others: their type
};

Key key_at(lua_State* L, int index) {
  Key key{0, false, 0, 0, {}};
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      key.is_integer = lua_isinteger(L, index) != 0;
      if (key.is_integer)
        key.integer = lua_tointeger(L, index);
      else
        key.number = lua_tonumber(L, index);
      break;
    case LUA_TSTRING:
      key.order = 1;
      key.text = *text_at(L, index);
      break;
    case LUA_TBOOLEAN:
      key.order = 2;
      key.integer = lua_toboolean(L, index);
      break;
    default:
      key.order = 3;
      key.integer = identity(L, index);
      key.text = luaL_typename(L, index);
      if (const int type = luaL_getmetafield(L, index, "__name"); type != LUA_TNIL) {
        if (type == LUA_TSTRING) key.text = *text_at(L, -1);  // kept alive by the metatable
        lua_pop(L, 1);
      }
  }
  return key;
}

void push_key(lua_State* L, const Key& key) {
  if (key.order == 1) {
    push(L, key.text);
  } else if (key.order == 2) {
    lua_pushboolean(L, static_cast<int>(key.integer));
  } else if (key.order == 3) {
    push_identities(L);
    lua_rawgeti(L, -1, key.integer);
    lua_remove(L, -2);
  } else if (key.is_integer) {
    lua_pushinteger(L, key.integer);
  } else {
    lua_pushnumber(L, key.number);
  }
}

bool before(const Key& a, const Key& b) {
  if (a.order != b.order) return a.order < b.order;
  if (a.order == 1) return a.text < b.text;
  if (a.order == 2) return a.integer < b.integer;
  if (a.order == 3) return std::tie(a.text, a.integer) < std::tie(b.text, b.integer);
  if (a.is_integer && b.is_integer) return a.integer < b.integer;
  const double x = a.is_integer ? static_cast<double>(a.integer) : a.number;
  const double y = b.is_integer ? static_cast<double>(b.integer) : b.number;
  return x < y || (x == y && a.is_integer && !b.is_integer);
}

}  // namespace

lua_Integer identity(lua_State* L, int index) {
  luaL_checkstack(L, 6, "identity");
  index = lua_absindex(L, index);
  const Balanced balanced(L);
  push_identities(L);
  const int all = lua_gettop(L);
  lua_pushvalue(L, index);
  if (lua_rawget(L, all) == LUA_TNUMBER) return lua_tointeger(L, -1);
  lua_rawgeti(L, all, 0);
  const lua_Integer number = lua_tointeger(L, -1) + 1;
  lua_pushinteger(L, number);
  lua_rawseti(L, all, 0);
  lua_pushvalue(L, index);
  lua_pushinteger(L, number);
  lua_rawset(L, all);
  lua_pushvalue(L, index);
  lua_rawseti(L, all, number);
  return number;
}

void renew_identity(lua_State* L, int index) {
  luaL_checkstack(L, 6, "identity");
  index = lua_absindex(L, index);
  push_identities(L);
  lua_pushvalue(L, index);
  lua_pushnil(L);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

lua_Integer push_sorted_keys(lua_State* L, int table) {
  luaL_checkstack(L, 10, "keys");
  table = lua_absindex(L, table);
  std::vector<Key> keys;
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    lua_pop(L, 1);
    keys.push_back(key_at(L, -1));
  }
  if (!std::is_sorted(keys.begin(), keys.end(), before)) std::sort(keys.begin(), keys.end(), before);
  lua_createtable(L, static_cast<int>(std::min<std::size_t>(keys.size(), 1 << 30)), 0);
  lua_Integer place = 0;
  for (const Key& key : keys) {
    push_key(L, key);
    lua_rawseti(L, -2, ++place);
  }
  return place;
}

}  // namespace perigee::host
