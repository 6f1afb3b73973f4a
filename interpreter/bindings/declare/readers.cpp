// workload.swf(path, { ... }): the jobs of a log, and the log itself. workload.irmasim, platform.irmasim and
// scenario.irmasim: the files of IRMaSim. scheduler_list(path): scheduler lists of Sim-PETEK. csv.read(path):
// the rows of a table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/bindings/files.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/show/tables.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/runs.h"
#include "runtime/model/readers/irmasim.h"
#include "runtime/model/readers/scheduler_list.h"
#include "runtime/model/readers/swf.h"
#include "runtime/model/readers/table.h"

namespace perigee::values {

// A log that was read, and the counts of its jobs that workload.swf kept or left out.
struct LogValue {
  SwfLog log;
  SwfOptions options;
  std::int64_t kept = 0;  // jobs kept on a host that is wide enough for all
  std::array<std::int64_t, kSwfAnomalies> left_out = {};
  double first_submit = 0;
  std::vector<SwfFinding> report;
};

}  // namespace perigee::values

namespace perigee::host {

template <>
struct TypeName<std::shared_ptr<const values::LogValue>> {
  static constexpr const char* value = "log";
};

}  // namespace perigee::host

namespace perigee::bindings {

namespace {

using LogPtr = std::shared_ptr<const LogValue>;
constexpr std::int64_t kMostJobs = 1'000'000'000;

void push_readers_texts(lua_State* L, const std::vector<std::string>& texts) {
  lua_createtable(L, static_cast<int>(texts.size()), 0);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    host::push(L, texts[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}

// ---- logs ----

// Raises the error at the line of the field; without a field, at the line of the table.
[[noreturn]] void readers_refuse(const Fields& fields, const char* field, const Error& error) {
  try {
    fields.fail(field, "{}", error.diagnostic().message);
  } catch (const Error& placed) {
    Diagnostic diagnostic = placed.diagnostic();
    diagnostic.code = error.diagnostic().code;
    throw Error(std::move(diagnostic));
  }
}

SwfOptions swf_options(lua_State* L, int index) {
  SwfOptions options;
  options.form = TimeForm::seconds;
  if (lua_isnoneornil(L, index)) return options;
  const Fields fields(
      L, index, {"workload.swf"},
      {"bad_lines", "order", "duplicates", "oversize", "overrun", "statuses", "from_time", "to_time", "skip",
       "first", "last", "ref_rate", "speed", "round_submit", "req_factor"});
  for (const char* policy : {"bad_lines", "order", "duplicates", "oversize", "overrun"}) {
    if (!fields.has(policy)) continue;
    const std::string given = fields.text(policy, std::nullopt);
    try {
      options.set_policy(policy, given);
    } catch (const Error& error) {
      readers_refuse(fields, policy, error);
    }
  }
  if (fields.push("statuses")) {
    options.statuses.clear();
    for (const double status :
         numbers_at(L, -1, "workload.swf: statuses", Dimension::count, {-1, 5, false})) {
      if (status != std::floor(status)) fields.fail("statuses", "statuses are whole numbers, got {}", status);
      options.statuses.push_back(static_cast<int>(status));
    }
    lua_pop(L, 1);
  }
  options.from_time = fields.number("from_time", Dimension::seconds, options.from_time, kAnyNumber);
  options.to_time = fields.number("to_time", Dimension::seconds, options.to_time, kAnyNumber);
  options.skip = static_cast<std::size_t>(fields.integer("skip", 0, 0, kMostJobs));
  if (fields.has("first"))
    options.first = static_cast<std::size_t>(fields.integer("first", std::nullopt, 1, kMostJobs));
  if (fields.has("last"))
    options.last = static_cast<std::size_t>(fields.integer("last", std::nullopt, 1, kMostJobs));
  if (fields.has("ref_rate")) {
    options.form = TimeForm::operations;
    options.ref_rate = fields.number("ref_rate", Dimension::operations_per_second, std::nullopt, kPositive);
  }
  options.speed = fields.number("speed", Dimension::count, options.speed, kPositive);
  options.round_submit =
      fields.number("round_submit", Dimension::seconds, options.round_submit, kNotNegative);
  if (fields.has("req_factor"))
    options.req_factor = fields.number("req_factor", Dimension::count, std::nullopt, kPositive);
  try {
    options.check();
  } catch (const Error& error) {  // two options exclude each other
    readers_refuse(fields, nullptr, error);
  }
  return options;
}

// Warns of jobs that were left out though nobody asked for that.
void warn_of_gaps(lua_State* L, const std::string& name, const LogValue& log) {
  std::vector<std::string> reasons;
  std::int64_t count = 0;
  for (std::size_t a = 0; a < kSwfAnomalies; ++a) {
    const auto anomaly = static_cast<SwfAnomaly>(a);
    if (log.left_out[a] == 0 || anomaly == SwfAnomaly::outside_time || anomaly == SwfAnomaly::outside_count ||
        anomaly == SwfAnomaly::not_kept_status)
      continue;
    count += log.left_out[a];
    reasons.push_back(fmt::format("{} {}", log.left_out[a], name_of(anomaly)));
  }
  if (count > 0)
    warn_once(L, fmt::format("{}: {} of {} jobs left out: {}", name, count, log.log.jobs.size(),
                             fmt::join(reasons, ", ")));
}

// workload.swf(path [, { ... }])
int swf(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "workload.swf");
    auto value = std::make_shared<LogValue>();
    value->options = swf_options(L, 2);
    value->log = with_file(L, path, [&](const std::string& real) { return read_swf(real, value->options); });
    value->log.name = path;
    {
      const SwfWorkload chosen = swf_workload(value->log, value->options);
      value->kept = static_cast<std::int64_t>(chosen.jobs.size());
      value->left_out = chosen.left_out;
      value->first_submit = chosen.first_submit;
      value->report = chosen.report();
    }
    warn_of_gaps(L, path, *value);
    const LogPtr log = std::move(value);
    push_workload(
        L, WorkKind::job, log->kept,
        [log, &interpreter = Interpreter::of(L)](const Platform& platform) {
          SwfWorkload made = swf_workload(log->log, log->options, &platform);
          for (const SwfFinding& found : made.report())  // only the platform shows this anomaly
            if (found.anomaly == SwfAnomaly::oversize)
              warn_once(interpreter.running(),
                        fmt::format("{}: {} {}: {}", log->log.name, found.count, found.what, found.done));
          return std::move(made.workload);
        },
        log);
    return 1;
  });
}

const LogValue& log_at(lua_State* L, int index) { return *check<LogPtr>(L, index); }

void push_optional(lua_State* L, std::string_view text) {
  if (text.empty())
    lua_pushnil(L);
  else
    host::push(L, text);
}

bool log_property(lua_State* L, int index, std::string_view name) {
  const LogValue& value = log_at(L, index);
  const SwfLog& log = value.log;
  if (name == "name") {
    host::push(L, log.name);
  } else if (name == "jobs") {
    lua_pushinteger(L, static_cast<lua_Integer>(log.jobs.size()));
  } else if (name == "kept") {
    lua_pushinteger(L, value.kept);
  } else if (name == "lines") {
    lua_pushinteger(L, log.lines);
  } else if (name == "first_submit") {
    lua_pushnumber(L, value.first_submit);
  } else if (name == "max_procs") {
    if (log.max_procs() > 0)
      lua_pushinteger(L, log.max_procs());
    else
      lua_pushnil(L);
  } else if (name == "computer" || name == "installation") {
    push_optional(L, log.header(name));
  } else {
    return false;
  }
  return true;
}

// log:header(name) -> text, or nil
int log_header(lua_State* L) {
  return guard(L, [&] {
    const auto name = text_at(L, 2);
    if (!name) fail("bad_type", "header: a name such as \"MaxProcs\" is needed, got {}", shown(L, 2));
    push_optional(L, log_at(L, 1).log.header(*name));
    return 1;
  });
}

// log:headers() -> rows of name and value
int log_headers(lua_State* L) {
  return guard(L, [&] {
    Table table{{"name", "value"}, {}};
    for (const auto& [name, value] : log_at(L, 1).log.headers) table.rows.push_back({name, value});
    push_table(L, table);
    return 1;
  });
}

// log:anomalies() -> a row for each finding
int log_anomalies(lua_State* L) {
  return guard(L, [&] {
    Table table{{"anomaly", "count", "line", "what", "done", "option"}, {}};
    for (const SwfFinding& finding : log_at(L, 1).report) {
      table.rows.push_back({std::string(name_of(finding.anomaly)),
                            static_cast<double>(finding.count),
                            {},
                            finding.what,
                            finding.done,
                            {}});
      if (finding.first_line > 0) table.rows.back()[2] = static_cast<double>(finding.first_line);
      if (!finding.policy.empty()) table.rows.back()[5] = finding.policy;
    }
    push_table(L, table);
    return 1;
  });
}

// log:count("unknown_wait") -> the number of such jobs
int log_count(lua_State* L) {
  return guard(L, [&] {
    const LogValue& value = log_at(L, 1);
    const auto wanted = text_at(L, 2);
    if (!wanted) fail("bad_type", "count: the name of an anomaly is needed, got {}", shown(L, 2));
    std::vector<std::string> names;
    for (std::size_t a = 0; a < kSwfAnomalies; ++a) names.emplace_back(name_of(static_cast<SwfAnomaly>(a)));
    if (std::ranges::find(names, *wanted) == names.end())
      fail("unknown_name", "there is no anomaly '{}'{}", *wanted, did_you_mean(*wanted, names));
    std::int64_t count = 0;
    for (const SwfFinding& finding : value.report)
      if (name_of(finding.anomaly) == *wanted) count = finding.count;
    lua_pushinteger(L, count);
    return 1;
  });
}

// log:limitations() -> lines, each a limitation of the log
int log_limitations(lua_State* L) {
  return guard(L, [&] {
    push_readers_texts(L, log_at(L, 1).log.limitations());
    return 1;
  });
}

int log_text(lua_State* L) {
  return guard(L, [&] {
    const LogValue& value = log_at(L, 1);
    host::push(L,
               fmt::format("log {} of {} jobs, {} kept", value.log.name, value.log.jobs.size(), value.kept));
    return 1;
  });
}

// ---- IRMaSim ----

void warn_of_ignored(lua_State* L, const std::string& path, const std::vector<IrmasimIgnored>& ignored) {
  for (const IrmasimIgnored& each : ignored) warn_once(L, fmt::format("{}: {}", path, each.text()));
}

PlatformValue read_platform(lua_State* L, const std::string& path, std::string_view name) {
  IrmasimPlatformFile file =
      with_file(L, path, [&](const std::string& real) { return read_irmasim_platform(real, name); });
  warn_of_ignored(L, path, file.ignored);
  PlatformValue value;
  value.platform = std::make_shared<const Platform>(file.platform.spec());
  for (const auto& processor : file.platform.processors) value.architectures.push_back(processor.name);
  return value;
}

void push_jobs(lua_State* L, const std::string& path, const IrmasimTrajectory& trajectory) {
  IrmasimWorkloadFile file =
      with_file(L, path, [](const std::string& real) { return read_irmasim_workload(real); });
  warn_of_ignored(L, path, file.ignored);
  const std::uint64_t rest = file.jobs.size() - std::min<std::uint64_t>(trajectory.origin, file.jobs.size());
  push_workload(L, WorkKind::job,
                static_cast<std::int64_t>(trajectory.length == 0 ? rest : std::min(trajectory.length, rest)),
                [jobs = std::make_shared<const std::vector<IrmasimJob>>(std::move(file.jobs)), trajectory](
                    const Platform& platform) { return irmasim_workload(*jobs, platform, trajectory); });
}

// platform.irmasim(path [, name])
int irmasim_platform(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "platform.irmasim");
    const auto name = text_at(L, 2);
    if (!name && !lua_isnoneornil(L, 2))
      fail("bad_type", "platform.irmasim: the name of a platform is needed, got {}", shown(L, 2));
    push_new(L, read_platform(L, path, name.value_or(std::string_view())));
    return 1;
  });
}

