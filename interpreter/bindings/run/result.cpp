// r.makespan and every other metric, r:gantt(), r:save "dir", r:jobs(), r:resources().
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "interpreter/bindings/files.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/gantt.h"
#include "interpreter/bindings/run/measured.h"
#include "interpreter/bindings/run/why.h"
#include "interpreter/bindings/show/items.h"
#include "interpreter/bindings/show/report.h"
#include "interpreter/bindings/show/tables.h"
#include "interpreter/host/terminal.h"
#include "interpreter/host/texts.h"
#include "interpreter/language/fields/plots.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/session/replay_card.h"
#include "interpreter/values/runs.h"
#include "runtime/kernel/whole.h"
#include "runtime/results/export.h"
#include "runtime/results/gantt.h"
#include "runtime/results/grid_measures.h"
#include "runtime/results/job_classes.h"
#include "runtime/results/job_rows.h"
#include "runtime/results/metrics.h"
#include "runtime/results/packages.h"
#include "runtime/results/queues.h"
#include "runtime/results/resource_rows.h"
#include "runtime/results/subtasks.h"
#include "runtime/results/validator.h"
#include "runtime/results/workflow_rows.h"

namespace perigee::bindings {

namespace {

constexpr std::uint64_t kStepsOfRow = 500;  // of a picture's rows

// The result of a method that needs no records of its trace, or may do without.
const ResultValue& any_result_at(lua_State* L) {
  const auto& result = check<ResultValue>(L, 1);
  Interpreter::of(L).count(1 + result.outcome->trace.size());
  return result;
}

// The result of a method, which walks over the trace.
const ResultValue& result_at(lua_State* L) {
  const ResultValue& result = any_result_at(L);
  check_trace_is_kept(*result.outcome);
  return result;
}

// The same, of a method whose rows and numbers a cell may measure.
const ResultValue& measured(lua_State* L, const ResultValue& result) {
  note_measured(L, *result.outcome);
  return result;
}
const ResultValue& measured_at(lua_State* L) { return measured(L, result_at(L)); }

const char* const kFields[] = {"fingerprint", "status", "policy",          "seed",
                               "end_time",    "events", "full_fingerprint"};

bool property(lua_State* L, int index, std::string_view name) {
  const ResultValue& result = check<ResultValue>(L, index);
  const Outcome& outcome = *result.outcome;
  if (name == "fingerprint") {
    host::push(L, outcome.physical.text());
  } else if (name == "full_fingerprint") {
    host::push(L, outcome.full.text());
  } else if (name == "status") {
    Interpreter::of(L).cell().note_status_read();
    host::push(L, name_of(outcome.status));
  } else if (name == "policy") {
    host::push(L, outcome.policy);
  } else if (name == "seed") {
    lua_pushinteger(L, static_cast<lua_Integer>(outcome.seed));
  } else if (name == "end_time") {
    lua_pushnumber(L, outcome.end);
  } else if (name == "events") {
    lua_pushinteger(L, static_cast<lua_Integer>(outcome.events));
  } else {
    if (!is_metric(name)) return false;
    if (name == "unfinished") Interpreter::of(L).cell().note_status_read();
    note_measured(L, outcome);
    if (!result.measured().has(name))
      fail("not_measured", "'{}' needs more of the trace than this run kept; run it with trace = \"full\"",
           name);
    const double value = result.measured()[name];
    const std::string_view unit = metric_info(name).unit;
    if (unit == "works" || unit == "activities" || unit == "plans" || unit == "files")
      lua_pushinteger(L, static_cast<lua_Integer>(value));
    else
      lua_pushnumber(L, value);
  }
  return true;
}

Cell result_cell_at(lua_State* L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TNIL:
      return {};
    case LUA_TNUMBER:
      return lua_tonumber(L, index);
    case LUA_TBOOLEAN:
      return lua_toboolean(L, index) != 0;
    default:
      push_text(L, index);
      std::string text(*text_at(L, -1));
      lua_pop(L, 1);
      return text;
  }
}

// The text of a list of rows, even if the script has changed it. Argument 2 is the most rows shown, argument
// 3 the width of the terminal. Upvalue: the columns.
int rows_text(lua_State* L) {
  return guard(L, [&] {
    if (lua_type(L, 1) != LUA_TTABLE) fail("bad_type", "a table is needed, got {}", shown(L, 1));
    Table table;
    const auto columns = static_cast<lua_Integer>(lua_rawlen(L, lua_upvalueindex(1)));
    const auto rows = static_cast<lua_Integer>(lua_rawlen(L, 1));
    if (rows == 0 && luaL_getmetafield(L, 1, kWhenEmpty) == LUA_TSTRING) return 1;
    for (lua_Integer c = 1; c <= columns; ++c) {
      lua_rawgeti(L, lua_upvalueindex(1), c);
      table.columns.emplace_back(*text_at(L, -1));
      lua_pop(L, 1);
    }
    const lua_Integer shown_rows = lua_isinteger(L, 2) != 0 ? std::min(rows, lua_tointeger(L, 2)) : rows;
    for (lua_Integer r = 1; r <= shown_rows; ++r) {
      Interpreter::of(L).count(1);
      auto& cells = table.rows.emplace_back();
      lua_rawgeti(L, 1, r);
      for (const std::string& column : table.columns) {
        if (lua_type(L, -1) == LUA_TTABLE) {
          host::push(L, column);
          lua_rawget(L, -2);
          if (column == "seed" && lua_isinteger(L, -1) != 0)  // in full, so that it can be typed again
            cells.emplace_back(std::to_string(lua_tointeger(L, -1)));
          else
            cells.push_back(result_cell_at(L, -1));
          lua_pop(L, 1);
        }
      }
      lua_pop(L, 1);
    }
    std::string text =
        table.text({}, static_cast<std::size_t>(std::max<lua_Integer>(0, lua_tointeger(L, 3))));
    if (shown_rows < rows) text += fmt::format("... and {} more rows\n", rows - shown_rows);
    if (!text.empty() && text.back() == '\n') text.pop_back();
    host::push(L, text);
    return 1;
  });
}

// A field that a row lacks is nil when it is a column. Any other field is an error. Upvalue: the columns.
int missing_cell(lua_State* L) {
  return guard(L, [&] {
    if (lua_type(L, 2) == LUA_TSTRING) {
      const std::string name(*text_at(L, 2));
      std::vector<std::string> columns;
      const auto count = static_cast<lua_Integer>(lua_rawlen(L, lua_upvalueindex(1)));
      for (lua_Integer c = 1; c <= count; ++c) {
        lua_rawgeti(L, lua_upvalueindex(1), c);
        columns.emplace_back(*text_at(L, -1));
        lua_pop(L, 1);
      }
      if (std::find(columns.begin(), columns.end(), name) == columns.end())
        fail("unknown_field", "the rows of this table have no column '{}'{}", name,
             did_you_mean(name, columns));
    }
    lua_pushnil(L);
    return 1;
  });
}

// r:jobs(), r:packages(), r:plans(), ...
template <Table (*table_of)(const Outcome&)>
int table_method_of(lua_State* L) {
  return guard(L, [&] {
    push_table(L, table_of(*measured_at(L).outcome));
    return 1;
  });
}

const Outcome& with_notes(lua_State* L) {
  const Outcome& outcome = *measured(L, any_result_at(L)).outcome;
  if (outcome.trace.level() == TraceLevel::none && !outcome.trace.has_forgotten())
    fail("not_measured", "notes were not kept of this run; run it with trace = \"work\" or \"full\"");
  return outcome;
}

// r:plans(), r:enpr(), ... of the notes.
template <Table (*table_of)(const Outcome&)>
int note_method_of(lua_State* L) {
  return guard(L, [&] {
    push_table(L, table_of(with_notes(L)));
    return 1;
  });
}

// r:record() -> the run as a JSON text.
int result_record(lua_State* L) {
  return guard(L, [&] {
    host::push(L, petek_record(*result_at(L).outcome));
    return 1;
  });
}

const Outcome& with_activities(lua_State* L, std::string_view what) {
  const Outcome& outcome = *measured_at(L).outcome;
  if (outcome.trace.level() != TraceLevel::full)
    fail("not_measured", "{}() needs more of the trace than this run kept; run it with trace = \"full\"",
         what);
  return outcome;
}

// The borders that a field lists, or those that hold without it.
void read_borders(const Fields& fields, const FieldRow& row, bool whole, std::vector<double>& borders) {
  constexpr std::size_t kMost = 100;
  if (!fields.push(row)) return;
  borders = fields.numbers(row, fmt::format("{}: {}", fields.subject(), row.name));
  lua_pop(fields.state(), 1);
  if (borders.size() > kMost)
    fields.fail(row, "{} has {} borders; at most {} can be", row.name, borders.size(), kMost);
  for (std::size_t i = 0; i < borders.size(); ++i) {
    if (whole && !is_whole(borders[i]))
      fields.fail(row, "{}[{}] must be a whole number, got {}", row.name, i + 1, format_number(borders[i]));
    if (i > 0 && borders[i] <= borders[i - 1])
      fields.fail(row, "{} must ascend: {} comes after {}", row.name, format_number(borders[i]),
                  format_number(borders[i - 1]));
  }
}

// r:classes([{ widths = { }, lengths = { }, unit = }])
// An empty table stands for options that are not given.
void settle_options(lua_State* L) {
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) return;
  lua_newtable(L);
  lua_replace(L, 2);
}

