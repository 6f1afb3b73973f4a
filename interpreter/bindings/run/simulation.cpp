// s:run { policy = ... }, s:start { ... } and s:compare { ... }.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "interpreter/bindings/compute/chart.h"
#include "interpreter/bindings/declare/scenario.h"
#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/bindings/files.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/compare.h"
#include "interpreter/bindings/run/gantt.h"
#include "interpreter/bindings/run/simulation.h"
#include "interpreter/bindings/run/why.h"
#include "interpreter/bindings/show/tables.h"
#include "interpreter/bindings/simulation_value.h"
#include "interpreter/callbacks/schedulers.h"
#include "interpreter/host/unknown.h"
#include "interpreter/values/charts.h"
#include "runtime/cost/head_costs.h"
#include "runtime/results/compare.h"
#include "runtime/results/validator.h"
#include "runtime/schedulers/sweep/rounds.h"

namespace perigee::bindings {

namespace {

// Reads the table on top of the stack.
Information information_at(lua_State* L) {
  const Fields fields(
      L, -1, {"information"},
      {"amounts", "rates", "error", "error_seed", "age", "sample_period", "running", "overdue"});
  Information information;
  information.amounts =
      static_cast<Information::Amounts>(fields.choice("amounts", 0, {"true", "declared", "learnt"}));
  if (fields.has("rates"))
    read_rates(fields.text("rates", std::nullopt), information);
  else if (information.amounts != Information::Amounts::truth)
    information.rates = Information::Rates::nominal;
  information.error = fields.number("error", Dimension::fraction, 0, kAnyNumber);
  if (fields.has("error_seed"))
    information.error_seed = static_cast<std::uint64_t>(
        fields.integer("error_seed", std::nullopt, 0, std::numeric_limits<std::int64_t>::max()));
  information.age = fields.number("age", Dimension::seconds, 0, kAnyNumber);
  information.sample_period =
      fields.number("sample_period", Dimension::seconds, information.sample_period, kAnyNumber);
  information.progress = fields.choice("running", 0, {"estimate", "progress"}) == 1;
  if (fields.has("overdue"))
    information.overdue = fields.number("overdue", Dimension::seconds, 0, kAnyNumber);
  information.check();
  return information;
}

// Reads the information that policies get: a text or a table.
Information information_in(const Fields& fields) {
  lua_State* L = fields.state();
  if (!fields.push("information")) return {};
  const Balanced balanced(L);
  try {
    if (const auto text = text_at(L, -1)) return information_of(*text);
    if (lua_type(L, -1) == LUA_TTABLE) return information_at(L);
  } catch (const Error& error) {
    if (error.diagnostic().where.known()) throw;
    Diagnostic diagnostic = error.diagnostic();
    diagnostic.where = fields.where("information");
    throw Error(std::move(diagnostic));
  }
  if (is_unknown(L, -1)) return {};
  fields.fail("information", "information must be a text, as in \"declared\", or a table, got {}",
              shown(L, -1));
}

void read_options(const Fields& fields, RunRequest& request) {
  Interpreter& interpreter = Interpreter::of(fields.state());
  const auto seed = fields.integer("seed", static_cast<std::int64_t>(interpreter.cell().seed()), 0,
                                   std::numeric_limits<std::int64_t>::max());
  request.options.seed = static_cast<std::uint64_t>(seed);
  interpreter.cell().note_seed(request.options.seed);
  request.options.horizon = fields.number("horizon", Dimension::seconds, kNever, kPositive);
  request.options.warmup = fields.number("warmup", Dimension::seconds, 0, kNotNegative);
  if (request.options.warmup >= request.options.horizon)
    fields.fail("warmup", "warmup must end before the horizon of {} s, got {} s",
                format_number(request.options.horizon), format_number(request.options.warmup));
  const std::size_t level = fields.choice("trace", 0, {"full", "work", "none"});
  request.options.level = level == 0 ? TraceLevel::full : level == 1 ? TraceLevel::work : TraceLevel::none;
  request.information = information_in(fields);
  request.validate = fields.flag("validate", interpreter.options().validate);
  if (request.validate && request.options.level != TraceLevel::full) {
    if (fields.has("validate")) fields.fail("validate", "validation needs trace = \"full\"");
    request.options.level = TraceLevel::full;  // --validate
  }
  if (interpreter.options().on_outcome && !interpreter.output().silent())
    request.options.level = TraceLevel::full;
  request.instants = request.policy ? request.policy->entry->instants : Instants{};
  if (fields.has("ask"))
    request.instants.ask = static_cast<Ask>(fields.choice("ask", 0, {"once", "phases", "each"}));
  request.instants.tolerance =
      fields.number("tolerance", Dimension::count, request.instants.tolerance, {0, 1, false});
  request.instants.submit_first = fields.flag("submit_first", request.instants.submit_first);
}

ConfigPtr simulation_policy_of(const Fields& fields) {
  if (!fields.push("policy")) fields.fail(nullptr, "'policy' is missing");
  try {
    ConfigPtr policy = scheduler_at(fields.state(), -1, "policy", Role::policy);
    lua_pop(fields.state(), 1);
    return policy;
  } catch (const ScriptError&) {
    throw;
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    diagnostic.where = fields.where("policy");
    throw Error(std::move(diagnostic));
  }
}

RunRequest request_at(lua_State* L, int index, std::string_view what) {
  const Fields fields(L, index, {what},
                      {"policy", "seed", "horizon", "warmup", "trace", "validate", "information", "ask",
                       "tolerance", "submit_first"});
  RunRequest request;
  request.policy = simulation_policy_of(fields);
  read_options(fields, request);
  return request;
}

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

// Whether the policy accepts the kinds, files and cores of the works.
bool accepts_works(const Accepts& accepts, const Workload& workload) {
  return std::ranges::all_of(workload.works, [&](const Work& work) {
    const bool kind = work.kind == WorkKind::task    ? accepts.tasks
                      : work.kind == WorkKind::job   ? accepts.jobs
                      : work.kind == WorkKind::sweep ? accepts.sweeps
                      : work.kind == WorkKind::load  ? accepts.loads
                                                     : accepts.reservations;
    const bool has_files = work.input_count > 0 || work.output_count > 0 ||
                           (work.kind == WorkKind::sweep && workload.extras[work.extra].bytes > 0);
    return kind && (accepts.files || !has_files) && (accepts.several_cores || work.cores <= 1);
  });
}

// The error of a policy that does not accept the works. Policies that accept them are named if they are few.
Error with_who_accepts(const Error& error, const RunRequest& request, const Catalogue& catalogue,
                       const Workload& workload) {
  Diagnostic diagnostic = error.diagnostic();
  constexpr std::size_t kFew = 12;
  std::vector<std::string> names;
  for (const auto& entry : catalogue.entries())
    if (entry->role == Role::policy && accepts_works(entry->accepts, workload)) names.push_back(entry->name);
  if (!accepts_works(request.policy->entry->accepts, workload) && !names.empty() && names.size() <= kFew)
    diagnostic.notes.push_back(fmt::format("accepted by {}", fmt::join(names, ", ")));
  return Error(std::move(diagnostic));
}

// A function that returns the same simulation each time.
std::function<Simulation()> start_of(lua_State* L, ScenarioValue& scenario, const RunRequest& request) {
  return [realized = scenario_for(L, scenario, request.options.seed), request,
          &catalogue = Interpreter::of(L).catalogue()] {
    try {
      return Simulation(realized, setup_of(request.policy, request.instants), estimator(request.information),
                        request.options);
    } catch (const Error& error) {
      if (error.diagnostic().code != "not_accepted") throw;
      throw with_who_accepts(error, request, catalogue, *realized->workload);
    }
  };
}

SimulationValue under_way(lua_State* L, Simulation simulation, ScenarioValue& scenario,
                          const RunRequest& request) {
  return {.simulation = std::make_unique<Simulation>(std::move(simulation)),
          .platform = scenario.platform,
          .seed = request.options.seed,
          .validate = request.validate,
          .cell = Interpreter::of(L).cell().number(),
          .history = std::make_unique<History>(start_of(L, scenario, request))};
}

// Runs to the end. If a simulation without a name is interrupted, it stays as `_`.
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

int run_simulation(lua_State* L) {
  return guard(L, [&] {
    const ScenarioPtr scenario = check<ScenarioPtr>(L, 1);
    const RunRequest request = request_at(L, 2, "run");
    Interpreter& interpreter = Interpreter::of(L);
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

// Reads names = { "before", "after" }, the names of rows.
std::vector<std::string> names_of_rows(const Fields& fields, std::size_t count) {
  lua_State* L = fields.state();
  std::vector<std::string> names;
  if (!fields.push("names")) return names;
  if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != count)
    fields.fail("names", "names must be a list of {} names, one for each row, got {}", count,
                lua_type(L, -1) == LUA_TTABLE ? fmt::format("{}", lua_rawlen(L, -1)) : shown(L, -1));
  for (std::size_t i = 1; i <= count; ++i) {
    lua_rawgeti(L, -1, static_cast<lua_Integer>(i));
    const auto name = text_at(L, -1);
    if (!name || name->empty()) fields.fail("names", "names[{}] must be a text, got {}", i, shown(L, -1));
    if (std::ranges::find(names, *name) != names.end()) fields.fail("names", "names has '{}' twice", *name);
    names.emplace_back(*name);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return names;
}

// The place of the row with that name, or of the only one whose policy has it.
std::size_t row_named(std::string_view name, const std::vector<std::string>& names,
                      const std::vector<std::string>& policies) {
  if (const auto at = std::ranges::find(names, name); at != names.end())
    return static_cast<std::size_t>(at - names.begin());
  const auto at = std::ranges::find(policies, name);
  if (at == policies.end()) {
    std::vector<std::string> known = names;
    known.insert(known.end(), policies.begin(), policies.end());
    fail("unknown_name", "the comparison has no {}policy '{}'{}", names.empty() ? "" : "name or ", name,
         did_you_mean(std::string(name), known));
  }
  const auto first = static_cast<std::size_t>(at - policies.begin());
  if (const auto other = std::find(at + 1, policies.end(), name); other != policies.end())
    fail("unknown_name",
         "result: rows {} and {} of the comparison have the policy '{}'; give the number of one, or names to "
         "compare",
         first + 1, other - policies.begin() + 1, name);
  return first;
}

// In check mode, c:result(i or policy) of s:compare. Upvalues: the names of the rows and of their policies.
int check_comparison_result(lua_State* L) {
  return guard(L, [&] {
    const auto list_of = [&](int upvalue) {
      std::vector<std::string> list;
      for (lua_Integer i = 1; i <= static_cast<lua_Integer>(lua_rawlen(L, upvalue)); ++i) {
        lua_rawgeti(L, upvalue, i);
        list.emplace_back(*text_at(L, -1));
        lua_pop(L, 1);
      }
      return list;
    };
    const std::vector<std::string> policies = list_of(lua_upvalueindex(2));
    if (const auto name = text_at(L, 2))
      row_named(*name, list_of(lua_upvalueindex(1)), policies);
    else if (!is_unknown(L, 2))
      (void)integer_at(L, 2, "result", 1, static_cast<std::int64_t>(policies.size()));
    push_unknown(L, TypeName<ResultValue>::value);
    return 1;
  });
}

void push_checked_comparison(lua_State* L, const std::vector<std::string>& names,
                             const std::vector<std::string>& policies) {
  lua_newtable(L);
  for (const auto* list : {&names, &policies}) {
    lua_createtable(L, static_cast<int>(list->size()), 0);
    for (std::size_t i = 0; i < list->size(); ++i) {
      host::push(L, (*list)[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
  }
  lua_pushcclosure(L, check_comparison_result, 2);
  lua_setfield(L, -2, "result");
  wrap_unknown(L, TypeName<ComparisonValue>::value);
}

// s:compare { policy, policy, ..., seed =, horizon =, information =, metrics = { ... }, names = { ... } }
int compare(lua_State* L) {
  return guard(L, [&] {
    const ScenarioPtr scenario = check<ScenarioPtr>(L, 1);
    const Fields fields(L, 2, {"compare"},
                        {"seed", "horizon", "warmup", "trace", "validate", "information", "metrics", "names"},
                        true);
    std::vector<RunRequest> requests;
    for (std::int64_t i = 1; i <= fields.count(); ++i) {
      lua_rawgeti(L, 2, i);
      RunRequest request;
      request.policy = scheduler_at(L, -1, fmt::format("compare: entry {}", i), Role::policy);
      lua_pop(L, 1);
      read_options(fields, request);
      requests.push_back(std::move(request));
    }
    if (requests.empty()) fields.fail(nullptr, "it names no policies");
    ComparisonValue value;
    value.names = names_of_rows(fields, requests.size());
    if (fields.push("metrics")) {
      if (lua_type(L, -1) != LUA_TTABLE)
        fields.fail("metrics", "metrics must be a list of names, got {}", shown(L, -1));
      const auto count = static_cast<lua_Integer>(lua_rawlen(L, -1));
      for (lua_Integer i = 1; i <= count; ++i) {
        lua_rawgeti(L, -1, i);
        if (!text_at(L, -1)) fields.fail("metrics", "metrics[{}] must be a name, got {}", i, shown(L, -1));
        value.metrics.emplace_back(metric_info(*text_at(L, -1)).name);
        lua_pop(L, 1);
      }
      lua_pop(L, 1);
    }
    Interpreter& interpreter = Interpreter::of(L);
    std::vector<std::string> policies;
    for (const RunRequest& request : requests) {
      Simulation simulation = begin_run(L, *scenario, request);
      policies.push_back(simulation.policy_name());
      if (interpreter.checking()) continue;
      advance_temporary(L, simulation, *scenario, request);
      Warned warned;
      ResultValue result = result_of(L, simulation, request.validate, warned);
      result.history = std::make_shared<const History>(start_of(L, *scenario, request));
      value.results.push_back(std::move(result));
    }
    if (interpreter.checking())
      push_checked_comparison(L, value.names, policies);
    else
      push_new(L, std::move(value));
    return 1;
  });
}

// ---- comparisons ----

std::vector<Outcome> outcomes_of(const ComparisonValue& value) {
  std::vector<Outcome> outcomes;
  outcomes.reserve(value.results.size());
  for (const ResultValue& result : value.results) {
    did_work(result.outcome->trace.size());  // a reader walks over the trace
    outcomes.push_back(*result.outcome);
  }
  return outcomes;
}

int comparison_text(lua_State* L) {
  return guard(L, [&] {
    const auto& value = check<ComparisonValue>(L, 1);
    std::string text =
        comparison_table(outcomes_of(value), value.metrics, value.names,
                         static_cast<std::size_t>(std::max<lua_Integer>(0, lua_tointeger(L, 3))));
    if (!text.empty() && text.back() == '\n') text.pop_back();  // print adds one
    host::push(L, text);
    return 1;
  });
}

int comparison_size(lua_State* L) {
  return guard(L, [&] {
    lua_pushinteger(L, static_cast<lua_Integer>(check<ComparisonValue>(L, 1).results.size()));
    return 1;
  });
}

// comparison:result(i or policy) -> result
int comparison_result(lua_State* L) {
  return guard(L, [&] {
    const auto& value = check<ComparisonValue>(L, 1);
    if (const auto name = text_at(L, 2)) {
      std::vector<std::string> policies;
      for (const ResultValue& result : value.results) policies.push_back(result.outcome->policy);
      push_new(L, value.results[row_named(*name, value.names, policies)]);
      return 1;
    }
    const auto i = integer_at(L, 2, "result", 1, static_cast<std::int64_t>(value.results.size()));
    push_new(L, value.results[static_cast<std::size_t>(i - 1)]);
    return 1;
  });
}

ResultValue result_so_far(lua_State* L, SimulationValue& value) {
  ResultValue result = result_of(L, *value.simulation, value.validate, value.warned);
  if (value.history) result.history = std::make_shared<const History>(*value.history);
  return result;
}

// compare(a, b, ... [, { names = }]): results or finished simulations side by side.
int compare_results(lua_State* L) {
  return guard(L, [&] {
    ComparisonValue value;
    const int last = lua_gettop(L) - (lua_gettop(L) > 0 && lua_type(L, -1) == LUA_TTABLE ? 1 : 0);
    for (int i = 1; i <= last; ++i) {
      if (is_unknown(L, i)) {
        if (last < lua_gettop(L))
          names_of_rows(Fields(L, last + 1, {"compare"}, {"names"}), static_cast<std::size_t>(last));
        push_unknown(L, TypeName<ComparisonValue>::value);
        return 1;
      }
      if (const auto* result = test<ResultValue>(L, i))
        value.results.push_back(*result);
      else if (test<SimulationValue>(L, i) != nullptr)
        value.results.push_back(result_so_far(L, check<SimulationValue>(L, i)));
      else
        fail("bad_type", "compare: argument {} must be a result or a simulation, got {}{}", i, shown(L, i),
             lua_type(L, i) == LUA_TTABLE ? "; it is written compare(a, b), without braces" : "");
    }
    if (value.results.empty()) {
      if (last < lua_gettop(L) && lua_rawlen(L, last + 1) == 0)
        const Fields checked(L, last + 1, {"compare"}, {"names"});  // a mistyped name gets its own error
      fail("bad_call", "compare: there is nothing to compare; it is written compare(a, b), without braces");
    }
    if (last < lua_gettop(L))
      value.names = names_of_rows({L, last + 1, {"compare"}, {"names"}}, value.results.size());
    push_new(L, std::move(value));
    return 1;
  });
}

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

// Tables that the user of a terminal asks for first: the hosts, the submitted work, the waiting work.
int host_table(lua_State* L) {
  return guard(L, [&] {
    const Simulation& simulation = seen(simulation_at(L));
    const View& view = simulation.view();
    Table table{{"host", "state", "cores", "idle", "running", "queued", "speed", "work"}, {}};
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      const HostView& host = view.hosts()[h];
      std::vector<std::string> works;
      for (const ActivityId id : simulation.sim().under_way_on(HostId(h)))
        if (const auto activity = simulation.sim().activity(id); activity && activity->work.valid())
          works.push_back(view.workload().name_of(activity->work));
      constexpr std::size_t kMost = 4;
      const std::size_t more = works.size() > kMost ? works.size() - kMost : 0;
      works.resize(works.size() - more);
      std::string text = fmt::format("{}", fmt::join(works, ", "));
      if (more > 0) text += fmt::format(" and {} more", more);
      table.rows.push_back({view.platform().hosts()[h].name, std::string(host.up ? "up" : "down"),
                            double(host.cores), double(host.idle), double(host.running), double(host.queued),
                            host.speed, text});
    }
    push_table(L, table);
    return 1;
  });
}

// Hosts on which each work runs or is posted.
std::vector<std::vector<std::string>> places(const Simulation& simulation) {
  const View& view = simulation.view();
  std::vector<std::vector<std::string>> hosts(view.works().size());
  for (std::size_t h = 0; h < view.hosts().size(); ++h) {
    const auto note = [&](const std::vector<ActivityId>& activities) {
      for (const ActivityId id : activities)
        if (const auto activity = simulation.sim().activity(id); activity && activity->work.valid()) {
          auto& list = hosts[activity->work.index];
          const std::string& name = view.platform().hosts()[h].name;
          if (list.empty() || list.back() != name) list.push_back(name);
        }
    };
    note(simulation.sim().under_way_on(HostId(h)));
    note(simulation.sim().queued_on(ResourceId::of(HostId(h))));
  }
  return hosts;
}

Cell joined(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  return fmt::format("{}", fmt::join(names, ", "));
}

int work_table(lua_State* L) {
  return guard(L, [&] {
    const Simulation& simulation = seen(simulation_at(L));
    const View& view = simulation.view();
    const auto hosts = places(simulation);
    Table table{{"name", "kind", "state", "arrival", "cores", "hosts"}, {}};
    for (std::size_t w = 0; w < view.works().size(); ++w) {
      if (view.works()[w].state == WorkState::future) continue;
      const Work& work = view.workload()[WorkId(w)];
      table.rows.push_back({view.workload().name_of(WorkId(w)), std::string(name_of(work.kind)),
                            std::string(name_of(view.works()[w].state)), work.arrival, double(work.cores),
                            joined(hosts[w])});
    }
    push_table(L, table);
    return 1;
  });
}

int simulation_queue_table(lua_State* L) {
  return guard(L, [&] {
    const Simulation& simulation = seen(simulation_at(L));
    const View& view = simulation.view();
    const auto hosts = places(simulation);
    Table table{{"name", "kind", "arrival", "waits", "cores", "priority", "posted_at"}, {}};
    for (std::size_t w = 0; w < view.works().size(); ++w) {
      if (view.works()[w].state != WorkState::waiting) continue;
      const Work& work = view.workload()[WorkId(w)];
      table.rows.push_back({view.workload().name_of(WorkId(w)), std::string(name_of(work.kind)), work.arrival,
                            simulation.now() - work.arrival, double(work.cores), work.priority,
                            joined(hosts[w])});
    }
    push_table(L, table);
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
// Replaces the comparison by its table.
int comparison_rows(lua_State* L) {
  return guard(L, [&] {
    const auto& value = check<ComparisonValue>(L, 1);
    push_table(L, comparison(outcomes_of(value), value.metrics, value.names));
    lua_replace(L, 1);
    return 0;
  });
}
int comparison_plot(lua_State* L) {
  comparison_rows(L);
  return plot(L);
}
int comparison_csv(lua_State* L) {
  comparison_rows(L);
  return table_csv(L);
}

constexpr luaL_Reg kComparison[] = {{"result", comparison_result}, {"plot", comparison_plot},
                                    {"csv", comparison_csv},       {"first_difference", first_difference},
                                    {"gantt", comparison_gantt},   {nullptr, nullptr}};
constexpr luaL_Reg kComparisonMeta[] = {
    {"__tostring", comparison_text}, {"__len", comparison_size}, {nullptr, nullptr}};

}  // namespace

extern const luaL_Reg kScenarioMethods[];
const luaL_Reg kScenarioMethods[] = {{"run", run_simulation},
                                     {"start", start_simulation},
                                     {"compare", compare},
                                     {"pst", write_pst_files},
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
  did_work(kStepsOfWork * before.size());
  Workload workload = realize(L, work, platform, seed, &before);
  for (std::size_t w = before.size(); w < workload.size(); ++w)
    if (Time& arrival = workload.works[w].arrival; arrival == 0 || at > now)
      arrival = std::max({arrival, now, at});
  return std::make_shared<const Workload>(std::move(workload));
}

PolicySetup setup_of(const ConfigPtr& policy, const Instants& instants) {
  return {policy->text(), policy->make_policy(), policy->entry->accepts, instants};
}

Simulation begin_run(lua_State* L, ScenarioValue& scenario, const RunRequest& request) {
  warn_of_tight_deadlines(L, *scenario_for(L, scenario, request.options.seed), request);
  return start_of(L, scenario, request)();
}

Busy::Busy(lua_State* L, SimulationValue& value) : value_(value) {
  if (const std::uint64_t cell = Interpreter::of(L).cell().number(); cell != 0 && value.cell != cell)
    fail("state_outside",
         "this simulation was started outside of the experiment's cell, which others share; step a fork of "
         "it");
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
    say_when(simulation, [&] { simulation.run_until(until); });
  }
  simulation.on_progress(0, {});
  if (interpreter.interrupted() && !simulation.over()) stop_between(interpreter, simulation);
}

namespace {

// "2 pieces of work are rejected that no host can run: wide needs ..., ..."
void warn_of_infeasible(Interpreter& interpreter, const Outcome& outcome, Warned& warned) {
  if (std::ranges::find(outcome.works, WorkState::rejected) == outcome.works.end()) return;
  std::uint64_t count = 0;
  WorkId first;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record& record = outcome.trace[i];
    if (record.kind != RecordKind::rejected || record.why != Reason::infeasible) continue;
    if (count++ == 0) first = record.work;
  }
  if (count <= warned.rejected) return;
  const std::uint64_t more = count - std::exchange(warned.rejected, count);
  std::int32_t widest = 0;
  for (const Host& host : outcome.scenario->platform->hosts()) widest = std::max(widest, host.cores);
  const std::int32_t cores = (*outcome.scenario->workload)[first].cores;
  interpreter.output().warn(
      fmt::format(
          "{} with seed {}: {} {} rejected that no host can run: {}{}{}", outcome.policy, outcome.seed, count,
          count == 1 ? "piece of work is" : "pieces of work are", outcome.scenario->workload->name_of(first),
          cores > widest ? fmt::format(" needs {} cores on one host, the widest has {}", cores, widest) : "",
          count > 1 ? ", ..." : ""),
      "pieces of work rejected that no host can run", more);
}

void warn_of_stop(Interpreter& interpreter, const Simulation& simulation, const Outcome& outcome,
                  Warned& warned) {
  const std::string stopped =
      fmt::format("{} with seed {} stopped at t = {} s{}, for {}", outcome.policy, outcome.seed, outcome.end,
                  simulation.view().unsettled() > 0 ? " with work left" : "",
                  simulation.woke_in_vain() ? "nothing progresses any more" : "nothing can happen any more");
  interpreter.cell().note_incomplete(stopped);
  if (interpreter.output().silent() || !warned.lines.insert(stopped).second) return;
  interpreter.output().warn(stopped);
  for (const std::string& line : outcome.waiting) interpreter.output().warn("  " + line);
}

void check_trace(const Outcome& outcome) {
  const auto problems = validate(outcome);
  if (problems.empty()) return;
  Diagnostic diagnostic{"invalid_trace",
                        fmt::format("the trace of {} is not valid: {}", outcome.policy, problems.front()),
                        {},
                        {problems.begin() + 1, problems.end()}};
  if (diagnostic.notes.size() > 10) diagnostic.notes.resize(10);
  throw Error(std::move(diagnostic));
}

}  // namespace

ResultValue result_of(lua_State* L, const Simulation& simulation, bool validate_it, Warned& warned) {
  Interpreter& interpreter = Interpreter::of(L);
  ResultValue result;
  result.outcome = std::make_shared<const Outcome>(simulation.outcome());
  const Outcome& outcome = *result.outcome;
  if (validate_it) check_trace(outcome);
  result.ordinal = interpreter.next_outcome(outcome);
  warn_of_infeasible(interpreter, outcome, warned);
  if (outcome.status != RunStatus::running)
    for (const std::string& line : sweep::sweep_warnings(outcome.trace.notes()))
      if (const std::string said = fmt::format("{}: {}", outcome.policy, line);
          warned.lines.insert(said).second)
        interpreter.output().warn(said);
  if (outcome.status == RunStatus::incomplete) warn_of_stop(interpreter, simulation, outcome, warned);
  return result;
}

void open_simulation(lua_State* L) {
  new_type<SimulationValue>(L, kSimulation, kSimulationMeta, simulation_property, {"state"});
  new_type<ComparisonValue>(L, kComparison, kComparisonMeta);
  define(L, "compare", compare_results);
}

}  // namespace perigee::bindings