// workload.irmasim(path [, { origin =, length =, enforce_req_time = }])
int irmasim_jobs(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "workload.irmasim");
    IrmasimTrajectory trajectory;
    if (!lua_isnoneornil(L, 2)) {
      const Fields fields(L, 2, {"workload.irmasim"}, {"origin", "length", "enforce_req_time"});
      trajectory.origin = static_cast<std::uint64_t>(fields.integer("origin", 0, 0, kMostJobs));
      trajectory.length = static_cast<std::uint64_t>(fields.integer("length", 0, 0, kMostJobs));
      trajectory.enforce_req_time = fields.flag("enforce_req_time", false);
    }
    push_jobs(L, path, trajectory);
    return 1;
  });
}

void set_text(lua_State* L, const char* name, const std::string& text) {
  if (text.empty()) return;
  host::push(L, text);
  lua_setfield(L, -2, name);
}

// Pushes { seed, output_dir, workload_manager = { type, ... } }; the caller adds the policy.
void push_options(lua_State* L, const IrmasimOptions& options) {
  lua_newtable(L);
  lua_pushinteger(L, static_cast<lua_Integer>(options.seed));
  lua_setfield(L, -2, "seed");
  set_text(L, "workload_file", options.workload_file);
  set_text(L, "platform_file", options.platform_file);
  set_text(L, "platform_name", options.platform_name);
  set_text(L, "output_dir", options.output_dir);
  const IrmasimOptions::Manager& manager = options.workload_manager;
  if (manager.type.empty()) return;
  lua_newtable(L);
  set_text(L, "type", manager.type);
  set_text(L, "job_selection", manager.job_selection);
  set_text(L, "resource_selection", manager.resource_selection);
  set_text(L, "scheduling_option", manager.scheduling_option);
  set_text(L, "job_order", manager.job_order);
  if (manager.max_tree_nodes) {
    lua_pushinteger(L, *manager.max_tree_nodes);
    lua_setfield(L, -2, "max_tree_nodes");
  }
  for (const auto& [key, value] : manager.others) {
    if (const auto* flag = std::get_if<bool>(&value))
      lua_pushboolean(L, *flag ? 1 : 0);
    else if (const auto* number = std::get_if<double>(&value))
      push_cell(L, *number);
    else
      host::push(L, std::get<std::string>(value));
    lua_setfield(L, -2, key.c_str());
  }
  lua_setfield(L, -2, "workload_manager");
}

