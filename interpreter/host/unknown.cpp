#include "interpreter/host/unknown.h"

#include <utility>

#include "interpreter/host/guest.h"
#include "interpreter/host/stack.h"

namespace perigee::host {

void push_unknown_rows(lua_State* L, const Columns& columns) {
  Guest::of(L).note_unknown();
  lua_newuserdatauv(L, 1, 2);
  luaL_setmetatable(L, kUnknownType);
  lua_pushliteral(L, "rows");
  lua_setiuservalue(L, -2, 1);
  lua_newtable(L);
  if (columns)
    for (const std::string& column : *columns) {
      push(L, column);
      lua_rawseti(L, -2, static_cast<lua_Integer>(lua_rawlen(L, -2)) + 1);
    }
  lua_setiuservalue(L, -2, 2);
}

void wrap_unknown(lua_State* L, const char* type) {
  Guest::of(L).note_unknown();
  lua_newuserdatauv(L, 1, 2);
  luaL_setmetatable(L, kUnknownType);
  lua_pushstring(L, type);
  lua_setiuservalue(L, -2, 1);
  lua_insert(L, -2);
  lua_setiuservalue(L, -2, 2);
}

std::string_view type_of_unknown(lua_State* L, int index) {
  if (!is_unknown(L, index)) return {};
  const Balanced balanced(L);
  lua_getiuservalue(L, index, 1);
  return text_at(L, -1).value_or("");  // the userdata keeps the text
}

Columns columns_of_unknown(lua_State* L, int index) {
  const std::string_view type = type_of_unknown(L, index);
  if (type != "rows" && type != "row") return std::nullopt;
  const Balanced balanced(L);
  std::vector<std::string> columns;
  if (lua_getiuservalue(L, index, 2) != LUA_TTABLE) return std::nullopt;
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, -1));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, -1, i);
    columns.emplace_back(*text_at(L, -1));
    lua_pop(L, 1);
  }
  return columns.empty() ? std::nullopt : Columns(std::move(columns));
}

void forget_columns(lua_State* L, int index) {
  const Balanced balanced(L);
  if (lua_getiuservalue(L, index, 2) != LUA_TTABLE) return;
  const std::string_view type = type_of_unknown(L, index);
  if (type != "rows" && type != "row") return;
  for (auto i = static_cast<lua_Integer>(lua_rawlen(L, -1)); i > 0; --i) {
    lua_pushnil(L);
    lua_rawseti(L, -2, i);
  }
}

void push_unknown(lua_State* L, const char* type) {
  Guest::of(L).note_unknown();
  if (type != nullptr && std::string_view(type) == "rows") return push_unknown_rows(L, std::nullopt);
  const int top = lua_gettop(L);
  const bool native = type != nullptr && luaL_getmetatable(L, type) == LUA_TTABLE && push_type_index(L, -1);
  lua_settop(L, top);
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.unknown");
  if (lua_getfield(L, -1, native ? type : "") != LUA_TUSERDATA) {
    lua_pop(L, 1);
    lua_newuserdatauv(L, 1, 2);
    luaL_setmetatable(L, kUnknownType);
    lua_pushstring(L, native ? type : nullptr);
    lua_setiuservalue(L, -2, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, native ? type : "");
  }
  lua_remove(L, -2);
}

bool is_unknown(lua_State* L, int index) { return luaL_testudata(L, index, kUnknownType) != nullptr; }

}  // namespace perigee::host
