// The JSON workload of Batsim 2 to 5: jobs, and the profiles that say what they compute.
//
//   name      id                      nodes   res, of one core each, for itself alone
//   arrival   subtime, s              limit   walltime, s; absent or -1 = none
//
// The type of its profile tells what a job takes on each of its cores; either name is taken in any file:
//
//   delay                        DelayProfile                     delay, s
//   parallel_homogeneous         ParallelTaskHomogeneousProfile   cpu, operations; cpu / res where generation_strategy
//                                                                 is DefinedAmountsSpreadUniformly
//   parallel_homogeneous_total                                    cpu / res
//   parallel                     ParallelTaskProfile              the largest of cpu, which has an entry for each host
//   composed                     SequentialCompositionProfile     the sum of those in seq, all delays or none, times
//                                                                 repeat (1)
//
// Any other type is an error, if a job has it. Bytes that are sent, com, are left out. The idling of machines in a
// delay is left out too.
//
// Source: Batsim's documentation, 3.1 to 5.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/readers/findings.h"
#include "runtime/model/workload.h"

namespace perigee::readers {

inline constexpr std::uintmax_t kLargestBatsimFile = std::uintmax_t{1} << 30;  // bytes

struct BatsimJob {
  std::string id;
  double submit = 0;         // s, >= 0
  double amount = 0;         // >= 0, of each core
  double walltime = kNever;  // s, > 0; +inf = none
  std::int32_t hosts = 1;    // >= 1
  bool is_delay = false;     // `amount` is in s, not in operations
  bool operator==(const BatsimJob&) const = default;
};

// Jobs that share an oddity, and the profiles that have it.
struct BatsimOddity {
  std::int64_t jobs = 0;
  std::int64_t profiles = 0;
  std::vector<std::string> names;  // of the first profiles
  // "talk, talk2 and 3 more"
  std::string text() const;
};

struct BatsimWorkload {
  std::string name;             // of the file
  std::vector<BatsimJob> jobs;  // in order of the file
  std::int32_t machines = 0;    // nb_res; 0 = unknown
  std::int64_t lines = 0;
  BatsimOddity talking;               // com other than 0
  BatsimOddity uneven;                // entries of cpu differ
  std::int64_t without_walltime = 0;  // jobs
  std::int64_t too_wide = 0;          // jobs of more than `machines` hosts
  std::vector<std::string> ignored;   // "field 'extra_data' is ignored (first at $.jobs[9].extra_data)"
  std::vector<LogFinding> report() const;
  std::vector<std::string> limitations() const;
};

// Error codes: bad_file; with line, column and JSON path bad_json, missing_field, duplicate_id, out_of_range,
// unknown_reference (a profile), unsupported_profile, mixed_sequence.
BatsimWorkload read_batsim_workload(const std::filesystem::path& path);
BatsimWorkload parse_batsim_workload(std::string_view text, std::string_view name);

// A limit is what is declared; a job without one declares what it takes.
Workload batsim_jobs(const BatsimWorkload& file);

// The names of what BatsimWorkload::report() may have.
std::vector<std::string_view> batsim_anomalies();

}  // namespace perigee::readers
