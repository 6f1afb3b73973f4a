// workload.sacct(path, { ... }) and workload.batsim(path): the jobs of Slurm's accounting, and of Batsim's files.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/bindings/declare/log.h"
#include "interpreter/bindings/files.h"
#include "interpreter/language/fields/readers.h"
#include "interpreter/session/interpreter.h"
#include "runtime/model/readers/cluster/batsim_workload.h"
#include "runtime/model/readers/cluster/sacct.h"

namespace perigee::bindings {

namespace {

SacctOptions sacct_options(lua_State* L, int index) {
  SacctOptions options;
  if (lua_isnoneornil(L, index)) return options;
  const Fields fields(L, index, {"workload.sacct"}, sacct_fields::kAll);
  options.limits = fields.flag(sacct_fields::kLimits);
  options.arrive = static_cast<SacctArrive>(fields.choice(sacct_fields::kArrive));
  options.duplicates = static_cast<SacctDuplicates>(fields.choice(sacct_fields::kDuplicates));
  options.shape = static_cast<SacctShape>(fields.choice(sacct_fields::kShape));
  options.memory = fields.flag(sacct_fields::kTakesMemory);
  if (options.memory && options.shape == SacctShape::processes)
    fields.fail(
        sacct_fields::kTakesMemory,
        "memory = true needs shape = \"nodes\" or \"host\": Slurm tells the memory and gpus of each node");
  return options;
}

void warn_of_sacct(lua_State* L, const SacctLog& log) {
  if (log.jobs.empty()) return warn_once(L, fmt::format("{}: there are no jobs that ran", log.name));
  warn_once(L, fmt::format("{}: {}", log.name, log.limitations().front()));
  std::vector<std::string> reasons;
  for (std::size_t a = 0; a < kSacctAnomalies; ++a)
    if (log.left_out[a] > 0)
      reasons.push_back(fmt::format("{} {}", log.left_out[a], name_of(static_cast<SacctAnomaly>(a))));
  if (!reasons.empty())
    warn_once(L, fmt::format("{}: {} of {} jobs left out: {}", log.name,
                             log.all_jobs - static_cast<std::int64_t>(log.jobs.size()), log.all_jobs,
                             fmt::join(reasons, ", ")));
}

// workload.sacct(path [, { ... }])
int workload_sacct(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "workload.sacct");
    const SacctOptions options = sacct_options(L, 2);
    auto log = std::make_shared<SacctLog>(
        with_file(L, path, [&](const std::string& real) { return read_sacct(real, options); }));
    log->name = path;
    warn_of_sacct(L, *log);
    auto value = std::make_shared<LogValue>();
    value->name = path;
    value->jobs = log->all_jobs;
    value->kept = static_cast<std::int64_t>(log->jobs.size());
    value->lines = log->lines;
    value->first_submit = log->first_arrival();
    value->cores_per_node = 1;
    for (const SacctJob& job : log->jobs)
      value->cores_per_node = std::max(value->cores_per_node, job.cores());
    for (std::size_t a = 0; a < kSacctAnomalies; ++a)
      value->anomalies.push_back(name_of(static_cast<SacctAnomaly>(a)));
    value->report = log->report();
    value->limitations = log->limitations();
    push_workload(
        L, WorkKind::job, value->kept,
        [log = std::shared_ptr<const SacctLog>(std::move(log))](const Platform&) {
          return sacct_workload(*log);
        },
        value);
    return 1;
  });
}

// workload.batsim(path)
int workload_batsim(lua_State* L) {
  return guard(L, [&] {
    const std::string path = path_at(L, 1, "workload.batsim");
    auto file = std::make_shared<BatsimWorkload>(
        with_file(L, path, [](const std::string& real) { return read_batsim_workload(real); }));
    file->name = path;
    for (const std::string& ignored : file->ignored) warn_once(L, fmt::format("{}: {}", path, ignored));
    for (const LogFinding& found : file->report())
      if (found.anomaly != "no_walltime")  // an ordinary thing
        warn_once(L, fmt::format("{}: {} {}: {}", path, found.count, found.what, found.done));
    auto value = std::make_shared<LogValue>();
    value->name = path;
    value->jobs = value->kept = static_cast<std::int64_t>(file->jobs.size());
    value->lines = file->lines;
    value->max_procs = file->machines;
    value->anomalies = batsim_anomalies();
    value->report = file->report();
    value->limitations = file->limitations();
    push_workload(
        L, WorkKind::job, value->kept,
        [file = std::shared_ptr<const BatsimWorkload>(std::move(file))](const Platform&) {
          return batsim_jobs(*file);
        },
        value);
    return 1;
  });
}

constexpr luaL_Reg kClusterLogs[] = {
    {"sacct", workload_sacct}, {"batsim", workload_batsim}, {nullptr, nullptr}};

}  // namespace

void open_cluster_logs(lua_State* L) { extend(L, "workload", kClusterLogs); }

}  // namespace perigee::bindings