struct ManagerName {
  std::string_view type, name, form;
};
// IRMaSim's names of managers that have other names here. In its simulations min-min, max-min and duplex are
// the sorted forms (thesis, Algorithms 1 and 2).
constexpr ManagerName kManagerNames[] = {
    {"Minimal", "minimal", ""},
    {"min_min", "min_min", "sorted"},
    {"max_min", "max_min", "sorted"},
    {"duplex", "duplex", "sorted"},
    {"minmin", "min_min", "classic"},
    {"maxmin", "max_min", "classic"},
    {"swa", "switching", ""},
    {"duplex_classic", "duplex", "classic"},
    {"work_queue", "workqueue", ""},
    {"sufferage_mah", "sufferage", "passes"},
    {"Heuristic", "pending_list", ""},
    {"AStar", "a_star", ""},
    {"duplex_sticky", "duplex", "sorted"},
};

// The policy that stands for the manager; none when the file has no manager.
ConfigPtr policy_of(const Catalogue& catalogue, const IrmasimOptions::Manager& manager) {
  if (manager.type.empty()) return nullptr;
  std::string name = manager.type == "Duplex" && !manager.scheduling_option.empty()
                         ? manager.scheduling_option
                     : manager.type == "Duplex" ? "duplex"
                                                : manager.type;
  std::map<std::string, Value> of_mapper, of_policy;
  const auto give = [](auto& given, const char* parameter, const std::string& value) {
    if (!value.empty()) given.emplace(parameter, value);
  };
  const auto known = std::ranges::find(kManagerNames, std::string_view(name), &ManagerName::type);
  if (known != std::end(kManagerNames)) {
    name = known->name;
    give(of_mapper, "form", std::string(known->form));
  }
  if (manager.type == "duplex_sticky") of_mapper.emplace("sticky", true);
  give(of_mapper, "job", manager.job_selection);
  give(of_mapper, "resource", manager.resource_selection);
  give(of_mapper, "order", manager.job_order);
  if (manager.max_tree_nodes)
    of_mapper.emplace("max_tree_nodes", static_cast<double>(*manager.max_tree_nodes));
  for (const auto& [key, value] : manager.others) {
    const Value given = std::visit([](const auto& each) { return Value(each); }, value);
    if (key == "ct_scope" && given == Value(std::string("node")))
      of_policy.emplace("scope", std::string("machine"));
    else if (key == "ct_scope" && given == Value(std::string("job")))
      of_policy.emplace("scope", std::string("task"));
    else if (key == "overtake")
      of_policy.emplace(key, given);
    else
      of_mapper.emplace(key == "duplex_sticky"               ? "sticky"
                        : name == "switching" && key == "lo" ? "low"
                        : name == "switching" && key == "hi" ? "high"
                                                             : key,
                        given);
  }
  if (catalogue.require(name)->role == Role::policy) {
    of_mapper.merge(of_policy);
    return catalogue.configure(name, of_mapper);
  }
  of_policy.emplace("map", catalogue.configure(name, of_mapper));
  return catalogue.configure("planned", of_policy);
}

