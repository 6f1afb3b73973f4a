// experiment "name" { factors =, replications =, run =, measure = } and its results.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "interpreter/bindings/files.h"
#include "interpreter/experiments/coordinator.h"
#include "interpreter/experiments/report.h"
#include "interpreter/host/embedded.h"
#include "interpreter/host/unknown.h"
#include "interpreter/host/words.h"
#include "interpreter/language/arguments.h"
#include "interpreter/session/content.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/runs.h"
#include "interpreter/values/schedulers.h"

namespace perigee::interpreter {

using namespace lua;
using namespace experiments;

namespace lua {

// The factors and measures of an experiment, as a native value. Measures are not known when a function makes
// them.
struct CheckedDesign {
  std::vector<std::string> factors, measures;
  std::vector<Factor> levels;
};
template <>
struct TypeName<CheckedDesign> {
  static constexpr const char* value = "design of an experiment";
};

}  // namespace lua

namespace {

constexpr double kMostCells = 1e6;
constexpr std::size_t kMostWarnings = 20;
constexpr std::uint64_t kStepsOfExperiment = 5000,
                        kStepsOfCell = 100;  // besides the steps of the script's functions

// An experiment as its script declares it.
struct Declaration {
  Design design;
  Reference run, measure;            // functions; the second may be missing
  Reference levels;                  // [factor][level] = value
  Reference factors_meta;            // metatable of the first argument of run
  std::vector<std::string> metrics;  // metrics to be kept; empty = all
  Surroundings surroundings;         // the variables that the functions see
};

// Whether the text is the name of a factor, or of a measure, which has full stops between its words.
bool is_name(std::string_view text, char between = '_') {
  const auto word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && word(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
    return word(c) || (c >= '0' && c <= '9') || c == between;
  });
}

// ---- the declaration ----

// The cell that shows a level and distinguishes it from others; nothing when the value is no level.
std::optional<Cell> level_at(lua_State* L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      if (!std::isfinite(lua_tonumber(L, index))) return std::nullopt;
      return lua_tonumber(L, index);
    case LUA_TSTRING:
      return std::string(*text_at(L, index));
    case LUA_TBOOLEAN:
      return lua_toboolean(L, index) != 0;
    default:
      break;
  }
  if (const auto* config = test<SchedulerValue>(L, index)) return (*config)->text();
  if (const auto* constructor = test<Constructor>(L, index)) return constructor->entry->name;
  return std::nullopt;
}

// Reads { "name", value }: pushes the value and returns its name.
std::optional<Cell> named_level_at(lua_State* L, int index) {
  index = lua_absindex(L, index);
  if (lua_type(L, index) != LUA_TTABLE || lua_rawlen(L, index) != 2) return std::nullopt;
  lua_rawgeti(L, index, 1);
  const auto name = text_at(L, -1);
  if (!name) {
    lua_pop(L, 1);
    return std::nullopt;
  }
  Cell cell = std::string(*name);
  lua_rawgeti(L, index, 2);
  lua_remove(L, -2);
  return cell;
}

// The nearest of the known names, or all of them when they are few.
std::string nearest_or_all(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t kFew = 12;
  const std::string near = did_you_mean(std::string(name), known);
  return near.empty() && !known.empty() && known.size() <= kFew
             ? fmt::format("; there are {}", fmt::join(known, ", "))
             : near;
}

constexpr std::string_view kHalfWidth = "_half_width";

// Reads the list on top of the stack and replaces it by a list of the levels' values.
Factor factor_at(lua_State* L, const Fields& fields, const std::string& name) {
  if (!is_name(name))
    fields.fail("factors", "the name of a factor is a word of letters, digits and _, got '{}'", name);
  for (const char* taken :
       {"cell", "replication", "seed", "n", "message", "mean", "baseline_mean", "difference",
        "difference_half_width", "verdict", "warned", "cells", "warning", "count"})
    if (name == taken)
      fields.fail("factors",
                  "'{}' cannot be the name of a factor: it is a column of the experiment's own tables; "
                  "choose another, such as my_{}",
                  name, name);
  if (name.ends_with(kHalfWidth))
    fields.fail("factors", "'{}' cannot be the name of a factor: half-widths of intervals are named so",
                name);
  if (lua_type(L, -1) != LUA_TTABLE)
    fields.fail("factors", "factor '{}' must be a list of levels, got {}", name, shown(L, -1));
  Factor factor{name, {}};
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, -1));
  const int list = lua_gettop(L);
  lua_createtable(L, static_cast<int>(std::min<lua_Integer>(count, 1000)), 0);
  each_sorted(L, list, [&] {
    if (lua_isinteger(L, -2) == 0 || lua_tointeger(L, -2) < 1 || lua_tointeger(L, -2) > count)
      fields.fail("factors", "factor '{}' must be a list of levels, got the key {}", name, shown(L, -2));
    auto level = level_at(L, -1);
    if (level) {
      lua_pushvalue(L, -1);
    } else {
      level = named_level_at(L, -1);
    }
    if (!level)
      fields.fail(
          "factors",
          "factor '{}': a level is a number, a text, true, false or a scheduler, got {}; anything else "
          "gets a name, {{ \"name\", value }}",
          name, shown(L, -1));
    lua_rawseti(L, list + 1, lua_tointeger(L, -3));
    for (const Cell& other : factor.levels)
      if (text_of(other) == text_of(*level))
        fields.fail("factors", "factor '{}' has the level {} twice", name, text_of(*level));
    factor.levels.push_back(*level);
  });
  if (factor.levels.empty()) fields.fail("factors", "factor '{}' has no levels", name);
  if (static_cast<lua_Integer>(factor.levels.size()) != count)
    fields.fail("factors", "factor '{}' has a gap in its list of levels", name);
  lua_replace(L, list);
  return factor;
}