int class_table(lua_State* L) {
  return guard(L, [&] {
    const Outcome& outcome = with_activities(L, "classes");
    settle_options(L);
    const Fields fields(L, 2, {"classes"}, classes_fields::kAll);
    ClassBorders borders;
    borders.by_nodes = fields.choice(classes_fields::kUnit) == 1;
    read_borders(fields, classes_fields::kWidths, true, borders.widths);
    read_borders(fields, classes_fields::kLengths, false, borders.lengths);
    push_table(L, classes(outcome, borders));
    return 1;
  });
}

int group_table(lua_State* L) {
  return guard(L, [&] {
    const Outcome& outcome = *result_at(L).outcome;
    settle_options(L);
    const Fields fields(L, 2, {"groups"}, groups_fields::kAll);
    push_table(L, groups(outcome, static_cast<GroupBy>(fields.choice(groups_fields::kBy))));
    return 1;
  });
}

int queue_table(lua_State* L) {
  return guard(L, [&] {
    push_table(L, queues(with_activities(L, "queues")));
    return 1;
  });
}

int chain_table(lua_State* L) {
  return guard(L, [&] {
    push_table(L, critical_chain_table(with_activities(L, "critical_chain")));
    return 1;
  });
}

int component_table(lua_State* L) {
  return guard(L, [&] {
    const Outcome& outcome = *any_result_at(L).outcome;
    check_all_works_are_kept(outcome);
    push_table(L, components(*outcome.scenario->workload));
    return 1;
  });
}

