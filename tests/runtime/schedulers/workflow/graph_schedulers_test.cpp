// Properties of every graph scheduler of the catalogue, and the fast ones against those of the textbook.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "runtime/cost/graph_costs.h"
#include "runtime/cost/graph_schedule.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/runtime/schedulers/textbook_graphs.h"
#include "tests/support/graphs.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// Every graph scheduler with its defaults and with each value of each choice, and each mapper that can stand for one.
std::vector<ConfigPtr> all_graph_schedulers() {
  const Catalogue catalogue;
  std::vector<ConfigPtr> out;
  for (const auto& entry : catalogue.entries()) {
    if (entry->chooses_ready) out.push_back(catalogue.as_role(catalogue.configure(entry->name), Role::graph));
    if (entry->role != Role::graph) continue;
    out.push_back(catalogue.configure(entry->name));
    for (const Parameter& parameter : entry->parameters) {
      for (const std::string& choice : parameter.choices)
        if (Value(choice) != parameter.fallback)
          out.push_back(catalogue.configure(entry->name, {{parameter.name, choice}}));
      if (parameter.type == ParameterType::boolean)
        out.push_back(
            catalogue.configure(entry->name, {{parameter.name, !std::get<bool>(parameter.fallback)}}));
    }
  }
  return out;
}

GraphPlan graph_plan(const ConfigPtr& config, const GraphProblem& problem) {
  GraphPlan plan;
  config->make_graph_scheduler()->schedule(problem, plan);
  return plan;
}
GraphPlan graph_plan(const std::string& name, const GraphProblem& problem,
                     const std::map<std::string, Value>& given = {}) {
  const Catalogue catalogue;
  return graph_plan(catalogue.as_role(catalogue.configure(name, given), Role::graph), problem);
}

bool same_plan(const GraphPlan& a, const GraphPlan& b) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  return a.machine == b.machine && a.order == b.order && a.makespan == b.makespan &&
         std::ranges::equal(a.start, b.start, {}, bits, bits) &&
         std::ranges::equal(a.finish, b.finish, {}, bits, bits);
}

