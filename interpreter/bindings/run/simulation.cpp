// s:run { policy = ... }, s:start { ... } and s:compare { ... }.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "interpreter/bindings/compute/chart.h"
#include "interpreter/bindings/declare/scenario.h"
#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/bindings/files.h"
#include "interpreter/bindings/gantt.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/compare.h"
#include "interpreter/bindings/run/decision_times.h"
#include "interpreter/bindings/run/request.h"
#include "interpreter/bindings/run/simulation.h"
#include "interpreter/bindings/run/simulation_tables.h"
#include "interpreter/bindings/run/why.h"
#include "interpreter/bindings/script/script.h"
#include "interpreter/bindings/simulation_value.h"
#include "interpreter/host/unknown.h"
#include "runtime/cost/head_costs.h"
#include "runtime/results/accounts.h"

namespace perigee::bindings {

namespace {

void warn_of_tight_deadlines(lua_State* L, const Scenario& scenario, const RunRequest& request) {
  if (request.policy->entry->family != Family::realtime || scenario.platform->clusters().size() > 1) return;
  const TightDeadlines tight = tight_deadlines(*scenario.platform, *scenario.workload);
  if (tight.count == 0) return;
  Interpreter::of(L).output().warn(
      fmt::format("{} with seed {}: {} less time to {} than all nodes need: {} takes {:.6g} s of {:.6g} s{}",
                  request.policy->text(), request.options.seed,
                  tight.count == 1 ? "1 load has" : fmt::format("{} loads have", tight.count),
                  tight.count == 1 ? "its deadline" : "their deadlines",
                  scenario.workload->name_of(tight.first), tight.takes, tight.has,
                  tight.count > 1 ? ", ..." : ""),
      "loads with less time to their deadlines than all nodes need", tight.count);
}

// Whether the policy accepts the works by its flags.
bool accepts_works(const Accepts& accepts, const Scenario& scenario) {
  const Workload& workload = *scenario.workload;
  if (scenario.stream && !accepts.streams) return false;
  for (std::size_t w = workload.works.first(); w < workload.size(); ++w)
    if (!engine::refusal_of(accepts, scenario, workload, WorkId(w)).empty()) return false;
  return true;
}

// The error of a policy that does not accept the works. It names the policies that do.
Error with_who_accepts(const Error& error, const RunRequest& request, const Catalogue& catalogue,
                       const Scenario& scenario) {
  Diagnostic diagnostic = error.diagnostic();
  constexpr std::size_t kMostNamed = 24;
  std::vector<std::string> names;
  for (const auto& entry : catalogue.entries())
    if (entry->role == Role::policy && accepts_works(entry->accepts, scenario)) names.push_back(entry->name);
  if (!accepts_works(request.policy->entry->accepts, scenario) && !names.empty()) {
    const std::size_t named = std::min(names.size(), kMostNamed);
    std::string note = fmt::format("accepted by {}", fmt::join(std::span(names).first(named), ", "));
    if (named < names.size()) note += fmt::format(" and {} more", names.size() - named);
    diagnostic.notes.push_back(std::move(note));
  }
  return Error(std::move(diagnostic));
}

}  // namespace

std::function<Simulation()> start_of(lua_State* L, ScenarioValue& scenario, const RunRequest& request) {
  return [realized = scenario_for(L, scenario, request.options.seed), request,
          &catalogue = Interpreter::of(L).catalogue()] {
    try {
      PolicySetup setup = setup_of(request.policy, request.instants);
      if (request.around) setup.policy = request.around(std::move(setup.policy));
      RunOptions options = request.options;
      if (realized->stream && !request.asks_for_trace) options.most_records = kMostRecords;
      const bool keeps_all = options.level == TraceLevel::full && options.most_records == Trace::kAll;
      if (!keeps_all && !request.around)  // its metrics are worked out meanwhile
        options.witness = std::make_unique<Accounts>(
            realized, options.warmup, request.accounts,
            options.level == TraceLevel::full ? QuantileSketch::kAll : QuantileSketch::kMost);
      return Simulation(realized, std::move(setup), estimator(request.information), std::move(options));
    } catch (const Error& error) {
      if (error.diagnostic().code != "not_accepted") throw;
      throw with_who_accepts(error, request, catalogue, *realized);
    }
  };
}

namespace {

SimulationValue under_way(lua_State* L, Simulation simulation, ScenarioValue& scenario,
                          const RunRequest& request) {
  return {.simulation = std::make_unique<Simulation>(std::move(simulation)),
          .platform = scenario.platform,
          .seed = request.options.seed,
          .validate = request.validate,
          .cell = Interpreter::of(L).cell().number(),
          .history = std::make_unique<History>(start_of(L, scenario, request))};
}

}  // namespace

void advance_temporary(lua_State* L, Simulation& simulation, ScenarioValue& scenario,
                       const RunRequest& request) {
  Interpreter& interpreter = Interpreter::of(L);
  try {
    advance(interpreter, simulation, kNever);
  } catch (const Stopped&) {
    if (interpreter.interrupted() && !simulation.over()) {
      lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
      lua_pushliteral(L, "_");
      push_new(L, under_way(L, std::move(simulation), scenario, request));
      lua_rawset(L, -3);
      lua_pop(L, 1);
    }
    throw;
  }
}

namespace {

int run_simulation(lua_State* L) {
  return guard(L, [&] {
    const ScenarioPtr scenario = check<ScenarioPtr>(L, 1);
    const RunRequest request = request_at(L, 2, "run");
    Interpreter& interpreter = Interpreter::of(L);
    if (interpreter.interrupted())
      interpreter.stop_interrupted();  // short runs leave no hook the time to look
    Simulation simulation = begin_run(L, *scenario, request);
    if (interpreter.checking()) {
      push_unknown(L, TypeName<ResultValue>::value);
      return 1;
    }
    advance_temporary(L, simulation, *scenario, request);
    Warned warned;
    ResultValue result = result_of(L, simulation, request.validate, warned);
    result.history = std::make_shared<const History>(start_of(L, *scenario, request));
    push_new(L, std::move(result));
    return 1;
  });
}

// In check mode, a method whose argument is the name of a host, cluster or link. Upvalues: the platform, and
// the method to be used when no platform is known.
int check_named(lua_State* L) {
  return guard(L, [&] {
    if (const auto name = text_at(L, 2))
      resource_named(*check<PlatformValue>(L, lua_upvalueindex(1)).platform, *name);
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
  });
}

void push_checked_simulation(lua_State* L, const PlatformValue& platform) {
  push_unknown(L, TypeName<SimulationValue>::value);
  const int plain = lua_gettop(L);
  lua_newtable(L);
  for (const char* method : {"fail", "recover", "leave", "join", "change", "is_up", "idle_cores",
                             "running_on", "queued_on", "speed"}) {
    push_new(L, platform);
    lua_getfield(L, plain, method);
    lua_pushcclosure(L, check_named, 2);
    lua_setfield(L, -2, method);
  }
  wrap_unknown(L, TypeName<SimulationValue>::value);
  lua_remove(L, plain);
}

int start_simulation(lua_State* L) {
  return guard(L, [&] {
    const ScenarioPtr scenario = check<ScenarioPtr>(L, 1);
    const RunRequest request = request_at(L, 2, "start");
    Simulation simulation = begin_run(L, *scenario, request);
    if (Interpreter::of(L).checking())
      push_checked_simulation(L, scenario->platform);
    else
      push_new(L, under_way(L, std::move(simulation), *scenario, request));
    return 1;
  });
}

}  // namespace

ResultValue result_so_far(lua_State* L, SimulationValue& value) {
  ResultValue result = result_of(L, *value.simulation, value.validate, value.warned);
  if (value.history) result.history = std::make_shared<const History>(*value.history);
  return result;
}

namespace {

// ---- simulations under way ----

int step(lua_State* L) {
  return guard(L, [&] {
    SimulationValue& value = simulation_at(L);
    const Busy busy(L, value);
    Interpreter& interpreter = Interpreter::of(L);
    const Interpreter::InRun in_run(interpreter);
    bool more = false;
    {
      const Interpreter::Advancing advancing(interpreter);
      say_when(*value.simulation, [&] { more = value.simulation->step(); });
      keep(interpreter, *value.history, *value.simulation);
    }
    if (interpreter.asked_to_stop(true)) stop_between(interpreter, *value.simulation);
    lua_pushboolean(L, more ? 1 : 0);
    return 1;
  });
}

int run_on(lua_State* L) {
  return guard(L, [&] {
    SimulationValue& value = simulation_at(L);
    const Busy busy(L, value);
    advance(Interpreter::of(L), *value.simulation, kNever, value.history.get());
    push_new(L, result_so_far(L, value));
    return 1;
  });
}

int run_until(lua_State* L) {
  return guard(L, [&] {
    SimulationValue& value = simulation_at(L);
    const Time until = number_at(L, 2, "run_until: time", Dimension::seconds, kNotNegative);
    const Busy busy(L, value);
    if (until < value.simulation->now())
      fail("bad_value", "run_until: t = {} s is over, it is t = {} s; back_to goes there",
           format_number(until), format_number(value.simulation->now()));
    advance(Interpreter::of(L), *value.simulation, until, value.history.get());
    lua_settop(L, 1);
    return 1;
  });
}

int simulation_now(lua_State* L) {
  return guard(L, [&] {
    lua_pushnumber(L, simulation_at(L).simulation->now());
    return 1;
  });
}
int next_time(lua_State* L) {
  return guard(L, [&] {
    lua_pushnumber(L, simulation_at(L).simulation->next_time());
    return 1;
  });
}
int status(lua_State* L) {
  return guard(L, [&] {
    Interpreter::of(L).cell().note_status_read();
    host::push(L, name_of(simulation_at(L).simulation->status()));
    return 1;
  });
}
int over(lua_State* L) {
  return guard(L, [&] {
    lua_pushboolean(L, simulation_at(L).simulation->over() ? 1 : 0);
    return 1;
  });
}

int result(lua_State* L) {
  return guard(L, [&] {
    push_new(L, result_so_far(L, simulation_at(L)));
    return 1;
  });
}

int simulation_waiting(lua_State* L) {
  return guard(L, [&] {
    const auto lines = who_waits(seen(simulation_at(L)));
    lua_newtable(L);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      host::push(L, lines[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    return 1;
  });
}

int draw_so_far(lua_State* L) {
  return guard(L, [&] {
    print_gantt(L, simulation_at(L).simulation->outcome(), 2);
    lua_settop(L, 1);
    return 1;
  });
}

bool simulation_property(lua_State* L, int index, std::string_view name) {
  if (name != "state") return false;
  push_state(L, index);
  return true;
}

int simulation_text(lua_State* L) {
  return guard(L, [&] {
    const SimulationValue& value = simulation_at(L);
    const Simulation& simulation = *value.simulation;
    std::string text = fmt::format("simulation of {} at t = {} s, {}", simulation.policy_name(),
                                   format_number(simulation.now()), name_of(simulation.status()));
    if (simulation.end() < simulation.now())
      text += fmt::format(" at t = {} s", format_number(simulation.end()));
    if (const std::size_t planned = planned_table(value).rows.size(); planned > 0)
      text += fmt::format(", {} planned", planned);
    host::push(L, text);
    return 1;
  });
}

constexpr luaL_Reg kSimulation[] = {{"step", step},
                                    {"run", run_on},
                                    {"run_until", run_until},
                                    {"fork", fork},
                                    {"now", simulation_now},
                                    {"next_time", next_time},
                                    {"status", status},
                                    {"over", over},
                                    {"fail", fail_resource},
                                    {"recover", recover},
                                    {"leave", leave},
                                    {"join", join},
                                    {"change", change},
                                    {"submit", submit},
                                    {"set_policy", set_policy},
                                    {"result", result},
                                    {"waiting", simulation_waiting},
                                    {"hosts", host_table},
                                    {"is_up", is_up},
                                    {"idle_cores", idle_cores},
                                    {"running_on", running_on},
                                    {"queued_on", queued_on},
                                    {"activity", activity},
                                    {"speed", speed},
                                    {"jobs", work_table},
                                    {"queue", simulation_queue_table},
                                    {"planned", planned},
                                    {"gantt", draw_so_far},
                                    {"chart", chart_of_simulation},
                                    {"when", when},
                                    {"back_to", back_to},
                                    {"why", why},
                                    {"why_not", why_not},
                                    {"quote", quote},
                                    {nullptr, nullptr}};
constexpr luaL_Reg kSimulationMeta[] = {{"__tostring", simulation_text}, {nullptr, nullptr}};
}  // namespace

extern const luaL_Reg kScenarioMethods[];
const luaL_Reg kScenarioMethods[] = {{"run", run_simulation},  {"start", start_simulation},
                                     {"compare", compare},     {"decision_times", decision_times},
                                     {"pst", write_pst_files}, {"script", write_scenario},
                                     {nullptr, nullptr}};

const Platform* platform_of(lua_State* L, int index) {
  if (const auto* simulation = test<SimulationValue>(L, index))
    return simulation->simulation->scenario().platform.get();
  if (const auto* result = test<ResultValue>(L, index)) return result->outcome->scenario->platform.get();
  if (const auto* scenario = test<ScenarioPtr>(L, index)) return (*scenario)->platform.platform.get();
  if (const auto* platform = test<PlatformValue>(L, index)) return platform->platform.get();
  return nullptr;
}

std::shared_ptr<const Workload> longer(lua_State* L, const WorkloadValue& work, const PlatformValue& platform,
                                       std::uint64_t seed, const Workload& before, Time now, Time at) {
  constexpr std::uint64_t kStepsOfWork = 20;  // steps to copy a work and to prepare for it
  did_work(kStepsOfWork * before.works.count());
  Workload workload = realize(L, work, platform, seed, &before);
  for (std::size_t w = before.size(); w < workload.size(); ++w)
    if (Time& arrival = workload.works[w].arrival; arrival == 0 || at > now)
      arrival = std::max({arrival, now, at});
  return std::make_shared<const Workload>(std::move(workload));
}

PolicySetup setup_of(const ConfigPtr& policy, const Instants& instants) {
  return {policy->text(), policy->make_policy(), policy->accepts(), instants};
}

Simulation begin_run(lua_State* L, ScenarioValue& scenario, const RunRequest& request) {
  warn_of_tight_deadlines(L, *scenario_for(L, scenario, request.options.seed), request);
  return start_of(L, scenario, request)();
}

Busy::Busy(lua_State* L, SimulationValue& value) : value_(value) {
  if (const std::uint64_t cell = Interpreter::of(L).cell().number(); cell != 0 && value.cell != cell)
    fail("state_outside",
         "this simulation was started outside of the experiment's "
         "cell, which others share; step a fork of it");
  if (value.running) fail("bad_call", "this simulation is running: its own callbacks cannot steer it");
  value.running = true;
  value.seen = nullptr;
}

const Simulation& seen(SimulationValue& value) {
  if (!value.simulation->has_changes()) return *value.simulation;
  if (!value.seen) {
    did_work(steps_to_copy(*value.simulation));
    value.seen = std::make_unique<Simulation>(value.simulation->with_changes());
  }
  return *value.seen;
}

void stop_between(Interpreter& interpreter, const Simulation& simulation) {
  interpreter.stop_interrupted(fmt::format(" at t = {} s", format_number(simulation.now())));
}

namespace {

// A note on a run that met the limit of memory.
std::string who_took_memory(const Simulation& simulation) {
  const Scenario& scenario = simulation.scenario();
  constexpr std::size_t kManyRecords = 100'000;
  const std::size_t records = simulation.trace().size();
  const Sliding<Work>& works = scenario.workload->works;
  std::string note =
      fmt::format("in policy '{}' at t = {} s, in a run of {} works on {} hosts", simulation.policy_name(),
                  format_number(simulation.now()), works.size(), scenario.platform->hosts().size());
  if (scenario.stream)
    note += fmt::format(", which remembers {} works: those from the first one on that is not settled",
                        works.count());
  if (records > kManyRecords)
    note += fmt::format(", whose trace has {} records; trace = \"none\" keeps none", records);
  return note;
}

}  // namespace

void advance(Interpreter& interpreter, Simulation& simulation, Time until, History* history) {
  const Interpreter::InRun in_run(interpreter);
  const InterpreterOptions& options = interpreter.options();
  const bool looks = options.interactive || options.interruptible || options.on_progress;
  if (looks || history != nullptr)
    simulation.on_progress(looks ? kOften : kRarely, [&interpreter, history](const Simulation& now) {
      if (history != nullptr) keep(interpreter, *history, now);
      if (interpreter.asked_to_stop(true)) return false;
      interpreter.output().progress(&now);
      return true;
    });
  {
    const Interpreter::Advancing advancing(interpreter);
    try {
      say_when(simulation, [&] { simulation.run_until(until); });
    } catch (const std::bad_alloc& error) {
      interpreter.stop_for_memory(error, who_took_memory(simulation));
    } catch (const Stopped& stopped) {
      if (!interpreter.stopped() || stopped.diagnostic().code != "memory_limit") throw;
      interpreter.note_stop(who_took_memory(simulation));
      throw Stopped(interpreter.stop_reason());
    }
  }
  simulation.on_progress(0, {});
  if (interpreter.interrupted() && !simulation.over()) stop_between(interpreter, simulation);
}

void open_simulation(lua_State* L) {
  new_type<SimulationValue>(L, kSimulation, kSimulationMeta, simulation_property, {"state"});
  open_comparison(L);
}

}  // namespace perigee::bindings
