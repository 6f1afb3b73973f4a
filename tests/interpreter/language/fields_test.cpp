// The rows of fields: bindings read by them, and pages say their defaults.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/bindings/words.h"
#include "interpreter/host/field_row.h"
#include "interpreter/language/fields/events.h"
#include "interpreter/language/fields/experiments.h"
#include "interpreter/language/fields/platform.h"
#include "interpreter/language/fields/power.h"
#include "interpreter/language/fields/robustness.h"
#include "interpreter/language/fields/runs.h"
#include "interpreter/language/fields/sweeps.h"
#include "interpreter/language/fields/work.h"
#include "interpreter/language/vocabulary.h"
#include "interpreter/session/interpreter.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;
using host::FieldKind;
using host::FieldRow;

namespace {

// How a table t is read, and tables that are read without an error. A field is tried in the first of these that has
// it, else in the first.
struct ReadTable {
  std::string call;
  std::vector<std::string> good = {"{}"};
  std::span<const FieldRow> rows = {};  // of tables inside of tables
};

std::string in_scenario(std::string_view event) {
  return fmt::format("scenario {{ platform = p, workload = w, events = {{ {} }} }}", event);
}

// By hand, of a simulation of s.
std::string by_hand(std::string_view call) { return fmt::format("s:start {{ policy = 'fcfs' }}:{}", call); }
std::string in_process(std::string_view call) {
  return in_scenario(fmt::format("process(function(sim) sim:{} end)", call)) + ":run { policy = 'fcfs' }";
}
std::string in_policy(std::string_view call) {
  return fmt::format(R"((function()
      policy 'mine' {{ accepts = {{ 'tasks', 'files' }}, decide = function(self, sim) sim:{} end }}
      return scenario {{ platform = p, workload = workload.tasks {{ {{ time = 1, inputs = {{ file('f', 1) }} }} }} }}
        :run {{ policy = 'mine' }}
    end)())",
                     call);
}
std::string of_experiment(std::string_view replications, std::string_view call) {
  return fmt::format(R"(experiment 'x' {{
      factors = {{ a = {{ 1 }} }}, replications = {}, run = function(f) return {{ b = f.a }} end }}{})",
                     replications, call);
}

// Calls of what people and processes do to a simulation, and what they are given.
void add_changes(std::map<std::string, ReadTable>& tables) {
  const std::string join = "join(t.with_hosts and 'c' or 'a', t)",
                    change = "change((t.bandwidth or t.latency) and 'c.link' or 'a', t)";
  const std::vector<std::string> changes{"{ speed = 1 }", "{ factor = 1 }", "{ availability = 1 }",
                                         "{ bandwidth = 1 }", "{ latency = 1 }"};
  for (const char* word : {"fail", "recover", "leave", "set_policy"})
    tables[fmt::format("simulation.{}", word)] = {
        by_hand(fmt::format("{}('{}', t)", word, word == std::string_view("set_policy") ? "sjf" : "a"))};
  for (const char* word : {"fail", "recover"})
    tables[fmt::format("process.{}", word)] = {in_process(fmt::format("{}('a', t)", word))};
  tables["simulation.join"] = {by_hand(join)};
  tables["process.join"] = {in_process(join)};
  tables["simulation.change"] = {by_hand(change), changes};
  tables["process.change"] = {in_process(change), changes};
}

