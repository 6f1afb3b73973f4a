// process(function(sim) ... end), and the words of its sim.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "interpreter/bindings/declare/events.h"
#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/changes.h"
#include "interpreter/bindings/run/facts.h"
#include "interpreter/bindings/run/lua_process.h"
#include "interpreter/bindings/run/simulation.h"
#include "interpreter/bindings/simulation_value.h"
#include "interpreter/language/check_names.h"
#include "interpreter/language/fields/runs.h"
#include "interpreter/session/interpreter.h"

namespace perigee::bindings {

namespace {

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
int act(lua_State* L, ProcessCall call, F&& prepare) {
  return guard(L, [&] {
    LuaProcess& process = process_of(L);
    process.no_condition(call);
    return prepare(process);
  });
}

const Platform& platform_of_process(const LuaProcess& process) {
  return *process.definition().platform.platform;
}

// Asks for a happening. check() raises the error when something is in the way.
template <class F>
int ask_for(lua_State* L, ProcessCall call, HappeningKind kind, F&& check) {
  return act(L, call, [&](LuaProcess& process) {
    const Asked asked = asked_at(L, kProcessCalls[call], kind, process.definition().platform);
    const Happening& first = asked.happening;
    const std::uint64_t hash =
        SplitMix64::mix(first.on.packed() ^ hash_of(std::isnan(first.factor) ? -1 : first.factor)) +
        first.cluster.index * 4 + (first.announced ? 2 : 0) + (asked.with_hosts ? 1 : 0);
    return process.answer(L, call, hash, [&] {
      World& world = process.world();
      check(world, first.on);
      for (const Happening& each : asked.all(platform_of_process(process), [&](Profile profile) {
             return world.add_profile(std::move(profile));
           }))
        world.happen(each);
    });
  });
}

// sim:fail(name [, { announced = true }])
int process_fail(lua_State* L) {
  return ask_for(L, kFail, HappeningKind::down, [](World&, ResourceId) {});
}
// sim:recover(name [, { announced = true }])
int process_recover(lua_State* L) {
  return ask_for(L, kRecover, HappeningKind::up, [L](const World& world, ResourceId on) {
    if (!world.can_recover(on))
      fail("bad_value", "recover: no outage covers {}{}", *text_at(L, 2),
           !world.is_present(on)   ? "; it has left, and sim:join brings it back"
           : world.is_reserved(on) ? kReserved
                                   : "");
  });
}
// sim:leave(name)
int process_leave(lua_State* L) {
  return ask_for(L, kLeave, HappeningKind::leave, [L](const World& world, ResourceId on) {
    if (!world.is_present(on)) fail("bad_value", "leave: {} is not there", *text_at(L, 2));
  });
}
// sim:join(name [, { cluster =, architecture = }]); for a cluster { with_hosts = true }
int process_join(lua_State* L) {
  return ask_for(L, kJoin, HappeningKind::join, [L](const World& world, ResourceId on) {
    if (world.is_present(on))
      fail("bad_value", "join: {} is there and has never left, or is back already", *text_at(L, 2));
  });
}
// sim:change(name, { speed =, factor =, availability =, bandwidth =, latency =, announced = })
int process_change(lua_State* L) {
  return ask_for(L, kChange, HappeningKind::change, [](World&, ResourceId) {});
}

// sim:submit(work): a record, a list of records or a workload, as at the prompt.
int process_submit(lua_State* L) {
  return act(L, kSubmit, [&](LuaProcess& process) {
    const WorkloadValue work = submission_at(L, 2);
    return process.answer(L, kSubmit, static_cast<std::uint64_t>(work.size()), [&] {
      World& world = process.world();
      const std::size_t before = world.scenario().workload->size();
      world.submit(longer(L, work, process.definition().platform, world.seed(), *world.scenario().workload,
                          world.now(), world.now()));
      lua_pushinteger(L, static_cast<lua_Integer>(before) + 1);
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
int look(lua_State* L, LuaProcess& process, ProcessCall call, std::uint64_t arguments, F&& read) {
  if (process.looking()) {
    read(process.world().sim());
    return 1;
  }
  return process.answer(L, call, arguments, [&] { read(process.world().sim()); });
}

template <class F>
int look_at_host(lua_State* L, ProcessCall call, F&& read) {
  return guard(L, [&] {
    LuaProcess& process = process_of(L);
    const HostId host = host_at(L, 2, platform_of_process(process));
    return look(L, process, call, host.index, [&](const Sim& sim) { read(sim.view()[host]); });
  });
}

// The same for the value that read(sim) returns.
template <class F>
int look_up(lua_State* L, LuaProcess& process, ProcessCall call, std::uint64_t arguments, F&& read) {
  if (process.looking()) return push_logged(L, read(process.world().sim()));
  return process.answer(L, call, arguments, [&] { return read(process.world().sim()); });
}

int process_now(lua_State* L) {
  return guard(L, [&] {
    return look(L, process_of(L), kNow, 0, [&](const Sim& sim) { lua_pushnumber(L, sim.now()); });
  });
}
int process_is_up(lua_State* L) {
  return look_at_host(L, kIsUp, [&](const HostView& host) { lua_pushboolean(L, host.up ? 1 : 0); });
}
int process_idle_cores(lua_State* L) {
  return look_at_host(L, kIdle, [&](const HostView& host) { lua_pushinteger(L, host.idle); });
}
int process_speed(lua_State* L) {
  return look_at_host(L, kSpeed, [&](const HostView& host) { lua_pushnumber(L, host.speed); });
}
template <ProcessCall call>
int activities_on(lua_State* L) {
  return guard(L, [&] {
    LuaProcess& process = process_of(L);
    const HostId host = host_at(L, 2, platform_of_process(process));
    return look_up(L, process, call, host.index, [&](const Sim& sim) -> ProcessAnswer {
      return std::make_shared<const std::vector<ActivityId>>(
          call == kRunning ? sim.under_way_on(host) : sim.queued_on(ResourceId::of(host)));
    });
  });
}
int process_activity(lua_State* L) {
  return guard(L, [&] {
    LuaProcess& process = process_of(L);
    const ActivityId id = activity_at(L, 2);
    return look_up(L, process, kActivity, id.packed(), [&](const Sim& sim) -> ProcessAnswer {
      const auto known = sim.activity(id);
      return known ? std::make_shared<const ActivityView>(*known) : OneActivity();
    });
  });
}

// sim:is_settled(work)
int is_settled(lua_State* L) {
  return guard(L, [&] {
    LuaProcess& process = process_of(L);
    const auto number = integer_at(L, 2, "is_settled: work", 1, std::numeric_limits<std::uint32_t>::max());
    return look(L, process, kSettled, static_cast<std::uint64_t>(number), [&](const Sim& sim) {
      const auto& works = sim.view().works();
      const auto place = static_cast<std::size_t>(number) - 1;
      if (place >= works.size()) fail("bad_value", "is_settled: there is no work {}", number);
      lua_pushboolean(L, !works.has(place) || works[place].state >= WorkState::finished ? 1 : 0);
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
                                        {"fail", process_fail},
                                        {"recover", process_recover},
                                        {"leave", process_leave},
                                        {"join", process_join},
                                        {"change", process_change},
                                        {"submit", process_submit},
                                        {"mark", mark},
                                        {"note", note},
                                        {"now", process_now},
                                        {"is_up", process_is_up},
                                        {"idle_cores", process_idle_cores},
                                        {"running_on", activities_on<kRunning>},
                                        {"queued_on", activities_on<kQueued>},
                                        {"activity", process_activity},
                                        {"speed", process_speed},
                                        {"is_settled", is_settled},
                                        {"stream", process_stream},
                                        {nullptr, nullptr}};

// Pushes the function to be run, that of process(f) or process { run = f }.
void push_function(lua_State* L, int index, const Fields* fields) {
  if (fields == nullptr) {
    lua_pushvalue(L, index);
    return;
  }
  if (!fields->push(process_fields::kRun)) fields->fail(nullptr, "'run' is missing");
  if (lua_type(L, -1) != LUA_TFUNCTION)
    fields->fail(process_fields::kRun, "run must be a function, got {}", shown(L, -1));
}

std::optional<Fields> fields_of(lua_State* L, int index) {
  if (lua_type(L, index) == LUA_TFUNCTION) return std::nullopt;
  if (lua_type(L, index) != LUA_TTABLE)
    fail("bad_type", "process: function(sim) ... end is needed, got {}", shown(L, index));
  return Fields(L, index, {"process"}, process_fields::kAll);
}

// Checks as much of a process as can be checked before there is a scenario.
void check_process(lua_State* L, int index) {
  const auto fields = fields_of(L, index);
  push_function(L, index, fields ? &*fields : nullptr);
  check_methods(L, -1, 1, {TypeName<ProcessView>::value});
  check_fields(L, -1, 1, {TypeName<ProcessView>::value, "state"});
  check_conditions(L, -1, 1, "wait_for", {"state"});
  lua_pop(L, 1);
  if (!fields) return;
  if (fields->has(process_fields::kName)) (void)fields->text(process_fields::kName);
  (void)fields->flag(process_fields::kKeepsAlive);
}

std::shared_ptr<const Process> process_at(lua_State* L, int index, std::size_t number,
                                          const PlatformValue& platform, const SourceLocation& declared_at) {
  index = lua_absindex(L, index);
  auto definition = std::make_shared<ProcessDefinition>();
  const auto fields = fields_of(L, index);
  const std::string name = fmt::format("process {}", number);
  definition->name =
      fields && fields->has(process_fields::kName) ? fields->text(process_fields::kName) : name;
  if (definition->name != name) definition->name = fmt::format("process '{}'", definition->name);
  definition->keeps_alive = fields && fields->flag(process_fields::kKeepsAlive);
  definition->number = number;
  definition->declared_at = declared_at;
  definition->platform = platform;
  push_function(L, index, fields ? &*fields : nullptr);
  definition->run = Reference(L, -1);
  lua_pop(L, 1);
  definition->surroundings->add(definition->name, definition->run);
  return std::make_shared<const LuaProcess>(Interpreter::of(L), std::move(definition));
}

// process(function(sim) ... end) or process { run = function(sim) ... end, name =, keeps_alive = }
int make_process(lua_State* L) {
  return guard(L, [&] {
    check_process(L, 1);
    push_new(L, EventPart{"process", declared_event(L, 1), caller(L), nullptr, process_at});
    return 1;
  });
}

}  // namespace

void open_process(lua_State* L) {
  new_type<ProcessView>(L, kProcessMethods, nullptr, process_field, state_fields());
  define(L, "process", make_process);
}

}  // namespace perigee::bindings
