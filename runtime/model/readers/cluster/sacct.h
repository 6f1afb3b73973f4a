// The output of Slurm's `sacct -P`, plain or .gz: a header of column names, then a line for each job and step, cells
// separated by '|'.
//
// Columns may be in any order, and others are passed over. A job is made of
//
//   name      JobID, else JobIDRaw             nodes     NNodes
//   arrival   Submit - the smallest kept one   cores     ceil(NCPUS / NNodes) of each; AllocCPUS stands for NCPUS
//   amount    Elapsed, else ElapsedRaw, s      estimate  Timelimit, else TimelimitRaw; without one the run time
//   user      User                             queue     Partition, and so qos and account: QOS, Account
//
// Times of the day are the machine's clock, without a zone. They are taken as they stand. Memory and gpus are read; a
// workload does not have them.
//
// Sources: sacct(1) and slurm.conf(5) of Slurm 26.05. Two readings are remembered, not checked: a ReqMem without a
// suffix n or c is the job's, and a number of it without a unit is MiB.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/readers/findings.h"
#include "runtime/model/readers/lines.h"
#include "runtime/model/workload.h"

namespace perigee::readers {

// When a job arrives: as it was submitted, or as it might have started at the earliest (a begin time, a dependency).
enum class SacctArrive : std::uint8_t { submit, eligible };
// Jobs with the id of an earlier line. `last`: one job, the last line with the first Submit. `rename` makes "1006#2" of
// the second line.
enum class SacctDuplicates : std::uint8_t { last, rename, error };
// A job of N nodes and P processors: ceil(P / N) cores of each of N hosts; P cores of any hosts; P cores of one host.
enum class SacctShape : std::uint8_t { nodes, processes, host };

struct SacctOptions {
  bool limits = false;  // Timelimit ends the job: see WorkExtra::limit
  SacctArrive arrive = SacctArrive::submit;
  SacctDuplicates duplicates = SacctDuplicates::last;
  SacctShape shape = SacctShape::nodes;
  bool memory = false;  // jobs take the memory and the gpus that they asked for: see Workload::asked
  std::uintmax_t max_bytes = readers::kLargestText;  // uncompressed
  std::size_t max_jobs = std::size_t{1} << 24;
};

// By the first word of State.
enum class SacctState : std::uint8_t { not_ended, completed, failed, cancelled, timeout, unknown };

struct SacctJob {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  std::string id;                     // "1001", "1002_1", "1007+0", "1006#2"
  double arrival = kUnknown;          // s since 1970 by the machine's clock
  double run = 0;                     // s
  double limit = kNever;              // s; +inf = none
  double memory = kUnknown;           // B on each node
  std::int32_t gpus = 0;              // on each node
  std::int32_t nodes = 0;             // 0 = unknown
  std::int32_t processors = 0;        // in all
  std::uint32_t user = model::kNone;  // in SacctLog::users
  std::uint32_t partition = model::kNone, qos = model::kNone, account = model::kNone;  // in those lists there
  SacctState state = SacctState::unknown;
  std::int32_t line = 0;  // of the file
  std::int32_t cores() const {
    return nodes > 0 ? (processors - 1) / nodes + 1 : processors;
  }  // of each node
};

// In the order of report().
enum class SacctAnomaly : std::uint8_t {
  step,
  repeated_id,
  not_ended,
  unknown_submit,
  no_time,
  no_cores,
  failed,
  cancelled,
  timeout,
  unknown_state,
  heterogeneous,
  uneven,
  no_limit,
  over_limit,
  unknown_eligible,
  end_differs,
  unknown_user,
  memory,
  gpus,
};
inline constexpr std::size_t kSacctAnomalies = static_cast<std::size_t>(SacctAnomaly::gpus) + 1;
std::string_view name_of(SacctAnomaly anomaly);

struct SacctCount {
  std::int64_t count = 0;
  std::int64_t first_line = 0;
  bool operator==(const SacctCount&) const = default;
};

struct SacctLog {
  std::string name;                  // of the file
  std::vector<std::string> columns;  // of its header
  std::vector<SacctJob> jobs;        // those that are kept, by arrival; ties as in the file
  std::vector<std::string> users;
  std::vector<std::string> partitions, qos, accounts;  // of jobs that are left out too
  std::int64_t all_jobs =
      0;  // those left out included, steps not; a repeated id is one job where it is made one
  std::int64_t lines = 0;
  std::uintmax_t bytes = 0;  // uncompressed
  std::array<SacctCount, kSacctAnomalies> anomalies = {};
  std::array<std::int64_t, kSacctAnomalies> left_out = {};  // jobs, each by the first reason that applies
  SacctOptions options;                                     // used for reading

  double first_arrival() const { return jobs.empty() ? 0 : jobs.front().arrival; }
  const SacctCount& count(SacctAnomaly anomaly) const { return anomalies[static_cast<std::size_t>(anomaly)]; }
  std::vector<LogFinding> report() const;        // only anomalies that occur
  std::vector<std::string> limitations() const;  // what this log cannot show, and what is not taken over
};

// Error codes: bad_file, missing_field (a column), bad_csv (a line or a cell), with file:line, the column of the text
// and its name in the message.
SacctLog read_sacct(const std::filesystem::path& path, const SacctOptions& options = {});
SacctLog parse_sacct(std::string_view text, std::string_view name, const SacctOptions& options = {});

// Times are seconds on any host. With options.limits a job that ran over its limit takes exactly that, and one in state
// TIMEOUT a second more, so that the limit ends it.
Workload sacct_workload(const SacctLog& log);

}  // namespace perigee::readers
