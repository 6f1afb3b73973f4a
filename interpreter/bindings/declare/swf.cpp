// workload.swf(path, { ... }): the jobs of a log, and the log itself.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/bindings/files.h"
#include "interpreter/bindings/show/tables.h"
#include "interpreter/language/fields/readers.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/runs.h"
#include "runtime/kernel/room.h"
#include "runtime/kernel/work.h"
#include "runtime/model/readers/swf.h"

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

void push_readers_texts(lua_State* L, const std::vector<std::string>& texts) {
  lua_createtable(L, static_cast<int>(texts.size()), 0);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    host::push(L, texts[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}

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
  const Fields fields(L, index, {"workload.swf"}, swf_fields::kAll);
  for (const FieldRow* policy : {&swf_fields::kBadLines, &swf_fields::kOrder, &swf_fields::kDuplicates,
                                 &swf_fields::kOversize, &swf_fields::kOverrun, &swf_fields::kShape}) {
    if (!fields.has(*policy)) continue;
    const std::string given = fields.text(*policy);
    try {
      options.set_policy(policy->name, given);
    } catch (const Error& error) {
      readers_refuse(fields, policy->name.data(), error);
    }
  }
  if (fields.push(swf_fields::kStatuses)) {
    options.statuses.clear();
    for (const double status : fields.numbers(swf_fields::kStatuses, "workload.swf: statuses")) {
      if (status != std::floor(status))
        fields.fail(swf_fields::kStatuses, "statuses are whole numbers, got {}", status);
      options.statuses.push_back(static_cast<int>(status));
    }
    lua_pop(L, 1);
  }
  options.from_time = fields.number(swf_fields::kFromTime, options.from_time);
  options.to_time = fields.number(swf_fields::kToTime, options.to_time);
  options.skip = static_cast<std::size_t>(fields.integer(swf_fields::kSkip));
  if (fields.has(swf_fields::kFirst))
    options.first = static_cast<std::size_t>(fields.integer(swf_fields::kFirst));
  if (fields.has(swf_fields::kLast))
    options.last = static_cast<std::size_t>(fields.integer(swf_fields::kLast));
  if (fields.has(swf_fields::kRefRate)) {
    options.form = TimeForm::operations;
    options.ref_rate = fields.number(swf_fields::kRefRate);
  }
  options.speed = fields.number(swf_fields::kSpeed);
  options.round_submit = fields.number(swf_fields::kRoundSubmit);
  if (fields.has(swf_fields::kReqFactor)) options.req_factor = fields.number(swf_fields::kReqFactor);
  if (fields.has(swf_fields::kCoresPerNode))
    options.cores_per_node = static_cast<std::int32_t>(fields.integer(swf_fields::kCoresPerNode));
  options.exclusive = fields.flag(swf_fields::kExclusive);
  options.limits = fields.flag(swf_fields::kLimits);
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

// Only the platform shows this anomaly.
void warn_of_oversize(lua_State* L, const LogValue& log, const std::vector<SwfFinding>& findings) {
  for (const SwfFinding& found : findings)
    if (found.anomaly == SwfAnomaly::oversize)
      warn_once(L, fmt::format("{}: {} {}: {}", log.log.name, found.count, found.what, found.done));
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
          warn_of_oversize(interpreter.running(), *log, made.report());
          return std::move(made.workload);
        },
        log);
    check<WorkloadValue>(L, -1).parts.front().stream =
        [log, &interpreter = Interpreter::of(L)](const Platform& platform) {
          warn_of_oversize(interpreter.running(), *log, swf_findings(log->log, log->options, platform));
          return swf_stream(std::shared_ptr<const SwfLog>(log, &log->log), log->options, platform);
        };
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
  } else if (name == "max_nodes") {
    if (log.max_nodes() > 0)
      lua_pushinteger(L, log.max_nodes());
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

// log:platform([{ nodes =, cores_per_node = }]) -> the machine as the header says, a cluster "machine"
int log_platform(lua_State* L) {
  return guard(L, [&] {
    const SwfLog& log = log_at(L, 1).log;
    std::optional<std::int64_t> nodes, cores;
    if (!lua_isnoneornil(L, 2)) {
      const Fields fields(L, 2, {"log:platform"}, swf_fields::kPlatform);
      if (fields.has(swf_fields::kNodes)) nodes = fields.integer(swf_fields::kNodes);
      if (fields.has(swf_fields::kCoresOfNode)) cores = fields.integer(swf_fields::kCoresOfNode);
    }
    const std::int64_t procs = log.max_procs(), of_header = log.max_nodes();
    if (!cores) cores = of_header > 0 && procs > 0 ? (procs + of_header - 1) / of_header : 1;
    if (!nodes && procs == 0)
      fail("bad_value", "log:platform: the header of {} has neither MaxProcs nor MaxNodes; give nodes",
           log.name);
    if (!nodes) nodes = (procs + *cores - 1) / *cores;
    PlatformSpec spec;
    PlatformSpec::ClusterSpec& machine = spec.clusters.emplace_back();
    machine.name = "machine";
    machine.declared_at = caller(L);
    will_take(static_cast<double>(*nodes) * sizeof(Host),
              [&] { return fmt::format("log:platform: a machine of {} nodes", *nodes); });
    did_work(static_cast<std::uint64_t>(*nodes));
    for (std::int64_t n = 1; n <= *nodes; ++n) {
      Host host;
      host.name = fmt::format("machine.{}", n);
      host.cores = static_cast<std::int32_t>(*cores);
      host.declared_at = machine.declared_at;
      machine.hosts.push_back(std::move(host));
    }
    PlatformValue value;
    value.architectures.emplace_back();
    value.platform = std::make_shared<const Platform>(spec);
    push_new(L, std::move(value));
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

constexpr luaL_Reg kLogMethods[] = {{"header", log_header},
                                    {"headers", log_headers},
                                    {"count", log_count},
                                    {"anomalies", log_anomalies},
                                    {"limitations", log_limitations},
                                    {"platform", log_platform},
                                    {nullptr, nullptr}};
constexpr luaL_Reg kLogMeta[] = {{"__tostring", log_text}, {nullptr, nullptr}};
constexpr luaL_Reg kSwfWorkload[] = {{"swf", swf}, {nullptr, nullptr}};

}  // namespace

void push_log(lua_State* L, const WorkloadValue& workload) {
  for (const WorkloadPart& part : workload.parts)
    if (part.log) {
      push_new(L, LogPtr(part.log));
      return;
    }
  lua_pushnil(L);
}

void open_swf(lua_State* L) {
  new_type<LogPtr>(L, kLogMethods, kLogMeta, log_property,
                   {"name", "jobs", "kept", "lines", "first_submit", "max_procs", "max_nodes", "computer",
                    "installation"});
  extend(L, "workload", kSwfWorkload);
}

}  // namespace perigee::bindings
