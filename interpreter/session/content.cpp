#include "interpreter/session/content.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/session/functions.h"
#include "interpreter/session/interpreter.h"

namespace perigee::session {

namespace {

Content content(const Digest& digest) { return {digest.text(), digest.unknown}; }

}  // namespace

Content content_of(lua_State* L, int index) {
  const Balanced balanced(L);
  lua_pushvalue(L, index);
  return content(digest_of(L, &Interpreter::of(L).contents().names()));
}

Content push_content(lua_State* L, int index) {
  lua_pushvalue(L, index);
  Content found = content(digest_of(L, &Interpreter::of(L).contents().names(), true));
  lua_remove(L, -2);
  return found;
}

Reach reach_of(lua_State* L, const std::vector<std::pair<std::string, Reference>>& functions) {
  const Balanced balanced(L);
  luaL_checkstack(L, 32, "surroundings");
  const WordNames& names = Interpreter::of(L).contents().names();
  Reach reach;
  lua_newtable(L);  // all together, where what is shared by several parts is told
  const int all = lua_gettop(L);
  const auto add = [&](std::string name, const std::string& text) {
    const auto same = [&](const KeyPart& part) { return part.name == name; };
    if (std::ranges::any_of(reach.parts, same)) return;
    const Digest content = digest_of(L, &names);
    if (!content.unknown.empty() && reach.unknown.empty())
      reach.unknown = fmt::format("{}{} leads to {}", name, text, content.unknown);
    reach.parts.push_back({std::move(name), content.text()});
  };
  for (const auto& [callback, reference] : functions) {
    reference.push(L);
    const int function = lua_gettop(L);
    lua_pushvalue(L, function);
    reach.parts.push_back({fmt::format("the text of '{}'", callback), hash_text(code_of(L))});
    lua_pop(L, 1);
    each_captured(L, function, [&](const char* name, int) {
      add(fmt::format("the variable '{}'", name), fmt::format(", which '{}' captured,", callback));
    });
    each_global(L, function, [&](const std::string& name, const char* verb) {
      if (!lua_isnil(L, -1)) add(name, fmt::format(", which '{}' {},", callback, verb));
    });
    lua_pushvalue(L, function);
    lua_rawseti(L, all, static_cast<lua_Integer>(lua_rawlen(L, all)) + 1);
    lua_settop(L, all);
  }
  each_registered(L, [&](const std::string& name) {
    add(fmt::format("'{}'", name), "");
    lua_pushvalue(L, -1);
    lua_rawseti(L, all, static_cast<lua_Integer>(lua_rawlen(L, all)) + 1);
  });
  lua_settop(L, all);
  const Digest content = digest_of(L, &names);
  reach.digest = content.text();
  if (reach.unknown.empty()) reach.unknown = content.unknown;
  return reach;
}

}  // namespace perigee::session
