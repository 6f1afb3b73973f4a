// Schedulers on random graphs whose results an independent program has found too.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "runtime/cost/graph_choice.h"
#include "runtime/kernel/random.h"
#include "runtime/model/graph_generators.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/graphs.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

struct Drawn {
  std::uint64_t tasks;
  double alpha;
  std::uint64_t degree;
  double ccr, beta;
  std::size_t hosts;
  std::uint64_t seed;
};

GraphProblem with_costs(TaskGraph graph, const Drawn& drawn, SplitMix64& rng) {
  draw_costs(graph, {.hosts = drawn.hosts, .ccr = drawn.ccr, .beta = drawn.beta}, rng);
  GraphProblem problem = graph_problem_of(std::make_shared<const TaskGraph>(std::move(graph)));
  problem.network = GraphNetwork(drawn.hosts, {1}, {0});
  return problem;
}

GraphProblem layered(const Drawn& drawn) {
  SplitMix64 rng(drawn.seed);
  return with_costs(layered_structure({drawn.tasks, drawn.alpha, drawn.degree}, rng), drawn, rng);
}

// The longest path by least times, without communication.
double least_critical_path(const GraphProblem& problem) {
  std::vector<double> path(problem.tasks(), 0);
  for (const std::uint32_t task : problem.arcs.precedence().order()) {
    for (const GraphArc& arc : problem.arcs.before(task)) path[task] = std::max(path[task], path[arc.task]);
    double least = kInfinity;
    for (std::size_t m = 0; m < problem.machines; ++m) least = std::min(least, problem.time(task, m));
    path[task] += least;
  }
  return *std::ranges::max_element(path);
}

class Schedulers {
 public:
  double makespan(const std::string& name, const GraphProblem& problem) {
    std::unique_ptr<GraphScheduler>& made = made_[name];
    if (made == nullptr)
      made = catalogue_.as_role(catalogue_.configure(name), Role::graph)->make_graph_scheduler();
    made->schedule(problem, plan_);
    return plan_.makespan;
  }

 private:
  Catalogue catalogue_;
  std::map<std::string, std::unique_ptr<GraphScheduler>> made_;
  GraphPlan plan_;
};

// The graphs of the first comparison: repetition r, k of 75.
GraphProblem compared(std::uint64_t r, std::uint64_t k) {
  const std::uint64_t tasks[] = {20, 40, 60, 80, 100}, degree[] = {1, 2, 3, 4, 5};
  const double alpha[] = {0.5, 1, 2}, ccr[] = {0.1, 0.5, 1, 5, 10}, beta[] = {0.1, 0.25, 0.5, 0.75, 1};
  const std::size_t hosts[] = {4, 8, 16};
  return layered({tasks[k / 15], alpha[k / 5 % 3], degree[(k / 3 + r) % 5], ccr[k % 5], beta[(k + r) % 5],
                  hosts[(k / 5 + r) % 3], 1000 * r + k + 1});
}

}  // namespace

TEST_CASE("four layered graphs: makespans") {
  struct Row {
    Drawn drawn;
    std::size_t edges;
    std::map<std::string, double> makespans;
  };
  const auto row = [](const Drawn& drawn, std::size_t edges, const std::vector<double>& values) {
    const char* const names[] = {"heft", "cpop", "peft", "lookahead", "dls", "min_min"};
    Row out{drawn, edges, {}};
    for (std::size_t i = 0; i < values.size(); ++i) out.makespans[names[i]] = values[i];
    return out;
  };
  const std::vector<Row> rows = {
      row({20, 1, 3, 1, 1, 4, 1}, 32, {292.2877, 321.8173, 298.1973, 330.2254, 320.5807, 355.3669}),
      row({40, 0.5, 4, 5, 0.5, 4, 2}, 83, {2289.6019, 2365.9473, 2055.6600, 1973.4228, 1905.1760, 2234.5030}),
      row({60, 1, 4, 1, 1, 8, 3}, 148, {1032.9400, 1083.4482, 996.0498, 1033.9998, 1030.4268, 1052.8322}),
      row({60, 2, 5, 0.1, 1, 8, 4}, 137, {331.6989, 398.1576, 375.5968, 336.8080, 323.8278, 420.0839}),
  };
  Schedulers schedulers;
  for (const Row& each : rows) {
    const GraphProblem problem = layered(each.drawn);
    CHECK(problem.arcs.precedence().edges() == each.edges);
    for (const auto& [name, makespan] : each.makespans) {
      INFO(name << ", seed " << each.drawn.seed);
      CHECK(schedulers.makespan(name, problem) == Approx(makespan).margin(6e-5).epsilon(0));
    }
  }
}

