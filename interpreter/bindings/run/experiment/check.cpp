// Experiments that are only checked: no cell is computed.
#include "interpreter/bindings/run/experiment/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "interpreter/bindings/run/experiment/cells.h"
#include "interpreter/bindings/run/experiment/results.h"
#include "interpreter/host/unknown.h"
#include "interpreter/host/words.h"
#include "interpreter/language/arguments.h"
#include "interpreter/language/fields/experiments.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/runs.h"

namespace perigee::bindings {

// The factors and measures of an experiment, as a native value. Measures are not known when a function makes
// them.
struct CheckedDesign {
  std::vector<std::string> factors, measures;
  std::vector<Factor> levels;
};

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::CheckedDesign> {
  static constexpr const char* value = "design of an experiment";
};

}  // namespace perigee::host

namespace perigee::bindings {

namespace {

// Whether the function on top of the stack certainly returns nothing: its text has no `return`.
bool lacks_return(lua_State* L) {
  const Balanced balanced(L);
  lua_Debug info;
  lua_pushvalue(L, -1);
  lua_getinfo(L, ">S", &info);
  const std::string* text =
      *info.source == '@' ? Interpreter::of(L).sources().text(info.source + 1) : nullptr;
  if (text == nullptr) return false;
  bool found = false, seen = false;
  each_token(*text, [&](std::string_view token, int line) {
    if (line < info.linedefined || line > info.lastlinedefined) return;
    seen = true;
    found = found || token == "return";
  });
  return seen && !found;
}

// In check mode, the second experiment of a name.
void check_name(lua_State* L, const Design& design) {
  const Balanced balanced(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, "perigee.checked_experiments");
  if (lua_getfield(L, -1, design.name.c_str()) != LUA_TNIL)
    fail("duplicate_name", "the experiment '{}' is declared twice, first in line {}; give it another name",
         design.name, lua_tointeger(L, -1));
  lua_pushinteger(L, design.where.line);
  lua_setfield(L, -3, design.name.c_str());
}

// In check mode, the measure that decides on the number of replications.
void check_deciding_measure(const Declaration& declaration, const std::vector<std::string>& measures) {
  const Replications& rule = declaration.design.replications;
  if (rule.least == rule.most || measures.empty() ||
      std::ranges::find(measures, rule.measure) != measures.end())
    return;
  fail_at(declaration.design.where, "unknown_measure",
          "experiment '{}': replications: no cell has the measure '{}'{}", declaration.design.name,
          rule.measure, nearest_or_all(rule.measure, measures));
}

// In check mode runs give values that are not known. The function `run` is called for combinations that have
// each level at least once. Code that depends on an unknown value is not checked. Returns whether all calls
// return a result.
bool check_cells(lua_State* L, const Declaration& declaration) {
  Interpreter& interpreter = Interpreter::of(L);
  const Design& design = declaration.design;
  std::set<std::pair<std::size_t, std::uint32_t>> seen;
  bool results = !declaration.measure.valid(), called = false;
  for (const auto& combination : design.combinations) {
    bool fresh = false;
    for (std::size_t f = 0; f < combination.size(); ++f)
      fresh = seen.emplace(f, combination[f]).second || fresh;
    if (!fresh && called) continue;  // without factors there is one combination, of no levels
    called = true;
    const std::uint64_t seed = design.seed_of(1);
    const Interpreter::InCell in_cell(interpreter, seed, false);
    try {
      protect(L, [&](lua_State* in) {
        call_for_cell(in, declaration, combination, seed);
        const char* who = declaration.measure.valid() ? "measure" : "run";
        (declaration.measure.valid() ? declaration.measure : declaration.run).push(in);
        const bool returns_nothing = lacks_return(in);
        lua_pop(in, 1);
        const int type = lua_type(in, -1);
        if (type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TBOOLEAN ||
            (type == LUA_TNIL && returns_nothing))
          fail("bad_measure", "{} must return a result or a table of numbers, got {}", who, shown(in, -1));
        if (type == LUA_TTABLE) each_sorted(in, -1, [&] { measure_at(in, -2, declaration, who); });
        const bool result = type_of_unknown(in, -1) == TypeName<ResultValue>::value;
        results = results && result;
        if (result && !declaration.measure.valid())
          for (const std::string& name : declaration.metrics) metric_info(name);
      });
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      const Diagnostic& diagnostic = error.diagnostic();
      if (interpreter.has_unknown() &&
          (diagnostic.code == "script_error" || diagnostic.message.find(kNotKnown) != std::string::npos)) {
        results = false;
        continue;
      }
      throw;
    }
  }
  return results && called;
}

// ---- facts that check mode knows of an experiment ----

const CheckedDesign& design_here(lua_State* L) { return *test<CheckedDesign>(L, lua_upvalueindex(1)); }

void check_measure(lua_State* L, int index, const CheckedDesign& design, const char* who) {
  if (is_unknown(L, index)) return;
  const auto name = text_at(L, index);
  if (!name) fail("bad_type", "{}: the name of a measure is needed, got {}", who, shown(L, index));
  const auto& known = design.measures;
  if (!known.empty() && std::ranges::find(known, *name) == known.end())
    fail("unknown_measure", "{}: the experiment has no measure '{}'{}", who, *name,
         nearest_or_all(*name, known));
}

Columns columns_with(const CheckedDesign& design, std::initializer_list<const char*> before,
                     std::initializer_list<const char*> after) {
  std::vector<std::string> columns(before.begin(), before.end());
  columns.insert(columns.end(), design.factors.begin(), design.factors.end());
  columns.insert(columns.end(), after.begin(), after.end());
  return columns;
}

int check_experiment_rows(lua_State* L) {
  return guard(L, [&] {
    const CheckedDesign& design = design_here(L);
    Columns columns = columns_with(design, {"cell"}, {"replication", "seed"});
    columns->insert(columns->end(), design.measures.begin(), design.measures.end());
    push_unknown_rows(L, design.measures.empty() ? std::nullopt : columns);
    return 1;
  });
}

int check_table(lua_State* L) {
  return guard(L, [&] {
    const CheckedDesign& design = design_here(L);
    int last = lua_gettop(L);
    if (last > 1 && lua_type(L, last) == LUA_TTABLE) mean_options(L, last--);
    std::vector<std::string> measures;
    for (int i = 2; i <= last; ++i) {
      check_measure(L, i, design, "table");
      if (const auto name = text_at(L, i)) measures.emplace_back(*name);
    }
    if (last < 2) measures = design.measures;
    Columns columns = columns_with(design, {}, {"n", "warned"});
    for (const std::string& measure : measures)
      for (const char* end : {"", "_half_width", "_n"}) columns->push_back(measure + end);
    push_unknown_rows(L, measures.empty() ? std::nullopt : columns);
    return 1;
  });
}

int check_compare(lua_State* L) {
  return guard(L, [&] {
    const CheckedDesign& design = design_here(L);
    check_measure(L, 2, design, "compare");
    const Fields fields(L, 3, {"compare"}, experiment_fields::kCompare);
    const std::string name = fields.text(experiment_fields::kFactor);
    const auto factor = std::ranges::find(design.levels, name, &Factor::name);
    if (factor == design.levels.end())
      fields.fail(experiment_fields::kFactor, "the experiment has no factor '{}'{}", name,
                  nearest_or_all(name, design.factors));
    baseline_of(fields, *factor);
    fields.number(experiment_fields::kConfidence);
    push_unknown_rows(
        L, columns_with(design, {},
                        {"n", "mean", "baseline_mean", "difference", "difference_half_width", "verdict"}));
    return 1;
  });
}

int check_failures(lua_State* L) {
  return guard(L, [&] {
    push_unknown_rows(L, columns_with(design_here(L), {"cell"}, {"replication", "seed", "message"}));
    return 1;
  });
}

int check_warnings(lua_State* L) {
  return guard(L, [&] {
    push_unknown_rows(L, columns_with(design_here(L), {}, {"cells", "count", "warning"}));
    return 1;
  });
}

void push_checked_design(lua_State* L, const Declaration& declaration, bool results) {
  CheckedDesign design;
  design.levels = declaration.design.factors;
  for (const Factor& factor : declaration.design.factors) design.factors.push_back(factor.name);
  if (!declaration.measure.valid()) design.measures = declaration.metrics;
  if (results && design.measures.empty())
    for (const MetricInfo& info : metric_infos()) design.measures.emplace_back(info.name);
  check_deciding_measure(declaration, design.measures);
  push_new(L, std::move(design));
  lua_newtable(L);
  constexpr luaL_Reg kChecked[] = {{"rows", check_experiment_rows}, {"table", check_table},
                                   {"compare", check_compare},      {"failures", check_failures},
                                   {"warnings", check_warnings},    {nullptr, nullptr}};
  lua_insert(L, -2);
  luaL_setfuncs(L, kChecked, 1);
  check_arguments_of(L, TypeName<ExperimentPtr>::value);
  wrap_unknown(L, TypeName<ExperimentPtr>::value);
}

}  // namespace

void push_checked_experiment(lua_State* L, const Declaration& declaration) {
  check_name(L, declaration.design);
  push_checked_design(L, declaration, check_cells(L, declaration));
}

void open_check(lua_State* L) {
  if (Interpreter::of(L).checking()) new_type<CheckedDesign>(L, nullptr);  // it is no value that scripts hold
}

}  // namespace perigee::bindings