const std::map<std::string, ReadTable>& tables_of_declarations() {
  const std::vector<std::string> span{"{ host = 'a', from = 0, to = 1 }",
                                      "{ cluster = 'c', from = 0, to = 1 }",
                                      "{ link = 'c.link', from = 0, to = 1 }"},
      at{"{ host = 'a', at = 1 }", "{ cluster = 'c', at = 1 }"},
      work{"{ time = 1 }", "{ ops = 1 }", "{ times = { 1, 1 } }"},
      random{
          "{ load = 0.5, horizon = 1, mean_size = 1, time = 1, bytes = 1, deadline_ratio = 1 }",
          "{ mean_interarrival = 1, horizon = 1, mean_size = 1, time = 1, bytes = 1, deadline_ratio = 1 }"};
  static const std::map<std::string, ReadTable> kTables = {
      {"cluster", {"cluster 'x' (t)"}},
      {"host", {"host 'x' (t)"}},
      {"link", {"link 'x' (t)", {"{ to = 'r', bandwidth = 1 }"}}},
      {"licence", {"licence 'x' (t)", {"{ count = 1 }"}}},
      {"queue", {"queue 'x' (t)"}},
      {"qos", {"qos 'x' (t)"}},
      {"multifactor", {"multifactor(t)", {"{ age = 1 }", "{ size = 1 }"}}},
      {"cluster: link", {"cluster 'x' { link = t }", {"{ bandwidth = 1 }"}, link_fields::kGateway}},
      {"scenario", {"scenario(t)", {"{ platform = p, workload = w }"}}},
      {"scenario: on_failure",
       {"scenario { platform = p, workload = w, on_failure = t }", {"{}"}, scenario_fields::kRulesOnFailure}},
      {"outage", {in_scenario("outage(t)"), span}},
      {"reserve", {in_scenario("reserve(t)"), span}},
      {"maintenance",
       {in_scenario("maintenance(t)"),
        {"{ host = 'a', from = 0, to = 1 }", "{ cluster = 'c', from = 0, to = 1 }",
         "{ all = true, from = 0, to = 1, every = 1, times = 1 }"}}},
      {"log.platform", {"workload.swf('fields_test.swf').log:platform(t)"}},
      {"leave", {in_scenario("leave(t)"), at}},
      {"join",
       {in_scenario("leave { host = 'a', at = 0 }, leave { cluster = 'c', at = 0 }, join(t)"),
        {at[0], "{ cluster = 'c', at = 1, with_hosts = true }"}}},
      {"mark", {in_scenario("mark(t)"), {"{ at = 1, name = 'm' }"}}},
      {"change",
       {in_scenario("change(t)"),
        {"{ host = 'a', at = 1, speed = 1 }", "{ host = 'a', at = 1, factor = 1 }",
         "{ host = 'a', at = 1, availability = 1 }", "{ link = 'c.link', at = 1, bandwidth = 1 }",
         "{ link = 'c.link', at = 1, latency = 1 }"}}},
      {"failures",
       {in_scenario("failures(t)"),
        {"{ all = true, mtbf = 1, mttr = 1 }", "{ host = 'a', mtbf = 1, mttr = 1 }",
         "{ cluster = 'c', mtbf = 1, mttr = 1 }",
         "{ all = true, mtbf = 1, mttr = 1, law = 'weibull', shape = 1 }",
         "{ all = true, mtbf = 1, mttr = 1, repair_law = 'weibull', repair_shape = 1 }"}}},
      {"workload.tasks", {"workload.tasks { t }", work}},
      {"workload.jobs", {"workload.jobs { t }", work}},
      {"workload.sweeps",
       {"workload.sweeps { t }",
        {"{ time = 1, runs = 2 }", "{ ops = 1, runs = 2 }", "{ times = { 1, 1 }, runs = 2 }",
         "{ time = 1, points = { 1, 2 } }"}}},
      {"workload.sweep",
       {"workload.sweep(t)",
        {"{ time = 1, runs = 2 }", "{ ops = 1, runs = 2 }", "{ times = { 1, 1 }, runs = 2 }",
         "{ time = 1, points = { 1, 2 } }"}}},
      {"workload.loads",
       {"workload.loads { t }",
        {"{ time = 1, size = 2 }", "{ ops = 1, size = 2 }", "{ times = { 1, 1 }, size = 2 }"}}},
      {"workload.reservations", {"workload.reservations { t }", {"{ hosts = 1, from = 0, to = 1 }"}}},
      {"workload.periodic",  // `horizon` stands beside the tasks
       {"(function(t) local horizon = t.horizon; t.horizon = nil; return workload.periodic { t, horizon = horizon } "
        "end)(t)",
        {"{ period = 1, time = 1, horizon = 5 }"}}},
      {"host: power",
       {"host 'x' { power = t }",
        {"{ idle = 1, busy = 2 }", "{ states = { {idle = 1,busy = 2} } }"},
        power_fields::kAll}},
      {"host: power: boot",
       {"host 'x' { power = { idle = 1, busy = 2, boot = t } }",
        {"{ time = 1, power = 1 }", "{ time = 1, energy = 1 }"},
        power_fields::kTransition}},
      {"host: power: states",
       {"host 'x' { power = { states = { t } } }", {"{ idle = 1, busy = 2 }"}, power_fields::kState}},
      {"workload.grid",
       {"workload.grid { t }",
        {"{ 'x', from = 0, to = 2, step = 1 }", "{ 'x', from = 0, to = 2, count = 3 }", "{ 'x', 1, 2 }"},
        grid_fields::kAll}},
      {"workload.etc", {"workload.etc(etc { { 1 } }, t)"}},
      {"workload.swf", {"workload.swf('x', t)"}},
      {"workload.sacct", {"workload.sacct('x', t)"}},
      {"workload.irmasim", {"workload.irmasim('x', t)"}},
      {"workload.pst", {"workload.pst(t)", {"{ text = 'x' }"}}},
      {"platform.pst", {"platform.pst('x', t)"}},
      {"platform.simgrid", {"platform.simgrid('x', t)"}},
      {"platform.batsim", {"platform.batsim('x', t)"}},
      {"scenario.pst", {"scenario { platform = p, workload = w }:pst('x', t)"}},
      {"csv.read", {"csv.read('x', t)"}},
      {"speedup.amdahl", {"speedup.amdahl(t)", {"{ serial = 0.1 }"}}},
      {"speedup.downey", {"speedup.downey(t)", {"{ parallelism = 8, sigma = 0.5 }"}}},
      {"distribution.uniform", {"distribution.uniform(t)", {"{ low = 0, high = 1 }"}}},
      {"distribution.exponential", {"distribution.exponential(t)", {"{ mean = 1 }"}}},
      {"distribution.normal", {"distribution.normal(t)", {"{ mean = 1, sd = 1 }"}}},
      {"distribution.lognormal",
       {"distribution.lognormal(t)", {"{ mean = 1, sd = 1 }", "{ mu = 1, sigma = 1 }"}}},
      {"distribution.gamma", {"distribution.gamma(t)", {"{ mean = 1, sd = 1 }", "{ shape = 1, scale = 1 }"}}},
      {"distribution.erlang", {"distribution.erlang(t)", {"{ k = 1, mean = 1 }"}}},
      {"distribution.hyperexponential",
       {"distribution.hyperexponential(t)", {"{ probabilities = { 1 }, means = { 1 } }"}}},
      {"distribution.weibull", {"distribution.weibull(t)", {"{ shape = 1, scale = 1 }"}}},
      {"distribution.pareto", {"distribution.pareto(t)", {"{ shape = 1, minimum = 1 }"}}},
      {"distribution.triangular", {"distribution.triangular(t)", {"{ low = 0, mode = 1, high = 2 }"}}},
      {"distribution.poisson", {"distribution.poisson(t)", {"{ mean = 1 }"}}},
      {"distribution.deterministic", {"distribution.deterministic(t)", {"{ value = 1 }"}}},
      {"probability distribution.truncated",
       {"distribution.uniform { low = 0, high = 2 }:truncated(t)", {"{ low = 0, high = 1 }"}}},
      {"sampler.acceptance_rejection",
       {"sampler.acceptance_rejection(t)",
        {"{ density = function(x) return 1 end, majorant = 1, proposal = distribution.uniform { low = 0, "
         "high = 1 } }"}}},
      {"workload.random_loads", {"workload.random_loads(t)", random}},
      {"etc.read", {"etc.read('x', t)", {"{ tasks = 1, machines = 1 }"}}},
      {"etc.range_based", {"etc.range_based(t)", {"{ tasks = 1, machines = 1 }"}}},
      {"etc.cv_based", {"etc.cv_based(t)", {"{ tasks = 1, machines = 1 }"}}},
      {"etc.gamma", {"etc.gamma(t)", {"{ mean = etc { { 1 } } }"}}},
      {"map", {"map('mct', etc { { 1 } }, t)"}},
      {"gantt chart.fill", {"cost.chart { times = { { 1 } } }:fill('min_min', t)"}},
      {"cost.problem", {"cost.problem(t)", {"{ etc = etc { { 1 } } }"}}},
      {"cost.chart", {"cost.chart(t)", {"{ times = { { 1 } } }"}}},
      {"cost.greedy_by_key", {"cost.greedy_by_key(etc { { 1 } }, function() return 1 end, t)"}},
      {"cost.scheduling_time", {"cost.scheduling_time(1, 1, t)"}},
      {"cost.factoring", {"cost.factoring(t)", {"{ runs = 1, hosts = 1 }"}}},
      {"cost.young", {"cost.young(t)", {"{ cost = 1, mtbf = 1 }"}}},
      {"cost.daly", {"cost.daly(t)", {"{ cost = 1, mtbf = 1 }"}}},
      {"cost.fair_share", {"cost.fair_share(t)", {"{ shares = { u = 1 }, usage = {} }"}}},
      {"cost.checkpointed", {"cost.checkpointed(t)", {"{ time = 1, interval = 1, mtbf = 1 }"}}},
      {"cost.break_even",
       {"cost.break_even(t)", {"{ idle = 1, busy = 2 }", "{ states = { {idle = 1,busy = 2} } }"}}},
      {"cost.calibrate",
       {"cost.calibrate(t)",
        {"{ times = { 1 }, left = 1 }",
         "{ mode = 'multivariate', times = { 1 }, availability = { 1 }, latency = { 1 }, left = 1 }"}}},
      {"cost.multi_installment",
       {"cost.multi_installment(t)", {"{ workers = { { speed = 1, rate = 1 } }, installments = 1 }"}}},
      {"cost.single_installment",
       {"cost.single_installment(t)", {"{ workers = { { speed = 1, rate = 1 } } }"}}},
      {"cost.single_installment: workers",
       {"cost.single_installment { workers = { t } }", {"{ speed = 1 }"}, worker_fields::kAll}},
      {"cost.umr", {"cost.umr(t)", {"{ load = 1, workers = { { speed = 1, rate = 2 } } }"}}},
      {"cost.mrrs", {"cost.mrrs(t)", {"{ load = 1, workers = { { speed = 1, rate = 2 } } }"}}},
      {"cost.rumr_split", {"cost.rumr_split(t)", {"{ load = 1, workers = { { speed = 1, rate = 2 } } }"}}},
      {"cost.rumr_chunk", {"cost.rumr_chunk(t)", {"{ left = 1, workers = { { speed = 1, rate = 2 } } }"}}},
      {"cost.sine_quota", {"cost.sine_quota(t)", {"{ runs = 10, peak = 1, k = 2, round = 1 }"}}},
      {"cost.blend_enpr", {"cost.blend_enpr(t)", {"{ enpr = { 1 }, npp = { 1 } }"}}},
      {"cost.divisible", {"cost.divisible(t)", {"{ transmission = 1, computation = 1 }"}}},
      {"cost.staggered", {"cost.staggered(t)", {"{ transmission = 1, computation = 1, free = { 0 } }"}}},
      {"stats.interval", {"stats.interval({ 1, 2 }, t)"}},
      {"stats.paired", {"stats.paired({ 1, 2 }, { 2, 4 }, t)"}},
      {"stats.replicate", {"stats.replicate(t)", {"{ run = function(i) return 1 end }"}}},
      {"stats.quantile", {"stats.quantile({ 1, 2 }, 0.5, t)"}},
      {"stats.histogram", {"stats.histogram({ 1, 2 }, t)"}},
      {"stats.mm1", {"stats.mm1(t)", {"{ lambda = 1, mu = 2 }"}}},
      {"stats.mmc", {"stats.mmc(t)", {"{ lambda = 1, mu = 2, servers = 1 }"}}},
      {"stats.mg1",
       {"stats.mg1(t)",
        {"{ lambda = 0.1, mean = 1, sd = 1 }", "{ lambda = 0.1, mean = 1, second_moment = 2 }",
         "{ lambda = 0.1, service = distribution.deterministic { value = 1 } }"}}},
      {"stats.time_weighted", {"stats.time_weighted(t)"}},
      {"stats.littles_law", {"stats.littles_law(t)", {"{ rate = 1, time = 1, number = 1 }"}}},
  };
  return kTables;
}

