#include "interpreter/host/objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "interpreter/host/guest.h"
#include "interpreter/host/stack.h"

namespace perigee::host {

Natives& natives_of(lua_State* L) { return Guest::of(L).natives(); }

void wrong_type(lua_State* L, int index, std::string_view what, std::string_view expected) {
  if (what.empty())
    fail("bad_type", "argument {} must be {}, got {}", index, with_article(expected), shown(L, index));
  const bool object = lua_type(L, index) == LUA_TTABLE || lua_type(L, index) == LUA_TUSERDATA;
  const std::string made = object ? Guest::of(L).wording().made_by(expected) : std::string();
  fail("bad_type", "{} must be {}, got {}{}", what, with_article(expected), shown(L, index),
       made.empty() ? "" : fmt::format("; one is made by {}", made));
}

void no_such_field(lua_State* L, const std::string& type, const std::string& given,
                   std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  const std::string instead = Guest::of(L).wording().instead_of_field(type, given);
  const std::string near = instead.empty() ? did_you_mean(given, names) : "; " + instead;
  Diagnostic diagnostic{
      "unknown_field", fmt::format("{} has no field '{}'{}", with_article(type), given, near), {}, {}};
  if (near.empty()) diagnostic.notes.push_back(fmt::format("it has: {}", fmt::join(names, ", ")));
  throw Error(std::move(diagnostic));
}

namespace {

std::vector<std::string> fields_of_index(lua_State* L, int methods, int properties) {
  std::vector<std::string> names =
      *static_cast<const std::vector<std::string>*>(lua_touserdata(L, properties));
  for (lua_pushnil(L); lua_next(L, methods) != 0; lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING) names.emplace_back(*text_at(L, -2));
  return names;
}

// Upvalues: methods, name of the type, property function, list of names.
int type_index(lua_State* L) {
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  lua_pop(L, 1);
  return guard(L, [&] {
    const auto key = text_at(L, 2);
    auto* property = reinterpret_cast<Property>(lua_touserdata(L, lua_upvalueindex(3)));
    if (key && property != nullptr && property(L, 1, *key)) return 1;
    no_such_field(L, lua_tostring(L, lua_upvalueindex(2)), key ? std::string(*key) : shown(L, 2),
                  fields_of_index(L, lua_upvalueindex(1), lua_upvalueindex(4)));
  });
}

int read_only(lua_State* L) {
  return guard(L, [&]() -> int {
    const std::string name = lua_tostring(L, lua_upvalueindex(1));
    fail("read_only", "{} cannot be changed: field '{}'", name,
         text_at(L, 2) ? std::string(*text_at(L, 2)) : shown(L, 2));
  });
}

}  // namespace

void new_type(lua_State* L, const char* name, const luaL_Reg* methods, const luaL_Reg* metamethods,
              Property property, const std::vector<std::string>& properties, lua_CFunction collect) {
  auto* type = static_cast<MethodsOfType*>(lua_newuserdatauv(L, sizeof(MethodsOfType), 0));
  const int shared = lua_gettop(L);
  luaL_newmetatable(L, name);
  *type = {lua_topointer(L, -1), nullptr, nullptr};
  Guest::of(L).note_type(*type);
  lua_pushvalue(L, shared);
  lua_pushcclosure(L, collect, 1);
  lua_setfield(L, -2, "__gc");
  lua_pushliteral(L, "protected");
  lua_setfield(L, -2, "__metatable");
  lua_newtable(L);
  if (methods != nullptr) {
    lua_pushvalue(L, shared);
    luaL_setfuncs(L, methods, 1);
  }
  lua_pushvalue(L, -1);
  lua_pushstring(L, name);
  lua_pushlightuserdata(L, reinterpret_cast<void*>(property));
  auto* listed = new (lua_newuserdatauv(L, sizeof(std::vector<std::string>), 0)) std::vector<std::string>();
  lua_newtable(L);
  lua_pushcfunction(L, [](lua_State* state) -> int {
    using List = std::vector<std::string>;
    static_cast<List*>(lua_touserdata(state, 1))->~List();
    return 0;
  });
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  *listed = properties;
  lua_pushcclosure(L, type_index, 4);
  if (property == nullptr) {  // methods are found without a call; what is none of them goes on to type_index
    lua_newtable(L);
    lua_insert(L, -2);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
  } else {
    lua_remove(L, -2);
  }
  lua_setfield(L, -2, "__index");
  push(L, with_article(name));
  lua_pushcclosure(L, read_only, 1);
  lua_setfield(L, -2, "__newindex");
  if (metamethods != nullptr) {
    lua_pushvalue(L, shared);
    luaL_setfuncs(L, metamethods, 1);
  }
  lua_pop(L, 2);
}

constexpr const char* kModeOfTables = "perigee.mode";

void hide_mode(lua_State* L) {
  constexpr const char* kMode = "__mode";
  lua_pushstring(L, kMode);
  auto* text = const_cast<char*>(lua_tostring(L, -1));
  std::random_device random;
  while (std::strcmp(text, kMode) == 0)
    for (char* c = text; *c != '\0'; ++c) *c = static_cast<char>(1 + random() % 255);
  lua_setfield(L, LUA_REGISTRYINDEX, kModeOfTables);
}

void push_weak(lua_State* L, const char* mode) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_getfield(L, LUA_REGISTRYINDEX, kModeOfTables);
  lua_pushstring(L, mode);
  lua_rawset(L, -3);
  lua_setmetatable(L, -2);
}

