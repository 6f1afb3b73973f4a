#include "interpreter/bindings/run/lua_process.h"

#include <fmt/format.h>

#include "interpreter/bindings/run/facts.h"
#include "interpreter/callbacks/lua_policy.h"

namespace perigee::bindings {

ProcessAnswer answer_at(lua_State* L, int index) {
  if (lua_type(L, index) == LUA_TBOOLEAN) return lua_toboolean(L, index) != 0;
  if (lua_isinteger(L, index) != 0) return lua_tointeger(L, index);
  return lua_tonumber(L, index);
}

int push_logged(lua_State* L, const ProcessAnswer& answer) {
  if (const auto* problem = std::get_if<std::shared_ptr<const Diagnostic>>(&answer)) throw Error(**problem);
  if (const auto* flag = std::get_if<bool>(&answer)) {
    lua_pushboolean(L, *flag ? 1 : 0);
  } else if (const auto* integer = std::get_if<lua_Integer>(&answer)) {
    lua_pushinteger(L, *integer);
  } else if (const auto* number = std::get_if<double>(&answer)) {
    lua_pushnumber(L, *number);
  } else if (const auto* ids = std::get_if<ActivityIds>(&answer)) {
    push_activities(L, **ids);
  } else if (const auto* activity = std::get_if<OneActivity>(&answer)) {
    push_activity(L, *activity ? std::optional(**activity) : std::nullopt);
  } else {
    return 0;
  }
  return 1;
}

namespace {

// Runs the process's function and returns its error as values: 2 of them, or none.
int finished(lua_State* co, int status, lua_KContext) {
  if (status == LUA_OK || status == LUA_YIELD) return 0;
  lua_pushinteger(co, status);
  return 2;
}
int body(lua_State* co) {
  push_error_handler(co);
  lua_insert(co, 1);
  return finished(co, lua_pcallk(co, 1, 0, 1, 0, finished), 0);
}

}  // namespace

void LuaProcess::in_call(World& world, const std::function<void(lua_State*)>& run) {
  const Interpreter::InRun in_run(*interpreter_);
  struct Inside {
    World*& world;
    ~Inside() { world = nullptr; }
  } const inside{world_};
  world_ = &world;
  const auto place = [&](Diagnostic diagnostic) {
    diagnostic.notes.push_back(fmt::format("in {} at t = {} s", text(), format_number(world.now())));
    return diagnostic;
  };
  try {
    protect(interpreter_->running(), [&](lua_State* L) {
      luaL_checkstack(L, 20, "processes");
      interpreter_->traces().enter(L, run_, name(), definition_->surroundings);
      run(L);
    });
  } catch (const Stopped&) {
    interpreter_->note_stop(fmt::format("in {} at t = {} s", text(), format_number(world.now())));
    if (!interpreter_->stopped()) throw;
    throw Stopped(interpreter_->stop_reason());
  } catch (const ScriptError& error) {
    throw ScriptError(place(error.diagnostic()), error.trace());
  } catch (const Error& error) {
    Diagnostic diagnostic = place(error.diagnostic());
    if (!diagnostic.where.known()) diagnostic.where = definition_->declared_at;
    throw ScriptError(std::move(diagnostic), {});
  }
}

std::unique_ptr<Process> LuaProcess::clone() const {
  if (begun_)
    interpreter_->traces().check_fork(interpreter_->running(), run_, name(), *definition_->surroundings);
  auto copy = std::make_unique<LuaProcess>(*interpreter_, definition_);
  copy->begun_ = begun_;
  copy->log_ = log_;
  copy->length_ = length_;
  return copy;
}

Wait LuaProcess::wake(World& world) {
  begun_ = true;
  bool more = false;
  in_call(world, [&](lua_State* L) {
    bring_up_to_date(L);
    calls_ = 0;
    condition_ = {};
    more = resume(L);
  });
  if (more) return wait_;
  thread_ = {};
  return {};
}

bool LuaProcess::holds(World& world) {
  bool yes = false;
  in_call(world, [&](lua_State* L) {
    bring_up_to_date(L);
    yes = look(L);
  });
  return yes;
}

bool LuaProcess::begin_wait_for(lua_State* L, int condition) {
  const bool repeats = at_ < length_;
  bool held = false;
  const bool yields = begin_wait(L, kWaitFor, 0, [&] {
    condition_ = Reference(L, condition);
    held = look(L);
    return kNever;
  });
  if (!repeats) {
    log_->back().answer = held;
    wait_ = {.condition = true};
    return !held;
  }
  condition_ = Reference(L, condition);
  return yields;
}

void LuaProcess::count_call(ProcessCall call) {
  if (++calls_ > kMostCalls)
    fail("time_stands_still", "{}: time does not move: {} calls without a wait, the last one of sim:{}",
         name(), kMostCalls, kProcessCalls[call]);
}

void LuaProcess::note(LoggedCall entry) {
  if (log_->size() > length_)  // a fork has added entries of its own
    log_ = std::make_shared<std::vector<LoggedCall>>(log_->begin(),
                                                     log_->begin() + static_cast<std::ptrdiff_t>(length_));
  log_->push_back(std::move(entry));
  at_ = ++length_;
}

const LoggedCall& LuaProcess::next(ProcessCall call, std::uint64_t arguments) {
  const LoggedCall& entry = (*log_)[at_];
  if (entry.call != call)
    differs(fmt::format("asks for {} where it asked for {} at t = {} s", kProcessCalls[call],
                        kProcessCalls[entry.call], format_number(entry.at)));
  if (entry.arguments != arguments)
    differs(fmt::format("calls {} with other arguments than at t = {} s", kProcessCalls[call],
                        format_number(entry.at)));
  ++at_;
  return entry;
}

void LuaProcess::differs(const std::string& how) {
  if (differs_.empty())  // only the first difference counts; the process may have caught its error
    differs_ = fmt::format(
        "{} does not repeat itself, so that it has no forks and cannot go back: it {}; "
        "it may depend on its sim alone",
        name(), how);
  fail("not_deterministic", "{}", differs_);
}

bool LuaProcess::look(lua_State* L) {
  struct Looking {
    bool& on;
    explicit Looking(bool& flag) : on(flag) { on = true; }
    ~Looking() { on = false; }
  } const looking(looking_);
  const Balanced balanced(L);
  luaL_checkstack(L, 300, "conditions");
  const std::uint64_t drawn = drawn_so_far(L);
  condition_.push(L);
  const int function = lua_gettop(L);
  int captured = 0;
  while (lua_getupvalue(L, function, captured + 1) != nullptr) ++captured;
  bool yes = false;
  protect(L, [&](lua_State* inner) {
    condition_.push(inner);
    view_value_.push(inner);
    lua_call(inner, 1, 1);
    yes = condition_at(inner, -1, "wait_for");
  });
  for (int i = 1; i <= captured; ++i) {
    const char* variable = lua_getupvalue(L, function, i);
    if (lua_rawequal(L, -1, function + i) == 0 && lua_rawequal(L, -1, -1) != 0)
      fail("bad_call", "a condition only looks, it must not change '{}'", variable);
    lua_pop(L, 1);
  }
  if (drawn_so_far(L) != drawn) fail("bad_call", "a condition only looks, it must not draw");
  return yes;
}

std::uint64_t LuaProcess::drawn_so_far(lua_State* L) const {
  std::uint64_t sum = 0;
  for (const auto& [name, stream] : streams_) {
    stream.push(L);
    if (const auto* random = test<RandomValue>(L, -1)) sum += std::get<Stream>(random->own).position();
    lua_pop(L, 1);
  }
  return sum;
}

void LuaProcess::bring_up_to_date(lua_State* L) {
  if (thread_.valid()) return;
  if (length_ == 0) interpreter_->spend(100);  // stands for its first instructions, which are not counted
  co_ = lua_newthread(L);
  thread_ = Reference(L, -1);
  lua_pop(L, 1);
  lua_pushcfunction(co_, body);
  definition_->run.push(co_);
  push_new(co_, ProcessView{self_});
  view_value_ = Reference(co_, -1);
  first_ = true;
  at_ = 0;
  if (length_ == 0) return;
  const Interpreter::Repeating repeating(*interpreter_);
  const bool waits = resume(L);
  if (!waits || at_ < length_) differs("ends where it waited");
}

bool LuaProcess::resume(lua_State* L) {
  thread_.push(L);
  renew_identity(L, -1);
  lua_pop(L, 1);
  yields_ = false;
  int count = 0;
  const Running running(co_);
  const int status = lua_resume(co_, L, std::exchange(first_, false) ? 2 : 0, &count);
  if (!differs_.empty()) fail("not_deterministic", "{}", differs_);  // even if the process caught the error
  if (status == LUA_YIELD) {
    lua_pop(co_, count);
    if (!yields_)
      fail("bad_call", "{} yields by itself; it waits by sim:wait, sim:wait_until or sim:wait_for", name());
    return true;
  }
  if (status == LUA_OK && count == 0) return false;
  const int why = status == LUA_OK ? static_cast<int>(lua_tointeger(co_, -1)) : status;
  if (status == LUA_OK) lua_pop(co_, 1);
  lua_xmove(co_, L, 1);
  throw_error(L, why);
}

std::string LuaProcess::text() const {
  const SourceLocation& where = definition_->declared_at;
  return where.known() ? fmt::format("{} ({}:{})", name(), where.file, where.line) : name();
}

}  // namespace perigee::bindings
