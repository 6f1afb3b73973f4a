// Every word and method refuses an argument too many.
#include "interpreter/language/arguments.h"

#include <catch2/catch.hpp>
#include <string>

#include "interpreter/bindings/words.h"
#include "interpreter/language/vocabulary.h"
#include "interpreter/session/interpreter.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::StartsWith;

namespace {

// Pushes the function that the word calls: its own, or that of its metatable. Returns false when there is
// none.
bool push_called(lua_State* L, const Word& word, bool method) {
  if (!method) {
    std::string chain = "return " + chain_of(word);
    return luaL_dostring(L, chain.c_str()) == LUA_OK;
  }
  if (word.owner == "rows") {
    lua_getfield(L, LUA_REGISTRYINDEX, "perigee.row_methods");
  } else {
    luaL_getmetatable(L, std::string(word.owner).c_str());
    if (!host::push_type_index(L, -1) || lua_getupvalue(L, -1, 1) == nullptr) return false;
  }
  host::push(L, word.name);
  return lua_rawget(L, -2) == LUA_TFUNCTION;
}

}  // namespace

TEST_CASE("an argument too many is refused by every word and method, called by pcall or not") {
  Interpreter interpreter(open_words);
  lua_State* L = interpreter.main();
  std::size_t words = 0;
  for (const Word& word : vocabulary()) {
    const auto most = most_arguments(word.usage);
    if (!most || word.summary.starts_with("standard Lua") || word.name == "help" || word.name == "args")
      continue;
    INFO(chain_of(word));
    const host::Balanced balanced(L);
    luaL_checkstack(L, 40, "arguments");
    const bool method = !word.owner.empty() && word.usage.find(':') < word.usage.find_first_of("({\" ");
    lua_getglobal(L, "pcall");
    const int protect = lua_gettop(L);
    REQUIRE(push_called(L, word, method));
    if (lua_istable(L, -1)) {
      if (luaL_getmetafield(L, -1, "__call") == LUA_TNIL) continue;  // a module
      lua_pop(L, 1);
    }
    lua_pushvalue(L, protect);
    lua_insert(L, -2);
    const std::size_t given = *most + (method ? 1 : 0) + 1;
    for (std::size_t i = 0; i < given; ++i) lua_pushstring(L, "x");
    lua_call(L, static_cast<int>(given) + 1, 2);
    CHECK(lua_toboolean(L, -2) == 0);
    CHECK_THAT(luaL_tolstring(L, -1, nullptr), StartsWith(std::string(word.name) + " takes "));
    ++words;
  }
  CHECK(words > 300);
}
