#include "interpreter/session/profiler.h"

#include <set>

#include "interpreter/host/stack.h"
#include "interpreter/language/arguments.h"
#include "interpreter/language/vocabulary.h"

namespace perigee::session {

namespace {

// "c:best(task)" -> "c:best"; empty when nothing is known of it.
std::string usage_of(const std::string& owner, const std::string& name) {
  const Word* word = find_word(owner, name);
  return word == nullptr ? std::string()
                         : std::string(word->usage.substr(0, word->usage.find_first_of("( ")));
}

std::string file_of(const lua_Debug& debug) {
  return debug.source[0] == '@' ? debug.source + 1 : debug.short_src;
}

}  // namespace

Profiler::Profiler(lua_State* L, std::size_t scan) : scan_(scan) { learn_names(L); }

// The native functions in the table on top.
void Profiler::name_functions(lua_State* L, const std::string& owner) {
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    const auto name = host::text_at(L, -2);
    if (const lua_CFunction function = language::native_function(L, -1); function != nullptr && name) {
      const std::string text(*name);
      std::string shown = usage_of(owner, text);
      if (shown.empty())
        shown = owner.empty() ? text : owner + (owner.find(' ') == std::string::npos ? "." : ": ") + text;
      names_.emplace(function, std::move(shown));
    }
    lua_pop(L, 1);
  }
}

void Profiler::learn_names(lua_State* L) {
  const host::Balanced balanced(L);
  luaL_checkstack(L, 10, "profile");
  // The methods of native types.
  std::set<std::string> types;
  lua_pushnil(L);
  while (lua_next(L, LUA_REGISTRYINDEX) != 0) {
    if (const auto type = host::text_at(L, -2); type && lua_type(L, -1) == LUA_TTABLE) types.emplace(*type);
    lua_pop(L, 1);
  }
  for (const std::string& type : types) {
    const host::Balanced one(L);
    lua_getfield(L, LUA_REGISTRYINDEX, type.c_str());
    if (host::push_type_index(L, -1) && lua_getupvalue(L, -1, 1) != nullptr && lua_type(L, -1) == LUA_TTABLE)
      name_functions(L, type);
  }
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  name_functions(L, "");
  // Modules are views of tables (host::freeze).
  host::each_sorted(L, -1, [&] {
    const auto module = host::text_at(L, -2);
    if (!module || lua_type(L, -1) != LUA_TTABLE) return;
    const std::string name(*module);
    name_functions(L, name);
    if (lua_getmetatable(L, -1) == 0) return;
    lua_pushliteral(L, "__index");
    if (lua_rawget(L, -2) == LUA_TTABLE) name_functions(L, name);
  });
}

void Profiler::see(lua_State* L, lua_Debug* activation) {
  switch (activation->event) {
    case LUA_HOOKCOUNT:
      lua_getinfo(L, "Sl", activation);
      ++instructions_;
      ++functions_[{file_of(*activation), activation->linedefined}].instructions;
      ++lines_[{file_of(*activation), activation->currentline}];
      break;
    case LUA_HOOKCALL:
    case LUA_HOOKTAILCALL:
      called(L, activation);
      break;
    default:
      break;
  }
}

void Profiler::called(lua_State* L, lua_Debug* activation) {
  lua_getinfo(L, "Sn", activation);
  if (activation->what[0] != 'C') {
    ++functions_[{file_of(*activation), activation->linedefined}].calls;
    if (activation->event == LUA_HOOKCALL && called_by_native(L)) {
      leave_callback();
      ++callbacks_;
    }
    return;
  }
  lua_getinfo(L, "f", activation);
  const auto known = names_.find(language::native_function(L, -1));
  lua_pop(L, 1);
  if (known == names_.end()) return;
  ++native_[known->second];
  ++here_[known->second];
}

// By perigee itself, not by a function that the script has called, as table.sort.
bool Profiler::called_by_native(lua_State* L) const {
  lua_Debug caller;
  if (lua_getstack(L, 1, &caller) == 0) return true;
  lua_getinfo(L, "Sf", &caller);
  const bool unknown = caller.what[0] == 'C' && !names_.contains(language::native_function(L, -1));
  lua_pop(L, 1);
  return unknown;
}

void Profiler::leave_callback() {
  if (scan_ > 0)
    for (const auto& [name, calls] : here_)
      if (calls >= scan_) ++scans_[name];
  here_.clear();
}

}  // namespace perigee::session
