#include "interpreter/vocabulary.h"

#include <algorithm>

namespace perigee {

namespace {

constexpr std::string_view kHostFields =
    "cores speed availability link architecture slots setup exclusive overtake at";
constexpr std::string_view kRunFields =
    "policy seed horizon trace=full|work|none validate information=perfect|declared ask=once|phases|each "
    "tolerance";

constexpr Word kWords[] = {
    {"", "platform", "platform { part, ... }", "hosts, clusters and the network, from parts"},
    {"", "cluster", "cluster \"name\" { nodes = 4 }", "hosts name.1, name.2, ... behind one link",
     "nodes cores speed availability link architecture slots setup exclusive overtake at"},
    {"", "host", "host \"name\" { cores = 1, speed = 1 }", "one host", kHostFields},
    {"", "link", "link \"name\" { to = \"router\", bandwidth = \"1 MB/s\" }",
     "a link between routers and the origin",
     "from to bandwidth latency sharing=exclusive|fair|unlimited overtake"},
    {"", "router", "router \"name\"", "a node of the network"},
    {"", "workload", "workload.tasks, .jobs, .sweeps, .loads, .reservations, .etc, .swf, .irmasim, .merge",
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
    {"workload", "swf", "workload.swf(path [, { first = 1000 }])",
     "the jobs of a log in the Standard Workload Format",
     "first last skip from_time to_time statuses bad_lines=error|skip order=sort|error "
     "duplicates=rename|drop|error oversize=error|drop|clip|split overrun=keep|raise|cut speed round_submit "
     "req_factor ref_rate"},
    {"workload", "irmasim", "workload.irmasim(path [, { }])", "the jobs of IRMaSim's workload.json or .csv",
     "origin length enforce_req_time"},
    {"workload", "merge", "workload.merge(a, b, ...)", "all of a, then all of b"},
    {"platform", "irmasim", "platform.irmasim(path [, name])", "a platform of IRMaSim's platform.json"},
    {"scenario", "irmasim", "scenario.irmasim(path)", "scenario and options from IRMaSim's options.json"},
    {"", "csv", "csv.read(path)", "tables from files"},
    {"csv", "read", "csv.read(path [, { columns = { name = \"text\" } }])", "the rows of a table, by column",
     "columns separator"},
    {"", "file", "file(name, size [, estimate])", "a file that tasks read or write"},
    {"", "scenario", "scenario { platform =, workload =, events = { } }", "platform, workload and events",
     "platform workload events on_failure"},
    {"", "outage", "outage { host = \"name\", from = 0, to = 60 }", "a host, cluster or link is away",
     "host cluster link from to announced"},
    {"", "outages_from", "outages_from \"file.csv\"", "outages from a table host,from,to"},
    {"", "failures", "failures { all = true, mtbf = \"5 h\", mttr = \"10 min\" }", "hosts fail at random",
     "hosts host cluster all mtbf mttr law=exponential|weibull shape repair_law=exponential|weibull "
     "repair_shape announced"},
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
    {"etc", "range_based", "etc.range_based { tasks = 512, machines = 16, class = \"hihi\" }",
     "random times, uniform in ranges",
     "tasks machines class=hihi|hilo|lohi|lolo task_range machine_range "
     "consistency=inconsistent|consistent|semi_consistent rng"},
    {"etc", "cv_based", "etc.cv_based { tasks = 512, machines = 16, mean = 1000, class = \"hihi\" }",
     "random times, gamma-distributed by coefficients of variation",
     "tasks machines mean class=hihi|hilo|lohi|lolo task_cv machine_cv "
     "consistency=inconsistent|consistent|semi_consistent rng"},
    {"", "map", "map(mapper, matrix [, { ready = { }, seed = 1 }])", "maps without a simulation", "ready seed"},
    {"", "heuristic", "heuristic \"name\" { pick = function(c, task, args) ... end }", "registers a mapper",
     "summary source pick place smallest pure parameters"},
    {"", "policy", "policy \"name\" { decide = function(self, sim) ... end }", "registers a policy",
     "summary source accepts ask tolerance submit_first steps parameters begin arrived finished computed "
     "failed received cut "
     "host_changed timer marked thought stalled decide explain"},
    {"", "schedulers", "schedulers([family])", "the names in the catalogue"},
    {"", "redefine_schedulers", "redefine_schedulers()",
     "from here on a policy or heuristic replaces the script's earlier one of its name, as at the prompt"},
    {"", "compare", "compare(a, b, ...)", "results or simulations side by side"},
    {"", "claim", "claim { source =, says =, holds =, verdict = }",
     "a published finding, computed again: value, published and within (or margin) in place of holds",
     "source says holds value published within margin found "
     "verdict"},
    {"", "expect", "expect(condition, text)", "an error unless the condition is true"},
    {"", "stream", "stream(name [, seed])", "a stream of random numbers"},
    {"", "setting", "setting(name, default)", "a setting of the command line"},
    {"", "args", "args.name", "a setting of the command line that must be given"},
    {"", "help", "help(x) or ?x", "says what x is"},
    {"scenario", "run", "s:run { policy = \"workqueue\" }", "runs to the end; the result", kRunFields},
    {"scenario", "start", "s:start { policy = \"workqueue\" }", "a simulation before its first instant",
     kRunFields},
    {"scenario", "compare", "s:compare { policy, policy, ... }", "a run for each policy, as a table",
     "seed horizon trace=full|work|none validate information=perfect|declared metrics"},
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
    {"simulation", "submit", "sim:submit { time = 60 }, a list of records or a workload",
     "work arrives now, or at its arrival when that is later",
     "name time ops times estimate arrival inputs output outputs priority user deadline cores runs trials "
     "weights size bytes hosts from to io_ratio"},
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
    {"result", "save", "r:save(folder [, { \"batsim\", \"paje\" }])",
     "writes the run below the --out folder; further formats on demand"},
    {"comparison", "result", "c:result(i or policy)", "one of its results"},
    {"workload", "log", "w.log", "the log that it was read from, or nil"},
    {"log", "count", "log:count(anomaly)", "how often it was found"},
    {"log", "anomalies", "log:anomalies()", "a table of what is odd about it and what was done"},
    {"log", "limitations", "log:limitations()", "lines that say what it cannot show"},
    {"log", "header", "log:header(name)", "a text of its header, or nil"},
    {"log", "headers", "log:headers()", "a table of its header"},
    {"platform", "hosts", "p:hosts()", "the names of the hosts"},
    {"platform", "total_cores", "p:total_cores()", "the number of cores"},
    {"etc matrix", "time", "m:time(task, machine)", "one entry"},
    {"etc matrix", "makespan_bound", "m:makespan_bound()", "no mapping is shorter"},
    {"etc", "read", "etc.read(path [, { tasks =, machines = }])", "a matrix from a file", "tasks machines"},
    {"stream", "splitmix", "stream.splitmix(seed)", "a SplitMix64 generator"},
    {"random stream", "uniform", "rng:uniform([low, high])", "between 0 and 1, or between low and high"},
    {"random stream", "integer", "rng:integer(low, high)", "a whole number, both ends included"},
    {"random stream", "exponential", "rng:exponential(mean)", "exponential"},
    {"random stream", "normal", "rng:normal(mean, sd)", "normal"},
    {"random stream", "lognormal", "rng:lognormal(mean, sd)",
     "lognormal with this mean and deviation of its own"},
    {"random stream", "lognormal_mu_sigma", "rng:lognormal_mu_sigma(mu, sigma)",
     "lognormal, from those of its logarithm"},
    {"random stream", "gamma", "rng:gamma(shape, scale)", "gamma"},
    {"random stream", "gamma_mean_sd", "rng:gamma_mean_sd(mean, sd)", "gamma with this mean and deviation"},
    {"random stream", "weibull", "rng:weibull(shape, scale)", "Weibull"},
    {"random stream", "erlang", "rng:erlang(k, mean)", "a sum of k exponentials, with this mean"},
    {"random stream", "hyperexponential", "rng:hyperexponential(probabilities, means)",
     "one of several exponentials"},
    {"random stream", "pareto", "rng:pareto(shape, minimum)", "Pareto"},
    {"random stream", "triangular", "rng:triangular(low, mode, high)", "triangular"},
    {"random stream", "poisson", "rng:poisson(mean)", "a whole number, Poisson"},
    {"random stream", "bernoulli", "rng:bernoulli(p)", "true with probability p"},
    {"random stream", "discrete", "rng:discrete(weights)", "an index, as likely as its weight"},
    {"random stream", "choice", "rng:choice(list)", "an entry, each alike"},
    {"random stream", "shuffle", "rng:shuffle(list)", "puts the list in random order"},
    {"random stream", "sub", "rng:sub(k)", "a stream below it, of its own"},
    {"mapping view", "best", "c:best(task)", "its earliest completion, s"},
    {"mapping view", "second", "c:second(task)", "its earliest completion elsewhere, s"},
    {"mapping view", "best_machine", "c:best_machine(task)", "where it completes first"},
    {"mapping view", "time", "c:time(task [, machine])",
     "its time there, on its best machine unless named; s"},
    {"mapping view", "completion", "c:completion(task, machine)", "when it would complete there, s"},
    {"mapping view", "ready", "c:ready(machine)", "when the machine is free, s"},
    {"mapping view", "waits", "c:waits(task)", "whether it is still to be mapped"},
    {"mapping view", "tasks", "c:tasks()", "their number"},
    {"mapping view", "machines", "c:machines()", "their number"},
    {"sim", "now", "sim:now()", "simulated time, s"},
    {"sim", "host_count", "sim:host_count()", "number of hosts"},
    {"sim", "work_count", "sim:work_count()", "number of works"},
    {"sim", "unsettled", "sim:unsettled()", "works that have come and are not finished, rejected or expired"},
    {"sim", "hosts", "sim:hosts()", "those that are up"},
    {"sim", "is_up", "sim:is_up(host)", "as far as the policy was told"},
    {"sim", "idle", "sim:idle(host)", "cores that a start may take"},
    {"sim", "running", "sim:running(host)", "what computes there"},
    {"sim", "queued", "sim:queued(host)", "what is posted there"},
    {"sim", "speed", "sim:speed(host)", "of a core now, op/s"},
    {"sim", "cluster", "sim:cluster(host)", "its cluster"},
    {"sim", "host_name", "sim:host_name(host)", "its name"},
    {"sim", "work_name", "sim:work_name(work)", "its name"},
    {"sim", "cores", "sim:cores(work)", "cores that it needs"},
    {"sim", "arrival", "sim:arrival(work)", "when it was submitted, s"},
    {"sim", "deadline", "sim:deadline(work)", "s; math.huge = none"},
    {"sim", "priority", "sim:priority(work)", "larger is more important"},
    {"sim", "kind", "sim:kind(work)", "task, job, sweep, load or reservation"},
    {"sim", "state", "sim:state(work)", "future, waiting, running, computed, finished, rejected or expired"},
    {"sim", "size", "sim:size(work)", "runs or units; 1 of a task or job"},
    {"sim", "undealt", "sim:undealt(work)", "what nobody has been given"},
    {"sim", "user", "sim:user(work)", "who submitted it"},
    {"sim", "fits", "sim:fits(work, host)", "whether start would be accepted now"},
    {"sim", "estimate", "sim:estimate(work, host)", "seconds from now; math.huge = never"},
    {"sim", "start", "sim:start(work, host [, { first =, size =, cores = }])",
     "starts now, or it is an error; the activity", "first size cores"},
    {"sim", "post", "sim:post(work, host [, { rank =, not_before =, after = }])",
     "starts as soon as it can; the activity", "rank not_before after first size cores"},
    {"sim", "hold", "sim:hold { hosts = { 1, 2 }, to = t }",
     "whole hosts from `from` (now) to `to`; the activity", "hosts work from to io_until rank"},
    {"sim", "chunk", "sim:chunk(work, host [, { first =, size = }])",
     "sends that part of a load to the host, which is kept meanwhile; the activity",
     "first size rank not_before after"},
    {"sim", "send", "sim:send(work, host)", "sends the input files that the host's cluster lacks"},
    {"sim", "fetch", "sim:fetch(work, host)", "sends its outputs home"},
    {"sim", "copy", "sim:copy(activity, host)", "the same elsewhere; the first to end wins"},
    {"sim", "cancel", "sim:cancel(activity)", "it ends without effect"},
    {"sim", "settle", "sim:settle()", "starts now what is posted and can"},
    {"sim", "accept", "sim:accept(work)", "says that it will be done"},
    {"sim", "reject", "sim:reject(work)", "says that it will not"},
    {"sim", "expire", "sim:expire(work)", "gives it up, too late"},
    {"sim", "timer", "sim:timer(t [, { phase =, keeps_alive = }])", "calls timer() at t; the timer",
     "phase keeps_alive"},
    {"sim", "cancel_timer", "sim:cancel_timer(id)", "no call"},
    {"sim", "think", "sim:think(seconds)", "spends scheduling time; thought() ends it"},
    {"sim", "note", "sim:note(name, number, ...)", "into the trace"},
    {"sim", "stream", "sim:stream(name)", "a random stream of the run"},
};

}  // namespace

std::span<const Word> vocabulary() { return kWords; }

std::vector<FieldWord> fields_of(std::string_view fields) {
  std::vector<FieldWord> all;
  while (!fields.empty()) {
    const std::size_t end = std::min(fields.find(' '), fields.size());
    const std::string_view field = fields.substr(0, end);
    const std::size_t sign = std::min(field.find('='), field.size());
    all.push_back({field.substr(0, sign), field.substr(std::min(sign + 1, field.size()))});
    fields.remove_prefix(std::min(end + 1, fields.size()));
  }
  return all;
}

const Word* find_word(std::string_view owner, std::string_view name) {
  for (const Word& word : kWords)
    if (word.owner == owner && word.name == name) return &word;
  return nullptr;
}

}  // namespace perigee
