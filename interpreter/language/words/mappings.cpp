// The words that are about matrices of times, mappings and heuristics.
#include "interpreter/language/fields/loads.h"
#include "interpreter/language/fields/matrices.h"
#include "interpreter/language/fields/policies.h"
#include "interpreter/language/fields/problems.h"
#include "interpreter/language/fields/sweeps.h"
#include "interpreter/language/words/families.h"

namespace perigee::language {

namespace {

constexpr Word kAllWordsOfMappings[] = {
    {"", "etc", "etc { row, ... } or etc.read(path)", "a matrix of expected times: tasks by machines"},
    {"etc", "range_based", "etc.range_based { tasks = 512, machines = 16, class = \"hihi\" }",
     "random times, uniform in ranges", etc_fields::kRangeBased},
    {"etc", "cv_based", "etc.cv_based { tasks = 512, machines = 16, mean = 1000, class = \"hihi\" }",
     "random times, gamma-distributed by coefficients of variation", etc_fields::kCvBased},
    {"etc", "gamma", "etc.gamma { mean = m, sd = \"5 ms\" }", "random times around those of a matrix",
     etc_fields::kGamma},
    {"", "map", "map(mapper, matrix or problem [, { ready = { }, tasks = { }, seed = 1 }])",
     "maps without a simulation, or what waits of a heuristic's problem; machine, order, completion, "
     "makespan",
     map_fields::kMap},
    {"", "heuristic",
     "heuristic \"name\" { pick = function(c, task, args) ... end }, { map = function(problem, args) ... "
     "end } or { choose = function(c, args) ... end }",
     "registers a mapper: a key for the greedy loop, the whole of it, or which task goes where next",
     heuristic_fields::kAll},
    {"", "cost",
     "cost.makespan_bound, .by_length, .map_in_order, .map_as, .greedy_by_key, .greedy_largest, ...",
     "the native parts of mappers, of an etc matrix or a mapping problem"},
    {"cost", "problem", "cost.problem { etc = m, ready = { }, cores = { }, widths = { } }",
     "a mapping problem of the script's own: ready times per core, cores and clusters per machine, widths "
     "per "
     "task",
     problem_fields::kAll},
    {"cost", "chart", "cost.chart { times = { }, clusters = { }, transfers = { }, inputs = { } }",
     "a Gantt chart of the script's own: tasks, machines in clusters behind links, files",
     own_chart_fields::kAll},
    {"cost", "makespan_bound", "cost.makespan_bound(problem)", "no mapping is shorter, s"},
    {"cost", "load_balance", "cost.load_balance(problem)", "the earliest ready time over the latest, 0 to 1"},
    {"cost", "task_heterogeneity", "cost.task_heterogeneity(problem)",
     "coefficient of variation of a machine's times, as a mean over the machines"},
    {"cost", "machine_heterogeneity", "cost.machine_heterogeneity(problem)",
     "coefficient of variation of a task's times, as a mean over the tasks"},
    {"cost", "by_length", "cost.by_length(problem [, longest_first])",
     "the tasks by their longest finite time, equal ones by position"},
    {"cost", "map_in_order", "cost.map_in_order(problem, order)",
     "each task in turn to the machine that completes it first; a mapping"},
    {"cost", "map_as", "cost.map_as(problem, machines [, order])",
     "each task in turn to its machine of the list; a mapping, with its completions"},
    {"cost", "greedy_by_key", "cost.greedy_by_key(problem, function(c, task) ... end [, { largest = true }])",
     "the greedy loop of a heuristic with pick; a mapping", greedy_fields::kByKey},
    {"cost", "greedy_largest", "cost.greedy_largest(problem, \"best\" or \"sufferage\")",
     "the greedy loop with that key, natively; a mapping"},
    {"cost", "scheduling_time",
     "cost.scheduling_time(tasks, machines [, { a4 = 0, a3 = 0, a2 = 1e-3, a1 = 0, a0 = 0 }])",
     "what a scheduler takes for a group by a polynomial, 0 where that is negative, s",
     scheduling_time_fields::kAll},
    {"cost", "smallest", "cost.smallest(list)", "the smallest number and its place"},
    {"cost", "smallest_sum", "cost.smallest_sum(times, ready)",
     "the smallest of times[i] + ready[i], its place"},
    {"cost", "two_smallest_sums", "cost.two_smallest_sums(times, ready)",
     "the two smallest of times[i] + ready[i], their places"},
    {"cost", "three_smallest_sums", "cost.three_smallest_sums(times, ready)",
     "the three smallest of times[i] + ready[i], the places of the first two"},
    {"cost", "latest_best", "cost.latest_best(problem)",
     "the latest of the waiting tasks' best completions, s, and its task: max_min's next"},
    {"cost", "largest_sufferage", "cost.largest_sufferage(problem)",
     "the most that a waiting task loses by its second-best machine, s, and that task: sufferage's next"},
    {"cost", "factoring", "cost.factoring { runs = 1000, hosts = 4 }",
     "the chunk of each batch of factoring, until no run is left; a list", factoring_fields::kAll},
    {"cost", "speed_weights", "cost.speed_weights(seconds_a_run)",
     "weights of hosts by their seconds a run, 0 = not measured; a list with the mean 1"},
    {"cost", "largest_remainder", "cost.largest_remainder(shares)",
     "real shares as whole numbers of the same sum, the largest remainders rounded up; a list"},
    {"cost", "calibrate", "cost.calibrate { times = { 2, 7.5, 3 }, left = 55 }",
     "packages by a run on each host: fitness, fitted, packages, cv, k, fell_back", calibration_fields::kAll},
    {"cost", "multi_installment", "cost.multi_installment { workers = { ... }, installments = 2 }",
     "fractions of a load in order of sending, so that nobody idles: worker, fraction, time",
     installment_fields::kSeveral},
    {"cost", "single_installment", "cost.single_installment { workers = { ... } }",
     "fractions of a load sent in one installment, so that all end together: worker, fraction, time",
     installment_fields::kOne},
    {"cost", "umr", "cost.umr { load = 1000, workers = { ... } }",
     "uniform multi-round: rounds, worker, time of each round, chunk of each round and worker, makespan",
     round_fields::kUniform},
    {"cost", "mrrs", "cost.mrrs { load = 1000, workers = { ... } }",
     "the same with the workers chosen, by prefixes of those with the fastest links for their speed",
     round_fields::kUniform},
    {"cost", "rumr_split", "cost.rumr_split { load = 1000, workers = { ... }, error = 0.2 }",
     "what robust UMR deals by rounds, and by factoring: two numbers of runs", round_fields::kSplit},
    {"cost", "rumr_chunk", "cost.rumr_chunk { left = 200, workers = { ... }, error = 0.2 }",
     "runs of the next chunk of robust UMR's second phase", round_fields::kChunk},
    {"cost", "sine_quota", "cost.sine_quota { runs = 1500, peak = 5, k = 50, m = 33, round = 1 }",
     "runs in a round of ssse_amra, not rounded", quota_fields::kAll},
    {"cost", "full_cover", "cost.full_cover(peak, k)",
     "the largest m with which the rounds of ssse_amra cover all runs"},
    {"cost", "whole_share", "cost.whole_share(share)",
     "a share of a round as whole runs, rounded up: amra's"},
    {"cost", "unit_share", "cost.unit_share(share, unit)",
     "a share of a round as whole runs, above a unit down to whole units: samra's"},
    {"cost", "filling_unit", "cost.filling_unit(slots, trials)",
     "as few runs of so many trials as leave no slot idle"},
    {"cost", "published_unit", "cost.published_unit(slots)",
     "the same for trials in tens; 8 for 8 slots, as published"},
    {"cost", "blend_enpr", "cost.blend_enpr { enpr = { 0.5, 0.5 }, npp = { 3, 1 }, alpha = 0.5 }",
     "shares of hosts anew: alpha of it by measured power, the rest as before; a list", enpr_fields::kAll},
    {"cost", "divisible", "cost.divisible { transmission = 1, computation = 1000, partition = \"optimal\" }",
     "what a divisible load takes on nodes that are all free, fed through one channel",
     divisible_fields::kDivisible},
    {"cost", "staggered", "cost.staggered { transmission = 1, computation = 1000, free = { 0, 5, 5 } }",
     "the same on nodes that become free at different times, all ending together",
     divisible_fields::kStaggered},
};

}  // namespace

constinit const std::span<const Word> kWordsOfMappings = kAllWordsOfMappings;

}  // namespace perigee::language