// r:graph() -> the sub-tasks in the language of Graphviz.
int graph(lua_State* L) {
  return guard(L, [&] {
    host::push(L, subtask_dot(with_activities(L, "graph")));
    return 1;
  });
}

// r:save_graph(file): writes the graph below --out.
int save_graph(lua_State* L) {
  return guard(L, [&] {
    std::string name = path_at(L, 2, "save_graph");
    const Outcome& outcome = with_activities(L, "save_graph");
    if (!name.ends_with(".dot")) name += ".dot";
    Interpreter& interpreter = Interpreter::of(L);
    if (!interpreter.checking() && interpreter.writes()) write_below_out(L, {{name, subtask_dot(outcome)}});
    lua_settop(L, 1);
    return 1;
  });
}

// r:wfformat(name [, workflow]): writes the tasks and how they were executed below --out.
int save_wfformat(lua_State* L) {
  return guard(L, [&] {
    const std::string name = path_at(L, 2, "wfformat");
    const Outcome& outcome = with_activities(L, "wfformat");
    std::optional<std::uint32_t> workflow;
    if (!lua_isnoneornil(L, 3))
      workflow = static_cast<std::uint32_t>(
          integer_at(L, 3, "wfformat: workflow", 1, std::ssize(outcome.scenario->workload->workflows)) - 1);
    Interpreter& interpreter = Interpreter::of(L);
    if (!interpreter.checking()) {
      const std::string written = wfformat_of(outcome, workflow, std::filesystem::path(name).stem().string());
      if (interpreter.writes()) write_below_out(L, {{name, written}});
    }
    lua_settop(L, 1);
    return 1;
  });
}

