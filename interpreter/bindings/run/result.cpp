// r.makespan and every other metric, r:gantt(), r:save "dir", r:jobs(), r:resources().
#include <fmt/format.h>
#include <algorithm>

#include "interpreter/bindings/files.h"
#include "interpreter/bindings/gantt.h"
#include "interpreter/bindings/methods.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/measured.h"
#include "interpreter/bindings/run/why.h"
#include "interpreter/bindings/tables.h"
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

// An empty table stands for options that are not given.
void settle_options(lua_State* L) {
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) return;
  lua_newtable(L);
  lua_replace(L, 2);
}

// r:classes([{ widths = { }, lengths = { }, unit = }])
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

void open_result(lua_State* L) {
  std::vector<std::string> names(std::begin(kFields), std::end(kFields));
  for (const MetricInfo& info : metric_infos()) names.emplace_back(info.name);
  new_type<ResultValue>(L, kResultMethods, kResultMeta, property, names);
}

}  // namespace perigee::bindings
