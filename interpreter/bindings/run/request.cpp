#include "interpreter/bindings/run/request.h"

#include <string>

#include "interpreter/callbacks/schedulers.h"
#include "interpreter/host/unknown.h"
#include "interpreter/language/fields/runs.h"
#include "interpreter/session/interpreter.h"
#include "runtime/engine/information.h"

namespace perigee::bindings {

namespace {

// Reads the table on top of the stack.
Information information_at(lua_State* L) {
  const Fields fields(L, -1, {"information"}, information_fields::kAll);
  Information information;
  information.amounts = static_cast<Information::Amounts>(fields.choice(information_fields::kAmounts));
  if (fields.has(information_fields::kRates))
    read_rates(fields.text(information_fields::kRates), information);
  else if (information.amounts != Information::Amounts::truth)
    information.rates = Information::Rates::nominal;
  information.error = fields.number(information_fields::kError);
  if (fields.has(information_fields::kErrorSeed))
    information.error_seed = static_cast<std::uint64_t>(fields.integer(information_fields::kErrorSeed));
  information.age = fields.number(information_fields::kAge);
  information.sample_period = fields.number(information_fields::kSamplePeriod);
  information.progress = fields.choice(information_fields::kRunning) == 1;
  if (fields.has(information_fields::kOverdue))
    information.overdue = fields.number(information_fields::kOverdue);
  information.check();
  return information;
}

// Reads the information that policies get: a text or a table.
Information information_in(const Fields& fields) {
  lua_State* L = fields.state();
  if (!fields.push(run_fields::kInformation)) return {};
  const Balanced balanced(L);
  try {
    if (const auto text = text_at(L, -1)) return information_of(*text);
    if (lua_type(L, -1) == LUA_TTABLE) return information_at(L);
  } catch (const Error& error) {
    if (error.diagnostic().where.known()) throw;
    Diagnostic diagnostic = error.diagnostic();
    diagnostic.where = fields.where(run_fields::kInformation.name);
    throw Error(std::move(diagnostic));
  }
  if (is_unknown(L, -1)) return {};
  fields.fail(run_fields::kInformation, "information must be a text, as in \"declared\", or a table, got {}",
              shown(L, -1));
}

ConfigPtr simulation_policy_of(const Fields& fields) {
  if (!fields.push(run_fields::kPolicy)) fields.fail(nullptr, "'policy' is missing");
  try {
    ConfigPtr policy = scheduler_at(fields.state(), -1, "policy", Role::policy);
    lua_pop(fields.state(), 1);
    return policy;
  } catch (const ScriptError&) {
    throw;
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    diagnostic.where = fields.where(run_fields::kPolicy.name);
    throw Error(std::move(diagnostic));
  }
}

}  // namespace

void read_options(const Fields& fields, RunRequest& request) {
  Interpreter& interpreter = Interpreter::of(fields.state());
  const auto seed = fields.integer(run_fields::kSeed, static_cast<std::int64_t>(interpreter.cell().seed()));
  request.options.seed = static_cast<std::uint64_t>(seed);
  interpreter.cell().note_seed(request.options.seed);
  request.options.horizon = fields.number(run_fields::kHorizon, kNever);
  request.options.warmup = fields.number(run_fields::kWarmup);
  if (request.options.warmup >= request.options.horizon)
    fields.fail(run_fields::kWarmup, "warmup must end before the horizon of {} s, got {} s",
                format_number(request.options.horizon), format_number(request.options.warmup));
  const std::size_t level = fields.choice(run_fields::kTrace);
  request.options.level = level == 0 ? TraceLevel::full : level == 1 ? TraceLevel::work : TraceLevel::none;
  request.information = information_in(fields);
  request.validate = fields.flag(run_fields::kValidate, interpreter.options().validate);
  if (request.validate && request.options.level != TraceLevel::full) {
    if (fields.has(run_fields::kValidate))
      fields.fail(run_fields::kValidate, "validation needs trace = \"full\"");
    request.options.level = TraceLevel::full;  // --validate
  }
  const bool is_looked_at = interpreter.options().on_outcome && !interpreter.output().silent();
  if (is_looked_at) request.options.level = TraceLevel::full;
  request.asks_for_trace = fields.has(run_fields::kTrace) || request.validate || is_looked_at;
  if (!request.asks_for_trace && interpreter.cell().under_way()) request.options.most_records = kMostRecords;
  request.instants = request.policy ? request.policy->entry->instants : Instants{};
  if (fields.has(run_fields::kAsk)) request.instants.ask = static_cast<Ask>(fields.choice(run_fields::kAsk));
  request.instants.tolerance = fields.number(run_fields::kTolerance, request.instants.tolerance);
  request.instants.submit_first = fields.flag(run_fields::kSubmitFirst, request.instants.submit_first);
}

RunRequest request_at(lua_State* L, int index, std::string_view what, std::span<const FieldRow> rows) {
  const Fields fields(L, index, {what}, rows);
  RunRequest request;
  request.policy = simulation_policy_of(fields);
  read_options(fields, request);
  return request;
}

}  // namespace perigee::bindings