// linear_clustering alone refuses problems that can be solved: where no machine can run all of a cluster.
bool refuses_cluster(const ConfigPtr& config, const GraphProblem& problem) {
  if (config->entry->name != "linear_clustering") return false;
  try {
    (void)graph_plan(config, problem);
  } catch (const Error& error) {
    CHECK(error.diagnostic().code == "cluster_nowhere");
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("every graph scheduler gives a valid schedule, and the same again") {
  const std::vector<ConfigPtr> configs = all_graph_schedulers();
  CHECK(configs.size() > 40);
  std::mt19937_64 rng(1);
  for (int round = 0; round < 60; ++round) {
    const GraphProblem problem =
        random_graph({.most_tasks = round % 2 == 0 ? 6U : 14U, .whole_numbers = round % 3 == 0}, rng);
    for (const ConfigPtr& config : configs) {
      if (config->entry->name == "branch_and_bound" && problem.tasks() > 6) continue;
      INFO(config->text() << " in round " << round);
      if (refuses_cluster(config, problem)) continue;
      const std::unique_ptr<GraphScheduler> scheduler = config->make_graph_scheduler();
      GraphPlan plan, again;
      scheduler->schedule(problem, plan);
      CHECK(is_valid(problem, plan));
      scheduler->clone()->schedule(random_graph({.most_tasks = 6, .all_can_run = true}, rng), again);
      scheduler->clone()->schedule(problem, again);  // on top of another answer
      CHECK(same_plan(plan, again));
    }
  }
}

TEST_CASE("no schedule is below the bounds, nor better than the best of all") {
  const std::vector<ConfigPtr> configs = all_graph_schedulers();
  const Catalogue catalogue;
  std::mt19937_64 rng(2);
  for (int round = 0; round < 150; ++round) {
    const GraphProblem problem = random_graph({.most_tasks = round < 100 ? 5U : 7U,
                                               .most_machines = 3,
                                               .whole_numbers = round % 2 == 0,
                                               .textbook = round % 3 != 0},
                                              rng);
    const double optimum = graph_plan("branch_and_bound", problem).makespan;
    INFO("round " << round);
    CHECK(optimum >= least_makespan(problem) * (1 - 1e-12));
    if (problem.tasks() <= 5 && problem.occupied.empty())
      CHECK(optimum == Approx(textbook::least_of_all(problem)).epsilon(1e-9));
    for (const ConfigPtr& config : configs) {
      if (refuses_cluster(config, problem)) continue;
      if (!problem.occupied.empty()) continue;  // branch_and_bound appends, others use gaps
      INFO(config->text());
      CHECK(graph_plan(config, problem).makespan >= optimum * (1 - 1e-9));
    }
  }
}

TEST_CASE("schedulers equal their textbook forms, schedule by schedule") {
  struct Twin {
    std::string name;
    std::map<std::string, Value> given;
    std::function<GraphPlan(const GraphProblem&)> plain;
  };
  const std::vector<Twin> twins = {
      {"heft", {}, textbook::heft},
      {"cpop", {}, textbook::cpop},
      {"peft", {}, textbook::peft},
      {"lookahead", {}, textbook::lookahead},
      {"hlfet", {}, textbook::hlfet},
      {"etf", {}, textbook::etf},
      {"dls", {}, [](const GraphProblem& p) { return textbook::dls(p, false); }},
      {"dls", {{"level", "general"}}, [](const GraphProblem& p) { return textbook::dls(p, true); }},
      {"bil", {}, textbook::bil},
      {"min_min", {}, textbook::min_min_ready},
      {"max_min", {}, textbook::max_min_ready},
      {"sufferage", {}, textbook::sufferage_ready},
      {"mct", {}, textbook::mct_ready},
      {"list_schedule", {}, textbook::heft},
      {"list_schedule", {{"priority", "path_length"}, {"pin", "critical_path"}}, textbook::cpop},
      {"list_schedule", {{"priority", "mean_oct"}, {"choose", "finish_plus_oct"}}, textbook::peft},
      {"list_schedule",
       {{"priority", "static_level"}, {"choose", "start"}, {"insertion", false}},
       textbook::hlfet},
      {"list_schedule", {{"priority", "topological"}, {"insertion", false}}, textbook::mct_ready},
      {"list_schedule", {{"select", "sufferage"}, {"top", 1.0}}, textbook::heft},
  };
  std::mt19937_64 rng(3);
  for (int round = 0; round < 400; ++round) {
    const bool is_large = round % 20 == 0;
    const GraphProblem problem = random_graph({.most_tasks = is_large ? 60U : 14U,
                                               .most_machines = is_large ? 9U : 5U,
                                               .whole_numbers = round % 2 == 0,
                                               .textbook = round % 5 == 0},
                                              rng);
    for (const Twin& twin : twins) {
      INFO(twin.name << " in round " << round);
      if (is_large && twin.name == "lookahead") continue;
      CHECK(same_plan(graph_plan(twin.name, problem, twin.given), twin.plain(problem)));
    }
  }
}

TEST_CASE("chains: bil and peft are optimal with equal links") {
  std::mt19937_64 rng(4);
  for (int round = 0; round < 100; ++round) {
    const std::size_t tasks = 1 + rng() % 7, machines = 1 + rng() % 3;
    std::vector<std::vector<double>> rows(tasks, std::vector<double>(machines));
    std::vector<WeightedEdge> edges;
    for (auto& row : rows)
      for (double& time : row) time = static_cast<double>(rng() % 10);
    for (std::uint32_t t = 1; t < tasks; ++t) edges.push_back({t, t + 1, static_cast<double>(rng() % 12)});
    const GraphProblem problem = graph_problem(rows, edges);
    // From the end: the least time on each machine, by trying each machine for the next task.
    std::vector<double> rest(machines, 0);
    for (std::size_t t = tasks; t-- > 0;) {
      std::vector<double> before(machines, kInfinity);
      for (std::size_t p = 0; p < machines; ++p)
        for (std::size_t q = 0; q < machines; ++q)
          before[p] = std::min(before[p], (t > 0 && p != q ? edges[t - 1].bytes : 0) + rows[t][q] + rest[q]);
      rest = before;
    }
    const double least = *std::ranges::min_element(rest);
    CHECK(graph_plan("bil", problem).makespan == Approx(least));
    CHECK(graph_plan("peft", problem).makespan == Approx(least));
  }
}

TEST_CASE("degenerate graphs: every scheduler, worked by hand") {
  const double no = kInfinity;
  struct Case {
    std::string name;
    GraphProblem problem;
    std::vector<double> makespans;  // allowed
  };
  const std::vector<Case> cases = {
      {"one task", graph_problem({{3, 2}}, {}), {2, 3}},
      {"one host", graph_problem({{3}, {4}, {5}}, {{1, 3, 100}, {2, 3, 100}}), {12}},
      {"more hosts than tasks", graph_problem({{2, 2, 2, 2}, {2, 2, 2, 2}}, {}), {2, 4}},
      {"no time at all", graph_problem({{0, 0}, {0, 0}, {0, 0}}, {{1, 2, 0}, {2, 3, 0}}), {0}},
      {"pure precedence", graph_problem({{1, 1}, {1, 1}}, {{1, 2, 0, false}}, {1}, {50}), {2}},
      {"one host can run it", graph_problem({{no, 4}, {3, no}}, {{1, 2, 5}}), {12}},
      {"a task that none can run", graph_problem({{2, 2}, {no, no}, {1, 1}}, {{1, 2, 1}, {2, 3, 1}}), {2}},
      {"nothing can run", graph_problem({{no, no}}, {}), {0}},
  };
  for (const Case& each : cases)
    for (const ConfigPtr& config : all_graph_schedulers()) {
      INFO(each.name << ": " << config->text());
      if (refuses_cluster(config, each.problem)) {
        CHECK(each.name == "one host can run it");
        continue;
      }
      const GraphPlan plan = graph_plan(config, each.problem);
      CHECK(is_valid(each.problem, plan));
      CHECK(std::ranges::find(each.makespans, plan.makespan) != each.makespans.end());
    }
}

TEST_CASE("a mapper that chooses by completions stands for a ready set with it") {
  const Catalogue catalogue;
  const ConfigPtr config = catalogue.as_role(catalogue.configure("min_min"), Role::graph);
  CHECK(config->text() == "ready_set { map = min_min }");
  CHECK(catalogue.as_role(catalogue.configure("ga"), Role::graph)->entry->name == "ga");
  CHECK_THROWS_WITH(catalogue.configure("ready_set", {{"map", "ga"}}),
                    Catch::Contains("map must choose by completions"));
  CHECK_THROWS_WITH(catalogue.configure("ready_set", {{"map", "heft"}}),
                    "ready_set: map must be a mapper, but \"heft\" is a graph scheduler");
  CHECK_THROWS_AS(catalogue.configure("heft")->make_mapper(), Error);
  CHECK_THROWS_AS(catalogue.configure("mct")->make_graph_scheduler(), Error);
  // The better of two, and of equals min_min.
  std::mt19937_64 rng(5);
  for (int round = 0; round < 50; ++round) {
    const GraphProblem problem = random_graph({.whole_numbers = round % 2 == 0}, rng);
    const GraphPlan first = graph_plan("min_min", problem), second = graph_plan("max_min", problem);
    CHECK(same_plan(graph_plan("duplex", problem), second.makespan < first.makespan - 1e-6 ? second : first));
  }
}

TEST_CASE("branch and bound says what it has when it gives up") {
  const GraphProblem problem = heft_paper();
  const std::string message =
      "branch_and_bound: there is no end after 10 steps; the best schedule so far takes 80 s";
  CHECK_THROWS_WITH(graph_plan("branch_and_bound", problem, {{"max_nodes", 10.0}}), message);
  CHECK_THROWS_WITH(graph_plan("optimal", problem, {{"nodes", 10.0}}), message);  // which stands for it
}

TEST_CASE("etf in moments keeps tasks until machines are free") {
  // At 0 all arrivals are 0, and levels decide: task 2 (5) goes to host 1, task 1 (4) to host 2. At 3 host 2 is free:
  // the data of task 4 has been there since 0, that of task 3 since 3, so that task 4 comes first although its level is
  // lower. Task 3 is left for 3.5.
  const GraphProblem problem = graph_problem({{3, 3}, {5, 5}, {1, 1}, {0.5, 0.5}}, {{1, 3, 10}});
  const GraphPlan plan = graph_plan("etf", problem, {{"form", "moments"}});
  CHECK(plan.order == std::vector<std::uint32_t>{1, 0, 3, 2});
  CHECK(plan.machine == std::vector<std::uint32_t>{1, 0, 1, 1});
  CHECK(plan.start == std::vector<double>{0, 0, 3.5, 3});
}

namespace {

// A function as a script would give it: the upward rank of a task, its finish on a machine.
class FunctionsOfHeft final : public Rule {
 public:
  std::unique_ptr<Rule> clone() const override { return std::make_unique<FunctionsOfHeft>(*this); }
  std::string text() const override { return "function"; }
  Answer ask_graph(const GraphView& view, std::size_t task) override {
    return view.costs.upward_rank()[task];
  }
  Answer ask_graph(const GraphView& view, std::size_t task, std::size_t machine) override {
    return view.schedule.finish(task, machine);
  }
};

class NoNumber final : public Rule {
 public:
  std::unique_ptr<Rule> clone() const override { return std::make_unique<NoNumber>(*this); }
  std::string text() const override { return "function (mine.lua:3)"; }
  Answer ask_graph(const GraphView&, std::size_t) override { return std::string("first"); }
  Answer ask_graph(const GraphView&, std::size_t, std::size_t) override { return kInfinity; }
};

}  // namespace

TEST_CASE("functions may stand for the priority and the choice of list_schedule") {
  const RulePtr functions = std::make_shared<const FunctionsOfHeft>(),
                wrong = std::make_shared<const NoNumber>();
  std::mt19937_64 rng(6);
  for (int round = 0; round < 50; ++round) {
    const GraphProblem problem = random_graph({.whole_numbers = round % 2 == 0}, rng);
    CHECK(same_plan(graph_plan("list_schedule", problem, {{"priority", functions}, {"choose", functions}}),
                    graph_plan("heft", problem)));
  }
  const GraphProblem problem = heft_paper();
  CHECK_THROWS_WITH(graph_plan("list_schedule", problem, {{"priority", wrong}}),
                    "function (mine.lua:3) must answer with a number, and does not for task 1");
  CHECK_THROWS_WITH(graph_plan("list_schedule", problem, {{"choose", wrong}}),
                    "function (mine.lua:3) has no finite answer for any machine that can run task 1");
}

TEST_CASE("all seventy-two list schedulers of the source are valid") {
  const Catalogue catalogue;
  std::mt19937_64 rng(8);
  for (int round = 0; round < 10; ++round) {
    const GraphProblem problem = random_graph({.whole_numbers = round % 2 == 0}, rng);
    for (const char* priority : {"upward_rank", "path_length", "mean_oct"})
      for (const char* choose : {"finish", "start", "time"})
        for (const bool insertion : {false, true})
          for (const char* pin : {"none", "critical_path"})
            for (const char* select : {"priority", "sufferage"})
              CHECK(is_valid(problem, graph_plan("list_schedule", problem,
                                                 {{"priority", std::string(priority)},
                                                  {"choose", std::string(choose)},
                                                  {"insertion", insertion},
                                                  {"pin", std::string(pin)},
                                                  {"select", std::string(select)}})));
  }
}
