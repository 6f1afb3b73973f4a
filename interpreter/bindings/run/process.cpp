// process(function(sim) ... end): a coroutine that drives a scenario.
//
// A coroutine cannot be copied. Each process keeps a log of the answers to its calls. A fork's process begins
// the function anew and answers its calls from the log until it stands where the original stood. Drawn
// numbers need no log, because the process's streams begin anew as well.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <variant>

#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/changes.h"
#include "interpreter/bindings/run/process.h"
#include "interpreter/bindings/run/simulation.h"
#include "interpreter/bindings/simulation_value.h"
#include "interpreter/language/check_names.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/session/surroundings.h"
#include "interpreter/values/schedulers.h"

namespace perigee::bindings {

namespace {

class LuaProcess;

}  // namespace

// `sim` in a process. It is valid while the process, or its condition, runs.
struct ProcessView {
  std::shared_ptr<LuaProcess*> process;  // the pointer in it is null when the process is gone
};

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::ProcessView> {
  static constexpr const char* value = "process";
};

}  // namespace perigee::host

namespace perigee::bindings {

namespace {

enum Call : std::uint8_t {
  kWait,
  kWaitUntil,
  kWaitFor,
  kFail,
  kRecover,
  kLeave,
  kJoin,
  kChange,
  kSubmit,
  kMark,
  kNote,
  kNow,
  kIsUp,
  kIdle,
  kRunning,
  kQueued,
  kSpeed,
  kActivity,
  kField,
};
constexpr std::array<const char*, kField + 1> kProcessNames = {
    "wait",       "wait_until", "wait_for", "fail",     "recover", "leave", "join",
    "change",     "submit",     "mark",     "note",     "now",     "is_up", "idle_cores",
    "running_on", "queued_on",  "speed",    "activity", "a field"};

constexpr std::uint64_t kMostCalls = 1'000'000;  // calls between two waits

using Activities = std::shared_ptr<const std::vector<ActivityId>>;
using OneActivity = std::shared_ptr<const ActivityView>;  // null: it is over
using Answer = std::variant<std::monostate, bool, lua_Integer, double, Activities, OneActivity,
                            std::shared_ptr<const Diagnostic>>;

struct Entry {
  Call call;
  std::uint64_t arguments;  // hash of the arguments
  Time at;
  Answer answer;
};

struct ProcessDefinition {
  Reference run;
  std::string name;
  std::size_t number = 0;
  bool keeps_alive = false;
  SourceLocation declared_at;
  PlatformValue platform;
  std::shared_ptr<Surroundings> surroundings = std::make_shared<Surroundings>();
};

Answer answer_at(lua_State* L, int index) {
  if (lua_type(L, index) == LUA_TBOOLEAN) return lua_toboolean(L, index) != 0;
  if (lua_isinteger(L, index) != 0) return lua_tointeger(L, index);
  return lua_tonumber(L, index);
}

int push_answer(lua_State* L, const Answer& answer) {
  if (const auto* problem = std::get_if<std::shared_ptr<const Diagnostic>>(&answer)) throw Error(**problem);
  if (const auto* flag = std::get_if<bool>(&answer)) {
    lua_pushboolean(L, *flag ? 1 : 0);
  } else if (const auto* integer = std::get_if<lua_Integer>(&answer)) {
    lua_pushinteger(L, *integer);
  } else if (const auto* number = std::get_if<double>(&answer)) {
    lua_pushnumber(L, *number);
  } else if (const auto* ids = std::get_if<Activities>(&answer)) {
    push_activities(L, **ids);
  } else if (const auto* activity = std::get_if<OneActivity>(&answer)) {
    push_activity(L, *activity ? std::optional(**activity) : std::nullopt);
  } else {
    return 0;
  }
  return 1;
}

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

class LuaProcess final : public Process {
 public:
  LuaProcess(Interpreter& interpreter, std::shared_ptr<const ProcessDefinition> definition)
      : interpreter_(&interpreter),
        definition_(std::move(definition)),
        run_(interpreter.traces().new_run()),
        log_(std::make_shared<std::vector<Entry>>()) {}
  ~LuaProcess() override { *self_ = nullptr; }
  LuaProcess(const LuaProcess&) = delete;
  LuaProcess& operator=(const LuaProcess&) = delete;

  std::unique_ptr<Process> clone() const override {
    if (begun_)
      interpreter_->traces().check_fork(interpreter_->running(), run_, name(), *definition_->surroundings);
    auto copy = std::make_unique<LuaProcess>(*interpreter_, definition_);
    copy->begun_ = begun_;
    copy->log_ = log_;
    copy->length_ = length_;
    return copy;
  }

