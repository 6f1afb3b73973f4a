#include "interpreter/bindings/run/request.h"

#include <limits>
#include <string>

#include "interpreter/callbacks/schedulers.h"
#include "interpreter/host/unknown.h"
#include "interpreter/session/interpreter.h"
#include "runtime/engine/information.h"

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

}  // namespace

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

RunRequest request_at(lua_State* L, int index, std::string_view what) {
  const Fields fields(L, index, {what},
                      {"policy", "seed", "horizon", "warmup", "trace", "validate", "information", "ask",
                       "tolerance", "submit_first"});
  RunRequest request;
  request.policy = simulation_policy_of(fields);
  read_options(fields, request);
  return request;
}

}  // namespace perigee::bindings
