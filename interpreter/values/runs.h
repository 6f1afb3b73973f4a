// From a scenario and the options of a run to its result.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "interpreter/values/declarations.h"
#include "runtime/engine/history.h"
#include "runtime/engine/information.h"
#include "runtime/results/gantt.h"
#include "runtime/results/metrics.h"
#include "runtime/results/table.h"

namespace perigee::interpreter::lua {

// Options of s:run { }, s:start { } and s:compare { }.
struct RunRequest {
  ConfigPtr policy;
  RunOptions options;
  Instants instants;
  Information information;
  bool validate = false;
};

struct ResultValue {
  std::shared_ptr<const Outcome> outcome;
  std::uint64_t ordinal = 0;  // its place among the script's outcomes, from 1
  mutable std::optional<Metrics> metrics;
  std::shared_ptr<const History> history = nullptr;  // for r:why(work); null = not kept
  const Metrics& measured() const;
};

struct ComparisonValue {
  std::vector<ResultValue> results;
  std::vector<std::string> metrics;
  std::vector<std::string> names = {};  // names of the results, where the script gives some
};

// The simulation at its start. Generators are called here.
Simulation begin_run(lua_State* L, ScenarioValue& scenario, const RunRequest& request);
// What has been said of a run, so that it is said once however often the run is looked at.
struct Warned {
  std::uint64_t rejected = 0;  // works that no host can run
  std::set<std::string> lines;
};
ResultValue result_of(lua_State* L, const Simulation& simulation, bool validate, Warned& warned);

// Pushes a list of rows with methods plot and csv. Each row has its columns as fields; absent ones are nil.
// The text of the list is an aligned table.
void push_table(lua_State* L, const Table& table);
// Pushes the same list without rows. The caller sets `rows` rows by lua_rawseti, each with the metatable that
// is above the list on the stack.
void push_rows(lua_State* L, const std::vector<std::string>& columns, const std::vector<std::string>& units,
               std::size_t rows);
// The columns of a list of rows: first the ones it was made with, then the ones that the script has added, by
// name. Units are set where they are known. The table has no cells yet.
Table columns_of(lua_State* L, int rows);
// The __index of such a list.
int table_method(lua_State* L);
// t:plot { }, r:plot { }, plot(rows, { }): for a list that push_table has pushed, a result, or any list of
// rows.
int plot(lua_State* L);
// t:csv([file])
int table_csv(lua_State* L);
// Pushes the text of a list that push_table has pushed, with at most `most` rows. Returns false and pushes
// nothing for any other value.
bool push_text_of_rows(lua_State* L, int index, lua_Integer most, int width);
// The comparison as the prompt shows it. For two runs it also says where they part and shows both charts.
std::string shown_comparison(lua_State* L, const ComparisonValue& comparison);

// Pushes nil, a text, a boolean or a number; a whole number as an integer.
void push_cell(lua_State* L, const Cell& cell);
// The platform of a simulation, result, scenario or platform; null for any other value.
const Platform* platform_of(lua_State* L, int index);
// How a chart is drawn, as argument `index` says: nothing, a width, or { from =, to =, hosts =, width = }.
struct ChartOptions {
  int width = 80;
  ChartPart part = {};
};
ChartOptions chart_options(lua_State* L, int index, const Outcome& outcome);
// Reads from, to and hosts of a table.
ChartPart chart_part(const Fields& fields, const Outcome& outcome);
// Prints the run so far as a picture for the terminal.
void print_gantt(lua_State* L, const Outcome& outcome, int index);

PolicySetup setup_of(const ConfigPtr& policy, const Instants& instants);

// ---- why.cpp and compare.cpp: methods ----

int why(lua_State* L);               // sim:why(work), r:why(work)
int why_not(lua_State* L);           // sim:why_not(work, host), r:why_not(work, host)
int first_difference(lua_State* L);  // c:first_difference([i, j])
int comparison_gantt(lua_State* L);  // c:gantt([width])

template <>
struct TypeName<ComparisonValue> {
  static constexpr const char* value = "comparison";
};
template <>
struct TypeName<ResultValue> {
  static constexpr const char* value = "result";
};

}  // namespace perigee::interpreter::lua
