// workload.swf(path, { ... }): the jobs of a log in the Standard Workload Format.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/bindings/declare/log.h"
#include "interpreter/bindings/files.h"
#include "interpreter/language/fields/readers.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/runs.h"
#include "runtime/model/readers/swf.h"

namespace perigee::bindings {

namespace {

// A log that was read, and how.
struct SwfSource {
  SwfLog log;
  SwfOptions options;
};

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
  options.memory = fields.flag(swf_fields::kTakesMemory);
  options.queues = fields.flag(swf_fields::kQueues);
  try {
    options.check();
  } catch (const Error& error) {  // two options exclude each other
    readers_refuse(fields, nullptr, error);
  }
  return options;
}

// Warns of jobs that were left out though nobody asked for that.
void warn_of_gaps(lua_State* L, const SwfLog& log, const SwfWorkload& chosen) {
  std::vector<std::string> reasons;
  std::int64_t count = 0;
  for (std::size_t a = 0; a < kSwfAnomalies; ++a) {
    const auto anomaly = static_cast<SwfAnomaly>(a);
    if (chosen.left_out[a] == 0 || anomaly == SwfAnomaly::outside_time ||
        anomaly == SwfAnomaly::outside_count || anomaly == SwfAnomaly::not_kept_status)
      continue;
    count += chosen.left_out[a];
    reasons.push_back(fmt::format("{} {}", chosen.left_out[a], name_of(anomaly)));
  }
  if (count > 0)
    warn_once(L, fmt::format("{}: {} of {} jobs left out: {}", log.name, count, log.jobs.size(),
                             fmt::join(reasons, ", ")));
}

// Only the platform shows this anomaly.
void warn_of_oversize(lua_State* L, const SwfLog& log, const std::vector<SwfFinding>& findings) {
  for (const SwfFinding& found : findings)
    if (found.anomaly == SwfAnomaly::oversize)
      warn_once(L, fmt::format("{}: {} {}: {}", log.name, found.count, found.what, found.done));
}

// The log as scripts see it.
std::shared_ptr<const LogValue> value_of(const SwfLog& log, const SwfWorkload& chosen) {
  auto value = std::make_shared<LogValue>();
  value->name = log.name;
  value->jobs = static_cast<std::int64_t>(log.jobs.size());
  value->kept = static_cast<std::int64_t>(chosen.jobs.size());
  value->lines = log.lines;
  value->first_submit = chosen.first_submit;
  value->max_procs = log.max_procs();
  value->max_nodes = log.max_nodes();
  value->headers = log.headers;
  for (std::size_t a = 0; a < kSwfAnomalies; ++a)
    value->anomalies.push_back(name_of(static_cast<SwfAnomaly>(a)));
  for (SwfFinding& found : chosen.report())
    value->report.push_back({name_of(found.anomaly), found.count, found.first_line, std::move(found.what),
                             std::move(found.policy), std::move(found.done)});
  value->limitations = log.limitations();
  return value;
}

// workload.swf(path [, { ... }])
int swf(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "workload.swf");
    auto read = std::make_shared<SwfSource>();
    read->options = swf_options(L, 2);
    read->log = with_file(L, path, [&](const std::string& real) { return read_swf(real, read->options); });
    read->log.name = path;
    std::shared_ptr<const LogValue> value;
    {
      const SwfWorkload chosen = swf_workload(read->log, read->options);
      warn_of_gaps(L, read->log, chosen);
      value = value_of(read->log, chosen);
    }
    const std::shared_ptr<const SwfSource> source = std::move(read);
    push_workload(
        L, WorkKind::job, value->kept,
        [source, &interpreter = Interpreter::of(L)](const Platform& platform) {
          SwfWorkload made = swf_workload(source->log, source->options, &platform);
          warn_of_oversize(interpreter.running(), source->log, made.report());
          return std::move(made.workload);
        },
        value);
    check<WorkloadValue>(L, -1).parts.front().stream = [source, &interpreter = Interpreter::of(L)](
                                                           const Platform& platform) {
      if (source->options.memory)
        fail(
            "bad_parameter",
            "workload.stream: the jobs of a stream take no memory, so workload.swf must not have memory = true");
      if (source->options.queues)
        fail(
            "bad_parameter",
            "workload.stream: the jobs of a stream have no queues, so workload.swf must not have queues = true");
      warn_of_oversize(interpreter.running(), source->log,
                       swf_findings(source->log, source->options, platform));
      return swf_stream(std::shared_ptr<const SwfLog>(source, &source->log), source->options, platform);
    };
    return 1;
  });
}

constexpr luaL_Reg kSwfWorkload[] = {{"swf", swf}, {nullptr, nullptr}};

}  // namespace

void open_swf(lua_State* L) { extend(L, "workload", kSwfWorkload); }

}  // namespace perigee::bindings