  std::string name() const override { return definition_->name; }
  bool keeps_alive() const override { return definition_->keeps_alive; }

  Wait wake(World& world) override {
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

  bool holds(World& world) override {
    bool yes = false;
    in_call(world, [&](lua_State* L) {
      bring_up_to_date(L);
      yes = look(L);
    });
    return yes;
  }

  // ---- helpers of its calls

  World& world() const {
    if (world_ == nullptr) fail("stale", "this sim belongs to a process; it is valid while the process runs");
    return *world_;
  }
  const ProcessDefinition& definition() const { return *definition_; }
  bool looking() const { return looking_; }

  // Answers a call from the log, or by live(), which pushes a value or nothing, or returns an Answer. The log
  // notes a new answer.
  template <class F>
  int answer(lua_State* L, Call call, std::uint64_t arguments, F&& live) {
    if (at_ < length_) return push_answer(L, next(call, arguments).answer);
    count_call(call);
    const int top = lua_gettop(L);
    Answer value;
    try {
      if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
        live();
        if (lua_gettop(L) > top) value = answer_at(L, -1);
      } else {
        value = live();
        push_answer(L, value);
      }
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      auto problem = std::make_shared<Diagnostic>(error.diagnostic());
      if (!problem->where.known()) problem->where = caller(L);
      note({call, arguments, world().now(), std::move(problem)});
      throw;
    }
    note({call, arguments, world().now(), std::move(value)});
    return lua_gettop(L) - top;
  }