// Generators of graphs take what belongs to their shape, and amounts or costs that are drawn.
void add_graphs(std::map<std::string, ReadTable>& tables) {
  const std::pair<const char*, const char*> shapes[] = {
      {"chain", "n = 2"},
      {"fork_join", "width = 2, stages = 1"},
      {"out_tree", "branching = 2, depth = 1"},
      {"in_tree", "branching = 2, depth = 1"},
      {"stencil", "r = 2, c = 2"},
      {"gaussian", "size = 3"},
      {"fft", "points = 4"},
      {"cholesky", "tiles = 2"},
      {"lu", "tiles = 2"},
      {"montage", "r = 2, c = 2"},
      {"layered", "tasks = 5, alpha = 1, degree = 2"},
      {"levels", "tasks = 5, fat = 0.5, regularity = 0.5, density = 0.5, jump = 1"}};
  for (const auto& [word, shape] : shapes)
    tables[fmt::format("graph.{}", word)] = {
        fmt::format("graph.{}(t)", word),
        {fmt::format("{{ {}, ops = 1, size = 1, rng = stream 'x' }}", shape),
         fmt::format("{{ {}, hosts = 1, ccr = 1, beta = 1, mean = 1, rng = stream 'x' }}", shape)}};
  tables["graph.gaussian"].good[0] = "{ size = 3, ops = 1, bytes = 1 }";
  tables["graph.matrix"] = {"graph.matrix(t)", {"{ times = { { 1 } } }"}};
  tables["graph.wfformat"] = {"graph.wfformat('x', t)"};
  tables["graph.stg"] = {"graph.stg('x', t)"};
  const std::string problem = "cost.graph { times = { { 1 } }, edges = {} }";
  tables["cost.graph"] = {"cost.graph(t)", {"{ times = { { 1 } } }"}};
  tables["cost.sub_deadlines"] = {fmt::format("cost.sub_deadlines({}, 1, t)", problem)};
  tables["schedule"] = {fmt::format("schedule('heft', {}, t)", problem)};
  for (const char* rank : {"upward_rank", "downward_rank", "alap"})
    tables[fmt::format("graph problem.{}", rank)] = {fmt::format("{}:{}(1, t)", problem, rank)};
  tables["graph problem.script"] = {problem + ":script(t)"};
  tables["mapping problem.script"] = {"cost.problem { etc = { { 1 } } }:script(t)"};
  tables["etc matrix.script"] = {"etc { { 1 } }:script(t)"};
  tables["graph problem.critical_path"] = {problem + ":critical_path(t)"};
  for (const char* at : {"start", "finish", "place"})
    tables[fmt::format("graph problem.{}", at)] = {fmt::format("{}:{}(1, 1, t)", problem, at)};
  for (
      const auto& [word, call] :
      {std::pair("workload.workflow", "workload.workflow(t)"),
       {"workload.workflows",
        "scenario { platform = p, workload = workload.workflows(1, function() return t end) }:run { policy = 'fcfs' }"}})
    tables[word] = {call, {"{ tasks = { { time = 1 } } }"}};
  tables["complete"] = {"platform { complete(t), host 'a' {} }"};
}

