// Logs of parallel machines in the Standard Workload Format 2.2, plain or .gz.
//
// Header comments are "; Name: value"; other lines have 18 numbers between blanks, -1 = unknown. A log is
// read as it is. Anomalies are counted, each with the first line where it occurs; report() lists them, each
// with the policy that deals with it. swf_workload() makes jobs of the log:
//
//   name      "job" + field 1                     cores     field 8 if > 0, else field 5
//   arrival   field 2 - the smallest kept one     estimate  field 9 if > 0, else field 4
//   amount    field 4                             user      "user" + field 12
//
// Times become operations by default: ref_rate per second of run time. A second of requested time becomes as
// many operations as the slowest host computes in it. A job thus runs faster on a faster host. For a machine
// that repeats the log as it was, whatever its speed, choose form = TimeForm::seconds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/model/platform.h"
#include "runtime/model/readers/lines.h"
#include "runtime/model/work_stream.h"
#include "runtime/model/workload.h"

namespace perigee::readers {

// A line without 18 numbers. `skip` leaves it out.
enum class SwfBadLines : std::uint8_t { error, skip };
// Jobs that stand before one submitted earlier. `sort` is stable.
enum class SwfOrder : std::uint8_t { sort, error };
// Jobs with the number of an earlier one. `rename` makes "job7#2" of the second job 7.
enum class SwfDuplicates : std::uint8_t { rename, drop, error };
// Jobs wider than the widest host, or with a shape over hosts than all of them. `clip` narrows them, `split` makes jobs "job7.1", "job7.2", ... of them.
enum class SwfOversize : std::uint8_t { error, drop, clip, split };
// Jobs that ran longer than requested. `raise` sets the request to the run time, `cut` ends the run.
enum class SwfOverrun : std::uint8_t { keep, raise, cut };

// How a job of P processors stands on hosts of c cores: on P cores of one host; on any hosts; on ceil(P / c) hosts with
// equally many cores of each.
enum class SwfShape : std::uint8_t { host, processes, nodes };

std::string_view name_of(SwfBadLines policy);
std::string_view name_of(SwfOrder policy);
std::string_view name_of(SwfDuplicates policy);
std::string_view name_of(SwfOversize policy);
std::string_view name_of(SwfOverrun policy);
std::string_view name_of(SwfShape shape);

struct SwfOptions {
  // Options of reading.
  SwfBadLines bad_lines = SwfBadLines::error;
  SwfOrder order = SwfOrder::sort;
  SwfDuplicates duplicates = SwfDuplicates::rename;
  std::uintmax_t max_bytes = readers::kLargestText;  // uncompressed
  std::size_t max_jobs = std::size_t{1} << 24;

  // Options of the workload: the choice of jobs.
  std::vector<int> statuses = {-1, 0, 1, 5};  // kept; an unknown one counts as -1
  // Bounds of field 2, s: from_time <= submit < to_time.
  double from_time = -std::numeric_limits<double>::infinity();
  double to_time = std::numeric_limits<double>::infinity();
  std::size_t skip = 0;   // then so many of the chosen jobs are left out
  std::size_t first = 0;  // so many are kept; 0 = all
  std::size_t last = 0;   // the last so many are kept; 0 = all
  SwfOversize oversize = SwfOversize::error;
  SwfShape shape = SwfShape::host;
  std::int32_t cores_per_node = 0;  // of shape `nodes`; 0 = those of the widest host
  bool exclusive = false;           // a job has its hosts for itself
  bool limits = false;              // the requested time ends the job: see WorkExtra::limit
  bool memory = false;              // jobs take the memory that they requested: see Workload::asked
  // Fields 15 and 16 are the queue of a job: "queue3", "partition1.queue3", "partition1".
  bool queues = false;
  // Options of the workload: the changes of jobs.
  TimeForm form = TimeForm::operations;  // or seconds
  double ref_rate = 1e9;                 // op/s, > 0
  double speed = 1;                      // > 0; divides arrivals
  double round_submit = 0;  // s; arrivals become the nearest multiple, halves up; 0 = as they are
  double req_factor = 0;    // > 0: estimate = req_factor * run time
  SwfOverrun overrun = SwfOverrun::keep;

  // Sets a policy by name, as in {"oversize", "split"}; false if `option` is no policy. Error
  // "bad_parameter".
  bool set_policy(std::string_view option, std::string_view value);
  void check() const;  // Error "bad_parameter"
};

// The fields of one line; unknown = -1.
struct SwfJob {
  std::int64_t number = -1;      // 1
  double submit = -1;            // 2, s
  double wait = -1;              // 3, s
  double run = -1;               // 4, s
  double cpu_time = -1;          // 6, s, average
  double memory = -1;            // 7, KB per processor
  double requested_time = -1;    // 9, s
  double requested_memory = -1;  // 10, KB per processor
  double think_time = -1;        // 18, s
  std::int64_t preceding = -1;   // 17
  std::int32_t allocated = -1;   // 5, processors
  std::int32_t requested = -1;   // 8, processors
  std::int32_t status = -1;      // 11
  std::int32_t user = -1;        // 12
  std::int32_t group = -1;       // 13
  std::int32_t executable = -1;  // 14
  std::int32_t queue = -1;       // 15
  std::int32_t partition = -1;   // 16
  std::int32_t occurrence = 1;   // 2 = the second job with this number
  std::int32_t line = 0;         // of the file

