// The fields of the words that read and write files.
#pragma once

#include <cstdint>

#include "interpreter/host/field_row.h"
#include "interpreter/language/fields/platform.h"
#include "runtime/model/readers/pst.h"

namespace perigee::language {

inline constexpr std::int64_t kMostJobsOfFile = 1'000'000'000;

namespace swf_fields {

inline constexpr FieldRow kFirst =
    whole_field("first", {1, kMostJobsOfFile}, {}, "so many jobs from the beginning (all)");
inline constexpr FieldRow kLast =
    whole_field("last", {1, kMostJobsOfFile}, {}, "so many jobs from the end (all)");
inline constexpr FieldRow kSkip =
    whole_field("skip", {0, kMostJobsOfFile}, 0, "so many jobs are left out at that end before ({default})");
inline constexpr FieldRow kFromTime = number_field("from_time", Dimension::seconds, kAnyNumber, {},
                                                   "the least submit time, s of the log (all)");
inline constexpr FieldRow kToTime =
    number_field("to_time", Dimension::seconds, kAnyNumber, {}, "submit times are less, s of the log (all)");
inline constexpr FieldRow kStatuses = numbers_field(
    "statuses", Dimension::count, {-1, 5}, "a list of the statuses that are taken ({ -1, 0, 1, 5 })");
inline constexpr FieldRow kBadLines =
    choice_field("bad_lines", "error|skip", "lines without 18 numbers ({default})");
inline constexpr FieldRow kOrder =
    choice_field("order", "sort|error", "of jobs that stand before one submitted earlier ({default})");
inline constexpr FieldRow kDuplicates =
    choice_field("duplicates", "rename|drop|error", "jobs with the number of another ({default})");
inline constexpr FieldRow kOversize =
    choice_field("oversize", "error|drop|clip|split", "jobs wider than every host ({default})");
inline constexpr FieldRow kOverrun =
    choice_field("overrun", "keep|raise|cut", "jobs that ran longer than requested ({default})");
inline constexpr FieldRow kSpeed =
    number_field("speed", Dimension::count, kPositive, 1, "divides the times between arrivals ({default})");
inline constexpr FieldRow kRoundSubmit =
    number_field("round_submit", Dimension::seconds, kNotNegative, 0,
                 "arrivals become the nearest multiple of so many s ({default}: as they are)");
inline constexpr FieldRow kReqFactor =
    number_field("req_factor", Dimension::count, kPositive, {},
                 "declares so many times the run time instead of the requested time (none)");
inline constexpr FieldRow kRefRate =
    number_field("ref_rate", Dimension::operations_per_second, kPositive, {},
                 "op/s of the log's machine: run times become operations (none)");

inline constexpr std::int64_t kMostCoresOfNode = 1'000'000;
inline constexpr FieldRow kShape = choice_field(
    "shape", "host|processes|nodes",
    "where the P processors of a job are: cores of one host, cores of any hosts, or as many cores of "
    "ceil(P / cores_per_node) hosts ({default})");
inline constexpr FieldRow kCoresPerNode =
    whole_field("cores_per_node", {1, kMostCoresOfNode}, {},
                "of shape \"nodes\": processors of a job on each host at most (cores of the widest host)");
inline constexpr FieldRow kExclusive =
    flag_field("exclusive", false, "true: each job has its hosts for itself ({default})");

inline constexpr FieldRow kLimits =
    flag_field("limits", false, "true: the requested time is the limit of a job, which ends it ({default})");
inline constexpr FieldRow kTakesMemory = flag_field(
    "memory", false, "true: each core of a job takes the requested memory of its host ({default})");
inline constexpr FieldRow kQueues = flag_field(
    "queues", false,
    "true: fields 15 and 16 are its queue, \"queue3\", \"partition1.queue3\" or \"partition1\" ({default})");

inline constexpr FieldRow kAll[] = {
    kFirst,   kLast,       kSkip,         kFromTime,  kToTime, kStatuses,    kBadLines,
    kOrder,   kDuplicates, kOversize,     kOverrun,   kSpeed,  kRoundSubmit, kReqFactor,
    kRefRate, kShape,      kCoresPerNode, kExclusive, kLimits, kTakesMemory, kQueues};

// The fields of log:platform.
inline constexpr std::int64_t kMostNodes = 1'000'000;
inline constexpr FieldRow kNodes = whole_field(
    "nodes", {1, kMostNodes}, {}, "hosts of the cluster (those that hold the header's processors)");
inline constexpr FieldRow kCoresOfNode =
    whole_field("cores_per_node", {1, kMostCoresOfNode}, {},
                "cores of each (the header's MaxProcs / MaxNodes, rounded up; of sacct the most that a job "
                "takes of a node; 1)");
inline constexpr FieldRow kMemory = host_fields::kMemory;
inline constexpr FieldRow kResources = host_fields::kResources;
inline constexpr FieldRow kPlatform[] = {kNodes, kCoresOfNode, kMemory, kResources};

}  // namespace swf_fields

namespace sacct_fields {

inline constexpr FieldRow kLimits =
    flag_field("limits", false, "true: Timelimit is the limit of a job, which ends it ({default})");
inline constexpr FieldRow kArrive = choice_field(
    "arrive", "submit|eligible", "when a job arrives: at its Submit, or at its Eligible ({default})");
inline constexpr FieldRow kDuplicates = choice_field(
    "duplicates", "last|rename|error",
    "lines with the id of another: one job, the last line with the first Submit; jobs of their own; "
    "an error ({default})");
inline constexpr FieldRow kShape = choice_field(
    "shape", "nodes|processes|host",
    "where the NCPUS processors of a job are: as many cores of each of NNodes hosts, cores of any hosts, or cores "
    "of one host ({default})");
inline constexpr FieldRow kTakesMemory = flag_field(
    "memory", false,
    "true: jobs take the memory and the gpus that they asked for, as memory and resources.gpu ({default})");
inline constexpr FieldRow kAll[] = {kLimits, kArrive, kDuplicates, kShape, kTakesMemory};

}  // namespace sacct_fields

namespace irmasim_fields {

inline constexpr FieldRow kOrigin =
    whole_field("origin", {0, kMostJobsOfFile}, 0,
                "so many jobs are left out; the next one's submit time is time 0 ({default})");
inline constexpr FieldRow kLength = whole_field("length", {0, kMostJobsOfFile}, 0,
                                                "so many jobs are taken from there on; 0 = all ({default})");
inline constexpr FieldRow kEnforceReqTime =
    flag_field("enforce_req_time", false, "true: jobs end when their requested time is over ({default})");
inline constexpr FieldRow kAll[] = {kOrigin, kLength, kEnforceReqTime};

}  // namespace irmasim_fields

namespace pst_fields {

inline constexpr FieldRow kText =
    text_field("text", {}, "the description itself, in place of a file").must_be_given();
inline constexpr FieldRow kSource[] = {kText};

inline constexpr FieldRow kBehaviours =
    other_field("behaviours",
                "a folder with files of them, or a table: of hosts { name = 0.7 } "
                "or { name = { 0.7, 0.5 } }, an entry for each period, of links { "
                "name = { bandwidth =, latency = } } (the folder of the grid)")
        .of_type("string|table");
inline constexpr FieldRow kPeriod = number_field("period", Dimension::seconds, kPositive, kPstSamplePeriod,
                                                 "for which an entry of a behaviour holds, s ({default})");
inline constexpr FieldRow kPlatform[] = {kBehaviours, kPeriod};

// The behaviour of a link: each field is a number or a list of them.
inline constexpr FieldRow kBandwidth =
    numbers_field("bandwidth", Dimension::bytes_per_second, kNotNegative, "B/s").must_be_given();
inline constexpr FieldRow kLatency = numbers_field("latency", Dimension::seconds, kNotNegative, "s (0)");
inline constexpr FieldRow kLink[] = {kBandwidth, kLatency};

inline constexpr FieldRow kSeed =
    whole_field("seed", {0}, {}, "of all that is drawn in the run, a whole number >= 0 (--seed)");
inline constexpr FieldRow kWritten[] = {kSeed};

}  // namespace pst_fields

namespace simgrid_fields {

inline constexpr FieldRow kOrigin =
    text_field("origin", "",
               "the host or router where files start: each host is behind the links of its route from there "
               "(links and routes are left out)");
inline constexpr FieldRow kAll[] = {kOrigin};

inline constexpr FieldRow kMaster =
    text_field("master", "master_host",
               "the host of the scheduler, which is left out as are those with the role master or storage "
               "({default})");
inline constexpr FieldRow kBatsim[] = {kMaster};

}  // namespace simgrid_fields

namespace csv_fields {

inline constexpr FieldRow kColumns =
    other_field(
        "columns",
        "{ name = kind }: \"text\", \"number\", \"whole\" or a unit such as \"s\", with ? behind it where "
        "values may be absent (all columns, as what they look like)")
        .of_type("table<string, string>");
inline constexpr FieldRow kSeparator =
    text_field("separator", "", "a character (what the first line looks like)");
inline constexpr FieldRow kAll[] = {kColumns, kSeparator};

}  // namespace csv_fields

}  // namespace perigee::language
