// The value that stands for a result in check mode: whatever is done with it, it stays not known.
#include <algorithm>

#include "interpreter/interpreter.h"
#include "interpreter/stack.h"

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
// Upvalue: how many values sim:when returns; sim:fork(n) returns n.
int several(lua_State* L) {
  lua_Integer count = lua_tointeger(L, lua_upvalueindex(1));
  if (count == 0) count = std::clamp<lua_Integer>(lua_tointeger(L, 2), 1, 1000);
  luaL_checkstack(L, static_cast<int>(count), "values");
  for (lua_Integer i = 0; i < count; ++i) lua::push_unknown(L);
  return static_cast<int>(count);
}
int field(lua_State* L) {
  const auto name = lua::text_at(L, 2);
  if (name && *name == "step") {
    lua_pushcfunction(L, no);
    return 1;
  }
  if (name && (*name == "fork" || *name == "when")) {
    lua_pushinteger(L, *name == "when" ? 2 : 0);
    lua_pushcclosure(L, several, 1);
    return 1;
  }
  return itself(L);
}
int text(lua_State* L) {
  lua_pushstring(L, lua::kNotKnown);
  return 1;
}

}  // namespace

void lua::push_unknown(lua_State* L) {
  Interpreter::of(L).note_unknown();
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.unknown");
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
  lua_newuserdatauv(L, 1, 0);
  luaL_setmetatable(L, kType);
  lua_setfield(L, LUA_REGISTRYINDEX, "perigee.unknown");
}

}  // namespace perigee