// r:notes() -> rows of time, name and values, which are also the row's [1], [2], ...
int note_table(lua_State* L) {
  return guard(L, [&] {
    const auto notes = with_notes(L).trace.notes();
    Table table;
    table.columns = {"time", "name", "values"};
    for (const Note& note : notes) {
      std::string values;
      for (const double value : note.values) values += (values.empty() ? "" : " ") + format_number(value);
      table.rows.push_back({note.time, note.name, values});
    }
    push_table(L, table);
    for (std::size_t i = 0; i < notes.size(); ++i) {
      lua_rawgeti(L, -1, static_cast<lua_Integer>(i) + 1);
      for (std::size_t v = 0; v < notes[i].values.size(); ++v) {
        push_cell(L, notes[i].values[v]);
        lua_rawseti(L, -2, static_cast<lua_Integer>(v) + 1);
      }
      lua_pop(L, 1);
    }
    return 1;
  });
}

// r:metrics() -> a table of all measured metrics.
int metric_table(lua_State* L) {
  return guard(L, [&] {
    lua_newtable(L);
    for (const Metric& metric : measured(L, any_result_at(L)).measured().all()) {
      host::push(L, metric.info.name);
      lua_pushnumber(L, metric.value);
      lua_rawset(L, -3);
    }
    return 1;
  });
}

int result_waiting(lua_State* L) {
  return guard(L, [&] {
    const auto& lines = any_result_at(L).outcome->waiting;
    lua_newtable(L);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      host::push(L, lines[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    return 1;
  });
}

// r:gantt([width or { from =, to =, hosts =, width = }])
int result_draw(lua_State* L) {
  return guard(L, [&] {
    print_gantt(L, *result_at(L).outcome, 2);
    lua_settop(L, 1);
    return 1;
  });
}

// r:validate() -> the faults of the trace, a list of texts.
int problems(lua_State* L) {
  return guard(L, [&] {
    const Outcome& outcome = *result_at(L).outcome;
    if (outcome.trace.level() != TraceLevel::full)
      fail("not_measured", "validate: the whole trace is needed; run it with trace = \"full\"");
    const std::vector<std::string> found = validate(outcome);
    luaL_checkstack(L, 3, "problems");
    lua_createtable(L, static_cast<int>(found.size()), 0);
    for (std::size_t i = 0; i < found.size(); ++i) {
      host::push(L, found[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    return 1;
  });
}

// Calls named(name) for each name of the list at the top of the stack. Errors name `what`.
template <class F>
void read_names(lua_State* L, std::string_view what, F&& named) {
  if (!lua_istable(L, -1)) fail("bad_type", "save: {} must be a list of names, got {}", what, shown(L, -1));
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, -1));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, -1, i);
    const auto name = text_at(L, -1);
    if (!name) fail("bad_type", "save: entry {} of {} is no name, got {}", i, what, shown(L, -1));
    named(*name);
    lua_pop(L, 1);
  }
}

// r:save(dir [, { format, ..., only = { file, ... }, gzip = }]): writes below --out.
int save_result(lua_State* L) {
  return guard(L, [&] {
    constexpr std::uint64_t kStepsOfRecord = 100;  // several files have each record
    const ResultValue& result = any_result_at(L);
    const auto folder = text_at(L, 2);
    if (!folder) fail("bad_type", "save: the name of a folder is needed, got {}", shown(L, 2));
    Saving saving;
    if (!lua_isnoneornil(L, 3)) {
      const Fields fields(L, 3, {"save"}, save_fields::kAll, true);
      saving.gzip = fields.flag(save_fields::kGzip);
      lua_pushvalue(L, 3);
      read_names(L, "the formats", [&](std::string_view name) { saving.also.push_back(format_named(name)); });
      if (fields.push(save_fields::kOnly))
        read_names(L, "'only'", [&](std::string_view name) { saving.only.push_back(run_file_named(name)); });
    }
    if (!saving.also.empty()) check_trace_is_kept(*result.outcome);
    Interpreter& interpreter = Interpreter::of(L);
    did_work(kStepsOfRecord * result.outcome->trace.size());
    if (interpreter.writes()) {
      const std::string real = interpreter.files().output_folder(std::string(*folder));
      check_not_written(L, real, *folder);
      for (const std::string& line :
           save_with_card(interpreter, *result.outcome, result.ordinal, real, saving))
        interpreter.output().warn(line);
      note_written(L, real);
    }
    lua_settop(L, 1);
    return 1;
  });
}

int result_text(lua_State* L) {
  return guard(L, [&] {
    const Outcome& outcome = *result_at(L).outcome;
    host::push(L, fmt::format("result of {} with seed {}: {} at t = {}, fingerprint {}", outcome.policy,
                              outcome.seed, name_of(outcome.status),
                              format_quantity(outcome.end, Dimension::seconds), outcome.physical.text()));
    return 1;
  });
}

constexpr luaL_Reg kResultMethods[] = {{"plot", plot},
                                       {"gantt", result_draw},
                                       {"save", save_result},
                                       {"report", report},
                                       {"jobs", table_method_of<jobs>},
                                       {"attempts", table_method_of<attempts>},
                                       {"resources", table_method_of<resources>},
                                       {"users", table_method_of<users>},
                                       {"groups", group_table},
                                       {"classes", class_table},
                                       {"queues", queue_table},
                                       {"workflows", table_method_of<workflows>},
                                       {"packages", table_method_of<packages>},
                                       {"hosts", table_method_of<results::hosts>},
                                       {"record", result_record},
                                       {"notes", note_table},
                                       {"enpr", note_method_of<enpr>},
                                       {"critical_chain", chain_table},
                                       {"components", component_table},
                                       {"graph", graph},
                                       {"save_graph", save_graph},
                                       {"wfformat", save_wfformat},
                                       {"plans", note_method_of<plans>},
                                       {"deviations", note_method_of<deviations>},
                                       {"metrics", metric_table},
                                       {"waiting", result_waiting},
                                       {"why", why},
                                       {"why_not", why_not},
                                       {"validate", problems},
                                       {nullptr, nullptr}};
constexpr luaL_Reg kResultMeta[] = {{"__tostring", result_text}, {nullptr, nullptr}};

}  // namespace