// scenario.irmasim(path) -> scenario, options. The files that an options.json names are beside it.
int irmasim_scenario(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "scenario.irmasim");
    const Catalogue& catalogue = Interpreter::of(L).catalogue();
    std::vector<std::string_view> managers;
    for (const auto& entry : catalogue.entries()) managers.push_back(entry->name);
    for (const ManagerName& each : kManagerNames) managers.push_back(each.type);
    const IrmasimOptionsFile file =
        with_file(L, path, [&](const std::string& real) { return read_irmasim_options(real, managers); });
    warn_of_ignored(L, path, file.ignored);
    const IrmasimOptions& options = file.options;
    const auto beside = [&](std::string_view field, const std::string& name) {
      if (name.empty()) fail_at({path, 0}, "missing_field", "'{}' is missing (E_FIELD)", field);
      return (std::filesystem::path(path).parent_path() / name).string();
    };
    const std::string jobs = beside("workload_file", options.workload_file),
                      hosts = beside("platform_file", options.platform_file);
    lua_settop(L, 0);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_newtable(L);
    push_new(L, read_platform(L, hosts, options.platform_name));
    lua_setfield(L, -2, "platform");
    push_jobs(L, jobs, {options.trajectory_origin, options.trajectory_length, options.enforce_req_time});
    lua_setfield(L, -2, "workload");
    lua_call(L, 1, 1);
    push_options(L, options);
    if (options.submit_first) {
      lua_pushboolean(L, 1);
      lua_setfield(L, -2, "submit_first");
    }
    set_text(L, "information", "declared");  // IRMaSim's schedulers see req_time alone
    ConfigPtr policy;
    try {
      policy = policy_of(catalogue, options.workload_manager);
    } catch (const Error& error) {
      fail_at({path, 0}, error.diagnostic().code, "workload_manager: {} (E_OPTION)",
              error.diagnostic().message);
    }
    if (policy) {
      push_new(L, SchedulerValue(policy));
      lua_setfield(L, -2, "policy");
    }
    return 2;
  });
}