constexpr char kBound = 0;  // its address is the key of a registry table: by bound table, its object

void bind(lua_State* L) {
  luaL_checkstack(L, 8, "methods");
  lua_newtable(L);
  lua_getmetatable(L, -2);
  lua_getfield(L, -1, "__index");
  for (lua_pushnil(L); lua_next(L, -2) != 0;) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -6);
  }
  lua_pop(L, 1);
  lua_setmetatable(L, -2);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &kBound) != LUA_TTABLE) {
    lua_pop(L, 1);
    push_weak(L, "k");
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &kBound);
  }
  lua_pushvalue(L, -2);
  lua_pushvalue(L, -4);
  lua_rawset(L, -3);  // object, table, objects
  lua_pop(L, 1);
  lua_remove(L, -2);
}

void push_bound_object(lua_State* L, int index) {
  luaL_checkstack(L, 3, "methods");
  index = lua_absindex(L, index);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &kBound) != LUA_TTABLE) return;  // nil: nothing is bound yet
  lua_pushvalue(L, index);
  lua_rawget(L, -2);
  lua_remove(L, -2);
}

bool push_type_index(lua_State* L, int metatable) {
  lua_pushliteral(L, "__index");
  if (lua_rawget(L, metatable < 0 ? metatable - 1 : metatable) == LUA_TTABLE &&
      lua_getmetatable(L, -1) != 0) {
    lua_pushliteral(L, "__index");
    lua_rawget(L, -2);
    lua_replace(L, -3);
    lua_pop(L, 1);
  }
  if (lua_type(L, -1) == LUA_TFUNCTION) return true;
  lua_pop(L, 1);
  return false;
}

void define(lua_State* L, const char* name) {
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  lua_insert(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

void define(lua_State* L, const char* name, lua_CFunction function) {
  lua_pushcfunction(L, function);
  define(L, name);
}

namespace {

// Upvalues: the table, its name.
int unknown_member(lua_State* L) {
  return guard(L, [&]() -> int {
    std::vector<std::string> names;
    lua_pushnil(L);
    while (lua_next(L, lua_upvalueindex(1)) != 0) {
      lua_pop(L, 1);
      if (const auto name = text_at(L, -1)) names.emplace_back(*name);
    }
    std::sort(names.begin(), names.end());
    const std::string given = text_at(L, 2) ? std::string(*text_at(L, 2)) : shown(L, 2);
    const std::string where = lua_tostring(L, lua_upvalueindex(2));
    if (const std::string name = where + "." + given; Guest::of(L).wording().knows_name(name))
      fail("unknown_name", "there is no '{}'", name);
    Diagnostic diagnostic{"unknown_name",
                          fmt::format("there is no '{}.{}'{}", where, given, did_you_mean(given, names)),
                          {},
                          {}};
    if (nearest(given, names).empty())
      diagnostic.notes.push_back(fmt::format("{} has: {}", where, fmt::join(names, ", ")));
    throw Error(std::move(diagnostic));
  });
}

int frozen_pairs(lua_State* L) {
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.pairs");
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_call(L, 1, 3);
  return 3;
}

}  // namespace

void freeze(lua_State* L, const char* name) {
  const int table = lua_gettop(L);
  lua_newtable(L);  // what falls through the table itself
  lua_pushvalue(L, table);
  lua_pushstring(L, name);
  lua_pushcclosure(L, unknown_member, 2);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, table);
  lua_newtable(L);  // the view
  lua_newtable(L);
  lua_pushvalue(L, table);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, name);
  lua_pushcclosure(L, read_only, 1);
  lua_setfield(L, -2, "__newindex");
  lua_pushvalue(L, table);
  lua_pushcclosure(L, frozen_pairs, 1);
  lua_setfield(L, -2, "__pairs");
  lua_pushliteral(L, "protected");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_remove(L, table);
}

// Replaces the view that freeze() made by the table behind it.
void unfreeze(lua_State* L) {
  if (lua_type(L, -1) != LUA_TTABLE || lua_getmetatable(L, -1) == 0) return;
  lua_pushliteral(L, "__index");
  lua_rawget(L, -2);
  if (lua_type(L, -1) == LUA_TTABLE)
    lua_replace(L, -3);
  else
    lua_pop(L, 1);
  lua_pop(L, 1);
}

void push_module(lua_State* L, const char* name, const luaL_Reg* functions) {
  lua_newtable(L);
  luaL_setfuncs(L, functions, 0);
  freeze(L, name);
}

}  // namespace perigee::host