void push_cell(lua_State* L, const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) {
    lua_Integer whole = 0;
    if (lua_numbertointeger(*number, &whole) && static_cast<double>(whole) == *number &&
        std::fabs(*number) < 9e15)
      lua_pushinteger(L, whole);
    else
      lua_pushnumber(L, *number);
  } else if (const auto* text = std::get_if<std::string>(&cell)) {
    host::push(L, *text);
  } else if (const auto* truth = std::get_if<bool>(&cell)) {
    lua_pushboolean(L, *truth ? 1 : 0);
  } else {
    lua_pushnil(L);
  }
}

void push_rows(lua_State* L, const std::vector<std::string>& names, const std::vector<std::string>& units,
               std::size_t rows) {
  luaL_checkstack(L, 10, "rows");
  lua_createtable(L, static_cast<int>(names.size()), 0);
  for (std::size_t c = 0; c < names.size(); ++c) {
    host::push(L, names[c]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(c) + 1);
  }
  const int columns = lua_gettop(L);
  lua_createtable(L, 0, 2);
  lua_pushvalue(L, columns);
  lua_pushcclosure(L, missing_cell, 1);
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "protected");
  lua_setfield(L, -2, "__metatable");
  lua_createtable(L, static_cast<int>(rows), 0);
  lua_createtable(L, 0, 5);
  lua_pushvalue(L, columns);
  lua_pushcclosure(L, rows_text, 1);
  lua_setfield(L, -2, "__tostring");
  lua_pushcfunction(L, table_method);
  lua_setfield(L, -2, "__index");
  lua_pushvalue(L, columns);  // for table_method's plot and csv; scripts cannot reach them
  lua_setfield(L, -2, "columns");
  lua_createtable(L, 0, 0);
  for (std::size_t c = 0; c < units.size() && c < names.size(); ++c) {
    host::push(L, units[c]);
    lua_setfield(L, -2, names[c].c_str());
  }
  lua_setfield(L, -2, "units");
  lua_pushliteral(L, "protected");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_replace(L, columns);  // the list, and above it the metatable of its rows
}

void push_table(lua_State* L, const Table& table) {
  push_rows(L, table.columns, table.units, table.rows.size());
  const int of_row = lua_gettop(L), rows = of_row - 1;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    Interpreter::of(L).count(1);
    lua_createtable(L, 0, static_cast<int>(table.columns.size()));
    for (std::size_t c = 0; c < table.rows[r].size() && c < table.columns.size(); ++c) {
      push_cell(L, table.rows[r][c]);
      lua_setfield(L, -2, table.columns[c].c_str());
    }
    lua_pushvalue(L, of_row);
    lua_setmetatable(L, -2);
    lua_rawseti(L, rows, static_cast<lua_Integer>(r) + 1);
  }
  lua_settop(L, rows);
}