// Reads { name = { level, ... }, ... } in the order of names, or { { "name", { level, ... } }, ... } in this
// order.
void read_factors(lua_State* L, const Fields& fields, Declaration& declaration) {
  lua_newtable(L);
  const int levels = lua_gettop(L);
  std::vector<Factor>& factors = declaration.design.factors;
  const auto take = [&](const std::string& name) {  // the list on top of the stack
    for (const Factor& other : factors)
      if (other.name == name) fields.fail("factors", "the factor '{}' is declared twice", name);
    factors.push_back(factor_at(L, fields, name));
    lua_pushvalue(L, -1);
    lua_rawseti(L, levels, static_cast<lua_Integer>(factors.size()));
  };
  if (fields.push("factors")) {
    if (lua_type(L, -1) != LUA_TTABLE)
      fields.fail("factors", "factors must be a table, as in {{ size = {{ 1, 2 }} }}, got {}", shown(L, -1));
    const bool ordered = lua_rawlen(L, -1) > 0;
    each_sorted(L, -1, [&] {
      if (!ordered) {
        const auto name = text_at(L, -2);
        if (!name) fields.fail("factors", "factors have names, got {}", shown(L, -2));
        take(std::string(*name));
        return;
      }
      std::optional<std::string> name;
      if (lua_isinteger(L, -2) != 0 && lua_type(L, -1) == LUA_TTABLE && lua_rawlen(L, -1) == 2) {
        lua_rawgeti(L, -1, 1);
        if (const auto text = text_at(L, -1)) name = *text;
        lua_pop(L, 1);
      }
      if (!name)
        fields.fail("factors",
                    "an ordered list of factors has entries {{ \"name\", {{ level, ... }} }}, got {}",
                    shown(L, lua_isinteger(L, -2) != 0 ? -1 : -2));
      lua_rawgeti(L, -1, 2);
      take(*name);
      lua_pop(L, 1);
    });
    lua_pop(L, 1);
  }
  declaration.levels = Reference(L, levels);
  lua_pop(L, 1);
}

// Pushes the table of a combination's levels that `run` is given.
void push_levels(lua_State* L, const Declaration& declaration,
                 const std::vector<std::uint32_t>& combination) {
  lua_createtable(L, 0, static_cast<int>(combination.size()));
  declaration.levels.push(L);
  for (std::size_t f = 0; f < combination.size(); ++f) {
    lua_rawgeti(L, -1, static_cast<lua_Integer>(f) + 1);
    lua_rawgeti(L, -1, static_cast<lua_Integer>(combination[f]) + 1);
    lua_setfield(L, -4, declaration.design.factors[f].name.c_str());
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  declaration.factors_meta.push(L);
  lua_setmetatable(L, -2);
}

// Upvalue: the names of the factors.
int no_factor(lua_State* L) {
  return guard(L, [&] {
    std::vector<std::string> names;
    for (lua_Integer i = 1; i <= static_cast<lua_Integer>(lua_rawlen(L, lua_upvalueindex(1))); ++i) {
      lua_rawgeti(L, lua_upvalueindex(1), i);
      names.emplace_back(*text_at(L, -1));
      lua_pop(L, 1);
    }
    const auto name = text_at(L, 2);
    if (!name) fail("unknown_field", "factors have names, got {}", shown(L, 2));
    fail("unknown_field", "there is no factor '{}'{}", *name, nearest_or_all(*name, names));
    return 0;
  });
}

void push_names(lua_State* L, const std::vector<Factor>& factors) {
  lua_createtable(L, static_cast<int>(factors.size()), 0);
  for (std::size_t f = 0; f < factors.size(); ++f) {
    lua::push(L, factors[f].name);
    lua_rawseti(L, -2, static_cast<lua_Integer>(f) + 1);
  }
}

Reference factors_meta(lua_State* L, const std::vector<Factor>& factors) {
  lua_createtable(L, 0, 2);
  push_names(L, factors);
  lua_pushcclosure(L, no_factor, 1);
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "protected");
  lua_setfield(L, -2, "__metatable");
  Reference reference(L, -1);
  lua_pop(L, 1);
  return reference;
}

Replications replications_of(lua_State* L, const Fields& fields) {
  Replications rule;
  constexpr std::int64_t kMost = 1'000'000;
  if (!fields.push("replications")) return rule;
  const bool is_table = lua_type(L, -1) == LUA_TTABLE;
  if (!is_table) {
    lua_pop(L, 1);
    rule.least = rule.most = static_cast<std::uint64_t>(fields.integer("replications", 1, 1, kMost));
    return rule;
  }
  const std::string subject = fields.subject() + ": replications";
  const Fields own(L, lua_gettop(L), {subject}, {"least", "most", "half_width", "measure", "confidence"});
  rule.least = static_cast<std::uint64_t>(own.integer("least", 2, 2, kMost));
  rule.most = static_cast<std::uint64_t>(own.integer("most", std::nullopt, 2, kMost));
  if (rule.most < rule.least) own.fail("most", "most must be >= least, got {} and {}", rule.most, rule.least);
  rule.measure = own.text("measure", std::nullopt);
  rule.confidence = own.number("confidence", Dimension::fraction, 0.95, {0, 1, true});
  if (rule.confidence >= 1) own.fail("confidence", "confidence must be < 1, got {}", rule.confidence);
  if (!own.push("half_width"))
    own.fail(nullptr, "'half_width' is missing: a number, or a share such as \"5 %\"");
  rule.relative = lua_type(L, -1) == LUA_TSTRING;
  lua_pop(L, 1);
  rule.half_width = own.number("half_width", rule.relative ? Dimension::fraction : Dimension::count,
                               std::nullopt, kPositive);
  if (rule.relative && rule.half_width >= 1)
    own.fail("half_width",
             "half_width is a share of the mean below 1, such as \"5 %\", or a number without quotes");
  lua_pop(L, 1);
  return rule;
}

