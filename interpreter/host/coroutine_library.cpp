#include "interpreter/host/libraries.h"

#include <fmt/format.h>

#include "interpreter/host/guest.h"
#include "interpreter/host/stack.h"

namespace perigee::host {

namespace {

// A stop that is raised in a coroutine leaves it dead with hooks off: nothing of it may run again, not even
// the __close of its variables, which could go on for ever.

void marked_dead(lua_State*, lua_Debug*) {}  // the hook of such a coroutine; never called

// Upvalue: coroutine.create.
int create(lua_State* L) {
  guard(L, [&] {
    Guest::of(L).spend(100);  // its first instructions are not counted
    return 0;
  });
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

// Resumes the coroutine at 1 with the arguments above; leaves true and its values, or false and the error.
void resume_first(lua_State* L, int resume) {
  lua_State* co = lua_tothread(L, 1);
  if (co != nullptr) renew_identity(L, 1);  // where it stands cannot be seen, only that it went on
  lua_pushvalue(L, resume);
  lua_insert(L, 1);
  {
    const Running called(co != nullptr ? co : L);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  }
  guard(L, [&] {
    if (Guest::of(L).stopped() && co != nullptr) lua_sethook(co, marked_dead, LUA_MASKLINE, 0);
    const bool failed = lua_toboolean(L, 1) == 0;
    let_stop_pass(L, failed);
    Guest::of(L).count(static_cast<std::uint64_t>(lua_gettop(L)) +
                       (failed ? steps_of_error(L, LUA_ERRRUN) : 0));
    return 0;
  });
}

// Upvalue: coroutine.resume.
int resume(lua_State* L) {
  resume_first(L, lua_upvalueindex(1));
  return lua_gettop(L);
}

// Upvalue: coroutine.close.
int close(lua_State* L) {
  if (lua_State* co = lua_tothread(L, 1); co != nullptr && lua_gethook(co) == marked_dead)
    return guard(L,
                 [&]() -> int { fail("stopped", "coroutine.close: the coroutine was stopped by a limit"); });
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  guard(L, [&] {
    let_stop_pass(L, lua_toboolean(L, 1) == 0);
    return 0;
  });
  return lua_gettop(L);
}

// Upvalues: the coroutine, coroutine.resume, coroutine.close.
int next_value(lua_State* L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  resume_first(L, lua_upvalueindex(2));
  if (lua_toboolean(L, 1) != 0) return lua_gettop(L) - 1;
  lua_settop(L, 2);
  lua_pushvalue(L, lua_upvalueindex(3));
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_State* co = lua_tothread(L, -1);
  if (lua_status(co) > LUA_YIELD) {  // it failed: its variables are closed, which may fail anew
    lua_call(L, 1, 2);
    guard(L, [&] {
      let_stop_pass(L, true);
      return 0;
    });
  } else {
    lua_settop(L, 2);
  }
  if (lua_isnil(L, -1)) lua_settop(L, 2);
  if (lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

// Upvalues: coroutine.create, resume, close.
int wrap(lua_State* L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  create(L);
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_pushvalue(L, lua_upvalueindex(3));
  lua_pushcclosure(L, next_value, 3);
  return 1;
}

}  // namespace

void open_coroutine(lua_State* L) {
  open_library(L, "coroutine", luaopen_coroutine);
  const int coroutines = lua_gettop(L);
  for (const char* name : {"create", "resume", "close"}) lua_getfield(L, coroutines, name);
  lua_pushcclosure(L, wrap, 3);
  lua_setfield(L, coroutines, "wrap");
  replace_field(L, "create", create);
  replace_field(L, "resume", resume);
  replace_field(L, "close", close);
  freeze(L, "coroutine");
  define(L, "coroutine");
}

}  // namespace perigee::host
