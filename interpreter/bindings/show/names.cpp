#include "interpreter/bindings/show/names.h"

#include <algorithm>

#include "interpreter/language/vocabulary.h"

namespace perigee::bindings {

bool push_named(lua_State* L, std::string_view chain) {
  const int top = lua_gettop(L);
  bool first = true;
  while (!chain.empty()) {
    const std::size_t end = chain.find('.');
    const std::string_view name = chain.substr(0, end);
    chain = end == std::string_view::npos ? std::string_view() : chain.substr(end + 1);
    if (first) {
      lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
      host::push(L, name);
      if (lua_rawget(L, -2) == LUA_TNIL) {
        lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
        host::push(L, name);
        lua_rawget(L, -2);
      }
      first = false;
    } else {
      unfreeze(L);
      if (lua_type(L, -1) != LUA_TTABLE) break;
      host::push(L, name);
      lua_rawget(L, -2);
    }
    if (lua_isnil(L, -1)) break;
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
    if (chain.empty()) return true;
  }
  lua_settop(L, top);
  return false;
}

namespace {

void add_keys(lua_State* L, int table, std::vector<std::string>& names, bool functions_only = false) {
  table = lua_absindex(L, table);
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    const bool wanted = !functions_only || lua_type(L, -1) == LUA_TFUNCTION;
    lua_pop(L, 1);
    if (const auto key = text_at(L, -1); key && wanted) names.emplace_back(*key);
  }
}

}  // namespace

std::string type_of(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TUSERDATA || lua_getmetatable(L, index) == 0) return {};
  lua_pushliteral(L, "__name");
  std::string name;
  if (lua_rawget(L, -2) == LUA_TSTRING) name = *text_at(L, -1);
  lua_pop(L, 2);
  return name;
}

std::vector<std::string> members(lua_State* L, bool methods_only) {
  std::vector<std::string> names;
  const Balanced balanced(L);
  if (lua_type(L, -1) == LUA_TTABLE) {
    if (luaL_getmetafield(L, -1, "columns") != LUA_TNIL) {  // see push_table()
      lua_pop(L, 1);
      for (const Word& word : vocabulary())
        if (word.owner == "rows") names.emplace_back(word.name);
    }
    unfreeze(L);
    add_keys(L, -1, names, methods_only);
  } else if (lua_type(L, -1) == LUA_TSTRING) {
    if (push_named(L, "string")) {
      unfreeze(L);
      add_keys(L, -1, names, true);
    }
  } else if (!type_of(L, -1).empty()) {
    lua_getmetatable(L, -1);
    if (push_type_index(L, -1)) {
      const int index = lua_gettop(L);
      if (lua_getupvalue(L, index, 1) != nullptr && lua_type(L, -1) == LUA_TTABLE) add_keys(L, -1, names);
      if (!methods_only && lua_getupvalue(L, index, 4) != nullptr && lua_type(L, -1) == LUA_TUSERDATA) {
        const auto& listed = *static_cast<const std::vector<std::string>*>(lua_touserdata(L, -1));
        for (const std::string& name : listed)
          if (name.find('.') == std::string::npos) names.push_back(name);
      }
    }
  }
  return names;
}

std::vector<std::string> all_globals(lua_State* L) {
  const Balanced balanced(L);
  std::vector<std::string> names;
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  add_keys(L, -1, names);
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  add_keys(L, -1, names);
  std::ranges::sort(names);  // Lua's order differs from one process to the next
  return names;
}

}  // namespace perigee::bindings
