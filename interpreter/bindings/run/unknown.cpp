// The value that stands for a result in check mode. Everything computed from it is not known either.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "interpreter/bindings/methods.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/bindings/words.h"
#include "interpreter/callbacks/schedulers.h"
#include "interpreter/host/stack.h"
#include "interpreter/host/unknown.h"
#include "interpreter/language/arguments.h"
#include "interpreter/language/check_names.h"
#include "interpreter/language/fields/plots.h"
#include "interpreter/language/vocabulary.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/runs.h"
#include "runtime/results/export.h"
#include "runtime/results/metrics.h"

namespace perigee::bindings {

namespace {

int itself(lua_State* L) {
  host::push_unknown(L);
  return 1;
}
// A call. As the iterator of a `for` it gives one unknown value, so that the loop ends.
int call_unknown(lua_State* L) {
  lua_Debug here;
  const bool iterates = lua_getstack(L, 0, &here) != 0 && lua_getinfo(L, "n", &here) != 0 &&
                        std::string_view(here.namewhat) == "for iterator";
  if (iterates && !lua_isnoneornil(L, 3)) return 0;  // the control variable: what the last call gave
  return itself(L);
}
int set_field(lua_State* L) {
  host::forget_columns(L, 1);
  return 0;
}
// The length.
int zero(lua_State* L) {
  host::guard(L, [&] {
    if (const host::Columns columns = host::columns_of_unknown(L, 1))
      language::check_counted_loop(L, *columns);
    return 0;
  });
  host::forget_columns(L, 1);
  lua_pushinteger(L, 0);
  return 1;
}
// Comparisons answer yes and no in turn, and a simulation's step() answers no. So loops that wait for either
// answer end.
int in_turn(lua_State* L) {
  const int yes = lua_toboolean(L, lua_upvalueindex(1)) == 0 ? 1 : 0;
  lua_pushboolean(L, yes);
  lua_copy(L, -1, lua_upvalueindex(1));
  return 1;
}
// Checks as much of a call as can be checked without the object.
void check_call(lua_State* L, std::string_view chain) {
  const std::size_t dot = std::min(chain.rfind('.'), chain.size() - 1);
  const Word* word = find_word(chain.substr(0, dot), chain.substr(dot + 1));
  if (word == nullptr) return;
  int given = lua_gettop(L);
  while (given > 1 && lua_isnil(L, given)) --given;
  const auto passed = static_cast<std::size_t>(std::max(given - 1, 0));
  if (const auto most = most_arguments(word->usage)) language::refuse_more(L, *word, *most, passed);
  if (passed < least_arguments(word->usage))
    fail("bad_type", "{}: argument {} is missing; it is written {}", word->name, std::max(given, 1),
         word->usage);
  for (int i = 2; i <= given; ++i) {
    const int type = lua_type(L, i);
    if ((type == LUA_TNUMBER || type == LUA_TSTRING) &&
        takes_table(word->usage, static_cast<std::size_t>(i) - 1))
      fail("bad_type", "{}: argument {} must be a table, got {}; it is written {}", word->name, i - 1,
           host::shown(L, i), word->usage);
  }
  if (word->name == "set_policy" && given > 1 && !host::is_unknown(L, 2))
    callbacks::scheduler_at(L, 2, "set_policy", Role::policy);
  if ((chain == "simulation.run_until" || chain == "simulation.back_to") && given > 1 &&
      !host::is_unknown(L, 2))
    host::number_at(L, 2, fmt::format("{}: time", word->name), Dimension::seconds, host::kNotNegative);
  if (chain == "result.save" && lua_type(L, 3) == LUA_TTABLE)
    host::each_sorted(L, 3, [&] {
      const auto name = host::text_at(L, -1);
      if (name && lua_isinteger(L, -2) != 0) format_named(*name);
      if (host::text_at(L, -2) != language::save_fields::kOnly.name || lua_type(L, -1) != LUA_TTABLE) return;
      host::each_sorted(L, -1, [&] {
        if (const auto file = host::text_at(L, -1)) run_file_named(*file);
      });
    });
  if (chain == "simulation.when" && lua_type(L, 2) == LUA_TFUNCTION) {
    language::check_methods(L, 2, 1, {"state"});
    language::check_fields(L, 2, 1, {"state"});
  }
  const bool takes_records = word->name == "submit" || word->name == "quote";
  for (int i = 2; i <= given; ++i) {
    if (i == 2 && takes_records && lua_type(L, i) == LUA_TTABLE && lua_rawlen(L, i) > 0)
      host::each_sorted(L, i, [&] { language::check_word_fields(L, -1, chain); });
    else
      language::check_word_fields(L, i, chain);
  }
}

// sim:step(). A loop of steps may wait for something that is never known; a check ends there.
int no(lua_State* L) {
  return host::guard(L, [&] {
    if (host::type_of_unknown(L, 1) == "simulation") {
      check_call(L, "simulation.step");
      language::check_steps(L);
    }
    constexpr const char* kCount = "perigee.unknown_steps";
    constexpr lua_Integer kMost = 10'000;
    lua_getfield(L, LUA_REGISTRYINDEX, kCount);
    const lua_Integer count = lua_tointeger(L, -1) + 1;
    if (count > kMost) fail("not_known", "step: after so many steps, {}", host::kNotKnown);
    lua_pushinteger(L, count);
    lua_setfield(L, LUA_REGISTRYINDEX, kCount);
    lua_pushboolean(L, 0);
    return 1;
  });
}
// sim:fork(n); upvalue: the type.
int several(lua_State* L) {
  if (const std::string type(host::type_of_unknown(L, 1)); !type.empty())
    host::guard(L, [&] {
      check_call(L, type + ".fork");
      return 0;
    });
  const lua_Integer count = std::clamp<lua_Integer>(lua_tointeger(L, 2), 1, 1000);
  luaL_checkstack(L, static_cast<int>(count), "values");
  for (lua_Integer i = 0; i < count; ++i) host::push_unknown(L, lua_tostring(L, lua_upvalueindex(1)));
  return static_cast<int>(count);
}

// The columns of the rows that a method of results or simulations returns. They are the same for all runs, so
// that a small run tells them.
host::Columns columns_of_method(const std::string& type, const std::string& method) {
  host::Columns columns;
  try {
    InterpreterOptions options;
    options.output = options.warnings = [](std::string_view) {};
    Interpreter other(open_words, std::move(options));
    other.run_text("columns", R"(
      local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
      objects = { result = s:run { policy = "fcfs" }, simulation = s:start { policy = "fcfs" } })");
    host::protect(other.main(), [&](lua_State* L) {
      lua_getglobal(L, "objects");
      if (lua_getfield(L, -1, type.c_str()) == LUA_TNIL) return;
      lua_getfield(L, -1, method.c_str());
      lua_insert(L, -2);
      lua_call(L, 1, 1);
      columns = columns_of(L, lua_gettop(L)).columns;
    });
  } catch (const Error&) {  // they stay unknown
  }
  return columns;
}

// Pushes rows of that method; their columns are looked up once.
void push_rows_of(lua_State* L, const std::string& chain) {
  const std::size_t dot = chain.rfind('.');
  const std::string type = chain.substr(0, dot);
  if (type != "result" && type != "simulation") return host::push_unknown(L, "rows");
  luaL_getsubtable(L, LUA_REGISTRYINDEX, "perigee.columns");
  if (lua_getfield(L, -1, chain.c_str()) == LUA_TNIL) {
    lua_pop(L, 1);
    host::push_unknown_rows(L,
                            columns_of_method(type, chain.substr(dot + 1)));  // only this function has them
    lua_getiuservalue(L, -1, 2);
    lua_setfield(L, -3, chain.c_str());
    lua_pop(L, 1);
    lua_getfield(L, -1, chain.c_str());
  }
  host::Columns columns(std::in_place);
  for (lua_Integer i = 1; i <= static_cast<lua_Integer>(lua_rawlen(L, -1)); ++i) {
    lua_rawgeti(L, -1, i);
    columns->emplace_back(*host::text_at(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 2);
  host::push_unknown_rows(L, columns->empty() ? std::nullopt : columns);
}

// A method. Upvalues: the types that it returns, separated by ", "; its chain.
int called(lua_State* L) {
  const auto chain = host::text_at(L, lua_upvalueindex(2));
  if (chain)
    host::guard(L, [&] {
      check_call(L, *chain);
      return 0;
    });
  const std::string_view types = *host::text_at(L, lua_upvalueindex(1));
  if (chain && types == "rows")
    return host::guard(L, [&] {
      push_rows_of(L, std::string(*chain));
      return 1;
    });
  int count = 0;
  for (std::size_t at = 0; at <= types.size(); ++count) {
    const std::size_t end = std::min(types.find(", ", at), types.size());
    host::push(L, types.substr(at, end - at));
    host::push_unknown(L, lua_tostring(L, -1));
    lua_remove(L, -2);
    at = end + 2;
  }
  return count;
}

// Whether the field of a native type is a method. Error when the type has no such field.
bool is_method(lua_State* L, const std::string& type, const std::string& name) {
  const host::Balanced balanced(L);
  luaL_getmetatable(L, type.c_str());
  host::push_type_index(L, -1);
  const int index = lua_gettop(L);
  lua_getupvalue(L, index, 1);
  host::push(L, name);
  if (lua_rawget(L, -2) != LUA_TNIL) return true;
  lua_pop(L, 1);
  lua_getupvalue(L, index, 4);
  const auto& properties = *static_cast<const std::vector<std::string>*>(lua_touserdata(L, -1));
  if (std::ranges::find(properties, name) != properties.end()) return false;
  if (type == "result" && is_metric(name)) return false;  // of a queue or a user, which only a run tells
  std::vector<std::string> names = properties;
  lua_pop(L, 1);
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) names.emplace_back(*host::text_at(L, -2));
  host::no_such_field(L, type, name, names);
}

// Reads rows[i], rows:method(...) and row.column. The table that has the columns is on the stack.
int part_of_rows(lua_State* L, const std::string& type) {
  const auto name = host::text_at(L, 2);
  const host::Columns columns = host::columns_of_unknown(L, 1);
  if (type == "rows" && !name) {
    lua_newuserdatauv(L, 1, 2);
    luaL_setmetatable(L, host::kUnknownType);
    lua_pushliteral(L, "row");
    lua_setiuservalue(L, -2, 1);
    lua_getiuservalue(L, 1, 2);
    lua_setiuservalue(L, -2, 2);
    return 1;
  }
  if (type == "rows") {
    if (*name != "csv") {  // the other methods accept rows that are not known
      lua_getfield(L, LUA_REGISTRYINDEX, "perigee.row_methods");
      host::push(L, *name);
      if (lua_rawget(L, -2) != LUA_TNIL) return 1;
    }
    std::vector<std::string> names;
    for (const Word& word : vocabulary())
      if (word.owner == "rows") names.emplace_back(word.name);
    if (std::ranges::find(names, *name) == names.end())
      fail("unknown_field", "a table has no field '{}'{}; its rows are t[1] to t[#t]", *name,
           did_you_mean(*name, names));
    lua_pushstring(L, *name == "csv" ? "" : "rows");
    host::push(L, fmt::format("rows.{}", *name));
    lua_pushcclosure(L, called, 2);
    return 1;
  }
  if (name && columns && std::ranges::find(*columns, *name) == columns->end())
    fail("unknown_field", "the rows have no column '{}'{}", *name, did_you_mean(*name, *columns));
  return itself(L);
}

int field(lua_State* L) {
  return host::guard(L, [&] {
    const auto name = host::text_at(L, 2);
    lua_getiuservalue(L, 1, 1);
    const auto type = host::text_at(L, -1);
    if (name && *name == "step") {
      lua_pushcfunction(L, no);
      return 1;
    }
    if (type && lua_getiuservalue(L, 1, 2) == LUA_TTABLE) {
      if (name) {
        host::push(L, *name);
        if (lua_rawget(L, -2) != LUA_TNIL) return 1;  // a method of its own
        lua_pop(L, 1);
      }
      if (*type == "row" || *type == "rows") return part_of_rows(L, std::string(*type));
    }
    // No native type is a list: c[1] of a comparison is an error.
    if (type && !name && lua_type(L, 2) == LUA_TNUMBER) is_method(L, std::string(*type), host::shown(L, 2));
    if (!type || !name) {
      if (!name || (*name != "fork" && *name != "when")) return itself(L);
      lua_pushstring(L, *name == "when" ? ", " : "");
      lua_pushcclosure(L, *name == "when" ? called : several, 1);
      return 1;
    }
    const bool method = is_method(L, std::string(*type), std::string(*name));
    const std::string chain = fmt::format("{}.{}", *type, *name);
    if (method && *name == "plot") {
      lua_pushcfunction(L, plot);
      return 1;
    }
    host::push(L, returned_by(chain));
    if (!method) {
      host::push_unknown(L, lua_tostring(L, -1));
    } else {
      host::push(L, chain);
      lua_pushcclosure(L, *name == "fork" ? several : called, 2);
    }
    return 1;
  });
}
int loop_over(lua_State* L) {
  return host::guard(L, [&] {
    const std::string type(host::type_of_unknown(L, 1));
    if (!type.empty() && type != "rows" && type != "row")
      is_method(L, type, "1");  // no native type is a list
    if (const host::Columns columns = host::columns_of_unknown(L, 1)) language::check_loop(L, *columns);
    return 0;
  });
}
int unknown_text(lua_State* L) {
  lua_pushstring(L, host::kNotKnown);
  return 1;
}

}  // namespace

void open_unknown(lua_State* L) {
  luaL_newmetatable(L, host::kUnknownType);
  for (const char* event : {"__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm", "__idiv", "__band",
                            "__bor", "__bxor", "__shl", "__shr", "__bnot", "__concat"}) {
    lua_pushcfunction(L, itself);
    lua_setfield(L, -2, event);
  }
  lua_pushcfunction(L, call_unknown);
  lua_setfield(L, -2, "__call");
  for (const char* event : {"__lt", "__le", "__eq"}) {
    lua_pushboolean(L, 0);
    lua_pushcclosure(L, in_turn, 1);
    lua_setfield(L, -2, event);
  }
  constexpr luaL_Reg kOther[] = {{"__index", field},
                                 {"__len", zero},
                                 {"__tostring", unknown_text},
                                 {"__newindex", set_field},
                                 {host::kLoopOverUnknown, loop_over},
                                 {nullptr, nullptr}};
  luaL_setfuncs(L, kOther, 0);
  lua_pushliteral(L, "protected");
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
  lua_newtable(L);  // tables of such values, by type
  lua_setfield(L, LUA_REGISTRYINDEX, "perigee.unknown");
}

}  // namespace perigee::bindings
