// s:compare { ... }, compare(a, b, ...), and what they give.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "interpreter/bindings/methods.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/compare.h"
#include "interpreter/bindings/run/request.h"
#include "interpreter/bindings/run/simulation.h"
#include "interpreter/bindings/simulation_value.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/callbacks/schedulers.h"
#include "interpreter/host/unknown.h"
#include "interpreter/language/fields/runs.h"
#include "runtime/results/compare.h"

namespace perigee::bindings {

namespace {

// Reads names = { "before", "after" }, the names of rows.
std::vector<std::string> names_of_rows(const Fields& fields, std::size_t count) {
  lua_State* L = fields.state();
  std::vector<std::string> names;
  if (!fields.push(run_fields::kNames)) return names;
  if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != count)
    fields.fail(run_fields::kNames, "names must be a list of {} names, one for each row, got {}", count,
                lua_type(L, -1) == LUA_TTABLE ? fmt::format("{}", lua_rawlen(L, -1)) : shown(L, -1));
  list_length(L, -1, fmt::format("{}: names", fields.subject()));
  for (std::size_t i = 1; i <= count; ++i) {
    lua_rawgeti(L, -1, static_cast<lua_Integer>(i));
    const auto name = text_at(L, -1);
    if (!name || name->empty())
      fields.fail(run_fields::kNames, "names[{}] must be a text, got {}", i, shown(L, -1));
    if (std::ranges::find(names, *name) != names.end())
      fields.fail(run_fields::kNames, "names has '{}' twice", *name);
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
         "result: rows {} and {} of the comparison have the "
         "policy '{}'; give the number of one, or names to compare",
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

// For a reader, who walks over the traces.
std::vector<Outcome> outcomes_to_read(const ComparisonValue& value) {
  for (const ResultValue& result : value.results) did_work(result.outcome->trace.size());
  return outcomes_of(value);
}

int comparison_text(lua_State* L) {
  return guard(L, [&] {
    const auto& value = check<ComparisonValue>(L, 1);
    std::string text =
        comparison_table(outcomes_to_read(value), value.metrics, value.names,
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

// compare(a, b, ... [, { names = }]): results or finished simulations side by side.
int compare_results(lua_State* L) {
  return guard(L, [&] {
    ComparisonValue value;
    const int last = lua_gettop(L) - (lua_gettop(L) > 0 && lua_type(L, -1) == LUA_TTABLE ? 1 : 0);
    bool unknown = false;  // to a check
    for (int i = 1; i <= last; ++i) {
      if (is_unknown(L, i))
        unknown = true;
      else if (const auto* result = test<ResultValue>(L, i))
        value.results.push_back(*result);
      else if (test<SimulationValue>(L, i) != nullptr)
        value.results.push_back(result_so_far(L, check<SimulationValue>(L, i)));
      else
        fail("bad_type", "compare: argument {} must be a result or a simulation, got {}{}", i, shown(L, i),
             lua_type(L, i) == LUA_TTABLE ? "; it is written compare(a, b), without braces" : "");
    }
    if (unknown) {
      if (last < lua_gettop(L))
        names_of_rows(Fields(L, last + 1, {"compare"}, run_fields::kCompare), static_cast<std::size_t>(last));
      push_unknown(L, TypeName<ComparisonValue>::value);
      return 1;
    }
    if (value.results.empty()) {
      if (last < lua_gettop(L) && lua_rawlen(L, last + 1) == 0)
        const Fields checked(L, last + 1, {"compare"},
                             run_fields::kCompare);  // a mistyped name gets its own error
      fail("bad_call", "compare: there is nothing to compare; it is written compare(a, b), without braces");
    }
    if (last < lua_gettop(L))
      value.names = names_of_rows({L, last + 1, {"compare"}, run_fields::kCompare}, value.results.size());
    push_new(L, std::move(value));
    return 1;
  });
}

// Replaces the comparison by its table.
int comparison_rows(lua_State* L) {
  return guard(L, [&] {
    const auto& value = check<ComparisonValue>(L, 1);
    push_table(L, comparison(outcomes_to_read(value), value.metrics, value.names));
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

constexpr luaL_Reg kComparison[] = {{"result", comparison_result},
                                    {"plot", comparison_plot},
                                    {"csv", comparison_csv},
                                    {"first_difference", first_difference},
                                    {"gantt", comparison_gantt},
                                    {"report", report},
                                    {nullptr, nullptr}};
constexpr luaL_Reg kComparisonMeta[] = {
    {"__tostring", comparison_text}, {"__len", comparison_size}, {nullptr, nullptr}};

}  // namespace

int compare(lua_State* L) {
  return guard(L, [&] {
    const ScenarioPtr scenario = check<ScenarioPtr>(L, 1);
    const Fields fields(L, 2, {"compare"}, run_fields::kScenarioCompare, true);
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
    if (fields.push(run_fields::kMetrics)) {
      if (lua_type(L, -1) != LUA_TTABLE)
        fields.fail(run_fields::kMetrics, "metrics must be a list of names, got {}", shown(L, -1));
      const lua_Integer count = list_length(L, -1, "compare: metrics");
      if (count == 0)
        fields.fail(run_fields::kMetrics, "metrics must name at least one metric, got an empty list");
      for (lua_Integer i = 1; i <= count; ++i) {
        lua_rawgeti(L, -1, i);
        if (!text_at(L, -1))
          fields.fail(run_fields::kMetrics, "metrics[{}] must be a name, got {}", i, shown(L, -1));
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

void open_comparison(lua_State* L) {
  new_type<ComparisonValue>(L, kComparison, kComparisonMeta);
  define(L, "compare", compare_results);
}

}  // namespace perigee::bindings