// ---- Sim-PETEK ----

// scheduler_list(path) -> a list of { label =, policy =, line = }, one for each entry of a SchedulerList.xml.
int scheduler_list(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "scheduler_list");
    const SchedulerList list =
        with_file(L, path, [](const std::string& real) { return read_scheduler_list(real); });
    for (const SchedulerListDuplicate& each : list.duplicates)
      warn_once(L, fmt::format("{}:{}: {} is there already, in line {} (duplicate-entry)", path, each.line,
                               each.label, each.first_line));
    lua_createtable(L, static_cast<int>(list.entries.size()), 0);
    for (std::size_t i = 0; i < list.entries.size(); ++i) {
      const SchedulerListEntry& entry = list.entries[i];
      std::map<std::string, Value> given;
      for (const auto& [name, value] : entry.parameters)
        given.emplace(name, std::visit([](const auto& each) { return Value(each); }, value));
      lua_createtable(L, 0, 3);
      host::push(L, entry.label);
      lua_setfield(L, -2, "label");
      push_new(L, SchedulerValue(Interpreter::of(L).catalogue().configure(entry.scheduler, given)));
      lua_setfield(L, -2, "policy");
      lua_pushinteger(L, entry.line);
      lua_setfield(L, -2, "line");
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    return 1;
  });
}