// Calls of words that are about runs, experiments, figures and policies.
void add_runs(std::map<std::string, ReadTable>& tables) {
  const std::string claimed = "{ source = 'a', says = 'b', verdict = 'reproduces', ",
                    by_value = claimed + "value = 1, published = 1, ", run = "s:run { policy = 'fcfs' }";
  tables.insert({
      {"process", {in_scenario("process(t)") + ":run { policy = 'fcfs' }", {"{ run = function() end }"}}},
      {"policy", {"policy 'mine' (t)", {"{ decide = function() end }", "{ begin = function() end }"}}},
      {"heuristic",
       {"heuristic 'mine' (t)",
        {"{ pick = function() return 1 end }", "{ map = function() end }", "{ choose = function() end }",
         "{ rank = function() return 1 end, insertion = true }", "{ schedule = function() end }"}}},
      {"scenario.run", {"s:run(t)", {"{ policy = 'fcfs' }"}}},
      {"scenario.start", {"s:start(t)", {"{ policy = 'fcfs' }"}}},
      {"scenario.script", {"s:script(t)"}},
      {"scenario.decision_times", {"s:decision_times(t)", {"{ policy = 'fcfs' }"}}},
      {"scenario.compare", {"s:compare(t)", {"{ 'fcfs' }"}}},
      {"run: information", {"s:run { policy = 'fcfs', information = t }", {"{}"}, information_fields::kAll}},
      {"compare", {"compare(s, t)"}},
      {"profile", {"profile('mct', etc { { 1 } }, t)"}},
      {"experiment",
       {"experiment 'x' (t)", {"{ factors = { a = { 1 } }, run = function(f) return { b = f.a } end }"}}},
      {"experiment: replications",
       {of_experiment("t", ""), {"{ most = 3, half_width = 1, measure = 'b' }"}, replications_fields::kAll}},
      {"experiment.table", {of_experiment("1", ":table('b', t)")}},
      {"experiment.compare", {of_experiment("1", ":compare('b', t)"), {"{ factor = 'a' }"}}},
      {"robustness",
       {"robustness(t)",
        {"{ policy = 'fcfs', scenario = s, measure = 'makespan', shake = { times = 0.1 }, n = 2 }"}}},
      {"robustness: shake",
       {"robustness { policy = 'fcfs', scenario = s, measure = 'makespan', shake = t, n = 2 }",
        {"{ times = 0.1 }", "{ arrivals = 1 }"},
        shake_fields::kAll}},
      {"spread.plot",
       {"robustness({ policy = 'fcfs', scenario = s, measure = 'makespan', shake = { times = 0.1 }, n = 2 }):plot(t)"}},
      {"claim",
       {"claim(t)",
        {claimed + "holds = true }", "{ statement = 'A-1', verdict = 'reproduces', holds = true }",
         by_value + "within = 0 }", by_value + "margin = 0 }"}}},
      {"statements", {"statements(t)", {"{ source = 'a', { number = 'A-1', where = 'b', says = 'c' } }"}}},
      {"statements: a statement",
       {"statements { source = 'a', t }",
        {"{ number = 'A-1', where = 'b', says = 'c' }"},
        statement_fields::kAll}},
      {"plot",
       {"plot({ { a = 1, b = 2 } }, t)", {"{ x = 'a', y = 'b' }", "{ y = 'b', kind = 'histogram' }"}}},
      {"rows.plot",
       {run + ":jobs():plot(t)", {"{ x = 'name', y = 'wait' }", "{ y = 'wait', kind = 'histogram' }"}}},
      {"comparison.plot",
       {"s:compare { 'fcfs' }:plot(t)",
        {"{ x = 'policy', y = 'makespan' }", "{ y = 'makespan', kind = 'histogram' }"}}},
      {"result.plot", {run + ":plot(t)"}},
      {"result.save", {run + ":save('x', t)"}},
      {"result.report", {run + ":report('x', t)"}},
      {"comparison.report", {"s:compare { 'fcfs' }:report('x', t)"}},
      {"experiment.report", {of_experiment("1", ":report('x', t)")}},
      {"result.gantt", {run + ":gantt(t)"}},
      {"result.classes", {run + ":classes(t)"}},
      {"result.groups", {run + ":groups(t)"}},
      {"simulation.gantt", {by_hand("gantt(t)")}},
      {"comparison.gantt", {"s:compare { 'fcfs', 'sjf' }:gantt(t)"}},
      {"gantt chart.gantt", {"cost.chart { times = { { 1 } } }:gantt(t)"}},
      {"sim.start", {in_policy("start(1, 1, t)")}},
      {"sim.post", {in_policy("post(1, 1, t)")}},
      {"sim.chunk", {in_policy("chunk(1, 1, t)")}},
      {"sim.estimate", {in_policy("estimate(1, 1, t)")}},
      {"sim.transfer", {in_policy("transfer(1, 1, t)")}},
      {"sim.allocate", {in_policy("allocate(1, t)")}},
      {"plan.earliest", {in_policy("plan():earliest(1, t)")}},
      {"sim.checkpoint", {in_policy("checkpoint(sim:think(1), t)")}},
      {"sim.hold", {in_policy("hold(t)"), {"{ hosts = { 1 }, to = 1 }"}}},
      {"sim.timer", {in_policy("timer(1, t)")}},
  });
}

