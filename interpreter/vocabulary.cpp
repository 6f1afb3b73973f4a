#include "interpreter/vocabulary.h"

namespace perigee {

namespace {

constexpr std::string_view kHostFields =
    "cores speed availability link architecture slots setup exclusive overtake at";
constexpr std::string_view kRunFields = "policy seed horizon trace validate information ask tolerance";

constexpr Word kWords[] = {
    {"", "platform", "platform { part, ... }", "hosts, clusters and the network, from parts"},
    {"", "cluster", "cluster \"name\" { nodes = 4 }", "hosts name.1, name.2, ... behind one link",
     "nodes cores speed availability link architecture slots setup exclusive overtake at"},
    {"", "host", "host \"name\" { cores = 1, speed = 1 }", "one host", kHostFields},
    {"", "link", "link \"name\" { to = \"router\", bandwidth = \"1 MB/s\" }",
     "a link between routers and the origin", "from to bandwidth latency sharing overtake"},
    {"", "router", "router \"name\"", "a node of the network"},
    {"", "workload", "workload.tasks, .jobs, .sweeps, .loads, .reservations, .etc, .merge",
     "what is submitted"},
    {"workload", "tasks", "workload.tasks { record, ... } or (n, function(i, rng) ... end)",
     "tasks with files", "name time ops times estimate arrival inputs output outputs priority user deadline"},
    {"workload", "jobs", "workload.jobs { record, ... } or (n, function(i, rng) ... end)",
     "jobs of several cores", "name time ops times estimate arrival cores priority user deadline"},
    {"workload", "sweeps", "workload.sweeps { record, ... }", "parameter sweeps",
     "name time ops times estimate arrival runs trials weights priority user deadline"},
    {"workload", "sweep", "workload.sweep { record }", "one parameter sweep",
     "name time ops times estimate arrival runs trials weights priority user deadline"},
    {"workload", "loads", "workload.loads { record, ... }", "divisible loads",
     "name time ops times estimate arrival size bytes priority user deadline"},
    {"workload", "reservations", "workload.reservations { record, ... }", "whole hosts for an interval",
     "name arrival hosts from to io_ratio priority user"},
    {"workload", "etc", "workload.etc(matrix)", "tasks whose times are the rows of an ETC matrix"},
    {"workload", "merge", "workload.merge(a, b, ...)", "all of a, then all of b"},
    {"", "file", "file(name, size [, estimate])", "a file that tasks read or write"},
    {"", "scenario", "scenario { platform =, workload =, events = { } }", "platform, workload and events",
     "platform workload events on_failure"},
    {"", "outage", "outage { host = \"name\", from = 0, to = 60 }", "a host, cluster or link is away",
     "host cluster link from to announced"},
    {"", "outages_from", "outages_from \"file.csv\"", "outages from a table host,from,to"},
    {"", "failures", "failures { all = true, mtbf = \"5 h\", mttr = \"10 min\" }", "hosts fail at random",
     "hosts host cluster all mtbf mttr law shape repair_law repair_shape announced"},
    {"", "reserve", "reserve { host = \"name\", from = 0, to = 60 }", "hosts are taken for others",
     "hosts host cluster link from to announced"},
    {"", "leave", "leave { host = \"name\", at = 60 }", "a host or cluster goes for good",
     "host cluster link at announced"},
    {"", "join", "join { host = \"name\", at = 60 }", "a host or cluster comes",
     "host cluster link at architecture announced"},
    {"", "change", "change { host = \"name\", at = 60, speed = 2 }", "speed, load or bandwidth changes",
     "host link at speed factor availability bandwidth announced"},
    {"", "mark", "mark { at = 60, name = \"noon\" }", "a named moment that the policy is told of", "at name"},
    {"", "etc", "etc { row, ... } or etc.read(path)", "a matrix of expected times: tasks by machines"},
    {"", "map", "map(mapper, matrix [, { ready = { } }])", "maps without a simulation", "ready"},
    {"", "heuristic", "heuristic \"name\" { pick = function(c, task, args) ... end }", "registers a mapper",
     "summary source pick place smallest pure parameters"},
    {"", "policy", "policy \"name\" { decide = function(self, sim) ... end }", "registers a policy",
     "summary source accepts ask tolerance submit_first steps parameters begin arrived finished computed "
     "failed received cut "
     "host_changed timer marked thought stalled decide explain"},
    {"", "schedulers", "schedulers([family])", "the names in the catalogue"},
    {"", "compare", "compare(a, b, ...)", "results or simulations side by side"},
    {"", "stream", "stream(name [, seed])", "a stream of random numbers"},
    {"", "setting", "setting(name, default)", "a setting of the command line"},
    {"", "args", "args.name", "a setting of the command line that must be given"},
    {"", "help", "help(x) or ?x", "says what x is"},
    {"scenario", "run", "s:run { policy = \"workqueue\" }", "runs to the end; the result", kRunFields},
    {"scenario", "start", "s:start { policy = \"workqueue\" }", "a simulation before its first instant",
     kRunFields},
    {"scenario", "compare", "s:compare { policy, policy, ... }", "a run for each policy, as a table",
     "seed horizon trace validate information metrics"},
    {"simulation", "step", "sim:step()", "one instant; false when the run is over"},
    {"simulation", "run", "sim:run()", "to the end; the result"},
    {"simulation", "run_until", "sim:run_until(t)", "all instants up to t"},
    {"simulation", "fork", "sim:fork()", "a copy whose future is its own"},
    {"simulation", "now", "sim:now()", "simulated time in seconds"},
    {"simulation", "next_time", "sim:next_time()", "time of the next instant"},
    {"simulation", "status", "sim:status()", "running, complete, incomplete or horizon"},
    {"simulation", "over", "sim:over()", "whether the run is over"},
    {"simulation", "fail", "sim:fail(name)", "an outage of a host, cluster or link begins now"},
    {"simulation", "recover", "sim:recover(name)", "an outage of a host, cluster or link ends now"},
    {"simulation", "set_policy", "sim:set_policy(policy)", "another policy takes over"},
    {"simulation", "result", "sim:result()", "the result so far"},
    {"simulation", "waiting", "sim:waiting()", "who waits for what"},
    {"simulation", "hosts", "sim:hosts()", "a table of the hosts as they are now"},
    {"simulation", "jobs", "sim:jobs()", "a table of the work submitted so far"},
    {"simulation", "queue", "sim:queue()", "a table of the work that waits"},
    {"simulation", "gantt", "sim:gantt([width])", "draws the run so far"},
    {"result", "metrics", "r:metrics()", "a table of all that were measured"},
    {"result", "jobs", "r:jobs()", "a row for each work"},
    {"result", "notes", "r:notes()", "what policies noted: time, name, values"},
    {"result", "resources", "r:resources()", "a row for each host and link"},
    {"result", "waiting", "r:waiting()", "who waits for what, when work is left"},
    {"result", "gantt", "r:gantt([width])", "draws the run"},
    {"result", "save", "r:save(folder)", "writes the run below the --out folder"},
    {"comparison", "result", "c:result(i or policy)", "one of its results"},
    {"platform", "hosts", "p:hosts()", "the names of the hosts"},
    {"platform", "total_cores", "p:total_cores()", "the number of cores"},
    {"etc matrix", "time", "m:time(task, machine)", "one entry"},
    {"etc matrix", "makespan_bound", "m:makespan_bound()", "no mapping is shorter"},
};

}  // namespace

std::span<const Word> vocabulary() { return kWords; }

const Word* find_word(std::string_view owner, std::string_view name) {
  for (const Word& word : kWords)
    if (word.owner == owner && word.name == name) return &word;
  return nullptr;
}

}  // namespace perigee
