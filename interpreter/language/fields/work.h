// The fields of the records of works, and of workload.etc.
#pragma once

#include <cstdint>

#include "interpreter/host/field_row.h"
#include "runtime/kernel/ids.h"

namespace perigee::language {

namespace work_fields {

// Fields of all kinds of work; reservations have no run time and no deadline.
inline constexpr FieldRow kName = text_field("name", "", "of the work (the kind and its number)");
inline constexpr FieldRow kTime =
    number_field("time", Dimension::seconds, kNotNegative, {},
                 "run time in s on any host, or by architecture { athlon = 30, epyc = 10 }")
        .of_type("number|string|table<string, number|string>");
inline constexpr FieldRow kOps = number_field("ops", Dimension::operations, kNotNegative, {},
                                              "operations of each core: the time is ops / speed of the host");
inline constexpr FieldRow kTimes =
    number_field("times", Dimension::seconds, kNotNegative, {},
                 "run times in s by host: in the order of the platform, or by name; no other host can run it")
        .of_type("table");
inline constexpr FieldRow kEstimate =
    other_field("estimate", "what the submission declares, in the form of the run time (the truth)")
        .of_type("number|string|table");
inline constexpr FieldRow kArrival =
    number_field("arrival", Dimension::seconds, kNotNegative, 0, "when it is submitted, s ({default})");
inline constexpr FieldRow kPriority =
    number_field("priority", Dimension::count, kAnyNumber, 0,
                 "a number, larger is more important; for policies ({default})");
inline constexpr FieldRow kUser = text_field("user", "", "a name, for policies and metrics");
inline constexpr FieldRow kDeadline = number_field("deadline", Dimension::seconds, kPositive, kNever,
                                                   "absolute, s; for policies and metrics (none)");

// Fields of tasks.
inline constexpr FieldRow kInputs =
    other_field(
        "inputs",
        "a list of files that must be in the store of the host's cluster before it starts: file(name, size), "
        "or the name of one that another task of the list makes; see accepts of describe for policies that "
        "take files")
        .of_type("(file|string)[]");
inline constexpr FieldRow kOutput =
    number_field("output", Dimension::bytes, kNotNegative, {}, "one file, or its size in B")
        .of_type("number|string|file");
inline constexpr FieldRow kOutputs =
    other_field(
        "outputs",
        "a list of files that it makes; those that no other task reads have to come home when it has ended")
        .of_type("file[]");
inline constexpr FieldRow kAfter =
    other_field(
        "after",
        "tasks of the same list that come first: names, or numbers in the list (those whose outputs it reads)")
        .of_type("(string|integer)[]");
inline constexpr FieldRow kTask[] = {kName,   kTime,    kOps,   kTimes,    kEstimate, kArrival, kInputs,
                                     kOutput, kOutputs, kAfter, kPriority, kUser,     kDeadline};

// Fields of the third argument of file().
inline constexpr FieldRow kHome =
    flag_field("home", false, "true: it comes home, even if another task reads it ({default})");
inline constexpr FieldRow kFileEstimate = number_field("estimate", Dimension::bytes, kNotNegative, {},
                                                       "what is declared of its size, B (the size)");
inline constexpr FieldRow kFile[] = {kHome, kFileEstimate};

// Fields of jobs.
inline constexpr std::int64_t kMostCores = 100'000'000;
inline constexpr FieldRow kCores =
    whole_field("cores", {1, kMostCores}, 1, "that it takes of each of its hosts ({default})");
inline constexpr FieldRow kNodes =
    whole_field(
        "nodes", {1, kMostCores}, 1,
        "so many different hosts, on which it runs at the same time ({default}); of a moldable job a list "
        "of sizes, or { least =, most = }")
        .of_type("integer|integer[]|table<string, integer>");
inline constexpr FieldRow kProcesses =
    whole_field("processes", {1, kMostCores}, {},
                "in place of nodes and cores: so many cores in all, on any hosts; or sizes, as of nodes")
        .of_type("integer|integer[]|table<string, integer>");
inline constexpr FieldRow kPerNode = whole_field(
    "per_node", {1, kMostCores}, {}, "beside processes: cores of each host at most (as many as it has)");
// Run times, which may depend on the size.
inline constexpr FieldRow kJobTime =
    number_field(
        "time", Dimension::seconds, kNotNegative, {},
        "run time in s on any host, or by architecture { athlon = 30, epyc = 10 }; of a moldable job "
        "also a speed-up, or time(nodes, cores)")
        .of_type(
            "number|string|table<string, number|string>|speed-up|"
            "fun(nodes: integer, cores: integer): number");
inline constexpr FieldRow kJobOps =
    number_field("ops", Dimension::operations, kNotNegative, {},
                 "operations of each core: the time is ops / speed of the host; of a moldable job also a "
                 "speed-up, or ops(nodes, cores)")
        .of_type("number|string|speed-up|fun(nodes: integer, cores: integer): number");
inline constexpr FieldRow kJobEstimate =
    other_field("estimate", kEstimate.meaning)
        .of_type("number|string|table|speed-up|fun(nodes: integer, cores: integer): number");
inline constexpr FieldRow kExclusive =
    flag_field("exclusive", false, "true: nothing else runs on its hosts meanwhile ({default})");
inline constexpr FieldRow kSame =
    choice_field("same", "anywhere|cluster|switch", "what its hosts share ({default})");
inline constexpr FieldRow kOnly =
    other_field("only", "names of the hosts and clusters that it may use: a list, or one (all)")
        .of_type("string|string[]");
inline constexpr FieldRow kLimit = number_field(
    "limit", Dimension::seconds, kPositive, kNever,
    "requested time, s: it is killed then, or as at_limit of the scenario says; without an estimate it is "
    "what is declared (none)");
inline constexpr FieldRow kGrace = number_field("grace", Dimension::seconds, kNotNegative, 0,
                                                "s beyond the limit until it is killed ({default})");
inline constexpr FieldRow kCheckpoint =
    other_field("checkpoint",
                "it writes down how far it is: { interval =, cost =, restart =, store = } (never)")
        .of_type("table");
inline constexpr FieldRow kInside =
    text_field("reservation", "",
               "the name of a reservation: inside of that alone it runs, and not beyond its end (none)");
inline constexpr FieldRow kMemory = number_field(
    "memory", Dimension::bytes, kNotNegative, {},
    "B that it takes of each of its hosts, where some host declares memory; otherwise that it declares, "
    "for policies (none)");
inline constexpr FieldRow kMemoryPerCore =
    number_field("memory_per_core", Dimension::bytes, kNotNegative, {},
                 "B that it takes for each of its cores, where some host declares memory (none)");
inline constexpr FieldRow kResources =
    other_field("resources", "what it takes of each of its hosts: { gpu = 2 } (none)")
        .of_type("table<string, integer>");
inline constexpr FieldRow kResourcesPerCore =
    other_field("resources_per_core", "what it takes for each of its cores: { gpu = 1 } (none)")
        .of_type("table<string, integer>");
inline constexpr FieldRow kLicences =
    other_field("licences", "what it takes of the licences of the platform: { solver = 1 } (none)")
        .of_type("table<string, integer>");
inline constexpr FieldRow kPowerLoad = number_field(
    "load", Dimension::fraction, {0, 1}, 1,
    "the part of the power between an idle and a busy core that its cores draw, 0 to 1 ({default})");
inline constexpr FieldRow kQueue =
    text_field("queue", "", "the name of a queue of the scenario, to which it is submitted (none)");
inline constexpr FieldRow kQos =
    text_field("qos", "", "the name of a quality of service of the scenario (none)");
inline constexpr FieldRow kAccount =
    text_field("account", "", "what its user works for: a name in the shares of multifactor (none)");
inline constexpr FieldRow kNice =
    number_field("nice", Dimension::count, kAnyNumber, 0, "what is taken off its priority ({default})");
inline constexpr FieldRow kMemoryTraffic =
    number_field("memory_traffic", Dimension::bytes, kNotNegative, {},
                 "B to and from memory in all its run that it declares, for policies (none)");
inline constexpr FieldRow kJob[] = {
    kName,     kJobTime,       kJobOps,   kTimes,     kJobEstimate,   kArrival,   kNodes,
    kCores,    kProcesses,     kPerNode,  kExclusive, kSame,          kOnly,      kLimit,
    kGrace,    kCheckpoint,    kInside,   kMemory,    kMemoryPerCore, kResources, kResourcesPerCore,
    kLicences, kMemoryTraffic, kPriority, kUser,      kDeadline,      kQueue,     kQos,
    kAccount,  kNice,          kPowerLoad};

// Fields of sweeps.
inline constexpr std::int64_t kMostRuns = 1'000'000'000;
inline constexpr FieldRow kPoints =
    other_field("points", "a list with one for each run, as of workload.grid; for the function weights")
        .of_type("any[]");
inline constexpr FieldRow kRuns = whole_field(
    "runs", {1, kMostRuns}, {}, "of the sweep, dealt out in packages of whole runs (as many as points)");
inline constexpr FieldRow kTrials =
    whole_field("trials", {1, kMostRuns}, 1, "simulations of each run ({default})");
inline constexpr FieldRow kWeights =
    numbers_field(
        "weights", Dimension::count, kNotNegative,
        "by which the times of a run's simulations are multiplied: a list, or weights(point, run) (1)")
        .of_type("number[]|fun(point: any, run: integer): number");
inline constexpr FieldRow kNoise = number_field(
    "noise", Dimension::fraction, kNotNegative, 0,
    "coefficient of variation of a random factor of mean 1 for each simulation, which estimates that are "
    "declared lack ({default})");
inline constexpr FieldRow kBytes =
    number_field("bytes", Dimension::bytes, kNotNegative, 0, "to be sent for each unit, or run ({default})");
inline constexpr FieldRow kSweep[] = {kName,   kTime,    kOps,   kTimes, kEstimate, kArrival, kPoints,  kRuns,
                                      kTrials, kWeights, kNoise, kBytes, kPriority, kUser,    kDeadline};

// Fields of divisible loads.
inline constexpr FieldRow kSize =
    number_field("size", Dimension::count, kPositive, {}, "units of the load, divisible at will");
inline constexpr FieldRow kBytesEstimate =
    number_field("bytes_estimate", Dimension::bytes, kNotNegative, {},
                 "what the submission of a load declares of them (the truth)");
inline constexpr FieldRow kLoad[] = {
    kName,  kTime,          kOps,      kTimes, kEstimate, kArrival, kSize.must_be_given(),
    kBytes, kBytesEstimate, kPriority, kUser,  kDeadline};

// Fields of reservations.
inline constexpr std::int64_t kMostHosts = 100'000'000;
inline constexpr FieldRow kHosts = whole_field("hosts", {1, kMostHosts}, {}, "how many whole hosts");
inline constexpr FieldRow kFrom =
    number_field("from", Dimension::seconds, kNotNegative, {}, "when they are taken, s");
inline constexpr FieldRow kTo =
    number_field("to", Dimension::seconds, kPositive, {}, "when they are free again, s");
inline constexpr FieldRow kIoRatio =
    number_field("io_ratio", Dimension::fraction, {0, 1}, 0,
                 "share of the time during which the cluster's link is taken too ({default})");
inline constexpr FieldRow kReservation[] = {
    kName,     kArrival, kHosts.must_be_given(), kFrom.must_be_given(), kTo.must_be_given(), kIoRatio,
    kPriority, kUser};

// A record whose fields tell its kind.
inline constexpr FieldRow kAnyKind[] = {
    kName,     kJobTime,       kJobOps,        kTimes,     kJobEstimate,   kArrival,   kInputs,
    kOutput,   kOutputs,       kAfter,         kPriority,  kUser,          kDeadline,  kNodes,
    kCores,    kProcesses,     kPerNode,       kExclusive, kSame,          kOnly,      kLimit,
    kGrace,    kCheckpoint,    kInside,        kMemory,    kMemoryPerCore, kResources, kResourcesPerCore,
    kLicences, kMemoryTraffic, kPoints,        kRuns,      kTrials,        kWeights,   kNoise,
    kSize,     kBytes,         kBytesEstimate, kHosts,     kFrom,          kTo,        kIoRatio,
    kQueue,    kQos,           kAccount,       kNice,      kPowerLoad};

}  // namespace work_fields

// The fields of workload.workflow.
namespace workflow_fields {

inline constexpr FieldRow kName = text_field("name", "", "of the workflow (workflow and its number)");
inline constexpr FieldRow kArrival =
    number_field("arrival", Dimension::seconds, kNotNegative, 0,
                 "when its tasks are submitted, s, unless they say so ({default})");
inline constexpr FieldRow kDeadline =
    number_field("deadline", Dimension::seconds, kPositive, kNever,
                 "absolute, s; of its tasks too, unless they have one; for policies and metrics (none)");
inline constexpr FieldRow kPriority = number_field("priority", Dimension::count, kAnyNumber, 0,
                                                   "of its tasks, unless they have one ({default})");
inline constexpr FieldRow kUser = text_field("user", "", "of its tasks, unless they name one");
inline constexpr FieldRow kHome =
    choice_field("home", "exits|all|none",
                 "which outputs have to come home: those that no task reads, all, or none ({default})");
inline constexpr FieldRow kTasks =
    other_field("tasks", "a list of tasks, which may wait for each other, or a graph").of_type("table|graph");
inline constexpr FieldRow kAll[] = {
    kName, kArrival, kDeadline, kPriority, kUser, kHome, kTasks.must_be_given()};

}  // namespace workflow_fields

// The fields of a parameter of workload.grid.
namespace grid_fields {

inline constexpr std::int64_t kMostPoints = 1'000'000;
inline constexpr FieldRow kFrom = number_field("from", Dimension::count, kAnyNumber, {}, "its first value");
inline constexpr FieldRow kTo = number_field("to", Dimension::count, kAnyNumber, {}, "its last value");
inline constexpr FieldRow kStep =
    number_field("step", Dimension::count, kAnyNumber, {}, "between its values, > 0");
inline constexpr FieldRow kCount = whole_field("count", {1, kMostPoints}, {}, "how many values");
inline constexpr FieldRow kAll[] = {kFrom, kTo, kStep, kCount};

}  // namespace grid_fields

// The fields of workload.etc.
namespace matrix_fields {

inline constexpr FieldRow kTimes =
    other_field("times", "a matrix: the true times, where the first one is what is declared (the first one)")
        .of_type("etc matrix");
inline constexpr FieldRow kQuality =
    other_field(
        "quality",
        "a matrix: a quality of service on each host, >= 0, for grouped { by = \"least_quality\" } (none)")
        .of_type("etc matrix");
inline constexpr FieldRow kArrivals =
    numbers_field("arrivals", Dimension::seconds, kNotNegative, "a list: when each task is submitted, s (0)");
inline constexpr FieldRow kPriorities = numbers_field("priorities", Dimension::count, kAnyNumber,
                                                      "a list of numbers, larger is more important (0)");
inline constexpr FieldRow kAll[] = {kTimes, kQuality, kArrivals, kPriorities};

}  // namespace matrix_fields

}  // namespace perigee::language
