// Meanings of the columns of tables, and of metrics as fields.
#include <algorithm>

#include "interpreter/language/vocabulary.h"
#include "runtime/results/metrics.h"

namespace perigee::language {

namespace {

// "of": the words that return the rows, separated by blanks. "name": columns that share a meaning, separated
// likewise. A table's columns stand in its order.
constexpr Meaning kColumns[] = {
    {"simulation.hosts", "host", "its name"},
    {"simulation.hosts", "state", "up or down, as policies see it"},
    {"simulation.hosts", "cores idle", "of the host; those that a start may take"},
    {"simulation.hosts", "running queued", "activities under way; posted ones that wait"},
    {"simulation.hosts", "speed", "of a core now, op/s"},
    {"simulation.hosts", "work", "that runs there; of several the first four"},
    {"simulation.planned", "at", "when it is to happen, s"},
    {"simulation.planned", "action name options",
     "the method, what it is done to, and the rest of its table"},

    {"answer.shaken", "shake", "each number of the case times 1 + u, u drawn from - this to + this"},
    {"answer.shaken", "median low high",
     "of the ratio over the draws: the median, the 5 % and the 95 % quantile"},
    {"answer.shaken", "above counted",
     "share of the draws above 1 (0 of a difference); how many draws count"},
    {"tournament.rows", "a b", "the one that loses; the other one"},
    {"tournament.rows", "ratio space evaluations",
     "the worst, over all spaces; the space; cases of that duel"},
    {"tournament.table", "a", "the one that loses; a column for each other one"},
    {"answer.history", "try evaluation", "of the search, from 1; its evaluations so far"},
    {"answer.history", "ratio best", "of its best case then; of the best of all tries"},

    {"result.jobs", "id", "number of the work, from 1"},
    {"result.jobs simulation.jobs simulation.queue", "name kind",
     "of the work; task, job, sweep, load or reservation"},
    {"result.jobs", "user", "as the workload names it"},
    {"simulation.jobs", "state",
     "future, pending, waiting, running, computed, finished, rejected, expired or killed"},
    {"result.jobs simulation.jobs simulation.queue", "arrival", "when it was submitted, s"},
    {"result.jobs", "start", "of the first activity that served it in the end, s"},
    {"result.jobs", "finish", "when it was finished, s"},
    {"result.jobs", "wait", "start - arrival, s"},
    {"result.jobs", "response", "finish - arrival, s"},
    {"result.jobs", "run", "finish - start, s"},
    {"result.jobs", "slowdown", "response / run; none when run = 0"},
    {"result.jobs", "state",
     "future, pending, waiting, running, computed, finished, rejected, expired or killed"},
    {"simulation.queue", "waits", "how long it has been there, s"},
    {"simulation.jobs", "cores hosts", "that it takes; where it runs or is posted"},
    {"result.jobs", "hosts", "where it ran"},
    {"result.jobs", "cores", "that it took"},
    {"simulation.queue", "cores", "that it takes"},
    {"result.jobs", "deadline", "absolute, s"},
    {"result.jobs", "requested", "declared time on the host of the platform where that is longest, s"},
    {"result.jobs", "release", "when it was posted to the host that served it, s"},
    {"result.jobs", "scheduler_wait", "until the scheduler took it up, s"},
    {"result.jobs", "queue_wait", "start - release: in the queue of its host, s"},
    {"result.jobs", "quality", "of service, as the workload states it for that host"},
    {"result.jobs", "size", "of a sweep, in runs; of a load, in units"},
    {"result.jobs", "reason", "why it was rejected, given up or killed"},
    {"result.jobs", "nodes",
     "hosts at a time; this and what follows: only where some job asks for more or has a limit"},
    {"result.jobs", "allocation",
     "its hosts and the cores of each, n.1:2 n.2:2, of its last attempt that served it"},
    {"result.jobs result.users result.groups result.resources", "energy",
     "of its busy cores, or of the host, J; the column is there where some host declares its power"},
    {"result.jobs result.attempts", "suspended",
     "how long it was suspended, s; the column is there where something was"},
    {"result.jobs", "queue", "to which the job was submitted; the column is there where some job has one"},
    {"result.jobs", "workflow", "that it is a task of; the column is there where there are workflows"},
    {"result.jobs", "attempts limit", "computations that began; requested time of each, s"},
    {"result.attempts", "work", "its name"},
    {"result.attempts", "start finish", "of the attempt, s; no finish while it runs"},
    {"result.attempts", "hosts cores", "that it had"},
    {"result.attempts", "state", "ended (well), lost, killed, cancelled, superseded or running"},
    {"result.attempts", "reason", "why it did not end well"},
    {"simulation.queue", "priority", "larger is more important"},
    {"simulation.queue", "posted_at",
     "the hosts in whose queues it waits; none while it waits at the scheduler"},

    {"result.resources", "resource kind", "its name; host or link"},
    {"result.resources", "cluster cores", "of a host: its cluster and its cores"},
    {"result.resources", "busy",
     "of a host core-seconds of computations, of chunks of loads on their way to it, and of reservations, "
     "without those in which work waits for its host to come back; of a link s with a transfer at least"},
    {"result.resources", "held", "busy, and the cores of a host that holds keep free, s"},
    {"result.resources", "lost",
     "the part of busy whose activity was lost, cancelled or superseded; of a link the part without a "
     "transfer that ended well, s"},
    {"result.resources", "down",
     "that it was away in the span, by an outage, a reservation for others or because it had left, s"},
    {"result.resources", "utilization",
     "busy / (cores * span) of a host, busy / span of a link; time away is part of the span"},
    {"result.resources", "activities", "that ended in the span or were under way at its end"},
    {"result.resources", "bytes bytes_in bytes_out",
     "of transfers that ended well, and of chunks that a host received; to the clusters; to the origin, B"},
    {"result.resources", "computed aborted",
     "computations that ended well; activities lost, cancelled or superseded"},
    {"result.resources", "aborted_bytes", "that the aborted transfers and chunks were to move, B"},

    {"result.users", "user", "as the workload names it"},
    {"result.groups", "user queue qos account", "as the workload or the scenario names it; one of these"},
    {"result.users result.groups", "works finished",
     "of the user or group; those that finished, at the warm-up or later"},
    {"result.users result.groups", "core_seconds", "of what served these"},
    {"result.users result.groups", "mean_wait mean_response mean_slowdown mean_bounded_slowdown",
     "over these, as the metrics of these names"},

    {"result.classes", "width length", "the class: cores, or nodes; the run time"},
    {"result.classes", "works killed", "jobs and tasks that finished or were killed; those that were killed"},
    {"result.classes", "core_seconds", "of what served these and ended well"},
    {"result.classes", "mean_wait mean_response mean_slowdown mean_bounded_slowdown",
     "over these, as the metrics of these names"},

    {"result.workflows", "workflow tasks finished", "its name; its tasks, and how many of them finished"},
    {"result.workflows", "arrival finish response",
     "s; finish: of the last task, once all have finished; response: finish - arrival"},
    {"result.workflows", "slr speedup efficiency bound bound_ratio mean_slack",
     "as the metrics of these names: efficiency = workflow_efficiency, bound = critical_path_bound, "
     "bound_ratio = workflow_bound_ratio"},
    {"result.workflows", "bytes transfers", "B and transfers from cluster to cluster of what its tasks made"},
    {"result.workflows", "recomputed recovered",
     "tasks given back because their outputs were out of reach; those of them that were spared"},
    {"result.workflows", "missed", "whether it did not finish by its deadline"},

    {"result.queues", "queue", "scheduler, a host, or all, which is the system"},
    {"result.queues", "arrivals", "in the window: at the warm-up or later"},
    {"result.queues", "waits mean_wait sd_wait min_wait max_wait",
     "works that ceased to wait in the window: how many, and how long they waited, s"},
    {"result.queues", "mean_length sd_length min_length max_length",
     "how many wait, over time; a state that lasts no time counts for min and max"},
    {"result.queues", "departures mean_time sd_time min_time max_time",
     "works that left in the window: how many, and how long they were there, s"},
    {"result.queues", "mean_number sd_number min_number max_number",
     "how many are there, those in service too"},
    {"result.queues", "utilization",
     "of the scheduler: time spent thinking / span; of a host as in r:resources()"},
    {"result.queues", "littles_law",
     "how far it is off, |rate * time - number| / number: the "
     "larger value of the two for waiting and for being there"},

    {"result.notes", "time name values", "when, s; as the policy or process calls it; its numbers as a text"},

    {"result.packages", "work host", "the sweep; who computed the runs"},
    {"result.packages", "first runs", "the first run, from 0; how many"},
    {"result.packages", "start finish",
     "s; finish is when it ended, whatever ended it, and is missing while it is under way"},
    {"result.packages", "use",
     "useful; duplicate, a copy; redundant, an original that a copy made pointless; lost, lost or cancelled; "
     "running, under way at the end"},

    {"result.hosts", "host", "its name"},
    {"result.hosts", "runs computations",
     "of sweeps that it finished first, other works counting 1; all its computations"},
    {"result.hosts", "useful duplicate redundant lost running",
     "time of its computations that ended well; that were copies; that copies made pointless; that were lost "
     "or cancelled; that are under way at the end, s"},
    {"result.hosts", "idle",
     "the rest of the time from 0 to the makespan, or to the end of a run that is not complete, s"},
    {"result.hosts", "last_finish", "end of its last computation, s"},

    {"result.enpr", "time sweep host", "when they were computed, s; of which sweep; for which host"},
    {"result.enpr", "enpr", "expected node processing ratio, the share of a round"},
    {"result.enpr", "npp", "node process power, runs/s"},

    {"result.critical_chain", "kind work file resource",
     "compute, transfer_in or transfer_out; for which work, of which file, on what"},
    {"result.critical_chain", "start finish", "s"},
    {"result.critical_chain", "wait", "since the sub-task before ended, s"},
    {"result.critical_chain", "after", "the order by which it comes after that one"},

    {"result.components", "first_task tasks", "the first of the group; how many they are"},
    {"result.components", "files shared_files", "that they need; those that several of them need"},
    {"result.components", "bytes shared_bytes bytes_alone",
     "of these; and of what each task needs, as if none were shared, B"},

    {"result.plans", "time cause", "when, s; timer, idle, add, remove, arrival or starved"},
    {"result.plans", "tasks", "that it placed"},
    {"result.plans", "interval", "to the next plan of the timer, s"},
    {"result.deviations", "time deviation", "when, s; what was predicted wrongly of all that was predicted"},
    {"scenario.decision_times", "at events queue",
     "when the policy was asked, s of the run; of how many events it was told; how many works waited then"},
    {"scenario.decision_times", "seconds", "how long it took, by the wall clock"},
    {"experiment.rows experiment.failures", "cell", "number of the cell, from 1, as --cell takes it"},
    {"experiment.rows experiment.failures", "replication seed", "of the cell; the seed of its runs"},
    {"experiment.failures", "message", "the error with which it ended"},
    {"experiment.table experiment.compare", "n", "replications behind the means; for compare, pairs"},
    {"experiment.table", "warned", "how many of the n cells have warnings, where that is asked for"},
    {"experiment.compare", "mean baseline_mean", "of the level and of the baseline, over the pairs"},
    {"experiment.compare", "difference difference_half_width",
     "mean of the paired differences, level - baseline; the half-width of its interval"},
    {"experiment.compare", "verdict",
     "higher, lower, not distinguishable (the interval holds 0) or no interval (fewer than two pairs)"},
    {"experiment.warnings", "cells count warning",
     "how many cells have the warning; how many works or runs it is about in all of them; its text"},

    {"spread.rows", "run seed", "its number, from 1; of what is drawn in it"},
    {"spread.rows", "value", "of the measure, absent where the run does not count"},
    {"spread.rows", "why", "it does not count: incomplete, absent (no finite measure) or failed"},
    {"spread.table", "n mean sd", "values that count; their mean and standard deviation"},
    {"spread.table", "q5 q25 q50 q75 q95", "quantiles: 5 %, 25 %, 50 %, 75 %, 95 %"},
    {"spread.table", "incomplete absent failed", "runs that do not count, by reason"},
    {"spread.table", "deadline met", "where there is one: as given; how many runs have at most that"},
    {"spread.table", "probability low high", "met / runs without an error; its interval of 95 %"},

    {"result.deviations", "interval margin", "between plans; how far a plan goes beyond the next one, s"},
};

}  // namespace

std::span<const Meaning> columns() { return kColumns; }

std::string_view metric_meaning(std::string_view name) {
  const auto found = std::ranges::find(metric_infos(), name, &MetricInfo::name);
  return found == metric_infos().end() ? std::string_view() : found->what;
}

}  // namespace perigee::language
