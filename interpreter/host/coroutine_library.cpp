#include "interpreter/host/libraries.h"

#include <fmt/format.h>

#include "interpreter/host/guest.h"
#include "interpreter/host/stack.h"

namespace perigee::host {

namespace {

// A stop that is raised in a coroutine leaves it dead with hooks off. Nothing of it may run again, not even
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

// Notes, as long as it lives, that a coroutine runs, or closes its variables. A coroutine that was made
// before an interrupt has no hook that would look at it.
class RunningCoroutine {
 public:
  RunningCoroutine(Guest& guest, lua_State* co) : running_(co) {
    if (guest.interrupted() && lua_gethook(co) == nullptr) guest.count_anew();
  }

 private:
  Running running_;
};

// Resumes the coroutine at 1 with the arguments above; leaves true and its values, or false and the error.
void resume_first(lua_State* L, int resume) {
  lua_State* co = lua_tothread(L, 1);
  if (co != nullptr) renew_identity(L, 1);  // where it stands cannot be seen, only that it went on
  lua_pushvalue(L, resume);
  lua_insert(L, 1);
  {
    const RunningCoroutine called(Guest::of(L), co != nullptr ? co : L);
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

// Closes the variables of a coroutine that does not run. Returns whether that went well; else the error is on
// top.
bool close_variables(lua_State* L, lua_State* co) {
  int status = LUA_OK;
  {
    const RunningCoroutine closing(Guest::of(L), co);
    status = lua_resetthread(co);
  }
  if (status != LUA_OK) lua_xmove(co, L, 1);
  guard(L, [&] {
    let_stop_pass(L, status != LUA_OK, status == LUA_ERRMEM);
    return 0;
  });
  return status == LUA_OK;
}

// Upvalue: coroutine.close.
int closed(lua_State* L) {
  lua_State* co = lua_tothread(L, 1);
  if (co != nullptr && lua_gethook(co) == marked_dead)
    return guard(L,
                 [&]() -> int { fail("stopped", "coroutine.close: the coroutine was stopped by a limit"); });
  lua_Debug frame;
  const bool runs =
      co == L || (co != nullptr && lua_status(co) == LUA_OK && lua_getstack(co, 0, &frame) != 0);
  if (co == nullptr || runs) {  // Lua's own function says so
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
  }
  lua_settop(L, 1);
  const bool closed = close_variables(L, co);
  lua_pushboolean(L, closed ? 1 : 0);
  if (closed) return 1;
  lua_insert(L, -2);
  return 2;
}

// Upvalues: the coroutine, coroutine.resume.
int next_value(lua_State* L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  resume_first(L, lua_upvalueindex(2));
  if (lua_toboolean(L, 1) != 0) return lua_gettop(L) - 1;
  lua_settop(L, 2);
  lua_State* co = lua_tothread(L, lua_upvalueindex(1));
  if (lua_status(co) > LUA_YIELD) close_variables(L, co);  // it failed; this may fail anew
  if (lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

// Upvalues: coroutine.create, resume.
int wrap(lua_State* L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  create(L);
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_pushcclosure(L, next_value, 2);
  return 1;
}

}  // namespace

void open_coroutine(lua_State* L) {
  open_library(L, "coroutine", luaopen_coroutine);
  const int coroutines = lua_gettop(L);
  for (const char* name : {"create", "resume"}) lua_getfield(L, coroutines, name);
  lua_pushcclosure(L, wrap, 2);
  lua_setfield(L, coroutines, "wrap");
  replace_field(L, "create", create);
  replace_field(L, "resume", resume);
  replace_field(L, "close", closed);
  freeze(L, "coroutine");
  define(L, "coroutine");
}

}  // namespace perigee::host