  std::int32_t cores() const { return requested > 0 ? requested : allocated; }
  double start() const { return wait > 0 ? submit + wait : submit; }

  bool operator==(const SwfJob&) const = default;
};

// In the order of report(): the file, its order, the fields, the log as a whole, the choice of jobs.
enum class SwfAnomaly : std::uint8_t {
  too_few_fields,
  too_many_fields,
  not_a_number,
  bad_header,
  long_header,
  job_count_differs,
  unsorted_submit,
  duplicate_number,
  unknown_number,
  unknown_submit,
  negative_submit,
  negative_wait,
  unknown_wait,
  negative_run,
  unknown_run,
  zero_run,
  no_processors,
  unknown_requested_processors,
  processors_differ,
  more_than_max_procs,
  unknown_requested_time,
  run_over_requested,
  cpu_over_run,
  negative_field,
  unknown_user,
  failed,
  cancelled,
  partial_run,
  unknown_status,
  bad_status,
  dependency,
  before_predecessor,
  start_after_end,
  over_capacity,
  not_kept_status,
  outside_time,
  outside_count,
  oversize,
  padded,
};
inline constexpr std::size_t kSwfAnomalies = static_cast<std::size_t>(SwfAnomaly::padded) + 1;
std::string_view name_of(SwfAnomaly anomaly);

struct SwfCount {
  std::int64_t count = 0;
  std::int64_t first_line = 0;
  bool operator==(const SwfCount&) const = default;
};
using SwfCounts = std::array<SwfCount, kSwfAnomalies>;

struct SwfFinding {
  SwfAnomaly anomaly;
  std::int64_t count, first_line;
  std::string what;    // "submit times are smaller than that of the line before"
  std::string policy;  // "order = sort", or empty where there is no choice
  std::string done;    // "the jobs were sorted"
};

struct SwfLog {
  std::string name;                                          // of the file
  std::vector<std::pair<std::string, std::string>> headers;  // in order; a line without a name continues one
  std::vector<SwfJob> jobs;                                  // in order of submission
  std::int64_t lines = 0;
  std::uintmax_t bytes = 0;  // uncompressed
  SwfCounts anomalies = {};
  SwfOptions options;  // used for reading

  // The value of a header comment; case does not matter. Empty if there is none.
  std::string_view header(std::string_view name) const;
  std::optional<double> header_number(std::string_view name) const;  // "MaxProcs", "UnixStartTime", ...
  std::int32_t max_procs() const;                                    // MaxProcs, else MaxNodes; 0 = unknown
  std::int32_t max_nodes() const;                                    // MaxNodes; 0 = unknown

  const SwfCount& count(SwfAnomaly anomaly) const { return anomalies[static_cast<std::size_t>(anomaly)]; }
  std::vector<SwfFinding> report() const;        // only anomalies that occur
  std::vector<std::string> limitations() const;  // what this log cannot show
};

// Error codes: bad_file, swf_line (E_SWF), bad_parameter; with the place as file:line, the column in the
// message.
SwfLog read_swf(const std::filesystem::path& path, const SwfOptions& options = {});
SwfLog parse_swf(std::string_view text, std::string_view name, const SwfOptions& options = {});

struct SwfWorkload {
  Workload workload;
  std::vector<std::uint32_t> jobs;                        // per work, its index in SwfLog::jobs
  SwfCounts anomalies = {};                               // of the log, and of the choice of jobs
  std::array<std::int64_t, kSwfAnomalies> left_out = {};  // jobs, each by the first reason that applies
  double first_submit = 0;                                // field 2 of the earliest kept job, = arrival 0
  SwfOptions options;

  std::vector<SwfFinding> report() const;
  std::vector<std::string> limitations;  // of the log and of the choice
};

// options.oversize deals with jobs that are wider than every host. Without a platform no job is too wide.
// Error codes: oversize (E_OVERSIZE), bad_parameter.
SwfWorkload swf_workload(const SwfLog& log, const SwfOptions& options, const Platform* platform = nullptr);
// The findings of the log, and how many of its jobs are too wide for the platform; an error where that is refused.
std::vector<SwfFinding> swf_findings(const SwfLog& log, const SwfOptions& options, const Platform& platform);
// The same jobs one after the other, without their names and memory.
std::unique_ptr<model::WorkStream> swf_stream(std::shared_ptr<const SwfLog> log, const SwfOptions& options,
                                              const Platform& platform);

}  // namespace perigee::readers