// Calls of words for spaces of cases and duels in them.
void add_duels(std::map<std::string, ReadTable>& tables) {
  const std::string cases =
      "space 'x' { n = vary.matrix { rows = 2, columns = 2, of = vary.real { 1, 2 } }, "
      "problem = function(x) return etc(x.n) end }";
  const std::string sides =
      "{ a = 'mct', b = 'olb', budget = 2, shrink = 9, draws = 2, space = " + cases + " }";
  tables.insert({
      {"vary.real", {"vary.real(t)", {"{ 1, 2 }"}}},
      {"vary.list", {"vary.list(t)", {"{ n = 1, of = vary.flag }"}}},
      {"vary.matrix", {"vary.matrix(t)", {"{ rows = 1, columns = 1, of = vary.flag }"}}},
      {"vary.permutation", {"vary.permutation(t)", {"{ n = 2 }"}}},
      {"vary.dag", {"vary.dag(t)", {"{ n = 2, edge = vary.flag }"}}},
      {"space",
       {"space 'x' (t)",
        {"{ n = vary.flag, scenario = function() end }", "{ n = vary.flag, problem = function() end }"}}},
      {"duel", {"duel(t)", {sides}}},
      {"answer.write", {"duel " + sides + ":write('x', t)"}},
      {"answer.shaken", {"duel " + sides + ":shaken(t)"}},
      {"answer.report", {"duel " + sides + ":report('x', t)"}},
      {"answer.plot", {"duel " + sides + ":plot(t)"}},
      {"tournament",
       {"tournament(t)",
        {"{ schedulers = { 'mct', 'olb' }, budget = 2, space = " + cases + " }",
         "{ schedulers = { 'mct', 'olb' }, budget = 2, spaces = { " + cases + " } }"}}},
      {"tournament.heat_map",
       {"tournament { schedulers = { 'mct', 'olb' }, budget = 2, space = " + cases + " }:heat_map(t)"}},
  });
}

