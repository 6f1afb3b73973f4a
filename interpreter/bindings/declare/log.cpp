#include "interpreter/bindings/declare/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/bindings/declare/counts.h"
#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/bindings/files.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/language/fields/readers.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/runs.h"
#include "runtime/kernel/room.h"
#include "runtime/kernel/text.h"
#include "runtime/kernel/work.h"

namespace perigee::host {

template <>
struct TypeName<std::shared_ptr<const values::LogValue>> {
  static constexpr const char* value = "log";
};

}  // namespace perigee::host

namespace perigee::bindings {

namespace {

using LogPtr = std::shared_ptr<const LogValue>;

const LogValue& log_at(lua_State* L, int index) { return *check<LogPtr>(L, index); }

// Nil where the text is empty.
void push_optional(lua_State* L, std::string_view text) {
  if (text.empty())
    lua_pushnil(L);
  else
    host::push(L, text);
}

// Nil where the number is 0.
void push_known(lua_State* L, std::int64_t number) {
  if (number > 0)
    lua_pushinteger(L, number);
  else
    lua_pushnil(L);
}

// The value of a header; case does not matter.
std::string_view header_of(const LogValue& log, std::string_view wanted) {
  const std::string lower = lower_case(wanted);
  for (const auto& [name, value] : log.headers)
    if (lower_case(name) == lower) return value;
  return {};
}

bool log_property(lua_State* L, int index, std::string_view name) {
  const LogValue& log = log_at(L, index);
  if (name == "name") {
    host::push(L, log.name);
  } else if (name == "jobs") {
    lua_pushinteger(L, log.jobs);
  } else if (name == "kept") {
    lua_pushinteger(L, log.kept);
  } else if (name == "lines") {
    lua_pushinteger(L, log.lines);
  } else if (name == "first_submit") {
    lua_pushnumber(L, log.first_submit);
  } else if (name == "max_procs") {
    push_known(L, log.max_procs);
  } else if (name == "max_nodes") {
    push_known(L, log.max_nodes);
  } else if (name == "computer" || name == "installation") {
    push_optional(L, header_of(log, name));
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
    push_optional(L, header_of(log_at(L, 1), *name));
    return 1;
  });
}

// log:headers() -> rows of name and value
int log_headers(lua_State* L) {
  return guard(L, [&] {
    Table table{{"name", "value"}, {}};
    for (const auto& [name, value] : log_at(L, 1).headers) table.rows.push_back({name, value});
    push_table(L, table);
    return 1;
  });
}

// log:anomalies() -> a row for each finding
int log_anomalies(lua_State* L) {
  return guard(L, [&] {
    Table table{{"anomaly", "count", "line", "what", "done", "option"}, {}};
    for (const LogFinding& finding : log_at(L, 1).report) {
      table.rows.push_back({std::string(finding.anomaly),
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
    const LogValue& log = log_at(L, 1);
    const auto wanted = text_at(L, 2);
    if (!wanted) fail("bad_type", "count: the name of an anomaly is needed, got {}", shown(L, 2));
    if (std::ranges::find(log.anomalies, *wanted) == log.anomalies.end())
      fail("unknown_name", "there is no anomaly '{}'{}", *wanted,
           did_you_mean(*wanted, std::span<const std::string_view>(log.anomalies)));
    std::int64_t count = 0;
    for (const LogFinding& finding : log.report)
      if (finding.anomaly == *wanted) count = finding.count;
    lua_pushinteger(L, count);
    return 1;
  });
}

// log:platform([{ nodes =, cores_per_node =, memory =, resources = }]) -> the machine as the log says, a cluster "machine"
int log_platform(lua_State* L) {
  return guard(L, [&] {
    const LogValue& log = log_at(L, 1);
    std::optional<std::int64_t> nodes, cores;
    Host host;
    if (!lua_isnoneornil(L, 2)) {
      const Fields fields(L, 2, {"log:platform"}, swf_fields::kPlatform);
      if (fields.has(swf_fields::kNodes)) nodes = fields.integer(swf_fields::kNodes);
      if (fields.has(swf_fields::kCoresOfNode)) cores = fields.integer(swf_fields::kCoresOfNode);
      read_supplies(fields, host);
    }
    const std::int64_t procs = log.max_procs, of_header = log.max_nodes;
    if (!cores)
      cores =
          of_header > 0 && procs > 0 ? (procs + of_header - 1) / of_header : std::max(log.cores_per_node, 1);
    if (!nodes && procs == 0) {
      if (log.cores_per_node > 0)
        fail("bad_value", "log:platform: {} does not tell how many nodes the machine had; give nodes",
             log.name);
      fail("bad_value", "log:platform: the header of {} has neither MaxProcs nor MaxNodes; give nodes",
           log.name);
    }
    if (!nodes) nodes = (procs + *cores - 1) / *cores;
    PlatformSpec spec;
    PlatformSpec::ClusterSpec& machine = spec.clusters.emplace_back();
    machine.name = "machine";
    machine.declared_at = caller(L);
    will_take(static_cast<double>(*nodes) * sizeof(Host),
              [&] { return fmt::format("log:platform: a machine of {} nodes", *nodes); });
    did_work(static_cast<std::uint64_t>(*nodes));
    for (std::int64_t n = 1; n <= *nodes; ++n) {
      host.name = fmt::format("machine.{}", n);
      host.cores = static_cast<std::int32_t>(*cores);
      host.declared_at = machine.declared_at;
      machine.hosts.push_back(host);
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
    const std::vector<std::string>& texts = log_at(L, 1).limitations;
    lua_createtable(L, static_cast<int>(texts.size()), 0);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      host::push(L, texts[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    return 1;
  });
}

int log_text(lua_State* L) {
  return guard(L, [&] {
    const LogValue& log = log_at(L, 1);
    host::push(L, fmt::format("log {} of {} jobs, {} kept", log.name, log.jobs, log.kept));
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

}  // namespace

void push_log(lua_State* L, const WorkloadValue& workload) {
  for (const WorkloadPart& part : workload.parts)
    if (part.log) {
      push_new(L, LogPtr(part.log));
      return;
    }
  lua_pushnil(L);
}

void open_log(lua_State* L) {
  new_type<LogPtr>(L, kLogMethods, kLogMeta, log_property,
                   {"name", "jobs", "kept", "lines", "first_submit", "max_procs", "max_nodes", "computer",
                    "installation"});
}

}  // namespace perigee::bindings