// ---- tables ----

struct ColumnKind {
  std::string_view name;
  TableColumn::Kind kind;
  Dimension dimension = Dimension::count;
};
constexpr ColumnKind kColumnKinds[] = {
    {"text", TableColumn::Kind::text},
    {"number", TableColumn::Kind::number},
    {"whole", TableColumn::Kind::whole},
    {"s", TableColumn::Kind::quantity, Dimension::seconds},
    {"B", TableColumn::Kind::quantity, Dimension::bytes},
    {"B/s", TableColumn::Kind::quantity, Dimension::bytes_per_second},
    {"op", TableColumn::Kind::quantity, Dimension::operations},
    {"op/s", TableColumn::Kind::quantity, Dimension::operations_per_second},
};

// The field `columns`: { name = kind }, in order of name; "?" behind the kind: may be absent.
std::vector<TableColumn> columns_at(const Fields& fields) {
  lua_State* L = fields.state();
  std::vector<TableColumn> columns;
  if (!fields.push("columns")) return columns;
  if (lua_type(L, -1) != LUA_TTABLE)
    fields.fail("columns", "columns must be a table of names and kinds, got {}", shown(L, -1));
  each_sorted(L, -1, [&] {
    const auto name = text_at(L, -2);
    if (!name) fields.fail("columns", "columns: {} is no name", shown(L, -2));
    std::string kind = text_at(L, -1) ? std::string(*text_at(L, -1)) : std::string();
    TableColumn column{.name = std::string(*name)};
    if (kind.ends_with('?')) {
      column.required = false;
      kind.pop_back();
    }
    std::vector<std::string> names;
    for (const ColumnKind& each : kColumnKinds) names.emplace_back(each.name);
    const auto found = std::ranges::find(kColumnKinds, kind, &ColumnKind::name);
    if (found == std::end(kColumnKinds))
      fields.fail("columns", "columns.{} must be one of {}, got {}{}", column.name, fmt::join(names, ", "),
                  shown(L, -1), did_you_mean(kind, names));
    column.kind = found->kind;
    column.dimension = found->dimension;
    columns.push_back(std::move(column));
  });
  lua_pop(L, 1);
  return columns;
}

// A column of plain numbers has numbers, any other texts.
void push_rows(lua_State* L, const TableData& data) {
  for (std::size_t r = 0; r < data.rows; ++r) {
    lua_createtable(L, 0, static_cast<int>(data.columns.size()));
    for (const TableData::Column& column : data.columns) {
      if (column.numeric ? std::isnan(column.numbers[r]) : column.texts[r].empty()) continue;
      host::push(L, column.name);
      push_cell(L, column.numeric ? Cell(column.numbers[r]) : Cell(column.texts[r]));
      lua_rawset(L, -3);
    }
    lua_rawseti(L, -2, static_cast<lua_Integer>(r) + 1);
  }
}

// csv.read(path [, { columns =, separator = }]) -> rows
int read_csv(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "csv.read");
    TableOptions options;
    std::vector<TableColumn> columns;
    if (!lua_isnoneornil(L, 2)) {
      const Fields fields(L, 2, {"csv.read"}, {"columns", "separator"});
      columns = columns_at(fields);
      const std::string separator = fields.text("separator", "");
      if (fields.has("separator") &&
          (separator.size() != 1 || separator == "\"" || separator == "\n" || separator == "\r"))
        fields.fail("separator", "separator must be one character, got {:?}", separator);
      if (!separator.empty()) options.separator = separator[0];
    }
    Table empty;
    if (columns.empty()) {
      const TableData data =
          with_file(L, path, [&](const std::string& real) { return read_table_data(real, options); });
      for (const TableData::Column& column : data.columns) empty.columns.push_back(column.name);
      push_table(L, empty);
      push_rows(L, data);
      return 1;
    }
    options.other_columns = true;
    for (const TableColumn& column : columns) empty.columns.push_back(column.name);
    push_table(L, empty);
    lua_Integer count = 0;
    with_file(L, path, [&](const std::string& real) {
      return read_table(
          real, columns,
          [&](const TableRow& row) {
            lua_createtable(L, 0, static_cast<int>(columns.size()));
            for (std::size_t c = 0; c < columns.size(); ++c) {
              if (!row.has(c)) continue;
              host::push(L, columns[c].name);
              if (columns[c].kind == TableColumn::Kind::text)
                host::push(L, row.text(c));
              else
                push_cell(L, row.number(c));
              lua_rawset(L, -3);
            }
            lua_rawseti(L, -2, ++count);
          },
          options);
    });
    return 1;
  });
}

