// The foundation of the bindings: C++ exceptions and Lua errors meet in Lua's C++ build.
#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "interpreter/bindings/words.h"
#include "interpreter/session/interpreter.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

struct Counted {
  explicit Counted(int& alive) : alive_(alive) { ++alive_; }
  ~Counted() { --alive_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  int& alive_;
};

int alive = 0;

int throws_bare(lua_State*) { throw std::runtime_error("lost"); }

int throws_guarded(lua_State* L) {
  return host::guard(L, [&]() -> int {
    const Counted counted(alive);
    fail("some_code", "message {}", 7);
  });
}

int errors_inside_guard(lua_State* L) {
  return host::guard(L, [&]() -> int {
    const Counted counted(alive);
    return luaL_error(L, "from Lua");
  });
}

bool went_on = false;

int swallows(lua_State* L) {
  try {
    luaL_error(L, "from Lua");
  } catch (...) {  // no binding may do this
  }
  went_on = true;
  lua_pushliteral(L, "a result");
  return 1;
}

int throws_foreign(lua_State* L) {
  return host::guard(L, [&]() -> int {
    const Counted counted(alive);
    throw std::runtime_error("not ours");
  });
}
int throws_too_large(lua_State* L) {
  return host::guard(L, [&]() -> int { throw std::length_error("vector::reserve"); });
}
int throws_no_memory(lua_State* L) {
  return host::guard(L, [&]() -> int { throw std::bad_alloc(); });
}
std::string guard_error_of(lua_State* L, lua_CFunction function) {
  lua_pushcfunction(L, function);
  REQUIRE(lua_pcall(L, 0, 0, 0) == LUA_ERRRUN);
  return luaL_tolstring(L, -1, nullptr);
}

}  // namespace

TEST_CASE("a bare C++ exception is swallowed by lua_pcall: status -1 and no message") {
  Interpreter interpreter(open_words);
  lua_State* L = interpreter.main();
  lua_pushcfunction(L, throws_bare);
  CHECK(lua_pcall(L, 0, 0, 0) == -1);
}

TEST_CASE("catch (...) swallows Lua's own error: the function goes on, its result is taken for the message") {
  Interpreter interpreter(open_words);
  lua_State* L = interpreter.main();
  lua_pushcfunction(L, swallows);
  CHECK(lua_pcall(L, 0, 1, 0) == LUA_ERRRUN);
  CHECK(went_on);
  CHECK(std::string(lua_tostring(L, -1)) == "a result");
}

TEST_CASE("a Lua error inside noexcept terminates") {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    const int null = dup(STDERR_FILENO);
    (void)null;
    if (freopen("/dev/null", "w", stderr) == nullptr) _exit(2);
    lua_State* L = luaL_newstate();
    lua_pushcfunction(L, [](lua_State* state) -> int {
      const auto quiet = [&]() noexcept { luaL_error(state, "never seen"); };
      quiet();
      return 0;
    });
    (void)lua_pcall(L, 0, 0, 0);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGABRT);
}

TEST_CASE("guard turns an Error into a Lua error with its diagnostic, after the locals are gone") {
  Interpreter interpreter(open_words);
  lua_State* L = interpreter.main();
  alive = 0;
  lua_pushcfunction(L, throws_guarded);
  REQUIRE(lua_pcall(L, 0, 0, 0) == LUA_ERRRUN);
  CHECK(alive == 0);
  CHECK(std::string(luaL_tolstring(L, -1, nullptr)) == "message 7");
}

TEST_CASE("guard lets Lua's own errors pass and their unwinding runs destructors") {
  Interpreter interpreter(open_words);
  lua_State* L = interpreter.main();
  alive = 0;
  lua_pushcfunction(L, errors_inside_guard);
  REQUIRE(lua_pcall(L, 0, 0, 0) == LUA_ERRRUN);
  CHECK(alive == 0);
  CHECK(std::string(lua_tostring(L, -1)) == "from Lua");
}

TEST_CASE("guard says of a foreign exception that it is a fault of perigee") {
  Interpreter interpreter(open_words);
  lua_State* L = interpreter.main();
  const std::string said = guard_error_of(L, throws_foreign);
  INFO(said);
  CHECK(said.find("not ours") != std::string::npos);
  CHECK(said.find("fault of perigee") != std::string::npos);
}

TEST_CASE("guard says of what is too large, and of memory that is not there, that it is that") {
  Interpreter interpreter(open_words);
  lua_State* L = interpreter.main();
  for (const auto& [function, expected] :
       {std::pair{&throws_too_large, "larger than any memory"}, std::pair{&throws_no_memory, "memory"}}) {
    const std::string said = guard_error_of(L, function);
    INFO(said);
    CHECK(said.find(expected) != std::string::npos);
    CHECK(said.find("fault of perigee") == std::string::npos);
  }
}

TEST_CASE("protect gives Lua errors back as ScriptError and C++ exceptions as they are") {
  Interpreter interpreter(open_words);
  lua_State* L = interpreter.main();
  const int top = lua_gettop(L);
  CHECK_THROWS_AS(host::protect(L, [](lua_State* state) { luaL_error(state, "x"); }), ScriptError);
  CHECK_THROWS_AS(host::protect(L, [](lua_State*) { throw std::out_of_range("y"); }), std::out_of_range);
  CHECK_THROWS_AS(host::protect(L, [](lua_State*) { fail("code", "z"); }), Error);
  CHECK(lua_gettop(L) == top);
}
