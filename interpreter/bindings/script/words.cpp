// s:script, m:script, problem:script and c:script: declarations as texts of Lua.
#include <fmt/format.h>

#include "interpreter/bindings/script/lua_text.h"
#include "interpreter/bindings/script/script.h"
#include "interpreter/host/fields.h"
#include "interpreter/host/objects.h"
#include "interpreter/language/fields/scripts.h"
#include "interpreter/session/interpreter.h"

namespace perigee::bindings {

namespace {

using namespace language;

// A statement that returns the value of the expression, or gives it a name.
std::string statement(const std::string& expression, const std::string& name) {
  return name.empty() ? fmt::format("return {}\n", expression)
                      : fmt::format("local {} = {}\n", name, expression);
}

std::string name_in(const Fields& fields) {
  std::string name = fields.text(script_fields::kName);
  if (fields.has(script_fields::kName) && !is_lua_name(name))
    fields.fail(script_fields::kName, "name must be that of a variable, as in name = \"day\", got '{}'",
                name);
  return name;
}

int push_script(lua_State* L, const std::string& expression, std::span<const FieldRow> rows) {
  std::string name;
  if (!lua_isnoneornil(L, 2)) name = name_in(Fields(L, 2, {"script"}, rows));
  host::push(L, statement(expression, name));
  return 1;
}

}  // namespace

int write_scenario(lua_State* L) {
  return guard(L, [&] {
    const ScenarioPtr scenario = check<ScenarioPtr>(L, 1);
    Interpreter& interpreter = Interpreter::of(L);
    std::string name;
    auto seed = static_cast<std::int64_t>(interpreter.cell().seed());
    if (!lua_isnoneornil(L, 2)) {
      const Fields fields(L, 2, {"script"}, script_fields::kScenario);
      name = name_in(fields);
      seed = fields.integer(script_fields::kSeed, seed);
    }
    interpreter.cell().note_seed(static_cast<std::uint64_t>(seed));
    host::push(L, statement(script_of(L, *scenario, static_cast<std::uint64_t>(seed)), name));
    return 1;
  });
}

int write_matrix(lua_State* L) {
  return guard(L, [&] {
    return push_script(L, script_of(*check<std::shared_ptr<const EtcMatrix>>(L, 1)), script_fields::kProblem);
  });
}

int write_problem(lua_State* L) {
  return guard(L, [&] {
    const ProblemValue& problem = check<ProblemValue>(L, 1);
    if (!problem.call->alive) fail("stale", "this mapping problem belongs to a call that is over");
    return push_script(L, script_of(problem.draft.problem()), script_fields::kProblem);
  });
}

int write_graph_problem(lua_State* L) {
  return guard(L, [&] {
    const GraphProblemValue& value = check<GraphProblemValue>(L, 1);
    if (!value.call->alive) fail("stale", "this graph problem belongs to a call that is over");
    return push_script(
        L, value.data != nullptr ? script_of(*value.data) : script_of(GraphProblemData(value.problem())),
        script_fields::kProblem);
  });
}

}  // namespace perigee::bindings