bool push_text_of_rows(lua_State* L, int index, lua_Integer most, int width) {
  index = lua_absindex(L, index);
  if (luaL_getmetafield(L, index, "__tostring") == LUA_TNIL) return false;
  if (lua_tocfunction(L, -1) != rows_text) {
    lua_pop(L, 1);
    return false;
  }
  lua_pushvalue(L, index);
  lua_pushinteger(L, most);
  lua_pushinteger(L, width);
  lua_call(L, 3, 1);
  return true;
}

ChartPart chart_part(const Fields& fields, const Outcome& outcome) {
  lua_State* L = fields.state();
  ChartPart part;
  part.from = fields.number(chart_fields::kFrom, part.from);
  part.to = fields.number(chart_fields::kTo, part.to);
  if (fields.has(chart_fields::kFrom) && part.from >= std::min(part.to, outcome.end))
    fields.fail(chart_fields::kFrom, "from must be before {}, which is {} s, got {} s",
                part.to < outcome.end ? "to" : "the end", format_number(std::min(part.to, outcome.end)),
                format_number(part.from));
  if (fields.has(chart_fields::kRows))
    part.rows = static_cast<std::size_t>(fields.integer(chart_fields::kRows));
  if (!fields.push(chart_fields::kHosts)) return part;
  const Platform& platform = *outcome.scenario->platform;
  const auto add = [&](std::string_view name) {
    std::vector<std::string> names;
    for (std::size_t h = 0; h < platform.hosts().size(); ++h) {
      const Host& host = platform.hosts()[h];
      const std::string& cluster = platform[host.cluster].name;
      if (host.name == name || cluster == name) {
        if (std::ranges::find(part.hosts, HostId(h)) == part.hosts.end()) part.hosts.push_back(HostId(h));
        names.clear();
        names.emplace_back(name);
        if (host.name == name) return;
      }
      if (names.empty() || names[0] != name) names.insert(names.end(), {host.name, cluster});
    }
    if (names.empty() || names[0] != name)
      fields.fail(chart_fields::kHosts, "there is no host or cluster '{}'{}", name,
                  did_you_mean(name, names));
  };
  if (const auto name = text_at(L, -1)) {
    add(*name);
  } else if (lua_type(L, -1) == LUA_TTABLE && lua_rawlen(L, -1) > 0) {
    const lua_Integer count = list_length(L, -1, fmt::format("{}: hosts", fields.subject()));
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(L, -1, i);
      if (!text_at(L, -1))
        fields.fail(chart_fields::kHosts, "hosts[{}] must be a name, got {}", i, shown(L, -1));
      add(*text_at(L, -1));
      lua_pop(L, 1);
    }
  } else {
    fields.fail(chart_fields::kHosts, "hosts must be a list of names of hosts and clusters, got {}",
                shown(L, -1));
  }
  lua_pop(L, 1);
  return part;
}

ChartOptions chart_options(lua_State* L, int index, const Outcome& outcome) {
  ChartOptions options{terminal_width()};
  if (lua_type(L, index) == LUA_TTABLE) {
    const Fields fields(L, index, {"gantt"}, chart_fields::kAll);
    options.width = static_cast<int>(fields.integer(chart_fields::kWidth, options.width));
    options.part = chart_part(fields, outcome);
  } else if (!lua_isnoneornil(L, index)) {
    options.width = static_cast<int>(
        integer_at(L, index, "gantt: width", chart_fields::kLeastColumns, chart_fields::kMostColumns));
  }
  return options;
}

void print_gantt(lua_State* L, const Outcome& outcome, int index) {
  did_work(kStepsOfRow * outcome.scenario->platform->hosts().size() + outcome.trace.size());
  const ChartOptions options = chart_options(L, index, outcome);
  Interpreter& interpreter = Interpreter::of(L);
  interpreter.output().show(
      gantt(outcome, options.width, true, interpreter.output().width() > 0, options.part), true,
      [&] { return chart_item(outcome, "chart"); });
}

void open_result(lua_State* L) {
  std::vector<std::string> names(std::begin(kFields), std::end(kFields));
  for (const MetricInfo& info : metric_infos()) names.emplace_back(info.name);
  new_type<ResultValue>(L, kResultMethods, kResultMeta, property, names);
}

}  // namespace perigee::bindings
