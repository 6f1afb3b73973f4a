// How native values were made: for values that never change, the word that made them and its arguments.
#include <fmt/format.h>

#include <string>

#include "interpreter/session/content.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/distribution.h"
#include "interpreter/values/schedulers.h"

namespace perigee::session {

namespace {

constexpr const char* kRecipes = "perigee.recipes";        // in the registry: value -> recipe
constexpr const char* kRegistered = "perigee.registered";  // the same: { name, recipe } in their order

// Words whose values never change, and modules of such words.
constexpr const char* kRecipeWords[] = {
    "platform", "cluster",     "host",         "link",           "router",  "licence",
    "queue",    "multifactor", "qos",          "workload",       "file",    "scenario",
    "outage",   "leave",       "join",         "change",         "reserve", "maintenance",
    "mark",     "failures",    "outages_from", "process",        "etc",     "distribution",
    "sampler",  "policy",      "heuristic",    "scheduler_list", "vary",    "space"};

// Whether constructors note their arguments, so that later runs can recognize the values that they made.
bool records(const Interpreter& interpreter) {
  return interpreter.keeps_cells() && !interpreter.cell().under_way() && !interpreter.in_run();
}

int recorded(lua_State* L);

// Replaces the function on top of the stack by one that does the same and notes its arguments. `name` is its
// name. `before` is the place of the arguments of the function that returned it, or 0.
void record(lua_State* L, const char* name, int before) {
  const lua_CFunction function = lua_tocfunction(L, -1);
  if (function == nullptr || function == recorded) return;
  const int at = lua_gettop(L);
  luaL_checkstack(L, 32, "a recipe");
  int count = 0;
  while (count < 20 && lua_getupvalue(L, at, count + 1) != nullptr) ++count;
  if (before != 0)
    lua_pushvalue(L, before);
  else
    lua_pushboolean(L, 0);
  lua_pushstring(L, name);
  lua_pushlightuserdata(L, reinterpret_cast<void*>(function));
  lua_pushcclosure(L, recorded, count + 3);
  lua_replace(L, at);
  lua_settop(L, at);
}

// The native values in a result get the recipe on top of the stack, each with its place in the result.
void keep(lua_State* L, int result, const std::string& place, int depth = 2) {
  const int recipe = lua_gettop(L);
  if (lua_type(L, result) == LUA_TTABLE) {
    if (depth == 0) return;
    each_sorted(L, result, [&] {
      const int value = lua_gettop(L);
      const auto name = text_at(L, -2);
      lua_pushvalue(L, recipe);
      keep(L, value, fmt::format("{}.{}", place, name ? std::string(*name) : shown(L, -3)), depth - 1);
      lua_pop(L, 1);
    });
    return;
  }
  if (lua_type(L, result) != LUA_TUSERDATA) return;
  lua_getfield(L, LUA_REGISTRYINDEX, kRecipes);
  lua_pushvalue(L, result);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    lua_pushvalue(L, result);
    lua_createtable(L, 2, 0);
    lua_pushvalue(L, recipe);
    lua_rawseti(L, -2, 1);
    host::push(L, place);
    lua_rawseti(L, -2, 2);
    lua_rawset(L, recipe + 1);
  }
  lua_settop(L, recipe);
}

// The recipe of a call: the name of the word, what was given before, the arguments, and the digest of all of
// that. Functions and native values in it are looked at again when the recipe is asked for.
Reference recipe_of_call(lua_State* L, int name, int before) {
  const int count = lua_gettop(L);
  luaL_checkstack(L, 32, "a recipe");
  lua_createtable(L, count + 2, 0);
  for (int i = 1; i <= count; ++i) {
    lua_pushvalue(L, i);
    lua_rawseti(L, -2, i + 2);
  }
  lua_pushvalue(L, name);
  lua_rawseti(L, -2, 1);
  lua_pushvalue(L, before);
  lua_rawseti(L, -2, 2);
  const Content content = push_content(L, -1);
  host::push(L, content.digest);
  lua_rawseti(L, -2, static_cast<lua_Integer>(lua_rawlen(L, -2)) + 1);
  Reference recipe(L, -1);
  lua_settop(L, count);
  return recipe;
}

// Notes a scheduler that the call has registered, with the recipe on top of the stack.
void keep_registered(lua_State* L, const Constructor& constructor) {
  const int recipe = lua_gettop(L);
  lua_getfield(L, LUA_REGISTRYINDEX, kRegistered);
  lua_createtable(L, 2, 0);
  host::push(L, constructor.entry->name);
  lua_rawseti(L, -2, 1);
  lua_pushvalue(L, recipe);
  lua_rawseti(L, -2, 2);
  lua_rawseti(L, -2, static_cast<lua_Integer>(lua_rawlen(L, -2)) + 1);
  lua_settop(L, recipe);
}

// Keeps the recipe with each of the `count` results of the call, which are on top of the stack.
void keep_results(lua_State* L, int count, const Reference& recipe, const char* name) {
  const int top = lua_gettop(L);
  luaL_checkstack(L, 32, "a recipe");
  recipe.push(L);
  for (int i = 1; i <= count; ++i) {
    const int result = top - count + i;
    if (lua_iscfunction(L, result) != 0) {  // cluster "a" waits for its table
      lua_pushvalue(L, result);
      record(L, name, top + 1);
      lua_replace(L, result);
      continue;
    }
    lua_pushvalue(L, top + 1);
    keep(L, result, fmt::format("{}", i));
    lua_settop(L, top + 1);
    if (const auto* constructor = test<Constructor>(L, result)) keep_registered(L, *constructor);
  }
  lua_settop(L, top);
}

// A word whose calls are noted. Its upvalues are those of the function, then what was given before, the name
// of the word, and the function.
int recorded(lua_State* L) {
  lua_Debug frame;
  lua_getstack(L, 0, &frame);
  lua_getinfo(L, "u", &frame);
  const int itself = lua_upvalueindex(frame.nups), name = lua_upvalueindex(frame.nups - 1);
  const auto function = reinterpret_cast<lua_CFunction>(lua_touserdata(L, itself));
  if (!records(Interpreter::of(L))) return function(L);
  Reference recipe;
  guard(L, [&] {
    const Interpreter::Uncounted uncounted(Interpreter::of(L));  // only where cells are kept
    recipe = recipe_of_call(L, name, lua_upvalueindex(frame.nups - 2));
    return 0;
  });
  const int count = function(L);
  guard(L, [&] {
    const Interpreter::Uncounted uncounted(Interpreter::of(L));
    keep_results(L, count, recipe, lua_tostring(L, name));
    return 0;
  });
  return count;
}

// The functions in the table on top of the stack.
void record_all(lua_State* L, const std::string& prefix) {
  const int table = lua_gettop(L);
  std::vector<std::string> names;
  for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1))
    if (lua_iscfunction(L, -1) != 0 && text_at(L, -2)) names.emplace_back(*text_at(L, -2));
  for (const std::string& name : names) {
    host::push(L, name);
    lua_rawget(L, table);
    record(L, (prefix + name).c_str(), 0);
    lua_setfield(L, table, name.c_str());
  }
}

}  // namespace