const std::map<std::string, ReadTable>& tables_read() {
  static const std::map<std::string, ReadTable> kTables = [] {
    std::map<std::string, ReadTable> tables = tables_of_declarations();
    add_changes(tables);
    add_graphs(tables);
    add_runs(tables);
    add_duels(tables);
    return tables;
  }();
  return kTables;
}

// The message with which the call ends when the field has that value; empty when it does not fail.
std::string error_of(const ReadTable& table, std::string_view field, std::string_view value) {
  const auto has = [&](const std::string& good) {
    return good.find(fmt::format(" {} =", field)) != good.npos;
  };
  const auto found = std::ranges::find_if(table.good, has);
  std::string printed;
  InterpreterOptions options;
  options.output = [&](std::string_view text) { printed += text; };
  options.data = {"."};
  Interpreter interpreter(open_words, options);
  interpreter.run_text(
      "field.lua",
      fmt::format("local p = platform {{ host 'a' {{}}, cluster 'c' {{ link = {{ bandwidth = 1 }} }} }}\n"
                  "local w = workload.tasks {{ {{ time = 1 }} }}\n"
                  "local s = scenario {{ platform = p, workload = w }}\n"
                  "local t = {}\nt.{} = {}\n"
                  "local ok, problem = pcall(function() return {} end)\n"
                  "print('##' .. (ok and '' or problem.message))",
                  found == table.good.end() ? table.good.front() : *found, field, value, table.call));
  return printed.substr(printed.rfind("##") + 2);  // behind what the call printed
}

}  // namespace

