// The value that stands for a result in check mode: whatever is done with it, it stays not known.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "interpreter/interpreter.h"
#include "interpreter/stack.h"
#include "interpreter/vocabulary.h"

namespace perigee {

namespace {

constexpr const char* kType = "value not known before a run";

int itself(lua_State* L) {
  lua::push_unknown(L);
  return 1;
}
int nothing(lua_State*) { return 0; }
int zero(lua_State* L) {
  lua_pushinteger(L, 0);
  return 1;
}
int no(lua_State* L) {
  lua_pushboolean(L, 0);
  return 1;
}
// Comparisons answer yes and no in turn, and a simulation's step() no, so that loops end that wait for
// either.
int in_turn(lua_State* L) {
  const int yes = lua_toboolean(L, lua_upvalueindex(1)) == 0 ? 1 : 0;
  lua_pushboolean(L, yes);
  lua_copy(L, -1, lua_upvalueindex(1));
  return 1;
}
// sim:fork(n); upvalue: the type.
int several(lua_State* L) {
  const lua_Integer count = std::clamp<lua_Integer>(lua_tointeger(L, 2), 1, 1000);
  luaL_checkstack(L, static_cast<int>(count), "values");
  for (lua_Integer i = 0; i < count; ++i) lua::push_unknown(L, lua_tostring(L, lua_upvalueindex(1)));
  return static_cast<int>(count);
}
// A method; upvalue: what it returns, types separated by ", ".
int called(lua_State* L) {
  const std::string_view types = *lua::text_at(L, lua_upvalueindex(1));
  int count = 0;
  for (std::size_t at = 0; at <= types.size(); ++count) {
    const std::size_t end = std::min(types.find(", ", at), types.size());
    lua::push(L, types.substr(at, end - at));
    lua::push_unknown(L, lua_tostring(L, -1));
    lua_remove(L, -2);
    at = end + 2;
  }
  return count;
}

// Whether a native type has the field, and whether that is a method. An error when it has not.
bool is_method(lua_State* L, const std::string& type, const std::string& name) {
  const lua::Balanced balanced(L);
  luaL_getmetatable(L, type.c_str());
  lua::push_type_index(L, -1);
  const int index = lua_gettop(L);
  lua_getupvalue(L, index, 1);
  lua::push(L, name);
  if (lua_rawget(L, -2) != LUA_TNIL) return true;
  lua_pop(L, 1);
  lua_getupvalue(L, index, 4);
  const auto& properties = *static_cast<const std::vector<std::string>*>(lua_touserdata(L, -1));
  if (std::ranges::find(properties, name) != properties.end()) return false;
  std::vector<std::string> names = properties;
  lua_pop(L, 1);
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) names.emplace_back(*lua::text_at(L, -2));
  lua::no_such_field(type, name, names);
}

int field(lua_State* L) {
  return lua::guard(L, [&] {
    const auto name = lua::text_at(L, 2);
    lua_getiuservalue(L, 1, 1);
    const auto type = lua::text_at(L, -1);
    if (name && *name == "step") {
      lua_pushcfunction(L, no);
      return 1;
    }
    if (!type || !name) {
      if (!name || (*name != "fork" && *name != "when")) return itself(L);
      lua_pushstring(L, *name == "when" ? ", " : "");
      lua_pushcclosure(L, *name == "when" ? called : several, 1);
      return 1;
    }
    const bool method = is_method(L, std::string(*type), std::string(*name));
    lua::push(L, returned_by(fmt::format("{}.{}", *type, *name)));
    if (!method)
      lua::push_unknown(L, lua_tostring(L, -1));
    else
      lua_pushcclosure(L, *name == "fork" ? several : called, 1);
    return 1;
  });
}
int text(lua_State* L) {
  lua_pushstring(L, lua::kNotKnown);
  return 1;
}

}  // namespace

void lua::push_unknown(lua_State* L, const char* type) {
  Interpreter::of(L).note_unknown();
  const int top = lua_gettop(L);
  const bool native = type != nullptr && luaL_getmetatable(L, type) == LUA_TTABLE && push_type_index(L, -1);
  lua_settop(L, top);
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.unknown");
  if (lua_getfield(L, -1, native ? type : "") != LUA_TUSERDATA) {
    lua_pop(L, 1);
    lua_newuserdatauv(L, 1, 1);
    luaL_setmetatable(L, kType);
    lua_pushstring(L, native ? type : nullptr);
    lua_setiuservalue(L, -2, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, native ? type : "");
  }
  lua_remove(L, -2);
}

bool lua::is_unknown(lua_State* L, int index) { return luaL_testudata(L, index, kType) != nullptr; }

void open_unknown(lua_State* L) {
  luaL_newmetatable(L, kType);
  for (const char* event : {"__call", "__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm", "__idiv",
                            "__band", "__bor", "__bxor", "__shl", "__shr", "__bnot", "__concat"}) {
    lua_pushcfunction(L, itself);
    lua_setfield(L, -2, event);
  }
  for (const char* event : {"__lt", "__le", "__eq"}) {
    lua_pushboolean(L, 0);
    lua_pushcclosure(L, in_turn, 1);
    lua_setfield(L, -2, event);
  }
  constexpr luaL_Reg kOther[] = {
      {"__index", field}, {"__len", zero}, {"__tostring", text}, {"__newindex", nothing}, {nullptr, nullptr}};
  luaL_setfuncs(L, kOther, 0);
  lua_pushliteral(L, "protected");
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
  lua_newtable(L);  // of these values, by type
  lua_setfield(L, LUA_REGISTRYINDEX, "perigee.unknown");
}

}  // namespace perigee
