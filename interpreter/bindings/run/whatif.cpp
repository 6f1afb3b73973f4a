// Experiments with a simulation under way: sim:when(condition), sim:back_to(t), sim:fork(n), sim.state.
#include <fmt/format.h>

#include <optional>

#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/facts.h"
#include "interpreter/bindings/simulation_value.h"

namespace perigee::bindings {

// `sim.state`, which conditions examine: a view of a simulation as it is now.
struct StateValue {
  SimulationValue* simulation = nullptr;
  Reference owner;  // the simulation's value, kept alive
  // The view for a condition of `when`, which looks between instants at their events.
  const Sim& sim() const {
    return simulation->running ? simulation->simulation->sim() : seen(*simulation).sim();
  }
};

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::StateValue> {
  static constexpr const char* value = "state";
};

}  // namespace perigee::host

namespace perigee::bindings {

namespace {

const Sim& state_at(lua_State* L) { return check<StateValue>(L, 1).sim(); }

int state_now(lua_State* L) {
  return guard(L, [&] {
    lua_pushnumber(L, state_at(L).now());
    return 1;
  });
}

bool state_property(lua_State* L, int index, std::string_view name) {
  return push_state_field(L, check<StateValue>(L, index).sim(), name);
}

int state_text(lua_State* L) {
  return guard(L, [&] {
    const Sim& sim = state_at(L);
    std::string text = fmt::format("at t = {} s:", format_number(sim.now()));
    for (const std::string& name : state_fields()) {
      push_state_field(L, sim, name);
      text += fmt::format(" {} {},", name, shown(L, -1));
      lua_pop(L, 1);
    }
    text.pop_back();
    host::push(L, text);
    return 1;
  });
}

constexpr luaL_Reg kState[] = {
    {"now", state_now},       {"is_up", is_up},       {"idle_cores", idle_cores}, {"running_on", running_on},
    {"queued_on", queued_on}, {"activity", activity}, {"speed", speed},           {nullptr, nullptr}};
constexpr luaL_Reg kStateMeta[] = {{"__tostring", state_text}, {nullptr, nullptr}};

// Calls f(state) of the script. An error tells the simulated time.
bool holds(lua_State* L, const Reference& function, const Reference& state, const Simulation& simulation) {
  bool yes = false;
  try {
    protect(L, [&](lua_State* inner) {
      function.push(inner);
      state.push(inner);
      lua_call(inner, 1, 1);
      yes = condition_at(inner, -1, "when");
    });
  } catch (const Stopped&) {
    throw;
  } catch (const ScriptError& error) {
    Diagnostic diagnostic = error.diagnostic();
    diagnostic.notes.push_back(
        fmt::format("in the condition of when at t = {} s", format_number(simulation.now())));
    throw ScriptError(std::move(diagnostic), error.trace());
  }
  return yes;
}

}  // namespace

void push_state(lua_State* L, int index) {
  push_new(L, StateValue{&check<SimulationValue>(L, index), Reference(L, index)});
}

// sim:when(function(s) return ... end): runs to the end of the first instant, the present one included, at
// which the condition holds. Returns the simulation, and whether the condition holds.
int when(lua_State* L) {
  return guard(L, [&] {
    SimulationValue& value = simulation_at(L);
    if (lua_type(L, 2) != LUA_TFUNCTION)
      fail("bad_type",
           "when: a function of the state is needed, as function(s) return s.queue > 50 end, got {}",
           shown(L, 2));
    lua_settop(L, 2);
    const Busy busy(L, value);
    Interpreter& interpreter = Interpreter::of(L);
    Simulation& simulation = *value.simulation;
    push_state(L, 1);
    const Reference condition(L, 2), state(L, 3);
    const Interpreter::InRun in_run(interpreter);
    bool held = false, interrupted = false;
    {
      const Interpreter::Advancing advancing(interpreter);
      say_when(simulation, [&] {
        for (std::uint64_t done = 1;; ++done) {
          held = holds(L, condition, state, simulation);
          if (held || simulation.over()) return;
          simulation.step();
          if (done % kOften != 0) continue;
          keep(interpreter, *value.history, simulation);
          interrupted = interpreter.asked_to_stop(true);
          if (interrupted) return;
          interpreter.output().progress(&simulation);
        }
      });
    }
    if (interrupted) stop_between(interpreter, simulation);
    lua_settop(L, 1);
    lua_pushboolean(L, held ? 1 : 0);
    return 2;
  });
}

// sim:back_to(t): the simulation after all instants up to t, with the changes made from outside up to then.
int back_to(lua_State* L) {
  return guard(L, [&] {
    SimulationValue& value = simulation_at(L);
    const Time t = number_at(L, 2, "back_to: time", Dimension::seconds, kNotNegative);
    const Busy busy(L, value);
    if (t > value.simulation->now())
      fail("bad_value", "back_to: t = {} s is still to come, it is t = {} s; run_until goes there",
           format_number(t), format_number(value.simulation->now()));
    Interpreter& interpreter = Interpreter::of(L);
    const Interpreter::InRun in_run(interpreter);
    std::optional<Simulation> back;
    {
      const Interpreter::Repeating repeating(interpreter);
      const Interpreter::Advancing advancing(interpreter);
      say_when(*value.simulation, [&] {
        back = value.history->at(t, [&](const Simulation& now) {
          interpreter.output().progress(&now);
          return !interpreter.interrupted();
        });
      });
    }
    // One look, after all of the work: a replay of the session stops there.
    if (interpreter.asked_to_stop(true)) stop_between(interpreter, *value.simulation);
    *value.simulation = std::move(*back);
    value.history->forget_after(*value.simulation);
    did_work(steps_to_repeat(value.simulation->events()));
    lua_settop(L, 1);
    return 1;
  });
}

// sim:fork([n]) -> n simulations
int fork(lua_State* L) {
  return guard(L, [&] {
    constexpr std::int64_t kMost = 1000;
    SimulationValue& value = simulation_at(L);
    const auto count = lua_isnoneornil(L, 2) ? 1 : integer_at(L, 2, "fork: the number of forks", 1, kMost);
    if (value.running) fail("bad_call", "this simulation is running: its own callbacks cannot steer it");
    luaL_checkstack(L, static_cast<int>(count) + 8, "forks");
    Interpreter& interpreter = Interpreter::of(L);
    if (value.cell != interpreter.cell().number()) interpreter.cell().note_seed(value.seed);
    did_work(static_cast<std::uint64_t>(count) * steps_to_copy(*value.simulation));
    for (std::int64_t i = 0; i < count; ++i) {
      auto simulation = std::make_unique<Simulation>(*value.simulation);
      auto history = std::make_unique<History>(*value.history);
      push_new(L, SimulationValue{
                      .simulation = std::move(simulation),
                      .platform = value.platform,
                      .seed = value.seed,
                      .validate = value.validate,
                      .cell = interpreter.cell().number(),
                      .history = std::move(history),
                  });
    }
    return static_cast<int>(count);
  });
}

// ---- the words of callbacks and processes about hosts, of a simulation and of its state ----

namespace {

const Sim& seen_at(lua_State* L) {
  const auto* state = test<StateValue>(L, 1);
  return state != nullptr ? state->sim() : seen(simulation_at(L)).sim();
}

// A word about hosts: read(sim, host) pushes its value.
template <class F>
int whatif_of_host(lua_State* L, F&& read) {
  return guard(L, [&] {
    const Sim& sim = seen_at(L);
    read(sim, host_at(L, 2, sim.view().platform()));
    return 1;
  });
}

}  // namespace

int is_up(lua_State* L) {
  return whatif_of_host(
      L, [&](const Sim& sim, HostId host) { lua_pushboolean(L, sim.view()[host].up ? 1 : 0); });
}
int idle_cores(lua_State* L) {
  return whatif_of_host(L, [&](const Sim& sim, HostId host) { lua_pushinteger(L, sim.view()[host].idle); });
}
int speed(lua_State* L) {
  return whatif_of_host(L, [&](const Sim& sim, HostId host) { lua_pushnumber(L, sim.view()[host].speed); });
}
int running_on(lua_State* L) {
  return whatif_of_host(L, [&](const Sim& sim, HostId host) { push_activities(L, sim.under_way_on(host)); });
}
int queued_on(lua_State* L) {
  return whatif_of_host(
      L, [&](const Sim& sim, HostId host) { push_activities(L, sim.queued_on(ResourceId::of(host))); });
}
int activity(lua_State* L) {
  return guard(L, [&] {
    push_activity(L, seen_at(L).activity(activity_at(L, 2)));
    return 1;
  });
}

void open_whatif(lua_State* L) {
  new_type<StateValue>(L, kState, kStateMeta, state_property, state_fields());
}

}  // namespace perigee::bindings