namespace {

// The vocabulary and the contents of its modules.
WordNames names_of_words(lua_State* L) {
  WordNames names;
  const std::function<void(const std::string&)> table = [&](const std::string& prefix) {
    const int index = lua_gettop(L);
    luaL_checkstack(L, 32, "vocabulary");
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_settop(L, index + 1)) {
      const int type = lua_type(L, -1);
      const auto key = text_at(L, -2);
      const bool is_object = type == LUA_TFUNCTION || type == LUA_TTABLE || type == LUA_TUSERDATA;
      if (!key || !is_object) continue;
      const std::string name = prefix + std::string(*key);
      if (!names.emplace(lua_topointer(L, -1), name).second) continue;
      if (type != LUA_TTABLE || lua_getmetatable(L, -1) == 0) continue;
      lua_pushliteral(L, "__index");
      if (lua_rawget(L, -2) == LUA_TTABLE) table(name + ".");
    }
  };
  const Balanced balanced(L);
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  table("");
  return names;
}

// All words stay in memory, also those that the script gives another meaning, so that none of these names
// ever is another object's.
void keep_words(lua_State* L) {
  const Balanced balanced(L);
  lua_newtable(L);
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, -6);
  }
  lua_pop(L, 1);
  lua_setfield(L, LUA_REGISTRYINDEX, "perigee.words");
}

}  // namespace

bool push_recipe(lua_State* L, int index) {
  index = lua_absindex(L, index);
  if (lua_getfield(L, LUA_REGISTRYINDEX, kRecipes) == LUA_TTABLE) {
    lua_pushvalue(L, index);
    if (lua_rawget(L, -2) != LUA_TNIL) {
      lua_remove(L, -2);
      return true;
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return false;
}

void each_registered(lua_State* L, const std::function<void(const std::string& name)>& f) {
  const Balanced balanced(L);
  if (lua_getfield(L, LUA_REGISTRYINDEX, kRegistered) != LUA_TTABLE) return;
  const int all = lua_gettop(L);
  for (lua_Integer i = 1; i <= static_cast<lua_Integer>(lua_rawlen(L, all)); ++i) {
    lua_rawgeti(L, all, i);
    lua_rawgeti(L, -1, 1);
    const std::string name(*text_at(L, -1));
    lua_rawgeti(L, -2, 2);
    f(name);
    lua_settop(L, all);
  }
}

void open_recipes(lua_State* L) {
  const InterpreterOptions& options = Interpreter::of(L).options();
  if (!Interpreter::of(L).keeps_cells() || options.interactive) return;
  const Balanced balanced(L);
  push_weak(L, "k");
  lua_setfield(L, LUA_REGISTRYINDEX, kRecipes);
  lua_newtable(L);
  lua_setfield(L, LUA_REGISTRYINDEX, kRegistered);
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  const int vocabulary = lua_gettop(L);
  for (const char* word : kRecipeWords) {
    if (lua_getfield(L, vocabulary, word) == LUA_TFUNCTION) {
      record(L, word, 0);
      lua_setfield(L, vocabulary, word);
    } else if (lua_type(L, -1) == LUA_TTABLE && lua_getmetatable(L, -1) != 0) {
      if (lua_getfield(L, -1, "__call") == LUA_TFUNCTION) {
        record(L, word, 0);
        lua_setfield(L, -2, "__call");
      } else {
        lua_pop(L, 1);
      }
      if (lua_getfield(L, -1, "__index") == LUA_TTABLE) record_all(L, fmt::format("{}.", word));
    }
    lua_settop(L, vocabulary);
  }
  luaL_getmetatable(L, TypeName<Constructor>::value);  // mapped { map = "mct" }
  lua_getfield(L, -1, "__call");
  record(L, "construct", 0);
  lua_setfield(L, -2, "__call");
  lua_settop(L, vocabulary);
  luaL_getmetatable(L, TypeName<Distribution>::value);
  push_type_index(L, -1);
  lua_getupvalue(L, -1, 1);  // its methods
  if (lua_getfield(L, -1, "truncated") == LUA_TFUNCTION) {
    record(L, "truncated", 0);
    lua_setfield(L, -2, "truncated");
  }
  keep_words(L);
  Interpreter::of(L).contents().set_names(names_of_words(L));
}

}  // namespace perigee::session
