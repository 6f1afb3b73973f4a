// robustness { policy =, scenario =, measure =, shake =, n =, deadline = }: the distribution of a measure when the
// truth is drawn around what is declared. Its runs are the cells of an experiment without factors.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/bindings/declare/scenario.h"
#include "interpreter/bindings/methods.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/experiment/carried_out.h"
#include "interpreter/bindings/run/request.h"
#include "interpreter/bindings/run/simulation.h"
#include "interpreter/bindings/statistics.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/experiments/report.h"
#include "interpreter/host/unknown.h"
#include "interpreter/language/fields/robustness.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/runs.h"
#include "runtime/kernel/work.h"
#include "runtime/model/shaken.h"
#include "runtime/results/metrics.h"
#include "runtime/statistics/accumulators.h"
#include "runtime/statistics/proportion.h"
#include "runtime/statistics/sample.h"

namespace perigee::bindings {

// The request, and the findings once the experiment is over.
struct RobustnessValue {
  RunRequest request;
  ScenarioPtr scenario;
  model::Shake shake;
  std::uint64_t seed = 1;
  std::string measure;  // a metric; empty: the function
  Reference function;
  std::string unit;  // of the metric
  std::optional<double> deadline;
  ExperimentPtr experiment = nullptr;

  std::vector<double> values = {};  // those that count, in the order of the runs
  std::size_t runs = 0, incomplete = 0, absent = 0, failed = 0;
  Observations seen = {};
  Proportion met = {};  // of the runs without an error

  std::string what() const { return measure.empty() ? "the measure" : measure; }
};

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::RobustnessValue> {
  static constexpr const char* value = "spread";
};

}  // namespace perigee::host

