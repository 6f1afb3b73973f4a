// Computes cells, and shows the one of --cell.
#include "interpreter/bindings/run/experiment/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "interpreter/bindings/run/measured.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/session/surroundings.h"
#include "interpreter/values/runs.h"

namespace perigee::bindings {

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

void call_for_cell(lua_State* L, const Declaration& declaration,
                   const std::vector<std::uint32_t>& combination, std::uint64_t seed) {
  luaL_checkstack(L, 32, "a cell");
  declaration.run.push(L);
  push_levels(L, declaration, combination);
  lua_pushinteger(L, static_cast<lua_Integer>(seed));
  lua_call(L, 2, 1);
  if (!declaration.measure.valid()) return;
  declaration.measure.push(L);
  lua_insert(L, -2);
  push_levels(L, declaration, combination);
  lua_call(L, 2, 1);
}

namespace {

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

CellOutcome measured_cell(lua_State* L, const Declaration& declaration, const char* who) {
  CellOutcome outcome;
  auto names = std::make_shared<std::vector<std::string>>();
  const auto add = [&](std::string_view name, double value) {
    for (const Factor& factor : declaration.design.factors)
      if (factor.name == name) fail("bad_measure", "'{}' is a measure and a factor; rename the factor", name);
    names->emplace_back(name);
    outcome.values.push_back(value);
  };
  if (const auto* result = test<ResultValue>(L, -1)) {
    note_measured(L, *result->outcome);
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
  bool by_table = false;
  protect(L, [&](lua_State* in) {
    call_for_cell(in, declaration, design.combinations[design.combination_of(cell)],
                  design.seed_of(design.replication_of(cell)));
    by_table = lua_type(in, -1) == LUA_TTABLE;
    outcome = measured_cell(in, declaration, declaration.measure.valid() ? "measure" : "run");
  });
  Interpreter& interpreter = Interpreter::of(L);
  const std::vector<std::string>& kept = declaration.metrics;
  // A table is made by the script, which may have looked how its runs stand.
  if (!interpreter.cell().early().empty() && !(by_table && interpreter.cell().status_read()))
    interpreter.output().warn(interpreter.cell().early(), "cells measured before the end of their runs", 1);
  if (interpreter.cell().incomplete().empty() || interpreter.cell().status_read()) return outcome;
  const bool told =
      by_table ? outcome.find("unfinished") != nullptr : std::ranges::find(kept, "unfinished") != kept.end();
  if (!told)
    fail("incomplete", "{}; to keep such cells, measure \"unfinished\", or look at the result's status",
         interpreter.cell().incomplete());
  interpreter.output().warn(interpreter.cell().incomplete(), "cells kept whose runs stopped with work left",
                            1);
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

// The files, settings and seeds that the cell that was computed last has looked for.
std::vector<CellOutcome::Read> reads_of_cell(const Interpreter& interpreter) {
  using Kind = CellOutcome::Read::Kind;
  std::vector<CellOutcome::Read> reads;
  for (const std::string& name : interpreter.cell().reads().files) {
    std::optional<std::string> hash;
    for (const Files::DataFile& file : interpreter.files().data_files())
      if (file.asked == name) hash = file.hash;
    reads.push_back({Kind::file, name, hash});
  }
  const auto& settings = interpreter.options().settings;
  for (const std::string& name : interpreter.cell().reads().settings) {
    const auto given = settings.find(name);
    reads.push_back(
        {Kind::setting, name, given == settings.end() ? std::nullopt : std::optional(given->second)});
  }
  for (const std::uint64_t seed : interpreter.cell().reads().seeds)
    reads.push_back({Kind::seed, std::to_string(seed), std::nullopt});
  return reads;
}

// The outcome of a cell, of one that failed too.
CellOutcome compute_cell(lua_State* L, const Declaration& declaration, std::uint64_t cell) {
  Interpreter& interpreter = Interpreter::of(L);
  const Design& design = declaration.design;
  const Interpreter::InCell in_cell(interpreter, design.seed_of(design.replication_of(cell)), false);
  CellOutcome outcome;
  try {
    outcome = call(L, declaration, cell);
  } catch (const Stopped& stopped) {
    const std::string& code = stopped.diagnostic().code;
    if (code != "step_limit" && code != "memory_limit") throw;
    outcome.error = first_line(stopped.diagnostic().text());
  } catch (const Error& error) {
    if (error.diagnostic().code == kNoMetric) throw;
    outcome.error = first_line(error.diagnostic().text());
  }
  outcome.reads = reads_of_cell(interpreter);
  outcome.warnings = interpreter.cell().warnings();
  return outcome;
}

// Shows the cell of --cell K.
[[noreturn]] void show_cell(lua_State* L, const Declaration& declaration, std::uint64_t cell) {
  Interpreter& interpreter = Interpreter::of(L);
  const Design& design = declaration.design;
  if (cell < 1 || cell > design.most_cells())
    fail("unknown_name", "--cell {}: experiment '{}' has cells 1 to {}", interpreter.options().cell,
         design.name, design.most_cells());
  const std::string title = fmt::format("experiment '{}', {}", design.name, design.cell_text(cell));
  interpreter.output().print(title + "\n");
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
      interpreter.output().print(
          fmt::format("{} = {}\n", (*outcome.names)[i], format_number(outcome.values[i])));
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

}  // namespace

void compute_cells(lua_State* L, const Declaration& declaration, Experiment& experiment) {
  Interpreter& interpreter = Interpreter::of(L);
  const Interpreter::Uncounted uncounted(interpreter);  // others may compute the cells
  CellDealer& dealer = dealer_of(interpreter);
  std::optional<std::vector<Surroundings::Seen>> before;
  while (const auto cell = dealer.take(interpreter, experiment)) {
    struct Taken {  // another interpreter computes the cell when this one stops
      CellDealer& dealer;
      Experiment& experiment;
      std::uint64_t cell;
      bool done = false;
      ~Taken() {
        if (!done) dealer.put_back(experiment, cell);
      }
    } taken{dealer, experiment, *cell};
    if (!before) before = declaration.surroundings.look(L);
    const std::uint64_t runs = interpreter.traces().runs();
    CellOutcome outcome;
    try {
      outcome = compute_cell(L, declaration, *cell);
      check_untouched(L, declaration, *cell, *before, runs);
    } catch (const Stopped&) {
      throw;
    } catch (const std::exception&) {
      taken.done = true;
      dealer.stop_by(experiment, *cell, std::current_exception());
      continue;
    }
    taken.done = true;
    dealer.give(experiment, *cell, std::move(outcome));
  }
}

void show_chosen_cell(lua_State* L, const Declaration& declaration, std::size_t nth) {
  if (const std::uint64_t cell = chosen_cell(Interpreter::of(L), declaration.design, nth))
    show_cell(L, declaration, cell);
}

}  // namespace perigee::bindings