  // Whether the coroutine is to yield. until(now) is the time to wait for; a condition is at `condition`.
  template <class F>
  bool begin_wait(lua_State* L, Call call, std::uint64_t arguments, F&& until) {
    no_condition(call);
    if (L != co_)
      fail("bad_call", "sim:{} must be called by the process itself, not in a coroutine within it",
           kProcessNames[call]);
    if (lua_isyieldable(L) == 0)
      fail("bad_call", "sim:{} cannot be called in a function that perigee calls, such as a sort's order",
           kProcessNames[call]);
    if (at_ < length_) {
      const Entry& entry = next(call, arguments);
      push_answer(L, entry.answer);
      return at_ == length_;
    }
    answer(L, call, arguments, [&] { wait_ = {.until = until()}; });
    return true;
  }
  bool begin_wait_for(lua_State* L, int condition) {
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
  void no_condition(Call call) const {
    if (looking_) fail("bad_call", "a condition only looks, it must not call sim:{}", kProcessNames[call]);
  }

  RandomValue stream(std::string_view name) {
    return {Stream(world().seed(), fmt::format("process/{}/{}", definition_->number, name))};
  }
  Reference& stream_value(const std::string& name) { return streams_[name]; }

 private:
  void count_call(Call call) {
    if (++calls_ > kMostCalls)
      fail("time_stands_still", "{}: time does not move: {} calls without a wait, the last one of sim:{}",
           name(), kMostCalls, kProcessNames[call]);
  }

  void note(Entry entry) {
    if (log_->size() > length_)  // a fork has added entries of its own
      log_ = std::make_shared<std::vector<Entry>>(log_->begin(),
                                                  log_->begin() + static_cast<std::ptrdiff_t>(length_));
    log_->push_back(std::move(entry));
    at_ = ++length_;
  }

  // The next entry of the log. The function has to ask for the same as it did then.
  const Entry& next(Call call, std::uint64_t arguments) {
    const Entry& entry = (*log_)[at_];
    if (entry.call != call)
      differs(fmt::format("asks for {} where it asked for {} at t = {} s", kProcessNames[call],
                          kProcessNames[entry.call], format_number(entry.at)));
    if (entry.arguments != arguments)
      differs(fmt::format("calls {} with other arguments than at t = {} s", kProcessNames[call],
                          format_number(entry.at)));
    ++at_;
    return entry;
  }
  [[noreturn]] void differs(const std::string& how) {
    if (differs_.empty())  // only the first difference counts; the process may have caught its error
      differs_ = fmt::format(
          "{} does not repeat itself, so that it has no forks and cannot go back: it {}; "
          "it may depend on its sim alone",
          name(), how);
    fail("not_deterministic", "{}", differs_);
  }

  // Asks the condition that the process waits for. It may only look.
  bool look(lua_State* L) {
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

  std::uint64_t drawn_so_far(lua_State* L) const {
    std::uint64_t sum = 0;
    for (const auto& [name, stream] : streams_) {
      stream.push(L);
      if (const auto* random = test<RandomValue>(L, -1)) sum += std::get<Stream>(random->own).position();
      lua_pop(L, 1);
    }
    return sum;
  }

  // Makes the coroutine. In a fork, brings it to the place where the original stood.
  void bring_up_to_date(lua_State* L) {
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

  // Runs the process until it waits; false when it is over.
  bool resume(lua_State* L) {
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

  template <class F>
  void in_call(World& world, F&& run) {
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

  std::string text() const {
    const SourceLocation& where = definition_->declared_at;
    return where.known() ? fmt::format("{} ({}:{})", name(), where.file, where.line) : name();
  }

 public:
  void yield_now() { yields_ = true; }

 private:
  Interpreter* interpreter_;
  std::shared_ptr<const ProcessDefinition> definition_;
  std::uint64_t run_;
  bool begun_ = false;
  std::shared_ptr<std::vector<Entry>> log_;  // shared with forks; the first `length_` are its own
  std::size_t length_ = 0, at_ = 0;          // entries answered so far by this coroutine
  Reference thread_, view_value_, condition_;
  lua_State* co_ = nullptr;
  std::shared_ptr<LuaProcess*> self_ = std::make_shared<LuaProcess*>(this);
  std::map<std::string, Reference, std::less<>> streams_;
  World* world_ = nullptr;
  Wait wait_;
  std::uint64_t calls_ = 0;  // calls since it woke
  bool first_ = false, yields_ = false, looking_ = false;
  std::string differs_;
};

// ---- sim ----

LuaProcess& process_of(lua_State* L, int index = 1) {
  LuaProcess* process = *check<ProcessView>(L, index).process;
  if (process == nullptr) fail("stale", "this sim belongs to a process that is over");
  process->world();
  return *process;
}

std::uint64_t hash_of(double value) { return std::bit_cast<std::uint64_t>(value + 0.0); }

// ---- waiting

template <class F>
int wait_by(lua_State* L, F&& begins) {
  bool yields = false;
  guard(L, [&] {
    LuaProcess& process = process_of(L);
    yields = begins(process);
    if (yields) process.yield_now();
    return 0;
  });
  lua_settop(L, 0);
  return yields ? lua_yield(L, 0) : 0;
}

// sim:wait(seconds)
int wait(lua_State* L) {
  return wait_by(L, [&](LuaProcess& process) {
    const double seconds = number_at(L, 2, "wait: time", Dimension::seconds, kNotNegative);
    return process.begin_wait(L, kWait, hash_of(seconds), [&] { return process.world().now() + seconds; });
  });
}

// sim:wait_until(t)
int wait_until(lua_State* L) {
  return wait_by(L, [&](LuaProcess& process) {
    const Time t = number_at(L, 2, "wait_until: time", Dimension::seconds, kNotNegative);
    return process.begin_wait(L, kWaitUntil, hash_of(t), [&] {
      if (t < process.world().now())
        fail("bad_value", "wait_until: t = {} s is over, it is t = {} s", format_number(t),
             format_number(process.world().now()));
      return t;
    });
  });
}

// sim:wait_for(function(sim) return sim.queue > 50 end)
int wait_for(lua_State* L) {
  return wait_by(L, [&](LuaProcess& process) {
    if (lua_type(L, 2) != LUA_TFUNCTION)
      fail("bad_type", "wait_for: a condition is needed, as function(sim) return sim.queue > 50 end, got {}",
           shown(L, 2));
    return process.begin_wait_for(L, 2);
  });
}

// ---- acting

template <class F>
int act(lua_State* L, Call call, F&& prepare) {
  return guard(L, [&] {
    LuaProcess& process = process_of(L);
    process.no_condition(call);
    return prepare(process);
  });
}

const Platform& platform_of(const LuaProcess& process) { return *process.definition().platform.platform; }

// Asks for a happening. check() raises the error when something is in the way.
template <class F>
int ask_for(lua_State* L, Call call, HappeningKind kind, F&& check) {
  return act(L, call, [&](LuaProcess& process) {
    const Asked asked = asked_at(L, kProcessNames[call], kind, process.definition().platform);
    const Happening& first = asked.happening;
    const std::uint64_t hash =
        SplitMix64::mix(first.on.packed() ^ hash_of(std::isnan(first.factor) ? -1 : first.factor)) +
        first.cluster.index * 4 + (first.announced ? 2 : 0) + (asked.with_hosts ? 1 : 0);
    return process.answer(L, call, hash, [&] {
      World& world = process.world();
      check(world, first.on);
      for (const Happening& each : asked.all(
               platform_of(process), [&](Profile profile) { return world.add_profile(std::move(profile)); }))
        world.happen(each);
    });
  });
}

// sim:fail(name [, { announced = true }])
int fail_resource(lua_State* L) {
  return ask_for(L, kFail, HappeningKind::down, [](World&, ResourceId) {});
}
// sim:recover(name [, { announced = true }])
int recover(lua_State* L) {
  return ask_for(L, kRecover, HappeningKind::up, [L](const World& world, ResourceId on) {
    if (!world.can_recover(on))
      fail("bad_value", "recover: no outage covers {}{}", *text_at(L, 2),
           !world.is_present(on)   ? "; it has left, and sim:join brings it back"
           : world.is_reserved(on) ? kReserved
                                   : "");
  });
}
// sim:leave(name)
int leave(lua_State* L) {
  return ask_for(L, kLeave, HappeningKind::leave, [L](const World& world, ResourceId on) {
    if (!world.is_present(on)) fail("bad_value", "leave: {} is not there", *text_at(L, 2));
  });
}
// sim:join(name [, { cluster =, architecture = }]); for a cluster { with_hosts = true }
int join(lua_State* L) {
  return ask_for(L, kJoin, HappeningKind::join, [L](const World& world, ResourceId on) {
    if (world.is_present(on))
      fail("bad_value", "join: {} is there and has never left, or is back already", *text_at(L, 2));
  });
}
// sim:change(name, { speed =, factor =, availability =, bandwidth =, latency =, announced = })
int change(lua_State* L) {
  return ask_for(L, kChange, HappeningKind::change, [](World&, ResourceId) {});
}

// sim:submit(work): a record, a list of records or a workload, as at the prompt.
int submit(lua_State* L) {
  return act(L, kSubmit, [&](LuaProcess& process) {
    const WorkloadValue work = submission_at(L, 2);
    return process.answer(L, kSubmit, static_cast<std::uint64_t>(work.size()), [&] {
      World& world = process.world();
      world.submit(longer(L, work, process.definition().platform, world.seed(), *world.scenario().workload,
                          world.now(), world.now()));
    });
  });
}

// sim:mark(name)
int mark(lua_State* L) {
  return act(L, kMark, [&](LuaProcess& process) {
    const auto name = text_at(L, 2);
    if (!name) fail("bad_type", "mark: a name is needed, got {}", shown(L, 2));
    Happening happening;
    happening.name = *name;
    happening.declared_at = caller(L);
    return process.answer(L, kMark, hash_name(*name), [&] { process.world().happen(happening); });
  });
}

// sim:note(name, number ...)
int note(lua_State* L) {
  return act(L, kNote, [&](LuaProcess& process) {
    const auto name = text_at(L, 2);
    if (!name) fail("bad_type", "note: a name is needed, got {}", shown(L, 2));
    std::vector<double> values;
    std::uint64_t hash = hash_name(*name);
    for (int i = 3; i <= lua_gettop(L); ++i) {
      values.push_back(
          number_at(L, i, fmt::format("note '{}': value {}", *name, i - 2), Dimension::count, kAnyNumber));
      hash = SplitMix64::mix(hash ^ hash_of(values.back()));
    }
    return process.answer(L, kNote, hash, [&] { process.world().note(*name, values); });
  });
}

// ---- looking

// A word that looks: read(sim) pushes its value.
template <class F>
int look(lua_State* L, LuaProcess& process, Call call, std::uint64_t arguments, F&& read) {
  if (process.looking()) {
    read(process.world().sim());
    return 1;
  }
  return process.answer(L, call, arguments, [&] { read(process.world().sim()); });
}

template <class F>
int look_at_host(lua_State* L, Call call, F&& read) {
  return guard(L, [&] {
    LuaProcess& process = process_of(L);
    const HostId host = host_at(L, 2, platform_of(process));
    return look(L, process, call, host.index, [&](const Sim& sim) { read(sim.view()[host]); });
  });
}

// The same for the value that read(sim) returns.
template <class F>
int look_up(lua_State* L, LuaProcess& process, Call call, std::uint64_t arguments, F&& read) {
  if (process.looking()) return push_answer(L, read(process.world().sim()));
  return process.answer(L, call, arguments, [&] { return read(process.world().sim()); });
}

int process_now(lua_State* L) {
  return guard(L, [&] {
    return look(L, process_of(L), kNow, 0, [&](const Sim& sim) { lua_pushnumber(L, sim.now()); });
  });
}
int is_up(lua_State* L) {
  return look_at_host(L, kIsUp, [&](const HostView& host) { lua_pushboolean(L, host.up ? 1 : 0); });
}
int idle_cores(lua_State* L) {
  return look_at_host(L, kIdle, [&](const HostView& host) { lua_pushinteger(L, host.idle); });
}
int speed(lua_State* L) {
  return look_at_host(L, kSpeed, [&](const HostView& host) { lua_pushnumber(L, host.speed); });
}
template <Call call>
int activities_on(lua_State* L) {
  return guard(L, [&] {
    LuaProcess& process = process_of(L);
    const HostId host = host_at(L, 2, platform_of(process));
    return look_up(L, process, call, host.index, [&](const Sim& sim) -> Answer {
      return std::make_shared<const std::vector<ActivityId>>(
          call == kRunning ? sim.under_way_on(host) : sim.queued_on(ResourceId::of(host)));
    });
  });
}
int process_activity(lua_State* L) {
  return guard(L, [&] {
    LuaProcess& process = process_of(L);
    const ActivityId id = activity_at(L, 2);
    return look_up(L, process, kActivity, id.packed(), [&](const Sim& sim) -> Answer {
      const auto known = sim.activity(id);
      return known ? std::make_shared<const ActivityView>(*known) : OneActivity();
    });
  });
}

bool process_field(lua_State* L, int index, std::string_view name) {
  const auto& names = state_fields();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return false;
  look(L, process_of(L, index), kField, static_cast<std::uint64_t>(found - names.begin()),
       [&](const Sim& sim) { push_state_field(L, sim, name); });
  return true;
}

// sim:stream(name) -> a stream of the process's own
int process_stream(lua_State* L) {
  return guard(L, [&] {
    const auto name = text_at(L, 2);
    if (!name) fail("bad_type", "stream: a name is needed, got {}", shown(L, 2));
    LuaProcess& process = process_of(L);
    if (process.looking()) fail("bad_call", "a condition only looks, it must not draw");
    Reference& known = process.stream_value(std::string(*name));
    if (known.valid()) {
      known.push(L);
    } else {
      push_new(L, process.stream(*name));
      known = Reference(L, -1);
    }
    return 1;
  });
}

constexpr luaL_Reg kProcessMethods[] = {{"wait", wait},
                                        {"wait_until", wait_until},
                                        {"wait_for", wait_for},
                                        {"fail", fail_resource},
                                        {"recover", recover},
                                        {"leave", leave},
                                        {"join", join},
                                        {"change", change},
                                        {"submit", submit},
                                        {"mark", mark},
                                        {"note", note},
                                        {"now", process_now},
                                        {"is_up", is_up},
                                        {"idle_cores", idle_cores},
                                        {"running_on", activities_on<kRunning>},
                                        {"queued_on", activities_on<kQueued>},
                                        {"activity", process_activity},
                                        {"speed", speed},
                                        {"stream", process_stream},
                                        {nullptr, nullptr}};

// Pushes the function to be run, that of process(f) or process { run = f }.
void push_function(lua_State* L, int index, const Fields* fields) {
  if (fields == nullptr) {
    lua_pushvalue(L, index);
    return;
  }
  if (!fields->push("run")) fields->fail(nullptr, "'run' is missing");
  if (lua_type(L, -1) != LUA_TFUNCTION) fields->fail("run", "run must be a function, got {}", shown(L, -1));
}

std::optional<Fields> fields_of(lua_State* L, int index) {
  if (lua_type(L, index) == LUA_TFUNCTION) return std::nullopt;
  if (lua_type(L, index) != LUA_TTABLE)
    fail("bad_type", "process: function(sim) ... end is needed, got {}", shown(L, index));
  return Fields(L, index, {"process"}, {"run", "name", "keeps_alive"});
}

}  // namespace

void check_process(lua_State* L, int index) {
  const auto fields = fields_of(L, index);
  push_function(L, index, fields ? &*fields : nullptr);
  check_methods(L, -1, 1, {TypeName<ProcessView>::value});
  lua_pop(L, 1);
  if (!fields) return;
  (void)fields->text("name", "");
  (void)fields->flag("keeps_alive", false);
}

std::shared_ptr<const Process> process_at(lua_State* L, int index, std::size_t number,
                                          const PlatformValue& platform, const SourceLocation& declared_at) {
  index = lua_absindex(L, index);
  auto definition = std::make_shared<ProcessDefinition>();
  const auto fields = fields_of(L, index);
  const std::string name = fmt::format("process {}", number);
  definition->name = fields ? fields->text("name", name) : name;
  if (definition->name != name) definition->name = fmt::format("process '{}'", definition->name);
  definition->keeps_alive = fields && fields->flag("keeps_alive", false);
  definition->number = number;
  definition->declared_at = declared_at;
  definition->platform = platform;
  push_function(L, index, fields ? &*fields : nullptr);
  definition->run = Reference(L, -1);
  lua_pop(L, 1);
  definition->surroundings->add(definition->name, definition->run);
  return std::make_shared<const LuaProcess>(Interpreter::of(L), std::move(definition));
}

const std::vector<std::string>& state_fields() {
  static const std::vector<std::string> kFields = {"queue", "running", "finished", "unsettled",  "up",
                                                   "down",  "cores",   "idle",     "utilization"};
  return kFields;
}

bool push_state_field(lua_State* L, const Sim& sim, std::string_view name) {
  const View& view = sim.view();
  const auto push = [&](std::size_t count) {
    lua_pushinteger(L, static_cast<lua_Integer>(count));
    return true;
  };
  if (name == "queue") return push(view.works_in(WorkState::waiting));
  if (name == "running") return push(view.works_in(WorkState::running));
  if (name == "finished") return push(view.works_in(WorkState::finished));
  if (name == "unsettled") return push(view.unsettled());
  std::size_t up = 0, cores = 0, idle = 0;
  for (const HostView& host : view.hosts()) {
    if (!host.up) continue;
    ++up;
    cores += static_cast<std::size_t>(host.cores);
    idle += static_cast<std::size_t>(host.idle);
  }
  if (name == "up") return push(up);
  if (name == "down") return push(view.hosts().size() - up);
  if (name == "cores") return push(cores);
  if (name == "idle") return push(idle);
  if (name != "utilization") return false;
  lua_pushnumber(L, cores == 0 ? 0 : static_cast<double>(cores - idle) / static_cast<double>(cores));
  return true;
}

HostId host_at(lua_State* L, int index, const Platform& platform) {
  if (lua_type(L, index) == LUA_TSTRING) return platform.host(*text_at(L, index));
  if (lua_type(L, index) != LUA_TNUMBER)
    fail("bad_type", "host must be its name or number, got {}", shown(L, index));
  return HostId(integer_at(L, index, "host", 1, static_cast<std::int64_t>(platform.hosts().size())) - 1);
}

ActivityId activity_at(lua_State* L, int index) {
  const auto id = ActivityId::from_packed(
      static_cast<std::uint64_t>(integer_at(L, index, "activity", std::numeric_limits<std::int64_t>::min(),
                                            std::numeric_limits<std::int64_t>::max())));
  if (!id.valid())
    fail("bad_value", "activity must be what start, post, copy or think returned, got {}", shown(L, index));
  return id;
}

void push_activities(lua_State* L, std::span<const ActivityId> ids) {
  lua_createtable(L, static_cast<int>(ids.size()), 0);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    lua_pushinteger(L, static_cast<lua_Integer>(ids[i].packed()));
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}

void push_activity(lua_State* L, const std::optional<ActivityView>& known) {
  if (!known) return lua_pushnil(L);
  lua_createtable(L, 0, 8);
  const auto set = [&](const char* name, auto push_value) {
    push_value();
    lua_setfield(L, -2, name);
  };
  set("kind", [&] { host::push(L, name_of(known->kind)); });
  set("posted", [&] { lua_pushboolean(L, known->posted ? 1 : 0); });
  set("copy", [&] { lua_pushboolean(L, known->copy ? 1 : 0); });
  if (known->work.valid()) {
    set("work", [&] { lua_pushinteger(L, static_cast<lua_Integer>(known->work.index) + 1); });
    set("first", [&] { lua_pushnumber(L, known->piece.first); });
    set("size", [&] { lua_pushnumber(L, known->piece.size); });
  }
  if (known->host.valid())
    set("host", [&] { lua_pushinteger(L, static_cast<lua_Integer>(known->host.index) + 1); });
  set("cores", [&] { lua_pushinteger(L, known->cores); });
  if (!known->posted) set("started", [&] { lua_pushnumber(L, known->started); });
}

void open_process(lua_State* L) {
  new_type<ProcessView>(L, kProcessMethods, nullptr, process_field, state_fields());
}

}  // namespace perigee::bindings