Reference function_field(lua_State* L, const Fields& fields, const char* name) {
  if (!fields.push(name)) return {};
  if (lua_type(L, -1) != LUA_TFUNCTION)
    fields.fail(name, "{} must be a function, got {}", name, shown(L, -1));
  Reference reference(L, -1);
  lua_pop(L, 1);
  return reference;
}

// Makes all combinations except those that `where` refuses.
void combine(lua_State* L, const Fields& fields, Declaration& declaration) {
  const Reference where = function_field(L, fields, "where");
  Design& design = declaration.design;
  auto cells = static_cast<double>(design.replications.most);
  for (const Factor& factor : design.factors) cells *= static_cast<double>(factor.levels.size());
  if (cells > kMostCells) fields.fail(nullptr, "{} cells are too many, at most {}", cells, kMostCells);
  std::vector<std::uint32_t> combination(design.factors.size(), 0);
  for (bool more = true; more;) {
    bool wanted = true;
    if (where.valid()) {
      const Interpreter::InRun in_run(Interpreter::of(L));  // `where` must not begin an experiment
      where.push(L);
      push_levels(L, declaration, combination);
      lua_call(L, 1, 1);
      wanted = condition_at(L, -1, fields.subject() + ": where");
      lua_pop(L, 1);
    }
    if (wanted) design.combinations.push_back(combination);
    Interpreter::of(L).count(1);
    more = false;
    for (std::size_t f = combination.size(); f-- > 0 && !more;) {
      more = ++combination[f] < design.factors[f].levels.size();
      if (!more) combination[f] = 0;
    }
  }
  if (design.combinations.empty()) fields.fail("where", "where leaves no combination of factors");
}

Declaration declaration_at(lua_State* L, int index, const std::string& name) {
  Declaration declaration;
  const Fields fields(L, index, {"experiment", name}, {"factors", "replications", "run", "measure", "where"});
  Design& design = declaration.design;
  design.name = name;
  design.where = caller(L);
  design.seed = Interpreter::of(L).options().seed;
  read_factors(L, fields, declaration);
  declaration.factors_meta = factors_meta(L, design.factors);
  design.replications = replications_of(L, fields);
  combine(L, fields, declaration);
  declaration.run = function_field(L, fields, "run");
  if (!declaration.run.valid())
    fields.fail(nullptr, "'run' is missing: a function(f, seed) that returns a result or a table of numbers");
  declaration.surroundings.add("run", declaration.run);
  if (!fields.push("measure")) return declaration;
  if (lua_type(L, -1) == LUA_TFUNCTION) {
    declaration.measure = Reference(L, -1);
    declaration.surroundings.add("measure", declaration.measure);
  } else if (lua_type(L, -1) == LUA_TTABLE && lua_rawlen(L, -1) > 0) {
    each_sorted(L, -1, [&] {
      const auto measure = text_at(L, -1);
      if (!measure || !is_name(*measure, '.'))
        fields.fail("measure", "measure[{}] must be the name of a metric, got {}", shown(L, -2),
                    shown(L, -1));
      if (std::find(declaration.metrics.begin(), declaration.metrics.end(), *measure) !=
          declaration.metrics.end())
        fields.fail("measure", "measure names '{}' twice", *measure);
      declaration.metrics.emplace_back(*measure);
    });
  } else {
    fields.fail("measure", "measure must be a list of metrics or a function(result, f), got {}",
                shown(L, -1));
  }
  lua_pop(L, 1);
  return declaration;
}

// ---- a cell ----

// The name of a measure, a key in the answer of `who`; nothing when the measure is not kept.
std::optional<std::string_view> measure_at(lua_State* L, int key, const Declaration& declaration,
                                           std::string_view who) {
  const auto name = text_at(L, key);
  if (!name || !is_name(*name, '.'))
    fail("bad_measure", "{} returned a table with the key {}; measures have names of letters, digits and _",
         who, shown(L, key));
  const auto& kept = declaration.metrics;
  if (!kept.empty() && std::ranges::find(kept, *name) == kept.end()) return std::nullopt;
  for (const char* taken : {"cell", "replication", "seed", "n", "warned"})
    if (*name == taken) fail("bad_measure", "{} returned '{}', which is a column of its own", who, *name);
  if (name->ends_with(kHalfWidth))
    fail("bad_measure", "{} returned '{}'; half-widths of intervals are named so", who, *name);
  return name;
}

// The measures in the answer of run or measure, which is on top of the stack.
// No cell could have such a measure, so the experiment need not try the others.
constexpr std::string_view kNoMetric = "unknown_measure";

double measure_of(const Metrics& metrics, const std::string& name) {
  try {
    return metrics[name];
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    diagnostic.code = kNoMetric;
    throw Error(std::move(diagnostic));
  }
}

CellOutcome measured(lua_State* L, const Declaration& declaration, const char* who) {
  CellOutcome outcome;
  auto names = std::make_shared<std::vector<std::string>>();
  const auto add = [&](std::string_view name, double value) {
    for (const Factor& factor : declaration.design.factors)
      if (factor.name == name) fail("bad_measure", "'{}' is a measure and a factor; rename the factor", name);
    names->emplace_back(name);
    outcome.values.push_back(value);
  };
  if (const auto* result = test<ResultValue>(L, -1)) {
    if (result->outcome->status == RunStatus::running)
      Interpreter::of(L).warn(
          fmt::format("{} with seed {} is measured at t = {} s, before its end", result->outcome->policy,
                      result->outcome->seed, result->outcome->end),
          "cells measured before the end of their runs", 1);
    const Metrics& metrics = result->measured();
    if (declaration.metrics.empty())
      for (const Metric& metric : metrics.all()) add(metric.info.name, metric.value);
    for (const std::string& name : declaration.metrics) {
      const double value = measure_of(metrics, name);
      if (!metrics.has(name))
        fail("not_measured", "'{}' needs more of the trace than this run kept; run it with trace = \"full\"",
             name);
      add(name, value);
    }
  } else if (lua_type(L, -1) == LUA_TTABLE) {
    each_sorted(L, -1, [&] {
      const auto name = measure_at(L, -2, declaration, who);
      if (!name) return;
      if (lua_type(L, -1) != LUA_TNUMBER)
        fail("bad_measure", "{} returned {} = {}; a measure is a number, or absent", who, *name,
             shown(L, -1));
      add(*name, lua_tonumber(L, -1));
    });
  } else {
    fail("bad_measure", "{} must return a result or a table of numbers, got {}", who, shown(L, -1));
  }
  outcome.names = std::move(names);
  return outcome;
}