TEST_CASE("every field is read by its row") {
  std::ofstream("fields_test.swf") << "1 0 0 5 1 -1 -1 1 5 -1 1 1 1 -1 -1 -1 -1 -1\n";
  std::size_t fields = 0;
  const auto check = [&](const std::string& name, const ReadTable& table, std::span<const FieldRow> rows) {
    for (const FieldRow& row : rows) {
      INFO(name << " " << row.name);
      if (row.kind == FieldKind::other) continue;
      CHECK_THAT(error_of(table, row.name, row.kind == FieldKind::flag ? "1" : "true"),
                 Contains(fmt::format("{} must be", row.name)));
      ++fields;
    }
  };
  for (const Word& word : vocabulary()) {
    const std::string chain = chain_of(word);
    // A record of any kind; the words of each kind read its fields.
    const bool any_kind = word.name == "submit" || word.name == "quote" || word.name == "stream";
    if (word.fields.rows.empty() || any_kind) continue;
    INFO(chain);
    const auto table = tables_read().find(chain);
    REQUIRE(table != tables_read().end());
    check(chain, table->second, word.fields.rows);
  }
  for (const auto& [name, table] : tables_read()) check(name, table, table.rows);
  CHECK(fields > 400);
  std::filesystem::remove("fields_test.swf");
}