namespace perigee::bindings {

namespace {

// Names of what a run leaves in its cell.
constexpr const char *kComplete = "complete", *kValue = "value";
constexpr double kQuantiles[] = {0.05, 0.25, 0.5, 0.75, 0.95};

double robustness_quantile(const RobustnessValue& value, double p) {
  return value.values.empty() ? std::numeric_limits<double>::quiet_NaN() : sample_quantile(value.values, p);
}

// ---- declaration ----

model::Shake shake_at(const Fields& fields) {
  fields.push(robustness_fields::kShake);
  const Fields own(fields.state(), lua_gettop(fields.state()), {"robustness: shake"}, shake_fields::kAll);
  model::Shake shake;
  shake.times = own.number(shake_fields::kTimes);
  shake.sizes = own.number(shake_fields::kSizes);
  shake.arrivals = own.number(shake_fields::kArrivals);
  shake.failures = own.number(shake_fields::kFailures);
  shake.repairs = own.number(shake_fields::kRepairs, shake.failures);
  if (shake == model::Shake())
    own.fail(nullptr,
             "nothing is shaken; name a share of times or sizes, a time for arrivals, or how many times as "
             "often failures come");
  lua_pop(fields.state(), 1);
  return shake;
}

// Refuses to shake what the scenario lacks: an absent effect would look like robustness.
void check_shakeable(const Fields& fields, const model::Shake& shake, const Scenario& scenario) {
  fields.inside(robustness_fields::kShake, [&] { return shaken(scenario, shake, 0); });
  const model::Shakeable found = shakeable(scenario);
  const auto need = [&](bool asked, bool there, const char* field, const char* lacks) {
    if (asked && !there)
      fields.fail(robustness_fields::kShake, "there is nothing to shake by {}: the scenario has {}", field,
                  lacks);
  };
  need(shake.times > 0, found.times, "times", "no work with a run time");
  need(shake.sizes > 0, found.sizes, "sizes", "no files, and no loads or sweeps that are sent");
  need(shake.arrivals > 0, found.arrivals, "arrivals", "no work that arrives");
  need(shake.failures != 1 || shake.repairs != 1, found.failures, "failures", "no failures { }");
}

void read_robust_measure(const Fields& fields, RobustnessValue& value) {
  lua_State* L = fields.state();
  fields.push(robustness_fields::kMeasure);
  if (lua_type(L, -1) == LUA_TFUNCTION) {
    value.function = Reference(L, -1);
  } else if (const auto name = text_at(L, -1)) {
    fields.inside(robustness_fields::kMeasure, [&] { value.unit = metric_info(*name).unit; });
    value.measure = *name;
  } else {
    fields.fail(robustness_fields::kMeasure,
                "measure must be the name of a metric or a function(result) that returns a number, got {}",
                shown(L, -1));
  }
  lua_pop(L, 1);
  if (!fields.has(robustness_fields::kDeadline)) return;
  FieldRow deadline = robustness_fields::kDeadline;
  if (value.unit == "s") deadline.dimension = Dimension::seconds;
  if (value.unit == "B") deadline.dimension = Dimension::bytes;
  value.deadline = fields.number(deadline);
}

// Policies are told of works as they are declared, whatever they know of rates.
void read_information(const Fields& fields, RobustnessValue& value) {
  engine::Information& information = value.request.information;
  if (!fields.has(robustness_fields::kInformation)) {
    information.amounts = engine::Information::Amounts::declared;
    return;
  }
  if (information.amounts == engine::Information::Amounts::truth &&
      (value.shake.times > 0 || value.shake.sizes > 0))
    fields.fail(
        robustness_fields::kInformation,
        "information = \"{}\" would tell the policy the times and sizes that are drawn; use \"declared\" or "
        "\"learnt\" with it, as in \"declared perfect\"",
        information.text());
}

RobustnessValue spread_at(lua_State* L, const Fields& fields) {
  RobustnessValue value;
  value.request = request_at(L, 1, "robustness", robustness_fields::kAll);
  value.seed = value.request.options.seed;
  fields.push(robustness_fields::kScenario);
  value.scenario = check<ScenarioPtr>(L, -1, "robustness: scenario");
  lua_pop(L, 1);
  value.shake = shake_at(fields);
  read_robust_measure(fields, value);
  read_information(fields, value);
  begin_run(L, *value.scenario, value.request);  // a policy that does not fit is an error of the declaration
  check_shakeable(fields, value.shake, *scenario_for(L, *value.scenario, value.seed));
  value.request.asks_for_trace = value.request.validate;  // no run is looked at by itself
  if (!value.request.asks_for_trace) value.request.options.most_records = kMostRecords;
  return value;
}

// ---- a run ----

// The run of a seed, with the truth that is drawn for it. `request` gets the seed.
ScenarioValue drawn_for(lua_State* L, const RobustnessValue& value, std::uint64_t seed, RunRequest& request) {
  constexpr std::uint64_t kStepsOfWork = 20;  // steps to copy a work and to draw its truth
  const std::shared_ptr<const Scenario> declared = scenario_for(L, *value.scenario, value.seed);
  did_work(kStepsOfWork * declared->workload->works.count());
  request.options.seed = seed;
  ScenarioValue drawn;
  drawn.platform = value.scenario->platform;
  drawn.last =
      ScenarioValue::Realized{seed, std::make_shared<const Scenario>(shaken(*declared, value.shake, seed))};
  return drawn;
}

// Some policies accept loads of one true cost alone.
void check_accepted(lua_State* L, const RobustnessValue& value) {
  RunRequest request = value.request;
  ScenarioValue drawn = drawn_for(L, value, value.seed, request);
  try {
    start_of(L, drawn, request)();
  } catch (const ScriptError&) {
    throw;
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    diagnostic.notes.insert(diagnostic.notes.begin(),
                            "of the truth that is drawn; what is declared it accepts");
    throw Error(std::move(diagnostic));
  }
}

ResultValue run_shaken(lua_State* L, const RobustnessValue& value, std::uint64_t seed) {
  RunRequest request = value.request;
  ScenarioValue drawn = drawn_for(L, value, seed, request);
  Simulation simulation = begin_run(L, drawn, request);
  advance_temporary(L, simulation, drawn, request);
  Warned warned;
  ResultValue result = result_of(L, simulation, request.validate, warned);
  if (value.function.valid()) result.history = std::make_shared<const History>(start_of(L, drawn, request));
  return result;
}

double measured_run(const ResultValue& result, const std::string& name) {
  const double value = result.measured()[name];
  if (!result.measured().has(name))
    fail("not_measured", "'{}' needs more of the trace than the runs of robustness {{ }} keep", name);
  return value;
}

// run(f, seed) of the experiment. Upvalue: the value.
int run_cell(lua_State* L) {
  return guard(L, [&] {
    const RobustnessValue& value = *test<RobustnessValue>(L, lua_upvalueindex(1));
    ResultValue result = run_shaken(L, value, static_cast<std::uint64_t>(lua_tointeger(L, 2)));
    Interpreter::of(L).cell().note_status_read();  // what is incomplete is counted
    const RunStatus status = result.outcome->status;
    const bool complete = status != RunStatus::incomplete;
    lua_settop(L, 0);
    lua_createtable(L, 0, 2);
    lua_pushnumber(L, complete ? 1 : 0);
    lua_setfield(L, 1, kComplete);
    if (!complete) return 1;
    if (value.function.valid()) {
      value.function.push(L);
      push_new(L, std::move(result));
      lua_call(L, 1, 1);
      if (lua_type(L, -1) != LUA_TNUMBER && !lua_isnil(L, -1))
        fail("bad_measure", "robustness: measure must return a number, or nil where there is none, got {}",
             shown(L, -1));
    } else {
      lua_pushnumber(L, measured_run(result, value.measure));
    }
    if (lua_isnil(L, -1) || !std::isfinite(lua_tonumber(L, -1))) lua_settop(L, 1);
    if (lua_gettop(L) > 1) lua_setfield(L, 1, kValue);
    return 1;
  });
}

// The experiment whose cells are the runs. The value is on top of the stack.
Declaration declaration_of(lua_State* L, const Fields& fields, const RobustnessValue& value) {
  Declaration declaration;
  Design& design = declaration.design;
  design.name = fields.has(robustness_fields::kName) ? fields.text(robustness_fields::kName)
                                                     : "robustness of " + value.request.policy->text();
  design.where = caller(L);
  design.seed = value.seed;
  design.seeds = "robustness";  // all policies meet the same draws
  design.combinations = {{}};
  design.replications.least = design.replications.most =
      static_cast<std::uint64_t>(fields.integer(robustness_fields::kN));
  declaration.factors_meta = factors_meta(L, {});
  lua_newtable(L);
  declaration.levels = Reference(L, -1);
  lua_pop(L, 1);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, run_cell, 1);
  declaration.run = Reference(L, -1);
  lua_pop(L, 1);
  if (value.function.valid()) declaration.surroundings.add("measure", value.function);
  // n and the deadline change no run.
  for (const FieldRow& field : robustness_fields::kAll) {
    if (field.name == robustness_fields::kN.name || field.name == robustness_fields::kDeadline.name ||
        field.name == robustness_fields::kName.name || !fields.push(field))
      continue;
    declaration.values.emplace_back(fmt::format("'{}' of robustness", field.name), Reference(L, -1));
    lua_pop(L, 1);
  }
  return declaration;
}

// Takes what was found from the outcomes.
void settle_robustness(RobustnessValue& value) {
  std::size_t met = 0;
  value.runs = value.experiment->outcomes.size();
  for (const auto& [number, outcome] : value.experiment->outcomes) {
    const double* complete = outcome.find(kComplete);
    const double* found = outcome.find(kValue);
    if (outcome.failed())
      ++value.failed;
    else if (complete == nullptr || *complete == 0)
      ++value.incomplete;
    else if (found == nullptr)
      ++value.absent;
    if (found == nullptr) continue;
    value.values.push_back(*found);
    value.seen.add(*found);
    met += value.deadline && *found <= *value.deadline ? 1 : 0;
  }
  value.met = clopper_pearson(met, value.runs - value.failed);
}

int robustness(lua_State* L) {
  return guard(L, [&] {
    refuse_inside(L, "robustness { }");
    const Fields fields(L, 1, {"robustness"}, robustness_fields::kAll);
    Interpreter& interpreter = Interpreter::of(L);
    for (const FieldRow& field : {robustness_fields::kScenario, run_fields::kPolicy,
                                  robustness_fields::kMeasure, robustness_fields::kShake}) {
      if (!fields.push(field)) fields.fail(nullptr, "'{}' is missing", field.name);
      const bool unknown = is_unknown(L, -1);
      lua_pop(L, 1);
      if (!unknown) continue;
      push_unknown(L, TypeName<RobustnessValue>::value);
      return 1;
    }
    RobustnessValue& value = push_new(L, spread_at(L, fields));
    const int place = lua_gettop(L);
    check_accepted(L, value);
    Declaration declaration = declaration_of(L, fields, value);
    interpreter.spend(kStepsOfExperiment);
    if (interpreter.checking()) {
      push_unknown(L, TypeName<RobustnessValue>::value);
      return 1;
    }
    value.experiment = carried_out(L, declaration);
    settle_robustness(value);
    lua_settop(L, place);
    return 1;
  });
}

// ---- answers ----

Table run_table(const RobustnessValue& value) {
  Table table{{"run", "seed", "value", "why"}, {}, {"", "", value.unit, ""}};
  for (const auto& [number, outcome] : value.experiment->outcomes) {
    const double *complete = outcome.find(kComplete), *found = outcome.find(kValue);
    std::vector<Cell> row{static_cast<double>(number),
                          static_cast<double>(value.experiment->design.seed_of(number)), Cell(), Cell()};
    if (found != nullptr)
      row[2] = *found;
    else
      row[3] = std::string(outcome.failed()                        ? "failed"
                           : complete == nullptr || *complete == 0 ? "incomplete"
                                                                   : "absent");
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table summary_table(const RobustnessValue& value) {
  Table table{{"n", "mean", "sd", "q5", "q25", "q50", "q75", "q95", "incomplete", "absent", "failed"},
              {},
              {"", value.unit, value.unit, value.unit, value.unit, value.unit, value.unit, value.unit}};
  const auto count = [](std::size_t n) { return static_cast<double>(n); };
  std::vector<Cell> row{count(value.values.size())};
  const auto add = [&](double x) { row.push_back(std::isnan(x) ? Cell() : Cell(x)); };
  add(value.values.empty() ? std::numeric_limits<double>::quiet_NaN() : value.seen.mean());
  add(value.values.empty() ? std::numeric_limits<double>::quiet_NaN() : value.seen.sd());
  for (const double p : kQuantiles) add(robustness_quantile(value, p));
  for (const std::size_t n : {value.incomplete, value.absent, value.failed}) add(count(n));
  if (value.deadline) {
    for (const char* column : {"deadline", "met", "probability", "low", "high"})
      table.columns.emplace_back(column);
    add(*value.deadline);
    add(count(value.met.successes));
    add(value.met.share());
    add(value.met.low);
    add(value.met.high);
  }
  table.units.resize(table.columns.size());
  if (value.deadline) table.units[11] = value.unit;
  table.rows.push_back(std::move(row));
  return table;
}

RobustnessValue& robustness_at(lua_State* L) { return check<RobustnessValue>(L, 1); }

int robustness_rows(lua_State* L) {
  return guard(L, [&] {
    push_table(L, run_table(robustness_at(L)));
    return 1;
  });
}

int table(lua_State* L) {
  return guard(L, [&] {
    push_table(L, summary_table(robustness_at(L)));
    return 1;
  });
}

int values(lua_State* L) {
  return guard(L, [&] { return push_value(L, robustness_at(L).values); });
}

int drawn_quantile(lua_State* L) {
  return guard(L, [&] {
    const RobustnessValue& value = robustness_at(L);
    return push_number(L, robustness_quantile(value, share_arg(L, 2, "quantile: share", kProbability)));
  });
}

// r:csv([file]), as that of its rows.
int robustness_csv(lua_State* L) {
  return guard(L, [&] {
    push_table(L, run_table(robustness_at(L)));
    lua_replace(L, 1);
    return table_csv(L);
  });
}

// r:plot([options]): the share of the runs that have at most each value.
int plot_runs(lua_State* L) {
  return guard(L, [&] {
    const RobustnessValue& value = robustness_at(L);
    lua_settop(L, 2);
    if (!lua_isnil(L, 2) && lua_type(L, 2) != LUA_TTABLE)
      fail("bad_type", "plot: options are a table, as in r:plot {{ file = \"ecdf\" }}, got {}", shown(L, 2));
    lua_newtable(L);
    const auto set = [&](const char* field, const std::string& text) {
      host::push(L, text);
      lua_setfield(L, 3, field);
    };
    set("kind", "ecdf");
    set("y", "value");
    set("x_label", value.measure.empty() ? std::string("measure") : value.measure);
    if (!value.unit.empty()) set("x_unit", value.unit);
    set("title", value.experiment->design.name);
    if (lua_type(L, 2) == LUA_TTABLE)
      for (lua_pushnil(L); lua_next(L, 2) != 0;) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, 3);
      }
    push_table(L, run_table(value));
    lua_pushcfunction(L, plot);
    lua_insert(L, -2);
    lua_pushvalue(L, 3);
    lua_call(L, 2, 0);
    lua_settop(L, 1);
    return 1;
  });
}

std::string shaken_text(const model::Shake& shake) {
  std::vector<std::string> parts;
  const auto share = [&](const char* what, double s) {
    if (s > 0) parts.push_back(fmt::format("{} by up to {} %", what, short_number(100 * s)));
  };
  share("times", shake.times);
  share("sizes", shake.sizes);
  if (shake.arrivals > 0)
    parts.push_back(fmt::format("arrivals by up to {} s", short_number(shake.arrivals)));
  if (shake.failures != 1)
    parts.push_back(fmt::format("failures {} times as often", short_number(shake.failures)));
  if (shake.repairs != 1)
    parts.push_back(fmt::format("repairs {} times as fast", short_number(shake.repairs)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string robustness_text(const RobustnessValue& value) {
  if (value.experiment == nullptr) return "robustness under way";
  const auto number = [&](double x) {
    return short_number(x) + (value.unit.empty() ? "" : " " + value.unit);
  };
  std::string text =
      fmt::format("{}: {} of {} runs with seed {}\nshaken: {}\n", value.experiment->design.name, value.what(),
                  value.runs, value.seed, shaken_text(value.shake));
  if (value.values.empty())
    text += "no run counts\n";
  else
    text +=
        fmt::format("mean {}, sd {}\n5 % {}, 25 % {}, 50 % {}, 75 % {}, 95 % {}\n", number(value.seen.mean()),
                    number(value.seen.sd()), number(robustness_quantile(value, 0.05)),
                    number(robustness_quantile(value, 0.25)), number(robustness_quantile(value, 0.5)),
                    number(robustness_quantile(value, 0.75)), number(robustness_quantile(value, 0.95)));
  std::vector<std::string> without;
  const auto add = [&](std::size_t n, const std::string& why) {
    if (n > 0) without.push_back(fmt::format("{} {}", n, why));
  };
  add(value.incomplete, "incomplete");
  add(value.absent, "without " + value.what());
  add(value.failed, "ended by an error");
  if (!without.empty())
    text += fmt::format("{} of the runs {} not counted: {}\n", value.runs - value.values.size(),
                        value.runs - value.values.size() == 1 ? "is" : "are", fmt::join(without, ", "));
  if (value.deadline)
    text +=
        fmt::format("at most {}: in {} of {} runs{}, probability {} ({} to {}, {} %)\n",
                    number(*value.deadline), value.met.successes, value.met.n,
                    value.incomplete + value.absent > 0 ? ", where those that are not counted are late" : "",
                    short_number(value.met.share()), short_number(value.met.low),
                    short_number(value.met.high), short_number(100 * value.met.confidence));
  text.pop_back();
  return text;
}

int push_robustness_text(lua_State* L, const std::string& text) {
  host::push(L, text);
  return 1;
}

template <int percent>
int push_quantile(lua_State* L, const RobustnessValue& value) {
  return push_number(L, robustness_quantile(value, percent / 100.0));
}

template <auto Get>
int push_of_values(lua_State* L, const RobustnessValue& value) {
  return push_number(
      L, value.values.empty() ? std::numeric_limits<double>::quiet_NaN() : std::invoke(Get, value.seen));
}

template <auto Get>
int push_met(lua_State* L, const RobustnessValue& value) {
  if (value.deadline) return push_value(L, std::invoke(Get, value.met));
  lua_pushnil(L);
  return 1;
}

}  // namespace

template <>
struct Shown<RobustnessValue> {
  static std::string text(const RobustnessValue& value) { return robustness_text(value); }
  static constexpr Field<RobustnessValue> fields[] = {
      {"name",
       [](lua_State* L, const RobustnessValue& value) {
         return push_robustness_text(L, value.experiment->design.name);
       }},
      {"policy",
       [](lua_State* L, const RobustnessValue& value) {
         return push_robustness_text(L, value.request.policy->text());
       }},
      {"measure",
       [](lua_State* L, const RobustnessValue& value) { return push_robustness_text(L, value.measure); }},
      {"seed", push_field<&RobustnessValue::seed>},
      {"runs", push_field<&RobustnessValue::runs>},
      {"n", [](lua_State* L, const RobustnessValue& value) { return push_value(L, value.values.size()); }},
      {"mean", push_of_values<&Observations::mean>},
      {"sd", push_of_values<&Observations::sd>},
      {"q5", push_quantile<5>},
      {"q25", push_quantile<25>},
      {"q50", push_quantile<50>},
      {"q75", push_quantile<75>},
      {"q95", push_quantile<95>},
      {"incomplete", push_field<&RobustnessValue::incomplete>},
      {"absent", push_field<&RobustnessValue::absent>},
      {"failed", push_field<&RobustnessValue::failed>},
      {"deadline",
       [](lua_State* L, const RobustnessValue& value) {
         return push_number(L, value.deadline.value_or(std::numeric_limits<double>::quiet_NaN()));
       }},
      {"met", push_met<&Proportion::successes>},
      {"probability", push_met<&Proportion::share>},
      {"low", push_met<&Proportion::low>},
      {"high", push_met<&Proportion::high>}};
};

void open_robustness(lua_State* L) {
  constexpr luaL_Reg kMethods[] = {{"rows", robustness_rows}, {"table", table},
                                   {"values", values},        {"csv", robustness_csv},
                                   {"plot", plot_runs},       {"quantile", drawn_quantile},
                                   {nullptr, nullptr}};
  open_type<RobustnessValue>(L, kMethods);
  define(L, "robustness", robustness);
  Interpreter::of(L).contents().note(TypeName<RobustnessValue>::value, [](lua_State* state, int index) {
    const RobustnessValue& value = *test<RobustnessValue>(state, index);
    value.experiment->reached = true;
    return fmt::format("{} {} {}", experiment_json(value.experiment->design, value.experiment->outcomes),
                       value.deadline.value_or(0), value.deadline.has_value());
  });
}

}  // namespace perigee::bindings