// ---- names ----

constexpr luaL_Reg kLogMethods[] = {
    {"header", log_header},       {"headers", log_headers},         {"count", log_count},
    {"anomalies", log_anomalies}, {"limitations", log_limitations}, {nullptr, nullptr}};
constexpr luaL_Reg kLogMeta[] = {{"__tostring", log_text}, {nullptr, nullptr}};
constexpr luaL_Reg kWorkload[] = {{"swf", swf}, {"irmasim", irmasim_jobs}, {nullptr, nullptr}};
constexpr luaL_Reg kPlatform[] = {{"irmasim", irmasim_platform}, {nullptr, nullptr}};
constexpr luaL_Reg kScenario[] = {{"irmasim", irmasim_scenario}, {nullptr, nullptr}};
constexpr luaL_Reg kCsv[] = {{"read", read_csv}, {nullptr, nullptr}};

// Upvalue: the word's function before it became a module.
int call_word(lua_State* L) {
  lua_remove(L, 1);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

}  // namespace

// Gives a word of the vocabulary functions of its own. The word is a module, or a function that becomes a
// module which can be called as before. Each function gets the word as upvalue.
void extend(lua_State* L, const char* word, const luaL_Reg* functions) {
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  lua_getfield(L, -1, word);
  if (lua_isfunction(L, -1)) {
    lua_newtable(L);
    freeze(L, word);
    lua_getmetatable(L, -1);
    lua_pushvalue(L, -3);
    lua_pushcclosure(L, call_word, 1);
    lua_setfield(L, -2, "__call");
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, -4, word);
    lua_remove(L, -2);
  }
  const int module = lua_gettop(L);
  lua_getmetatable(L, module);
  lua_getfield(L, -1, "__index");
  lua_pushvalue(L, module);
  luaL_setfuncs(L, functions, 1);
  lua_settop(L, module - 2);
}

void warn_once(lua_State* L, const std::string& text) { Interpreter::of(L).output().warn_once(text); }

void push_workload(lua_State* L, WorkKind kind, std::int64_t count,
                   std::function<Workload(const Platform&)> works, std::shared_ptr<const LogValue> log) {
  WorkloadPart part;
  part.kind = kind;
  part.count = count;
  part.jobs = std::move(works);
  part.log = std::move(log);
  part.declared_at = caller(L);
  WorkloadValue value;
  value.parts.push_back(std::move(part));
  push_new(L, std::move(value));
}

void push_log(lua_State* L, const WorkloadValue& workload) {
  for (const WorkloadPart& part : workload.parts)
    if (part.log) {
      push_new(L, LogPtr(part.log));
      return;
    }
  lua_pushnil(L);
}

void open_readers(lua_State* L) {
  new_type<LogPtr>(
      L, kLogMethods, kLogMeta, log_property,
      {"name", "jobs", "kept", "lines", "first_submit", "max_procs", "computer", "installation"});
  const luaL_Reg pst_workload[] = {kPstWorkload, {nullptr, nullptr}};
  const luaL_Reg pst_platform[] = {kPstPlatform, {nullptr, nullptr}};
  extend(L, "workload", kWorkload);
  extend(L, "workload", pst_workload);
  extend(L, "platform", kPlatform);
  extend(L, "platform", pst_platform);
  extend(L, "scenario", kScenario);
  push_module(L, "csv", kCsv);
  define(L, "csv");
  define(L, "scheduler_list", scheduler_list);
  open_json(L);
}

}  // namespace perigee::bindings