TEST_CASE("bindings read no field by a name of their own") {
  // As in fields.number("speed", ...) or fields.fail("speed", ...).
  const std::regex by_name(R"((\.|->)(has|push|number|integer|profile|flag|text|choice|fail)\(\s*"\w+")");
  std::size_t sources = 0;
  for (const char* folder : {"bindings", "callbacks"})
    for (const auto& each :
         std::filesystem::recursive_directory_iterator(source_folder() / "interpreter" / folder)) {
      if (each.path().extension() != ".cpp" && each.path().extension() != ".h") continue;
      std::ifstream stream(each.path());
      const std::string text(std::istreambuf_iterator<char>(stream), {});
      std::smatch found;
      INFO(each.path());
      const bool reads = std::regex_search(text, found, by_name);
      INFO(found.str());
      CHECK_FALSE(reads);
      ++sources;
    }
  CHECK(sources > 80);
}

TEST_CASE("a field must be given when no table without it is read, and then its row says so") {
  std::size_t required = 0;
  const auto check = [&](const std::string& name, const ReadTable& table, std::span<const FieldRow> rows) {
    for (const FieldRow& row : rows) {
      INFO(name << " " << row.name);
      const auto has = [&](const std::string& good) {
        return good.find(fmt::format(" {} =", row.name)) != good.npos;
      };
      const bool needed = std::ranges::all_of(table.good, has) && error_of(table, row.name, "nil") != "\n";
      CHECK(row.required == needed);
      CHECK(text_of(row).ends_with("; must be given") == needed);
      required += std::size_t{needed};
    }
  };
  for (const auto& [name, table] : tables_read()) {
    if (const Word* word = word_of_chain(name)) check(name, table, word->fields.rows);
    check(name, table, table.rows);
  }
  CHECK(required > 75);
}

TEST_CASE("a number out of the range of its row is refused, and its bounds are said") {
  const auto refused = [](const std::string& chain, std::string_view field, std::string_view value) {
    return error_of(tables_read().at(chain), field, value);
  };
  CHECK_THAT(refused("host", "cores", "0"), Contains("cores must be 1 to 1000000, got 0"));
  CHECK_THAT(refused("host", "speed", "0"), Contains("speed must be > 0 op/s, got 0"));
  CHECK_THAT(refused("workload.reservations", "io_ratio", "2"),
             Contains("io_ratio must be >= 0 and <= 1, got 2"));
  CHECK_THAT(refused("scenario.pst", "seed", "-1"), Contains("seed must be >= 0, got -1"));
  CHECK_THAT(refused("failures", "law", "'weibul'"),
             Contains("law must be one of exponential, weibull, got 'weibul'; did you mean 'weibull'?"));
  CHECK_THAT(refused("link", "bandwidth", "nil"), Contains("link 'x': 'bandwidth' is missing"));
  CHECK_THAT(refused("link", "bandwidth", "-1"), Contains("bandwidth must be >= 0 B/s, got -1"));
  CHECK_THAT(refused("host", "availability", "1.5"), Contains("availability must be >= 0 and <= 1, got 1.5"));
  CHECK_THAT(refused("cost.blend_enpr", "alpha", "0"), Contains("alpha must be > 0 and <= 1, got 0"));
  CHECK_THAT(refused("stats.quantile", "type", "10"), Contains("type must be 1 to 9, got 10"));
}

TEST_CASE("the least number that a meaning names is read") {
  const auto is_read = [](const std::string& chain, std::string_view field, std::string_view value) {
    return error_of(tables_read().at(chain), field, value) == "\n";
  };
  CHECK(is_read("host", "availability", "0"));
  CHECK(is_read("cluster: link", "bandwidth", "0"));
  CHECK(is_read("workload.reservations", "from", "0"));
}