// Calls the script for one cell. Errors of the script leave this function.
CellOutcome call(lua_State* L, const Declaration& declaration, std::uint64_t cell) {
  const Design& design = declaration.design;
  CellOutcome outcome;
  protect(L, [&](lua_State* in) {
    luaL_checkstack(in, 32, "a cell");
    const auto& combination = design.combinations[design.combination_of(cell)];
    declaration.run.push(in);
    push_levels(in, declaration, combination);
    lua_pushinteger(in, static_cast<lua_Integer>(design.seed_of(design.replication_of(cell))));
    lua_call(in, 2, 1);
    if (declaration.measure.valid()) {
      declaration.measure.push(in);
      lua_insert(in, -2);
      push_levels(in, declaration, combination);
      lua_call(in, 2, 1);
    }
    outcome = measured(in, declaration, declaration.measure.valid() ? "measure" : "run");
  });
  Interpreter& interpreter = Interpreter::of(L);
  const std::vector<std::string>& kept = declaration.metrics;
  if (interpreter.incomplete().empty() || interpreter.status_read()) return outcome;
  if (std::ranges::find(kept, "unfinished") == kept.end())
    fail("incomplete", "{}; to keep such cells, measure \"unfinished\", or look at the result's status",
         interpreter.incomplete());
  interpreter.warn(interpreter.incomplete(), "cells kept whose runs stopped with work left", 1);
  return outcome;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Error when a cell has left something behind that could change other cells.
void check_untouched(lua_State* L, const Declaration& declaration, std::uint64_t cell,
                     const std::vector<Surroundings::Seen>& before, std::uint64_t runs) {
  Interpreter& interpreter = Interpreter::of(L);
  std::string what = interpreter.traces().left_since(runs);
  if (what.empty())
    if (const auto seen = declaration.surroundings.changed_since(L, before))
      what = fmt::format("it has changed {}, {}", seen->name, seen->by);
  if (what.empty()) return;
  throw Error({"state_outside",
               fmt::format("experiment '{}': {}: {}, so that the results would depend on the order of the "
                           "cells; keep state in local variables of run",
                           declaration.design.name, declaration.design.cell_text(cell), what),
               declaration.design.where,
               {}});
}

void compute_cells(lua_State* L, const Declaration& declaration, Experiment& experiment) {
  Interpreter& interpreter = Interpreter::of(L);
  const Interpreter::Uncounted uncounted(interpreter);  // others may compute the cells
  CellCoordinator& coordinator = coordinator_of(interpreter);
  const Design& design = declaration.design;
  std::optional<std::vector<Surroundings::Seen>> before;
  while (const auto cell = coordinator.take(interpreter, experiment)) {
    struct Taken {  // another interpreter computes the cell when this one stops
      CellCoordinator& coordinator;
      Experiment& experiment;
      std::uint64_t cell;
      bool done = false;
      ~Taken() {
        if (!done) coordinator.put_back(experiment, cell);
      }
    } taken{coordinator, experiment, *cell};
    if (!before) before = declaration.surroundings.look(L);
    const std::uint64_t runs = interpreter.traces().runs();
    CellOutcome outcome;
    try {
      {
        const Interpreter::InCell in_cell(interpreter, design.seed_of(design.replication_of(*cell)), false);
        try {
          outcome = call(L, declaration, *cell);
        } catch (const Stopped& stopped) {
          const std::string& code = stopped.diagnostic().code;
          if (code != "step_limit" && code != "memory_limit") throw;
          outcome.error = first_line(stopped.diagnostic().text());
        } catch (const Error& error) {
          if (error.diagnostic().code == kNoMetric) throw;
          outcome.error = first_line(error.diagnostic().text());
        }
        using Kind = CellOutcome::Read::Kind;
        for (const std::string& name : interpreter.files_of_cell()) {
          std::optional<std::string> hash;
          for (const Interpreter::DataFile& file : interpreter.data_files())
            if (file.asked == name) hash = file.hash;
          outcome.reads.push_back({Kind::file, name, hash});
        }
        const auto& settings = interpreter.options().settings;
        for (const std::string& name : interpreter.settings_of_cell()) {
          const auto given = settings.find(name);
          outcome.reads.push_back(
              {Kind::setting, name, given == settings.end() ? std::nullopt : std::optional(given->second)});
        }
        for (const std::uint64_t seed : interpreter.seeds_of_cell())
          outcome.reads.push_back({Kind::seed, std::to_string(seed), std::nullopt});
        outcome.warnings = interpreter.warnings_of_cell();
      }
      check_untouched(L, declaration, *cell, *before, runs);
    } catch (const Stopped&) {
      throw;
    } catch (const std::exception&) {
      taken.done = true;
      coordinator.stop_by(experiment, *cell, std::current_exception());
      continue;
    }
    taken.done = true;
    coordinator.give(experiment, *cell, std::move(outcome));
  }
}

// Shows the cell of --cell K.
[[noreturn]] void show_cell(lua_State* L, const Declaration& declaration, std::uint64_t cell) {
  Interpreter& interpreter = Interpreter::of(L);
  const Design& design = declaration.design;
  if (cell < 1 || cell > design.most_cells())
    fail("unknown_name", "--cell {}: experiment '{}' has cells 1 to {}", interpreter.options().cell,
         design.name, design.most_cells());
  const std::string title = fmt::format("experiment '{}', {}", design.name, design.cell_text(cell));
  interpreter.print(title + "\n");
  {
    const Interpreter::InCell in_cell(interpreter, design.seed_of(design.replication_of(cell)), true);
    const auto with_note = [&](const Error& error) {
      Diagnostic diagnostic = error.diagnostic();
      diagnostic.notes.push_back("in " + title);
      return diagnostic;
    };
    CellOutcome outcome;
    try {
      outcome = call(L, declaration, cell);
    } catch (const Stopped&) {
      throw;
    } catch (const ScriptError& error) {
      throw ScriptError(with_note(error), error.trace());
    } catch (const Error& error) {
      throw Error(with_note(error));
    }
    for (std::size_t i = 0; i < outcome.values.size(); ++i)
      interpreter.print(fmt::format("{} = {}\n", (*outcome.names)[i], format_number(outcome.values[i])));
  }
  interpreter.end_script();
}

// The number of the cell that --cell names if it is a cell of this experiment; else 0.
std::uint64_t chosen_cell(const Interpreter& interpreter, const Design& design, std::size_t nth) {
  const std::string& given = interpreter.options().cell;
  if (given.empty()) return 0;
  const std::size_t colon = given.rfind(':');
  const bool ours = colon == given.npos ? nth == 0 : given.substr(0, colon) == design.name;
  return ours ? std::stoull(given.substr(colon == given.npos ? 0 : colon + 1)) : 0;
}

// The option --cell for a cell, quoted for a shell.
std::string cell_option(const Design& design, std::size_t nth, std::uint64_t number) {
  const std::string cell = nth == 0 ? fmt::format("{}", number) : fmt::format("{}:{}", design.name, number);
  if (nth == 0 || is_name(design.name, '-')) return "--cell " + cell;
  std::string quoted;
  for (const char c : cell) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return fmt::format("--cell '{}'", quoted);
}

// The kind of an error: its place, and its message without numbers. Errors of one kind are reported together.
std::string kind_of_error(const std::string& error) {
  std::string kind;
  const std::size_t place = error.find(": ");
  for (std::size_t i = 0; i < error.size(); ++i) {
    const bool digit = error[i] >= '0' && error[i] <= '9';
    if (!digit || (place != error.npos && i < place)) kind += error[i];
  }
  return kind;
}

// Warns of cells that failed. Those that failed alike share one warning.
void warn_of_failures(Interpreter& interpreter, const Experiment& experiment, std::size_t nth) {
  const Design& design = experiment.design;
  std::map<std::string, std::size_t> count;
  for (const auto& [number, outcome] : experiment.outcomes)
    if (outcome.failed()) ++count[kind_of_error(outcome.error)];
  std::size_t told = 0, left = experiment.failed;
  for (const auto& [number, outcome] : experiment.outcomes) {
    if (!outcome.failed() || told == kMostWarnings) continue;
    const auto kind = count.extract(kind_of_error(outcome.error));
    if (kind.empty()) continue;
    const std::size_t alike = kind.mapped();
    ++told;
    left -= alike;
    const std::string hint = interpreter.options().interactive
                                 ? ""
                                 : fmt::format("; {} repeats {}", cell_option(design, nth, number),
                                               alike == 1 ? "it" : "the first");
    const std::string cells = alike == 1 ? design.cell_text(number)
                                         : fmt::format("{} of {} cells, first {},", alike,
                                                       experiment.outcomes.size(), design.cell_text(number));
    interpreter.warn(
        fmt::format("experiment '{}': {} failed: {}{}", design.name, cells, outcome.error, hint));
  }
  if (left > 0)
    interpreter.warn(
        fmt::format("experiment '{}': {} more cells failed; failures() lists them", design.name, left));
}

// Repeats, for each combination, the warnings of its runs.
void warn_of_warnings(Interpreter& interpreter, const Experiment& experiment, std::size_t nth) {
  const Design& design = experiment.design;
  const std::vector<WarningSum> sums = warning_sums(design, experiment.outcomes);
  for (std::size_t i = 0; i < std::min(sums.size(), kMostWarnings); ++i) {
    const WarningSum& sum = sums[i];
    const std::string levels = design.levels_text(sum.combination);
    const std::string hint = interpreter.options().interactive
                                 ? ""
                                 : fmt::format("; {} shows the first", cell_option(design, nth, sum.first));
    interpreter.warn(fmt::format("experiment '{}'{}{}: in {} of {} cells: {}{}", design.name,
                                 levels.empty() ? "" : ", ", levels, sum.cells, sum.of, sum.text(), hint));
  }
  if (sums.size() > kMostWarnings)
    interpreter.warn(fmt::format("experiment '{}': {} more such lines; warnings() lists them all",
                                 design.name, sums.size() - kMostWarnings));
}

// Warns of combinations that have all the replications that they may have, and not the precision asked for.
void warn_of_imprecision(Interpreter& interpreter, const Experiment& experiment) {
  const Design& design = experiment.design;
  std::vector<std::string> found = imprecise(design, experiment.outcomes);
  if (found.empty()) return;
  const std::size_t all = found.size();
  constexpr std::size_t kShown = 6;
  if (all > kShown) {
    found.resize(kShown);
    found.emplace_back("...");
  }
  const Replications& rule = design.replications;
  interpreter.warn(
      fmt::format("experiment '{}': {} of {} combinations reached {} replications, the most, with an "
                  "interval of '{}' that is wider than +- {}{}: {}",
                  design.name, all, design.combinations.size(), rule.most, rule.measure,
                  format_number(rule.relative ? 100 * rule.half_width : rule.half_width),
                  rule.relative ? " %" : "", fmt::join(found, "; ")));
}

// Warns of cells that were found in the store and are not used.
void warn_of_store(Interpreter& interpreter, const Experiment& experiment) {
  const std::string& name = experiment.design.name;
  if (experiment.others > 0) {
    std::vector<std::string> changed = experiment.changed;
    constexpr std::size_t kShown = 6;
    if (changed.size() > kShown) {
      changed.resize(kShown);
      changed.emplace_back("...");
    }
    interpreter.warn(fmt::format(
        "experiment '{}': the {} cells that were stored are not taken, for something has changed: {}", name,
        experiment.others,
        changed.empty() ? "how its parts hang together" : fmt::format("{}", fmt::join(changed, ", "))));
  }
  if (experiment.damaged > 0)
    interpreter.warn(fmt::format("experiment '{}': {} stored cell{} damaged and computed anew", name,
                                 experiment.damaged, experiment.damaged == 1 ? " is" : "s are"));
}

// Sets the key by which cells are stored; it is made of everything that they depend on.
void find_key(lua_State* L, Declaration& declaration) {
  Interpreter& interpreter = Interpreter::of(L);
  const Interpreter::Uncounted uncounted(interpreter);  // this work is only done where cells are kept
  Design& design = declaration.design;
  std::vector<std::pair<std::string, Reference>> functions{{"run", declaration.run}};
  if (declaration.measure.valid()) functions.emplace_back("measure", declaration.measure);
  Reach reach = reach_of(L, functions);
  std::string kept;
  for (const std::string& metric : declaration.metrics) kept += metric + " ";
  design.parts = {{"perigee itself", fmt::format("{} {}", PERIGEE_VERSION, source_digest())},
                  {"--seed", fmt::format("{}", design.seed)},
                  {"--validate", interpreter.options().validate ? "on" : "off"},
                  {"the list of measures", kept}};
  for (KeyPart& part : reach.parts) design.parts.push_back(std::move(part));
  for (const auto& [file, hash] : interpreter.files_so_far())
    design.parts.push_back({fmt::format("the file '{}'", file), hash});
  declaration.levels.push(L);
  for (std::size_t f = 0; f < design.factors.size(); ++f) {
    lua_rawgeti(L, -1, static_cast<lua_Integer>(f) + 1);
    auto& keys = design.level_keys.emplace_back();
    for (std::size_t l = 0; l < design.factors[f].levels.size(); ++l) {
      lua_rawgeti(L, -1, static_cast<lua_Integer>(l) + 1);
      Content content = content_of(L, -1);
      keys.push_back(std::move(content.digest));
      if (reach.unknown.empty() && !content.unknown.empty())
        reach.unknown = fmt::format("a level of '{}' leads to {}", design.factors[f].name, content.unknown);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  if (!reach.unknown.empty())
    design.parts.push_back(
        {fmt::format("the text of the script, which counts as a whole, for {}", reach.unknown),
         interpreter.texts()});
  std::string all = reach.digest;
  for (const KeyPart& part : design.parts)
    all += fmt::format(" {}:{}{}", part.name.size(), part.name, part.digest);
  design.key = hash_text(all);
}

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
        luaL_checkstack(in, 32, "a cell");
        declaration.run.push(in);
        push_levels(in, declaration, combination);
        lua_pushinteger(in, static_cast<lua_Integer>(seed));
        lua_call(in, 2, 1);
        if (declaration.measure.valid()) {
          declaration.measure.push(in);
          lua_insert(in, -2);
          push_levels(in, declaration, combination);
          lua_call(in, 2, 1);
        }
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

// The trailing { confidence =, warnings = } of e:table.
struct MeanOptions {
  double confidence = 0.95;
  bool warnings = false;
};
MeanOptions mean_options(lua_State* L, int index) {
  MeanOptions options;
  if (lua_type(L, index) != LUA_TTABLE) return options;
  const Fields fields(L, index, {"table"}, {"confidence", "warnings"});
  options.confidence =
      fields.number("confidence", Dimension::fraction, options.confidence, {0, 0.999999, true});
  options.warnings = fields.flag("warnings", false);
  return options;
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

// The level of the factor that is the baseline: the first, unless another is named.
std::uint32_t baseline_of(const Fields& fields, const Factor& factor) {
  if (!fields.push("baseline")) return 0;
  lua_State* L = fields.state();
  const auto level = level_at(L, -1);
  const std::string text = level ? text_of(*level) : shown(L, -1);
  std::vector<std::string> levels;
  for (const Cell& each : factor.levels) levels.push_back(text_of(each));
  const auto found = std::find(levels.begin(), levels.end(), text);
  if (found == levels.end())
    fields.fail("baseline", "factor '{}' has no level {}{}", factor.name, text, nearest_or_all(text, levels));
  lua_pop(L, 1);
  return static_cast<std::uint32_t>(found - levels.begin());
}

int check_compare(lua_State* L) {
  return guard(L, [&] {
    const CheckedDesign& design = design_here(L);
    check_measure(L, 2, design, "compare");
    const Fields fields(L, 3, {"compare"}, {"factor", "baseline", "confidence"});
    const std::string name = fields.text("factor", std::nullopt);
    const auto factor = std::ranges::find(design.levels, name, &Factor::name);
    if (factor == design.levels.end())
      fields.fail("factor", "the experiment has no factor '{}'{}", name,
                  nearest_or_all(name, design.factors));
    baseline_of(fields, *factor);
    fields.number("confidence", Dimension::fraction, 0.95, {0, 0.999999, true});
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

void push_checked(lua_State* L, const Declaration& declaration, bool results) {
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

int finish_experiment(lua_State* L) {
  return guard(L, [&] {
    refuse_second(L, "experiment");
    Interpreter& interpreter = Interpreter::of(L);
    if (interpreter.in_cell() || interpreter.in_run())
      fail("bad_call", "an experiment cannot be part of a run or of another experiment's cell");
    Declaration declaration = declaration_at(L, 1, std::string(*text_at(L, lua_upvalueindex(1))));
    interpreter.spend(kStepsOfExperiment);
    if (interpreter.checking()) {
      check_name(L, declaration.design);
      push_checked(L, declaration, check_cells(L, declaration));
      return 1;
    }
    Design& design = declaration.design;
    design.context = interpreter.context();
    if (interpreter.keeps_cells()) find_key(L, declaration);
    const std::size_t nth = interpreter.next_experiment();
    interpreter.spend(kStepsOfCell * design.replications.least * design.combinations.size());
    if (const std::uint64_t cell = chosen_cell(interpreter, design, nth)) show_cell(L, declaration, cell);

    CellCoordinator& coordinator = coordinator_of(interpreter);
    const bool is_worker = interpreter.options().worker_of != nullptr;
    const ExperimentPtr experiment = coordinator.enter(interpreter, nth, design);
    struct Leave {
      CellCoordinator& coordinator;
      Experiment& experiment;
      bool is_worker;
      ~Leave() {
        if (!is_worker) coordinator.leave(experiment);
      }
    };
    {
      const Leave leave{coordinator, *experiment, is_worker};
      try {
        compute_cells(L, declaration, *experiment);
      } catch (const Stopped&) {
        throw;
      } catch (const Error& error) {  // changes by cells cannot be undone: the script cannot go on
        if (error.diagnostic().code == "state_outside")
          interpreter.stop(error.diagnostic().code, error.diagnostic().message);
        throw;
      }
    }
    if (const auto known = measures_of(experiment->outcomes);
        experiment->failed < experiment->outcomes.size() && !is_worker)
      for (const std::string& metric : declaration.metrics)
        if (std::find(known.begin(), known.end(), metric) == known.end())
          fail("unknown_measure", "experiment '{}': measure names '{}', which no cell has{}", design.name,
               metric, nearest_or_all(metric, known));
    interpreter.count_anew();
    std::set<CellOutcome::Read> reads;  // everything after the experiment depends on them
    for (const auto& [number, outcome] : experiment->outcomes)
      reads.insert(outcome.reads.begin(), outcome.reads.end());
    for (const CellOutcome::Read& read : reads) {
      if (read.kind == CellOutcome::Read::Kind::seed) continue;
      if (read.kind == CellOutcome::Read::Kind::setting) {
        interpreter.setting(read.name);
        continue;
      }
      try {
        interpreter.data_file(read.name);
      } catch (const Error&) {  // the file was missing, and that is noted
      }
    }
    if (is_worker) {
      coordinator.wait_for_more(interpreter, nth);
    } else {
      warn_of_store(interpreter, *experiment);
      warn_of_failures(interpreter, *experiment, nth);
      warn_of_warnings(interpreter, *experiment, nth);
      warn_of_imprecision(interpreter, *experiment);
      if (const std::string why = coordinator.lost_worker(); !why.empty())
        interpreter.warn(
            fmt::format("experiment '{}': a worker could not follow the script; others did its part: {}",
                        design.name, why));
    }
    push_new(L, ExperimentPtr(experiment));
    return 1;
  });
}

int begin_experiment(lua_State* L) {
  return guard(L, [&] {
    const auto name = text_at(L, 1);
    if (!name || name->empty())
      fail("bad_type", "experiment: a name comes first, as in experiment \"mine\" {{ }}, got {}",
           shown(L, 1));
    lua_settop(L, 1);
    lua_pushcclosure(L, finish_experiment, 1);
    return 1;
  });
}

// ---- results ----

const Experiment& experiment_at(lua_State* L) { return *check<ExperimentPtr>(L, 1); }

// Like push_table; the metatable keeps the names of the factors too.
void push_findings(lua_State* L, const Experiment& experiment, const Table& table) {
  push_table(L, table);
  lua_getmetatable(L, -1);
  push_names(L, experiment.design.factors);
  lua_setfield(L, -2, "factors");
  lua_pop(L, 1);
}

std::string measure_at(lua_State* L, int index, const Experiment& experiment, const char* who) {
  const auto name = text_at(L, index);
  if (!name) fail("bad_type", "{}: the name of a measure is needed, got {}", who, shown(L, index));
  const auto known = measures_of(experiment.outcomes);
  if (!known.empty() && std::find(known.begin(), known.end(), *name) == known.end())
    fail("unknown_measure", "{}: no cell of experiment '{}' has a measure '{}'{}", who,
         experiment.design.name, *name, nearest_or_all(*name, known));
  return std::string(*name);
}

int rows(lua_State* L) {
  return guard(L, [&] {
    const Experiment& experiment = experiment_at(L);
    push_findings(L, experiment, cell_table(experiment.design, experiment.outcomes));
    return 1;
  });
}

// e:table(measure, ... [, { confidence =, warnings = }])
int means(lua_State* L) {
  return guard(L, [&] {
    const Experiment& experiment = experiment_at(L);
    const MeanOptions options = mean_options(L, -1);
    if (lua_gettop(L) > 1 && lua_type(L, -1) == LUA_TTABLE) lua_pop(L, 1);
    std::vector<std::string> measures;
    for (int i = 2; i <= lua_gettop(L); ++i) {
      measures.push_back(measure_at(L, i, experiment, "table"));
      if (std::count(measures.begin(), measures.end(), measures.back()) > 1)
        fail("bad_call", "table: '{}' is named twice", measures.back());
    }
    if (measures.empty()) measures = measures_of(experiment.outcomes);
    push_findings(
        L, experiment,
        mean_table(experiment.design, experiment.outcomes, measures, options.confidence, options.warnings));
    return 1;
  });
}

// e:compare(measure, { factor =, baseline =, confidence = })
int differences(lua_State* L) {
  return guard(L, [&] {
    const Experiment& experiment = experiment_at(L);
    const Design& design = experiment.design;
    const std::string measure = measure_at(L, 2, experiment, "compare");
    const Fields fields(L, 3, {"compare"}, {"factor", "baseline", "confidence"});
    const std::string name = fields.text("factor", std::nullopt);
    std::vector<std::string> names;
    names.reserve(design.factors.size());
    for (const Factor& each : design.factors) names.push_back(each.name);
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end())
      fields.fail("factor", "experiment '{}' has no factor '{}'{}", design.name, name,
                  nearest_or_all(name, names));
    const auto factor = static_cast<std::size_t>(at - names.begin());
    const std::uint32_t baseline = baseline_of(fields, design.factors[factor]);
    const double confidence = fields.number("confidence", Dimension::fraction, 0.95, {0, 0.999999, true});
    push_findings(L, experiment,
                  difference_table(design, experiment.outcomes, measure, factor, baseline, confidence));
    return 1;
  });
}

int failures(lua_State* L) {
  return guard(L, [&] {
    auto& experiment = *check<ExperimentPtr>(L, 1);
    if (Interpreter::of(L).options().worker_of == nullptr) experiment.failures_read = true;
    push_findings(L, experiment, failure_table(experiment.design, experiment.outcomes));
    return 1;
  });
}

int warnings(lua_State* L) {
  return guard(L, [&] {
    const Experiment& experiment = experiment_at(L);
    push_findings(L, experiment, warning_table(experiment.design, experiment.outcomes));
    return 1;
  });
}

int csv(lua_State* L) {
  return guard(L, [&] {
    const Experiment& experiment = experiment_at(L);
    lua::push(L, exact_csv(cell_table(experiment.design, experiment.outcomes)));
    return 1;
  });
}

int json(lua_State* L) {
  return guard(L, [&] {
    const Experiment& experiment = experiment_at(L);
    lua::push(L, experiment_json(experiment.design, experiment.outcomes));
    return 1;
  });
}

// Writes the whole file or nothing.
void write_file(const std::string& path, const std::string& text) {
  const std::string draft = path + ".part";
  std::ofstream stream(draft, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  std::error_code error;
  if (stream) std::filesystem::rename(draft, path, error);
  if (stream && !error) return;
  std::filesystem::remove(draft, error);
  fail("unwritable", "{} cannot be written", path);
}

// e:save(name): writes name.csv and name.json below --out.
int save(lua_State* L) {
  return guard(L, [&] {
    const Experiment& experiment = experiment_at(L);
    const auto name = text_at(L, 2);
    if (!name) fail("bad_type", "save: a name is needed, got {}", shown(L, 2));
    Interpreter& interpreter = Interpreter::of(L);
    if (!interpreter.checking() && interpreter.writes()) {
      const std::string csv = own_file(interpreter, std::string(*name) + ".csv");
      const std::string json = own_file(interpreter, std::string(*name) + ".json");
      std::error_code error;
      std::filesystem::create_directories(std::filesystem::path(csv).parent_path(), error);
      for (const std::string& file : {csv, json}) note_own_file(interpreter, file);
      write_file(csv, exact_csv(cell_table(experiment.design, experiment.outcomes)));
      write_file(json, experiment_json(experiment.design, experiment.outcomes));
    }
    lua_settop(L, 1);
    return 1;
  });
}

// experiment.load(name): reads files of e:save.
int load(lua_State* L) {
  return guard(L, [&] {
    std::string name = path_at(L, 1, "experiment.load");
    if (!name.ends_with(".json")) name += ".json";
    auto experiment = std::make_shared<Experiment>();
    experiment->failures_read = true;
    std::tie(experiment->design, experiment->outcomes) = with_file(L, name, [&](const std::string& real) {
      std::ifstream stream(real, std::ios::binary);
      std::ostringstream text;
      if (!(text << stream.rdbuf())) fail("unreadable", "{} cannot be read", name);
      return read_experiment(std::move(text).str(), name);
    });
    for (const auto& [number, outcome] : experiment->outcomes) experiment->failed += outcome.failed() ? 1 : 0;
    experiment->over = true;
    push_new(L, ExperimentPtr(std::move(experiment)));
    return 1;
  });
}

int experiment_size(lua_State* L) {
  return guard(L, [&] {
    lua_pushinteger(L, static_cast<lua_Integer>(experiment_at(L).outcomes.size()));
    return 1;
  });
}

int text(lua_State* L) {
  return guard(L, [&] {
    const Experiment& experiment = experiment_at(L);
    std::string out =
        fmt::format("experiment '{}' of {} cells", experiment.design.name, experiment.outcomes.size());
    if (experiment.failed > 0) out += fmt::format(", {} failed", experiment.failed);
    lua::push(L, out);
    return 1;
  });
}

constexpr luaL_Reg kExperimentMethods[] = {
    {"rows", rows}, {"table", means},       {"compare", differences}, {"csv", csv},      {"json", json},
    {"save", save}, {"failures", failures}, {"warnings", warnings},   {nullptr, nullptr}};
constexpr luaL_Reg kExperimentModule[] = {{"load", load}, {nullptr, nullptr}};
constexpr luaL_Reg kExperimentMeta[] = {{"__tostring", text}, {"__len", experiment_size}, {nullptr, nullptr}};

}  // namespace

void open_experiment(lua_State* L) {
  new_type<ExperimentPtr>(L, kExperimentMethods, kExperimentMeta);
  Interpreter::of(L).note_content(TypeName<ExperimentPtr>::value, [](lua_State* state, int index) {
    const ExperimentPtr& experiment = *test<ExperimentPtr>(state, index);
    return experiment_json(experiment->design, experiment->outcomes);
  });
  if (Interpreter::of(L).checking()) new_type<CheckedDesign>(L, nullptr);  // it is no value that scripts hold
  define(L, "experiment", begin_experiment);
  extend(L, "experiment", kExperimentModule);
}

}  // namespace perigee::interpreter
