// The words that declare platforms, workloads and scenarios.
#include "interpreter/language/fields/events.h"
#include "interpreter/language/fields/loads.h"
#include "interpreter/language/fields/platform.h"
#include "interpreter/language/fields/readers.h"
#include "interpreter/language/fields/runs.h"
#include "interpreter/language/fields/work.h"
#include "interpreter/language/words/families.h"

namespace perigee::language {

namespace {

constexpr Word kAllWordsOfDeclarations[] = {
    {"", "platform", "platform { part, ... }", "hosts, clusters and the network, from parts"},
    {"", "cluster", "cluster \"name\" { nodes = 4 }", "hosts name.1, name.2, ... behind one link",
     cluster_fields::kAll},
    {"", "host", "host \"name\" { cores = 1, speed = 1 }", "one host", host_fields::kAll},
    {"", "link", "link \"name\" { to = \"router\", bandwidth = \"1 MB/s\" }",
     "a link between routers and the origin", link_fields::kAll},
    {"", "router", "router \"name\"", "a node of the network"},
    {"", "workload",
     "workload.tasks, .jobs, .sweeps, .loads, .random_loads, "
     ".reservations, .grid, .etc, .swf, .irmasim, .pst, .merge",
     "what is submitted"},
    {"workload", "tasks", "workload.tasks { record, ... } or (n, function(i, rng) ... end)",
     "tasks with files", work_fields::kTask},
    {"workload", "jobs", "workload.jobs { record, ... } or (n, function(i, rng) ... end)",
     "jobs of several cores", work_fields::kJob},
    {"workload", "sweeps", "workload.sweeps { record, ... } or (n, function(i, rng) ... end)",
     "parameter sweeps", work_fields::kSweep},
    {"workload", "sweep", "workload.sweep { record }", "one parameter sweep", work_fields::kSweep},
    {"workload", "grid", "workload.grid { { \"x\", from = 0, to = 9, step = 1 }, { \"y\", 5, 7 } }",
     "the points of a parameter grid, a row for each; the last parameter varies fastest"},
    {"workload", "loads", "workload.loads { record, ... } or (n, function(i, rng) ... end)",
     "divisible loads", work_fields::kLoad},
    {"workload", "random_loads", "workload.random_loads { load = 0.7, ... }",
     "divisible loads with deadlines that arrive at random, as Mamat (2011) draws them",
     random_loads_fields::kAll},
    {"workload", "reservations", "workload.reservations { record, ... } or (n, function(i, rng) ... end)",
     "whole hosts for an interval", work_fields::kReservation},
    {"workload", "etc", "workload.etc(matrix [, { arrivals = { } }]) or (function(rng) ... end)",
     "tasks whose times are the rows of an ETC matrix", matrix_fields::kAll},
    {"workload", "swf", "workload.swf(path [, { first = 1000 }])",
     "the jobs of a log in the Standard Workload Format", swf_fields::kAll},
    {"workload", "irmasim", "workload.irmasim(path [, { }])", "the jobs of IRMaSim's workload.json or .csv",
     irmasim_fields::kAll},
    {"workload", "pst", "workload.pst(path) or { text = \"WorkDescription 1 ...\" }",
     "tasks that share files, from an application description of the Parameter Sweep Template",
     pst_fields::kSource},
    {"workload", "merge", "workload.merge(a, b, ...) or workload.merge { a, b, ... }",
     "all of a, then all of b; many by one call with a list"},
    {"platform", "irmasim", "platform.irmasim(path [, name])", "a platform of IRMaSim's platform.json"},
    {"platform", "pst", "platform.pst(path [, { behaviours = \"folder\" }])",
     "a platform, and the events that make it, from a grid description of the Parameter Sweep Template",
     pst_fields::kPlatform},
    {"scenario", "pst", "s:pst(folder [, { seed = 1 }])",
     "writes the scenario as files of the Parameter Sweep Template below --out", pst_fields::kWritten},
    {"scenario", "irmasim", "scenario.irmasim(path)", "scenario and options from IRMaSim's options.json"},
    {"", "csv", "csv.read(path)", "tables from files"},
    {"csv", "read", "csv.read(path [, { columns = { name = \"text\" } }])", "the rows of a table, by column",
     csv_fields::kAll},
    {"", "json", "json.read(path), json.text(value)", "JSON files as tables, and tables as JSON"},
    {"json", "read", "json.read(path)", "a JSON file as numbers, texts and tables; null is nothing"},
    {"json", "text", "json.text(value)", "the value as JSON, keys in order"},
    {"", "scheduler_list", "scheduler_list(path)",
     "the entries of Sim-PETEK's SchedulerList.xml: a list of { label =, policy =, line = }"},
    {"", "file", "file(name, size [, estimate])", "a file that tasks read or write"},
    {"", "scenario", "scenario { platform =, workload =, events = { } }", "platform, workload and events",
     scenario_fields::kAll},
    {"", "outage", "outage { host = \"name\", from = 0, to = 60 }", "a host, cluster or link is away",
     event_fields::kOutage},
    {"", "outages_from", "outages_from \"file.csv\"", "outages from a table host,from,to"},
    {"", "failures", "failures { all = true, mtbf = \"5 h\", mttr = \"10 min\" }", "hosts fail at random",
     failure_fields::kFailures},
    {"", "reserve", "reserve { host = \"name\", from = 0, to = 60 }", "hosts are taken for others",
     event_fields::kReserve},
    {"", "leave", "leave { host = \"name\", at = 60 }", "a host or cluster goes for good",
     event_fields::kLeave},
    {"", "join", "join { host = \"name\", at = 60 }", "a host or cluster comes", join_fields::kJoin},
    {"", "change", "change { host = \"name\", at = 60, speed = 2 }", "speed, load or bandwidth changes",
     change_fields::kChange},
    {"", "process", "process(function(sim) ... end)",
     "a function that drives the scenario from within, by waiting and acting; or process { run = function }",
     process_fields::kAll},
    {"", "mark", "mark { at = 60, name = \"noon\" }", "a named moment that the policy is told of",
     event_fields::kMark},
};

}  // namespace

constinit const std::span<const Word> kWordsOfDeclarations = kAllWordsOfDeclarations;

}  // namespace perigee::language
