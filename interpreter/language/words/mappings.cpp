// The words that are about matrices of times, mappings and heuristics.
#include "interpreter/language/fields/checkpoints.h"
#include "interpreter/language/fields/loads.h"
#include "interpreter/language/fields/matrices.h"
#include "interpreter/language/fields/policies.h"
#include "interpreter/language/fields/power.h"
#include "interpreter/language/fields/priorities.h"
#include "interpreter/language/fields/problems.h"
#include "interpreter/language/fields/sweeps.h"
#include "interpreter/language/words/families.h"
#include "interpreter/language/words/types.h"

namespace perigee::language {

namespace {

constexpr Word kAllWordsOfMappings[] = {
    {"",
     "etc",
     "etc { row, ... } or etc.read(path)",
     "a matrix of expected times: tasks by machines",
     {},
     {.returns = "etc matrix",
      .fails = "a row is longer or shorter than the first, or a time is negative",
      .example = R"(local m = etc { { 3, 5 }, { 2, math.huge } }
print(m:time(1, 2), m:makespan_bound()))"}},
    {"etc",
     "range_based",
     "etc.range_based { tasks = 512, machines = 16, class = \"hihi\" }",
     "random times, uniform in ranges",
     etc_fields::kRangeBased,
     {.returns = "etc matrix",
      .example =
          R"(print(etc.range_based { tasks = 64, machines = 8, class = "hilo", consistency = "consistent" }))"}},
    {"etc",
     "cv_based",
     "etc.cv_based { tasks = 512, machines = 16, mean = 1000, class = \"hihi\" }",
     "random times, gamma-distributed by coefficients of variation",
     etc_fields::kCvBased,
     {.returns = "etc matrix"}},
    {"etc",
     "gamma",
     "etc.gamma { mean = m, sd = \"5 ms\" }",
     "random times around those of a matrix",
     etc_fields::kGamma,
     {.returns = "etc matrix"}},
    {"",
     "map",
     "map(mapper, matrix or problem [, { ready = { }, tasks = { }, seed = 1 }])",
     "maps without a simulation, or what waits of a "
     "heuristic's problem; machine, order, completion, makespan",
     map_fields::kMap,
     {.returns = types::kMapping,
      .fails =
          "the mapper is a policy; there is not one ready time for each machine; one of the tasks is assigned",
      .example =
          R"(local answer = map("sufferage", etc { { 3, 5 }, { 2, 8 }, { 4, 4 } }, { ready = { 0, 1 } })
print(answer.makespan, table.concat(answer.machine, " "), table.concat(answer.order, " ")))"}},
    {"",
     "heuristic",
     "heuristic \"name\" { pick = function(c, task, args) ... end }, { map = function(problem, args) ... "
     "end }, { choose = function(c, args) ... end }, { rank = function(c, task, args) ... end } or "
     "{ schedule = function(c, args) ... end }",
     "registers a mapper: a key for the greedy loop, the whole of it, or which task goes where next; or a scheduler of "
     "task graphs: the priority of each task, or the whole of it",
     heuristic_fields::kAll,
     {.returns = "constructor",
      .fails =
          "the name is taken; a key is no number, or a place no machine where the task can run; map forgets a task that fits somewhere, or gives it no machine where it can run; schedule leaves a task without a machine that could run",
      .example = R"(heuristic "patient" {
  parameters = { patience = 0.1 },
  pick = function(c, task, args) return c:second(task) - c:best(task) + args.patience * c:time(task) end,
}
print(map(patient { patience = 2 }, etc { { 3, 5 }, { 2, 8 }, { 4, 4 } }).makespan))"}},
    {"", "cost",
     "cost.makespan_bound, .by_length, .map_in_order, .map_as, .greedy_by_key, .greedy_largest, .graph, .sub_deadlines, ...",
     "the native parts of mappers, of an etc matrix or a mapping problem"},
    {"cost",
     "problem",
     "cost.problem { etc = m, ready = { }, cores = { }, widths = { } }",
     "a mapping problem of the script's own: ready times per "
     "core, cores and clusters per machine, widths per task",
     problem_fields::kAll,
     {.returns = "mapping problem",
      .fails = "the lists are not as long as there are machines, cores or tasks"}},
    {"cost",
     "chart",
     "cost.chart { times = { }, clusters = { }, transfers = { }, inputs = { } }",
     "a Gantt chart of the script's own: tasks, machines in clusters behind links, files",
     own_chart_fields::kAll,
     {.returns = "gantt chart",
      .fails = "the lists are not as long as there are tasks, machines, clusters or files",
      .example = R"(local chart = cost.chart {
  times = { { 4, 2 }, { 6, 3 } }, clusters = { 1, 2 }, transfers = { { 2, 4 } }, inputs = { { 1 }, { 1 } },
}
print(chart:best(1), chart:best_machine(1), chart:place(1, 1), chart:best(2))
chart:fill "min_min"
chart:gantt())"}},
    {"cost", "makespan_bound", "cost.makespan_bound(problem)", "no mapping is shorter, s"},
    {"cost", "load_balance", "cost.load_balance(problem)", "the earliest ready time over the latest, 0 to 1"},
    {"cost", "task_heterogeneity", "cost.task_heterogeneity(problem)",
     "coefficient of variation of a machine's times, as a mean over the machines"},
    {"cost", "machine_heterogeneity", "cost.machine_heterogeneity(problem)",
     "coefficient of variation of a task's times, as a mean over the tasks"},
    {"cost", "by_length", "cost.by_length(problem [, longest_first])",
     "the tasks by their longest finite time, equal ones by position"},
    {"cost",
     "map_in_order",
     "cost.map_in_order(problem, order)",
     "each task in turn to the machine that completes it first; a mapping",
     {},
     {.returns = types::kMapping, .fails = "a task of the order does not wait, or is in it twice"}},
    {"cost",
     "map_as",
     "cost.map_as(problem, machines [, order])",
     "each task in turn to its machine of the list; a mapping, with its completions",
     {},
     {.returns = types::kMapping,
      .fails =
          "a task has a machine where it cannot run, or is in the order twice, or has a machine and is not in it"}},
    {"cost",
     "greedy_by_key",
     "cost.greedy_by_key(problem, function(c, task) ... end [, { largest = true }])",
     "the greedy loop of a heuristic with pick; a mapping",
     greedy_fields::kByKey,
     {.returns = types::kMapping,
      .given =
          "problem: etc matrix|mapping problem|table, key: fun(c: mapping view, task: integer): number, options: table?",
      .fails = "a key is no number, or a place no machine where the task can run"}},
    {"cost",
     "greedy_largest",
     "cost.greedy_largest(problem, \"best\" or \"sufferage\")",
     "the greedy loop with that key, natively; a mapping",
     {},
     {.returns = types::kMapping}},
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
    {"cost",
     "factoring",
     "cost.factoring { runs = 1000, hosts = 4 }",
     "the chunk of each batch of factoring, until no run is left; a list",
     factoring_fields::kAll,
     {.fails = "more than a million batches"}},
    {"cost", "young", "cost.young { cost = \"4 min\", mtbf = \"1 d\" }",
     "the interval between checkpoints by Young (1974), s of computing", checkpoint_fields::kBest},
    {"cost", "daly", "cost.daly { cost = \"4 min\", mtbf = \"1 d\" }",
     "the interval between checkpoints by Daly (2006), s of computing", checkpoint_fields::kBest},
    {"cost",
     "checkpointed",
     "cost.checkpointed { time = \"10 h\", interval = \"1 h\", cost = \"4 min\", mtbf = \"1 d\" }",
     "the mean time that work with checkpoints takes on hosts whose failures are exponential, s",
     checkpoint_fields::kExpected,
     {.example = R"(local failures = { cost = "5 min", mtbf = "6 h" }
for _, interval in ipairs { cost.young(failures), cost.daly(failures), 3 * cost.daly(failures) } do
  local taken = cost.checkpointed { time = "500 h", interval = interval, cost = "5 min", restart = "10 min", mtbf = "6 h" }
  print(("%.1f min: %.1f h"):format(interval / 60, taken / 3600))
end)"}},
    {"cost", "break_even", "cost.break_even { idle = 95, busy = 190, boot = { time = 150, power = 125 } }",
     "the idle time from which on being off takes less energy than idling, s; math.huge = never",
     power_fields::kAll},
    {"cost",
     "fair_share",
     "cost.fair_share { shares = { ada = 1, bob = 2 }, usage = { ada = 0.5 } }",
     "by user, 2^(-usage / share): 1 who has used nothing, 0.5 who has used a fair share (Slurm's classic factor)",
     priority_fields::kFairShares,
     {.fails =
          "a user is in two accounts; usage names somebody who has no share, or is outside [0, 1], alone or in all",
      .example = R"(local factor = cost.fair_share {
  shares = { physics = { share = 40, ada = 1, bob = 1 }, eve = 60 },
  usage = { ada = 0.3, eve = 0.2 },
}
for _, user in ipairs { "ada", "bob", "eve" } do print(user, ("%.3f"):format(factor[user])) end)"}},
    {"cost", "speed_weights", "cost.speed_weights(seconds_a_run)",
     "weights of hosts by their seconds a run, 0 = not measured; a list with the mean 1"},
    {"cost", "largest_remainder", "cost.largest_remainder(shares)",
     "real shares as whole numbers of the same sum, the largest remainders rounded up; a list"},
    {"cost",
     "calibrate",
     "cost.calibrate { times = { 2, 7.5, 3 }, left = 55 }",
     "packages by a run on each host: fitness, fitted, packages, cv, k, fell_back",
     calibration_fields::kAll,
     {.fails = "a fit lacks a number for some host, or an availability is not in (0, 1]"}},
    {"cost",
     "multi_installment",
     "cost.multi_installment { workers = { ... }, installments = 2 }",
     "fractions of a load in order of sending, so that nobody idles: worker, fraction, time",
     installment_fields::kSeveral,
     {.fails = "there are no workers, or more than a million chunks"}},
    {"cost", "single_installment", "cost.single_installment { workers = { ... } }",
     "fractions of a load sent in one installment, so that all end together: worker, fraction, time",
     installment_fields::kOne},
    {"cost",
     "umr",
     "cost.umr { load = 1000, workers = { ... } }",
     "uniform multi-round: rounds, worker, time of each round, chunk of each round and worker, makespan",
     round_fields::kUniform,
     {.fails = "with no number of rounds does everybody get something in each (infeasible_rounds)"}},
    {"cost",
     "mrrs",
     "cost.mrrs { load = 1000, workers = { ... } }",
     "the same with the workers chosen, by prefixes of those with the fastest links for their speed",
     round_fields::kUniform,
     {.fails = "with no number of rounds does everybody get something in each (infeasible_rounds)"}},
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
    {"cost",
     "divisible",
     "cost.divisible { transmission = 1, computation = 1000, partition = \"optimal\" }",
     "what a divisible load takes on nodes that are all free, fed through one channel",
     divisible_fields::kDivisible,
     {.returns = "divisible costs"}},
    {"cost",
     "staggered",
     "cost.staggered { transmission = 1, computation = 1000, free = { 0, 5, 5 } }",
     "the same on nodes that become free at different times, all ending together",
     divisible_fields::kStaggered,
     {.returns = "staggered nodes"}},
};

}  // namespace

constinit const std::span<const Word> kWordsOfMappings = kAllWordsOfMappings;

}  // namespace perigee::language