TEST_CASE("six hundred layered graphs: mean schedule length ratios") {
  const std::map<std::string, double> means = {{"heft", 2.7737},
                                               {"cpop", 2.9425},
                                               {"dls", 2.8845},
                                               {"peft", 2.8217},
                                               {"hcpt", 2.8223},
                                               {"min_min", 2.8511},
                                               {"mcp", 2.9055},
                                               {"bil", 3.0087},
                                               {"etf", 3.0104},
                                               {"mct", 3.0561},
                                               {"hlfet", 3.2283},
                                               {"max_min", 3.2702},
                                               {"linear_clustering", 4.0764},
                                               {"olb", 5.1658},
                                               {"met", 5.2517}};
  std::map<std::string, double> sums;
  Schedulers schedulers;
  for (std::uint64_t r = 0; r < 8; ++r)
    for (std::uint64_t k = 0; k < 75; ++k) {
      const GraphProblem problem = compared(r, k);
      const double bound = least_critical_path(problem);
      for (const auto& [name, mean] : means) sums[name] += schedulers.makespan(name, problem) / bound;
    }
  for (const auto& [name, mean] : means) {
    INFO(name);
    CHECK(sums[name] / 600 == Approx(mean).margin(6e-5).epsilon(0));
  }
}

TEST_CASE("six hundred layered graphs: how often others are worse and better than heft") {
  Schedulers schedulers;
  const Catalogue catalogue;
  const auto append = catalogue.configure("list_schedule", {{"insertion", false}})->make_graph_scheduler();
  std::map<std::string, std::array<int, 3>> counts;  // worse, equal, better
  std::map<std::string, double> logs;
  for (std::uint64_t r = 0; r < 8; ++r)
    for (std::uint64_t k = 0; k < 75; ++k) {
      const GraphProblem problem = compared(r, k);
      const double heft = schedulers.makespan("heft", problem);
      GraphPlan plan;
      append->schedule(problem, plan);
      const auto count = [&](const std::string& name, double makespan) {
        ++counts[name][alike(makespan, heft) ? 1 : makespan > heft ? 0 : 2];
        logs[name] += std::log(makespan / heft);
      };
      count("append", plan.makespan);
      count("cpop", schedulers.makespan("cpop", problem));
      count("peft", schedulers.makespan("peft", problem));
      if (problem.tasks() <= 60 && problem.machines <= 8)
        count("lookahead", schedulers.makespan("lookahead", problem));
    }
  CHECK(counts["append"] == std::array{278, 291, 31});
  CHECK(counts["cpop"] == std::array{443, 5, 152});
  CHECK(counts["peft"] == std::array{370, 4, 226});
  const auto& seen = counts["lookahead"];
  CHECK(seen[0] + seen[1] + seen[2] == 240);
  CHECK(std::exp(logs["cpop"] / 600) == Approx(1.071).margin(6e-4));
  CHECK(std::exp(logs["peft"] / 600) == Approx(1.016).margin(6e-4));
  CHECK(std::exp(logs["lookahead"] / 240) == Approx(0.957).margin(6e-4));
}

TEST_CASE("three hundred graphs by levels: peft beats heft where they are narrow") {
  const std::uint64_t tasks[] = {10, 20, 40, 60, 100}, jump[] = {1, 2, 4};
  const double ccr[] = {0.1, 0.8, 2, 5, 10}, fat[] = {0.1, 0.4, 0.8}, two[] = {0.2, 0.8},
               beta[] = {0.1, 0.2, 0.5, 1, 2};
  const std::size_t hosts[] = {4, 8, 16};
  Schedulers schedulers;
  double all = 0;
  std::array<double, 3> by_fat{};
  for (std::uint64_t r = 0; r < 4; ++r)
    for (std::uint64_t k = 0; k < 75; ++k) {
      const Drawn drawn{.tasks = tasks[k / 15],
                        .alpha = 0,
                        .degree = 0,
                        .ccr = ccr[k / 3 % 5],
                        .beta = beta[(k / 5 + r) % 5],
                        .hosts = hosts[(k / 7 + r) % 3],
                        .seed = 50000 + 1000 * r + k};
      SplitMix64 rng(drawn.seed);
      const GraphProblem problem = with_costs(
          levels_structure(
              {drawn.tasks, fat[k % 3], two[(k / 2 + r) % 2], two[(k + r) % 2], jump[(k / 3 + r) % 3]}, rng),
          drawn, rng);
      const double ratio =
          std::log(schedulers.makespan("peft", problem) / schedulers.makespan("heft", problem));
      all += ratio;
      by_fat[k % 3] += ratio;
    }
  CHECK(std::exp(all / 300) == Approx(0.976).margin(6e-4));
  CHECK(std::exp(by_fat[0] / 100) == Approx(0.943).margin(6e-4));
  CHECK(std::exp(by_fat[1] / 100) == Approx(0.963).margin(6e-4));
  CHECK(std::exp(by_fat[2] / 100) == Approx(1.025).margin(6e-4));
}
