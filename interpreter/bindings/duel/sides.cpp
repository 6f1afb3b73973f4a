#include "interpreter/bindings/duel/sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "interpreter/bindings/compute/mappings.h"
#include "interpreter/bindings/declare/scenario.h"
#include "interpreter/bindings/duel/cases.h"
#include "interpreter/bindings/run/measured.h"
#include "interpreter/bindings/run/simulation.h"
#include "interpreter/callbacks/schedulers.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/graph_problems.h"
#include "runtime/kernel/math.h"

namespace perigee::bindings {

namespace {

constexpr double kNotCounted = std::numeric_limits<double>::quiet_NaN();
constexpr double kEnd = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostText = 600;

// The scheduler at `index`, whatever its role.
ConfigPtr any_scheduler_at(lua_State* L, int index) {
  Catalogue& catalogue = Interpreter::of(L).catalogue();
  if (const auto name = text_at(L, index)) return catalogue.configure(*name);
  if (const auto* value = test<SchedulerValue>(L, index)) return *value;
  if (const auto* constructor = test<Constructor>(L, index))
    return catalogue.configure(constructor->entry->name);
  return nullptr;
}

std::string fitting(const Catalogue& catalogue, std::initializer_list<Role> roles) {
  std::vector<std::string> names;
  constexpr std::size_t kMost = 12;
  std::size_t more = 0;
  for (const auto& entry : catalogue.entries()) {
    if (std::ranges::find(roles, entry->role) == roles.end()) continue;
    if (names.size() < kMost)
      names.push_back(entry->name);
    else
      ++more;
  }
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (more > 0) text += fmt::format(" and {} more", more);
  return text;
}

}  // namespace

std::string_view name_of(Uncounted why) {
  switch (why) {
    case Uncounted::none:
      return "counted";
    case Uncounted::absent:
      return "the measure is absent";
    case Uncounted::not_a_number:
      return "the measure is not a finite number";
    case Uncounted::not_positive:
      return "a measure is not above 0";
    case Uncounted::incomplete:
      return "a run is not complete";
    case Uncounted::zero:
      return "the better measure is 0";
    case Uncounted::error:
      return "an error";
  }
  return "?";
}

std::string Compared::measure_text() const { return measure.valid() ? "the measure" : metric; }

double Compared::ratio_of(double score) const { return difference ? score : math::exp(score); }

double Compared::ratio_of(double score, const std::array<double, 2>& of) const {
  if (difference || !std::isfinite(score)) return ratio_of(score);
  return more_is_better ? of[1] / of[0] : of[0] / of[1];
}

RunRequest Compared::request_of(const Side& side, std::uint64_t of_seed, TraceLevel level) const {
  RunRequest made = request;
  made.policy = side.scheduler;
  made.instants = side.scheduler->entry->instants;
  made.options.seed = of_seed;
  made.options.level = level;
  made.asks_for_trace = true;
  return made;
}

Side side_in(const Fields& fields, const FieldRow& field, const SpaceValue& space) {
  if (!fields.push(field)) fields.fail(nullptr, "'{}' is missing: {}", field.name, field.meaning);
  Side side = side_at(fields, field, -1, space);
  lua_pop(fields.state(), 1);
  return side;
}

Side side_at(const Fields& fields, const FieldRow& field, int index, const SpaceValue& space) {
  lua_State* L = fields.state();
  Side side{.object = Reference(L, index)};
  if (lua_type(L, index) == LUA_TFUNCTION) {
    side.function = Reference(L, index);
    const SourceLocation where = definition_of(L, side.function);
    side.text = where.known() ? fmt::format("function ({}:{})", where.file, where.line) : "function";
    return side;
  }
  side.scheduler = fields.inside(field, [&] { return any_scheduler_at(L, index); });
  if (!side.scheduler)
    fields.fail(field, "{} must be a scheduler or a function(x, seed), got {}", field.name, shown(L, index));
  side.text = side.scheduler->text();
  const Entry& entry = *side.scheduler->entry;
  const bool fits =
      space.is_problem ? entry.role == Role::mapper || entry.role == Role::graph : entry.role == Role::policy;
  if (!fits)
    fail_at(fields.where(field.name), "bad_side", "{}: {} = '{}' is a {}, and the space '{}' has {}; {}: {}",
            fields.subject(), field.name, entry.name, name_of(entry.role), space.name,
            space.is_problem ? "problems without a clock" : "scenarios",
            !space.is_problem && entry.role == Role::mapper
                ? fmt::format("write mapped {{ map = \"{}\" }}; the policies are", entry.name)
            : space.is_problem ? "there fit mappers and graph schedulers"
                               : "there fit policies",
            space.is_problem ? fitting(Interpreter::of(L).catalogue(), {Role::mapper, Role::graph})
                             : fitting(Interpreter::of(L).catalogue(), {Role::policy}));
  return side;
}

bool Evaluator::is_done(const Outcome& outcome) const {
  return outcome.status == RunStatus::complete ||
         (outcome.status == RunStatus::horizon && compared_.request.options.horizon < kNever);
}

void Evaluator::build(lua_State* L, const Datum& value, std::uint64_t seed) {
  compared_.space->build.push(L);
  push_case(L, compared_.space->space, value);
  lua_pushinteger(L, static_cast<lua_Integer>(seed));
  lua_call(L, 2, 1);
}

// Calls the measure with the result, mapping or schedule on top of the stack, which it takes away.
Evaluator::Measured Evaluator::by_function(lua_State* L, const Datum& value) {
  compared_.measure.push(L);
  lua_insert(L, -2);
  push_case(L, compared_.space->space, value);
  lua_call(L, 2, 1);
  Measured measured;
  if (lua_isnil(L, -1))
    measured = {kNotCounted, Uncounted::absent};
  else if (lua_type(L, -1) != LUA_TNUMBER)
    fail("bad_measure", "measure must return a number, got {}", shown(L, -1));
  else
    measured.value = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return measured;
}

Evaluator::Measured Evaluator::of_result(lua_State* L, const ResultValue& result, const Datum& value) {
  if (!is_done(*result.outcome)) return {kNotCounted, Uncounted::incomplete};
  if (compared_.measure.valid()) {
    push_new(L, result);
    return by_function(L, value);
  }
  const Metrics& metrics = result.measured();
  const double found = metrics[compared_.metric];
  if (!metrics.has(compared_.metric)) return {kNotCounted, Uncounted::absent};
  return {found};
}

Evaluator::Measured Evaluator::of_run(lua_State* L, int built, const Datum& value, const Side& side,
                                      std::uint64_t seed) {
  auto* const scenario = test<ScenarioPtr>(L, built);
  if (scenario == nullptr)
    fail("bad_space", "space '{}': scenario must return a scenario, got {}", compared_.space->name,
         shown(L, built));
  const bool full = keeps_ == Keeps::trace || compared_.measure.valid();
  RunRequest request = compared_.request_of(side, seed, full ? TraceLevel::full : TraceLevel::none);
  if (keeps_ == Keeps::works) request.accounts = TraceLevel::work;
  Simulation simulation = start_of(L, **scenario, request)();
  advance(Interpreter::of(L), simulation, kNever);
  ResultValue result;
  result.outcome = std::make_shared<const Outcome>(simulation.outcome());
  const Measured found = of_result(L, result, value);
  if (found.why != Uncounted::absent || full) return found;
  keeps_ = keeps_ == Keeps::works ? Keeps::accounts : Keeps::trace;  // the metric takes more than that
  return of_run(L, built, value, side, seed);
}

namespace {

GraphPlan plan_of(lua_State* L, const GraphProblemValue& graph, const SpaceValue& space, const Side& side,
                  std::uint64_t seed) {
  const ConfigPtr config = Interpreter::of(L).catalogue().as_role(side.scheduler, Role::graph);
  if (config->entry->role != Role::graph)
    fail("bad_side", "'{}' is a {}, and the space '{}' has made a graph problem", side.text,
         name_of(config->entry->role), space.name);
  const std::unique_ptr<GraphScheduler> scheduler = config->make_graph_scheduler();
  scheduler->reseed(Stream(seed, "schedule"));
  GraphPlan plan;
  scheduler->schedule(graph.problem(), plan);
  return plan;
}

Mapping mapping_of_side(lua_State* L, int built, const SpaceValue& space, const Side& side,
                        std::uint64_t seed) {
  if (side.scheduler->entry->role != Role::mapper)
    fail("bad_side", "'{}' is a {}, and the space '{}' has made {}, not a graph problem", side.text,
         name_of(side.scheduler->entry->role), space.name, shown(L, built));
  const ProblemArgument given(L, built, fmt::format("space '{}': what problem returned", space.name));
  const std::unique_ptr<Mapper> mapper = side.scheduler->make_mapper();
  mapper->reseed(Stream(seed, "map"));
  Mapping mapping;
  mapper->map(given.problem(), mapping);
  return mapping;
}

}  // namespace

Evaluator::Measured Evaluator::of_problem(lua_State* L, int built, const Datum& value, const Side& side,
                                          std::uint64_t seed) {
  if (const auto* graph = test<GraphProblemValue>(L, built)) {
    const GraphPlan plan = plan_of(L, *graph, *compared_.space, side, seed);
    if (std::ranges::find(plan.machine, kUnmapped) != plan.machine.end())
      return {kNotCounted, Uncounted::incomplete};
    if (!compared_.measure.valid()) return {plan.makespan};
    push_graph_plan(L, plan);
    return by_function(L, value);
  }
  const Mapping mapping = mapping_of_side(L, built, *compared_.space, side, seed);
  if (std::ranges::find(mapping.machine, kUnmapped) != mapping.machine.end())
    return {kNotCounted, Uncounted::incomplete};
  if (!compared_.measure.valid()) return {mapping.makespan};
  push_mapping(L, mapping);
  return by_function(L, value);
}

Evaluator::Measured Evaluator::measured(lua_State* L, int built, const Datum& value, std::size_t which,
                                        std::uint64_t seed) {
  const Side& side = compared_.sides[which];
  if (side.scheduler)
    return compared_.space->is_problem ? of_problem(L, built, value, side, seed)
                                       : of_run(L, built, value, side, seed);
  const Balanced balanced(L);
  side.function.push(L);
  push_case(L, compared_.space->space, value);
  lua_pushinteger(L, static_cast<lua_Integer>(seed));
  lua_call(L, 2, 1);
  if (lua_isnil(L, -1)) return {kNotCounted, Uncounted::absent};
  if (lua_type(L, -1) == LUA_TNUMBER) return {lua_tonumber(L, -1)};
  if (const auto* result = test<ResultValue>(L, -1)) return of_result(L, *result, value);
  fail("bad_side", "{} must return a result or a number, got {}", side.text, shown(L, -1));
}

Scored Evaluator::scored(lua_State* L, const Datum& value) {
  luaL_checkstack(L, 24, "a case");
  Scored all{kNotCounted, {0, 0}};
  Interpreter& interpreter = Interpreter::of(L);
  const bool needs_built = compared_.sides[0].scheduler || compared_.sides[1].scheduler;
  for (std::uint64_t i = 0; i < compared_.seeds; ++i) {
    const std::uint64_t seed = compared_.seed + i;
    const Balanced balanced(L);
    {
      const Interpreter::InRun in_run(interpreter);
      if (needs_built)
        build(L, value, seed);
      else
        lua_pushnil(L);
    }
    const int built = lua_gettop(L);
    for (std::size_t which = 0; which < 2; ++which) {
      const Measured found = measured(L, built, value, which, seed);
      all.of[which] += found.value;
      if (found.why == Uncounted::none && !std::isnan(found.value)) continue;
      all.why = found.why == Uncounted::none ? Uncounted::not_a_number : found.why;
      // Whether b is complete where a is not, decides.
      if (which == 0 && all.why == Uncounted::incomplete && compared_.incomplete_ends && i == 0 &&
          measured(L, built, value, 1, seed).why == Uncounted::none)
        all.score = kEnd;
      return all;
    }
  }
  for (double& measure : all.of) measure /= static_cast<double>(compared_.seeds);
  const double worse = all.of[compared_.more_is_better ? 1 : 0],
               better = all.of[compared_.more_is_better ? 0 : 1];
  if (compared_.difference) {
    all.score = worse - better;
    if (std::isnan(all.score) || all.score == -kEnd) {
      all.score = kNotCounted;
      all.why = Uncounted::not_a_number;
    }
    return all;
  }
  if (better == 0 && worse > 0) {
    all.why = Uncounted::zero;
    if (compared_.zero_ends) all.score = kEnd;
  } else if (!(worse > 0) || !(better > 0) || std::isinf(better)) {
    all.why = Uncounted::not_positive;
  } else {
    all.score = std::isinf(worse) ? kEnd : math::log(worse) - math::log(better);
  }
  return all;
}

namespace {

std::string shortened(std::string text) {
  if (text.size() > kMostText) text = text.substr(0, kMostText) + " ...";
  return text;
}

}  // namespace

Scored Evaluator::operator()(lua_State* L, const Datum& value) {
  constexpr std::uint64_t kStepsOfCase = 500;  // besides those of the script's functions
  Interpreter& interpreter = Interpreter::of(L);
  interpreter.count(kStepsOfCase);
  if (interpreter.asked_to_stop(true)) interpreter.stop_interrupted();
  Scored all{kNotCounted, {kNotCounted, kNotCounted}};
  const auto left_out = [&](const Error& error) {
    all.score = kNotCounted;
    all.of = {kNotCounted, kNotCounted};
    all.why = Uncounted::error;
    all.error = error.diagnostic().text();
  };
  const auto with_case = [&](const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    diagnostic.message +=
        fmt::format("; in the case {}", shortened(text_of_case(L, compared_.space->space, value)));
    return diagnostic;
  };
  try {
    protect(L, [&](lua_State* in) { all = scored(in, value); });
  } catch (const Stopped&) {
    throw;
  } catch (const ScriptError& error) {
    if (!compared_.skips_errors) throw ScriptError(with_case(error), error.trace());
    left_out(error);
  } catch (const Error& error) {
    if (!compared_.skips_errors) throw Error(with_case(error));
    left_out(error);
  }
  return all;
}

void Evaluator::push_built(lua_State* L, const Datum& value) {
  const Interpreter::InRun in_run(Interpreter::of(L));
  build(L, value, compared_.seed);
}

void Evaluator::push_outcome(lua_State* L, const Datum& value, std::size_t which) {
  luaL_checkstack(L, 24, "a case");
  const Side& side = compared_.sides[which];
  if (!side.scheduler) {
    side.function.push(L);
    push_case(L, compared_.space->space, value);
    lua_pushinteger(L, static_cast<lua_Integer>(compared_.seed));
    lua_call(L, 2, 1);
    return;
  }
  push_built(L, value);
  const int built = lua_gettop(L);
  if (!compared_.space->is_problem) {
    ScenarioValue& scenario = *check<ScenarioPtr>(L, built);
    const RunRequest request = compared_.request_of(side, compared_.seed, TraceLevel::full);
    Simulation simulation = start_of(L, scenario, request)();
    advance(Interpreter::of(L), simulation, kNever);
    Warned warned;
    ResultValue result = result_of(L, simulation, false, warned);
    result.history = std::make_shared<const History>(start_of(L, scenario, request));
    push_new(L, std::move(result));
  } else if (const auto* graph = test<GraphProblemValue>(L, built)) {
    push_graph_plan(L, plan_of(L, *graph, *compared_.space, side, compared_.seed));
  } else {
    push_mapping(L, mapping_of_side(L, built, *compared_.space, side, compared_.seed));
  }
  lua_remove(L, built);
}

}  // namespace perigee::bindings
