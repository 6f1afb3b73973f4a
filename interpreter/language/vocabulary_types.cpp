// The types that the words of the language return, and the arguments of the functions that scripts give them.
#include <algorithm>

#include "interpreter/language/vocabulary.h"
#include "runtime/kernel/work.h"

namespace perigee::language {

namespace {

constexpr std::string_view kMapping =
    "{ machine: (integer|false)[], order: integer[], completion: number[], makespan: number }";
constexpr std::string_view kRecord = "n: integer, record: fun(i: integer, rng: random stream): table";
constexpr std::string_view kWorks = "fun(self: table, sim: sim, works: integer[])";
constexpr std::string_view kPieces = "fun(self: table, sim: sim, works: integer[], hosts: integer[])";
constexpr std::string_view kAsked = "fun(self: table, sim: sim)";

constexpr TypedWords kReturnedTypes[] = {
    {"cluster, host, link, router", "platform part"},
    {"platform, platform.irmasim", "platform"},
    {"workload.tasks, workload.jobs, workload.sweeps, workload.loads, workload.random_loads, "
     "workload.reservations, workload.etc, workload.swf, workload.irmasim, workload.pst, workload.merge",
     "workload"},
    {"workload.log", "log"},
    {"file", "file"},
    {"scenario, scenario.irmasim", "scenario"},
    {"outage, failures, reserve, leave, join, change, mark, process", "event"},
    {"etc, etc.read, etc.range_based, etc.cv_based, etc.gamma", "etc matrix"},
    {"map, cost.map_in_order, cost.map_as, cost.greedy_by_key, cost.greedy_largest, mapping problem.mapping",
     kMapping},
    {"cost.problem, mapping problem.copy", "mapping problem"},
    {"cost.chart, gantt chart.copy, simulation.chart", "gantt chart"},
    {"cost.divisible", "divisible costs"},
    {"cost.staggered", "staggered nodes"},
    {"heuristic, policy", "constructor"},
    {"stream, stream.splitmix, random stream.sub, gantt chart.stream, mapping view.stream, "
     "mapping problem.stream, sim.stream, process.stream",
     "random stream"},
    {"csv.read, simulation.hosts, simulation.jobs, simulation.queue, simulation.planned, result.jobs, "
     "result.resources, "
     "result.users, result.packages, result.hosts, result.notes, result.enpr, result.critical_chain, "
     "result.components, result.plans, result.deviations, result.queues, scenario.decision_times, "
     "experiment.rows, experiment.table, "
     "experiment.compare, experiment.failures, experiment.warnings, log.anomalies, log.headers, "
     "histogram.table, "
     "rows.columns, rows.where, rows.sort_by",
     "rows"},
    {"scenario.run, simulation.run, simulation.result, comparison.result", "result"},
    {"scenario.start, simulation.run_until, simulation.back_to, simulation.fork, simulation.fail, "
     "simulation.recover, simulation.leave, simulation.join, simulation.change, simulation.submit, "
     "simulation.set_policy, simulation.gantt",
     "simulation"},
    {"simulation.when", "simulation, boolean"},
    {"simulation.step, simulation.over, state.is_up, process.is_up, sim.is_up, sim.fits, "
     "mapping problem.fits, mapping problem.waits, mapping view.waits, gantt chart.waits",
     "boolean"},
    {"simulation.state", "state"},
    {"simulation.quote", "quote|rows"},
    {"scenario.compare, compare", "comparison"},
    {"comparison.first_difference", "difference"},
    {"simulation.why, result.why", "decision"},
    {"simulation.why_not, result.why_not, decision.why_not", "string"},
    {"simulation.now, state.now, process.now, sim.now, mapping problem.now, gantt chart.now", "number"},
    {"result.validate", "string[]"},
    {"sim.state", R"("future"|"waiting"|"running"|"computed"|"finished"|"rejected"|"expired")"},
    {"sim.kind", R"("task"|"job"|"sweep"|"load"|"reservation")"},
    {"profile", "profile"},
    {"experiment, experiment.load", "experiment"},
    {"stats.interval, stats.paired, stats.replicate", "confidence interval"},
    {"stats.summary", "summary"},
    {"stats.histogram", "histogram"},
    {"stats.fit.linear, stats.fit.quadratic, stats.fit.exponential", "fitted curve"},
    {"stats.mm1", "steady M/M/1 queue"},
    {"stats.mmc", "steady M/M/c queue"},
    {"stats.mg1", "steady M/G/1 queue"},
    {"stats.observations", "tally of observations"},
    {"stats.time_weighted", "time-weighted statistic"},
    {"stats.littles_law", "check of Little's law"},
    {"distribution.uniform, distribution.exponential, distribution.normal, distribution.lognormal, "
     "distribution.gamma, distribution.erlang, distribution.hyperexponential, distribution.weibull, "
     "distribution.pareto, distribution.triangular, distribution.poisson, distribution.deterministic, "
     "distribution.empirical, distribution.tabulated",
     "probability distribution"},
};

// The types of functions that are arguments of a word or fields of its table.
constexpr TypedWords kGiven[] = {
    {"heuristic.pick",
     "fun(c: mapping view|gantt chart, task: integer, args: table<string, any>): number, number?"},
    {"heuristic.place", "fun(c: mapping view|gantt chart, task: integer, args: table<string, any>): integer"},
    {"heuristic.map", "fun(problem: mapping problem, args: table<string, any>): table?"},
    {"heuristic.choose", "fun(c: gantt chart|mapping problem, args: table<string, any>): integer?, integer?"},
    {"policy.begin, policy.decide, policy.thought, policy.stalled", kAsked},
    {"policy.arrived", kWorks},
    {"policy.finished, policy.computed, policy.received, policy.failed, policy.superseded, policy.cut",
     kPieces},
    {"policy.host_changed", "fun(self: table, sim: sim, hosts: integer[])"},
    {"policy.timer", "fun(self: table, sim: sim, timers: integer[])"},
    {"policy.marked", "fun(self: table, sim: sim, names: string[])"},
    {"policy.explain", "fun(self: table): string?"},
    {"experiment.run", "fun(f: table<string, any>, seed: integer): result|table<string, number>"},
    {"experiment.where", "fun(f: table<string, any>): boolean"},
    {"process", "run: fun(sim: process)"},
    {"process.run", "fun(sim: process)"},
    {"simulation.when, process.wait_for", "condition: fun(s: state): boolean"},
    {"workload.tasks, workload.jobs, workload.sweeps, workload.loads, workload.reservations", kRecord},
    {"workload.etc", "times: fun(rng: random stream): etc matrix"},
    {"cost.greedy_by_key",
     "problem: etc matrix|mapping problem|table, key: fun(c: "
     "mapping view, task: integer): number, options: table?"},
};

bool names_it(std::string_view chains, std::string_view chain) {
  constexpr std::string_view kBetween = ", ";
  for (std::size_t at = 0; at < chains.size();) {
    const std::size_t end = std::min(chains.find(kBetween, at), chains.size());
    if (chains.substr(at, end - at) == chain) return true;
    at = end + kBetween.size();
  }
  return false;
}

std::string_view type_in(std::span<const TypedWords> list, std::string_view chain) {
  did_work(list.size());
  for (const TypedWords& each : list)
    if (names_it(each.chains, chain)) return each.type;
  return {};
}

}  // namespace

std::span<const TypedWords> returned_types() { return kReturnedTypes; }
std::span<const TypedWords> given_types() { return kGiven; }
std::string_view returned_by(std::string_view chain) { return type_in(kReturnedTypes, chain); }
std::string_view given_to(std::string_view chain) { return type_in(kGiven, chain); }

}  // namespace perigee::language
