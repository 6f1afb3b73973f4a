#include "runtime/cost/graph_costs.h"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "runtime/cost/graph_choice.h"
#include "runtime/kernel/error.h"
#include "tests/runtime/schedulers/textbook_graphs.h"
#include "tests/support/graphs.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("mean times: mean, median, best, worst of the machines that can run a task") {
  const double no = kInfinity;
  const GraphProblem problem =
      graph_problem({{4, 1, 9, 2}, {no, 5, no, 3}, {no, no, 6, no}, {no, no, no, no}}, {});
  const cost::GraphCosts costs(problem);
  CHECK(costs.mean_times() == std::vector<double>{4, 4, 6, no});
  CHECK(costs.mean_times(GraphMean::median) == std::vector<double>{3, 4, 6, no});  // (2 + 4) / 2
  CHECK(costs.mean_times(GraphMean::best) == std::vector<double>{1, 3, 6, no});
  CHECK(costs.mean_times(GraphMean::worst) == std::vector<double>{9, 5, 6, no});
  CHECK(costs.mean_times(GraphMean::none) == std::vector<double>{0, 0, 0, 0});
  CHECK(graph_mean_of("median") == GraphMean::median);
  CHECK_THROWS_WITH(graph_mean_of("medain"), Catch::Contains("did you mean 'median'"));
}

TEST_CASE("machines of one kind, and related machines, are not written out") {
  GraphProblem problem = graph_problem({{1, 2, 3}, {4, 5, 6}}, {{1, 2, 6}});
  problem.machines = 5;  // kinds 1 2 2 3 3
  problem.kind = MachineGroups({0, 1, 1, 2, 2});
  problem.network = {};
  check_graph_problem(problem);
  CHECK(problem.time(1, 4) == 6);
  CHECK(cost::GraphCosts(problem).mean_time(0) == Approx(11.0 / 5));
  CHECK(cost::GraphCosts(problem).mean_time(0, GraphMean::median) == 2);
  problem.times = {};
  problem.amounts = {12, 30};
  problem.speeds = {1, 2, 0};  // the third kind runs nothing
  check_graph_problem(problem);
  CHECK(problem.time(0, 2) == 6);
  CHECK(problem.time(0, 3) == kInfinity);
  CHECK(cost::GraphCosts(problem).mean_time(0) == Approx((12 + 6 + 6) / 3.0));
}

// Hosts 1 and 2 in one cluster, 3 in another. Two of the six ordered pairs are within a cluster.
TEST_CASE("mean transfers: over ordered pairs of machines, nothing within a cluster") {
  GraphProblem problem = graph_problem({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{1, 2, 12}, {1, 3, 0, false}});
  problem.cluster = MachineGroups({0, 0, 1});
  problem.network = GraphNetwork(2, {1, 3, 6, 1}, {0, 1, 2, 0});  // there 1 + 12/3 = 5, back 2 + 12/6 = 4
  check_graph_problem(problem);
  const cost::GraphCosts costs(problem);
  const GraphArc& data = *problem.arcs.find(0, 1);
  CHECK(costs.mean_transfer(data) == Approx((5 + 5 + 4 + 4) / 6.0));
  CHECK(costs.mean_transfer(data, GraphMean::median) == 4);
  CHECK(costs.mean_transfer(data, GraphMean::best) == 0);
  CHECK(costs.mean_transfer(data, GraphMean::worst) == 5);
  CHECK(costs.mean_transfer(data, GraphMean::none) == 0);
  // Over pairs apart: latency 1.5, bandwidth 4.5; two thirds of all pairs are apart.
  CHECK(costs.mean_transfer(data, GraphMean::mean, true) == Approx((1.5 + 12 / 4.5) * 2 / 3));
  CHECK(costs.mean_transfer(*problem.arcs.find(0, 2)) == 0);
  problem.network = GraphNetwork(2, {4}, {0.5});
  const cost::GraphCosts equal(problem);
  CHECK(equal.mean_transfer(data) == Approx(3.5 * 4 / 6));
  CHECK(equal.mean_transfer(data, GraphMean::mean, true) == Approx(3.5 * 4 / 6));
  CHECK(equal.mean_transfer(data, GraphMean::median) == 3.5);
}

TEST_CASE("ranks, tables and levels equal their textbook forms; what is known of them holds") {
  std::mt19937_64 rng(7);
  for (int round = 0; round < 200; ++round) {
    const GraphProblem problem = random_graph({.most_tasks = 15, .whole_numbers = round % 2 == 0}, rng);
    const cost::GraphCosts costs(problem);
    const std::vector<double> up = textbook::upward_rank(problem), down = textbook::downward_rank(problem),
                              level = textbook::upward_rank(problem, false, true);
    const auto table = textbook::oct(problem), levels = textbook::bil_levels(problem);
    double longest = 0;
    for (std::size_t t = 0; t < problem.tasks(); ++t)
      if (costs.placeable(t)) longest = std::max(longest, up[t]);
    CHECK(alike(costs.longest(), longest));
    bool is_same = true, is_identical = true, is_bounded = true;
    for (std::size_t t = 0; t < problem.tasks(); ++t) {
      is_same &= alike(costs.upward_rank()[t], up[t]) && alike(costs.downward_rank()[t], down[t]) &&
                 alike(costs.static_level(GraphMean::median)[t], level[t]);
      if (!costs.placeable(t)) continue;
      is_same &= alike(costs.alap()[t], longest - up[t]);
      is_bounded &= !is_less(costs.longest(), costs.path_length()[t]);
      for (std::size_t m = 0; m < problem.machines; ++m) {
        is_same &= alike(costs.oct(t, m), table[t][m]) && alike(costs.bil(t, m), levels[t][m]);
        is_identical &= alike(costs.bil(t, m), costs.oct(t, m) + problem.time(t, m));
      }
    }
    INFO("round " << round);
    CHECK(is_same);
    CHECK(is_identical);
    CHECK(is_bounded);
    const CriticalPath path = costs.critical_path();
    CHECK(alike(path.length, longest));
    for (const std::uint32_t task : path.tasks) CHECK(alike(costs.path_length()[task], longest));
    for (std::size_t i = 1; i < path.tasks.size(); ++i)
      CHECK(problem.arcs.find(path.tasks[i - 1], path.tasks[i]) != nullptr);
  }
}

// Ranks and mean times of the HEFT paper: 1 has 108 and 13, 9 has 44.333 and 16.667, 10 is an exit.
TEST_CASE("sub-deadlines leave room for what comes behind") {
  const GraphProblem problem = heft_paper();
  const std::vector<double> deadlines = cost::GraphCosts(problem).sub_deadlines(200);
  CHECK(deadlines[0] == Approx(200 - 95));
  CHECK(deadlines[8] == Approx(200 - 27.667).margin(1e-3));
  CHECK(deadlines[9] == 200);
}

TEST_CASE("what is asked for is kept, by its options") {
  const GraphProblem problem = heft_paper();
  const cost::GraphCosts costs(problem);
  const std::vector<double>& once = costs.upward_rank();
  CHECK(&costs.upward_rank() == &once);
  const std::vector<double>& best = costs.upward_rank({.computation = GraphMean::best});
  CHECK(best[9] == 7);
  CHECK(once[9] == Approx(44.0 / 3));
  CHECK(&costs.upward_rank() == &once);
  CHECK(costs.upward_rank({.communication = GraphMean::none}) == costs.static_level());
}
