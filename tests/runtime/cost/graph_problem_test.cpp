#include "runtime/cost/graph_problem.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/support/graphs.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

std::string graph_refused(const GraphProblem& problem) {
  try {
    check_graph_problem(problem);
  } catch (const Error& error) {
    return error.diagnostic().code + ": " + error.diagnostic().message;
  }
  return "nothing";
}

}  // namespace

TEST_CASE("edges are found from both ends, in the order of the other one") {
  const GraphProblem problem =
      graph_problem({{1}, {1}, {1}, {1}}, {{4, 2, 5}, {1, 4, 3}, {1, 2, 7}, {3, 2, 0, false}});
  REQUIRE(problem.arcs.before(1).size() == 3);
  CHECK(problem.arcs.before(1)[0].task == 0);
  CHECK(problem.arcs.before(1)[0].bytes == 7);
  CHECK(problem.arcs.before(1)[1].task == 2);
  CHECK_FALSE(problem.arcs.before(1)[1].has_data);
  CHECK(problem.arcs.before(1)[2].bytes == 5);
  REQUIRE(problem.arcs.behind(0).size() == 2);
  CHECK(problem.arcs.behind(0)[1].task == 3);
  CHECK(problem.arcs.behind(0)[1].largest == 3);
  CHECK(problem.arcs.find(3, 1)->bytes == 5);
  CHECK(problem.arcs.find(1, 3) == nullptr);
}

TEST_CASE("a network has one number for all ways, one for each sender, or a matrix") {
  const GraphNetwork none;
  CHECK(none.arrival(3, 1e9, 0, 1) == 3);
  const GraphNetwork by_sender(2, {10}, {1, 2});
  CHECK(by_sender.by_sender());
  CHECK_FALSE(by_sender.is_uniform());
  CHECK(by_sender.arrival(0, 20, 0, 1) == 3);
  CHECK(by_sender.arrival(0, 20, 1, 0) == 4);
  const GraphNetwork matrix(2, {0, 4, kInfinity, 0}, {-1, 1, 2, -1});  // one cluster itself is not looked at
  CHECK_FALSE(matrix.by_sender());
  CHECK(matrix.arrival(1, 8, 0, 1) == 4);
  CHECK(matrix.arrival(1, 8, 1, 0) == 3);
  // (start + latency) + bytes / bandwidth, in this order.
  const GraphNetwork odd(2, {3}, {0.1});
  CHECK(odd.arrival(0.2, 1, 0, 1) == (0.2 + 0.1) + 1.0 / 3);
  CHECK_THROWS_WITH(GraphNetwork(3, {1, 2}, {0}),
                    "bandwidth must be one number, or a matrix of 3 x 3 numbers, got 2 numbers");
  CHECK_THROWS_WITH(
      GraphNetwork(3, {1}, {0, 1}),
      "latency must be one number, or one for each of the 3 senders, or a matrix of 3 x 3 numbers, "
      "got 2 numbers");
  CHECK_THROWS_WITH(GraphNetwork(2, {0}, {0}), "the bandwidth from 1 to 2 must be > 0, got 0");
  CHECK_THROWS_WITH(GraphNetwork(2, {1}, {-1}), "the latency from 1 to 2 must be >= 0 and finite, got -1");
}

TEST_CASE("arrivals are of the largest file, transfers of all together") {
  GraphProblem problem = graph_problem({{1, 1}, {1, 1}}, {}, {2}, {1});
  const std::vector<GraphEdge> edges = {{0, 1, 2, 14, 8}};
  problem.arcs = GraphArcs(2, edges);
  const GraphArc& arc = problem.arcs.behind(0)[0];
  CHECK(problem.arrival(arc, 10, 0, 1) == 15);
  CHECK(problem.arrival(arc, 10, 1, 1) == 10);
  CHECK(problem.transfer(arc, 0, 1) == 8);
  CHECK(problem.transfer(arc, 0, 0) == 0);
}

TEST_CASE("what does not go together is refused") {
  const GraphProblem good = heft_paper();
  CHECK(graph_refused(good) == "nothing");
  const auto with = [&](auto&& change) {
    GraphProblem problem = good;
    change(problem);
    return graph_refused(problem);
  };
  CHECK(with([](GraphProblem& p) { p.machines = 4; }) ==
        "workflow_hosts: times: 40 numbers are needed, got 30");
  CHECK(with([](GraphProblem& p) { p.ready = {1}; }) ==
        "workflow_hosts: ready times: 3 numbers are needed, got 1");
  CHECK(with([](GraphProblem& p) { p.release = {1}; }) ==
        "workflow_hosts: release times: 30 numbers are needed, got 1");
  CHECK(with([](GraphProblem& p) { p.set_times(std::vector<double>(30, -1)); }) ==
        "workflow_time: time 1 of task 1 must be >= 0, got -1");
  CHECK(
      with([](GraphProblem& p) {
        p.occupied = {{0, 1, 3}, {0, 2, 4}};
      }) ==
      "bad_value: what occupies machines must be by machine and time: 1 is occupied from 2 behind 1 until 3");
  CHECK(with([](GraphProblem& p) {
          p.occupied = {{5, 1, 3}};
        }) == "bad_value: machine 6 is occupied; there are 3");
  CHECK(with([](GraphProblem& p) {
          const std::vector<GraphEdge> edges = {{0, 1}, {1, 2}, {2, 0}};
          p.arcs = GraphArcs(10, edges);
        }) == "workflow_cycle: tasks wait for each other: 1 > 2 > 3 > 1");
  CHECK(with([](GraphProblem& p) {
          const std::vector<GraphEdge> edges = {{0, 1, 1, kInfinity, kInfinity}};
          p.arcs = GraphArcs(10, edges);
        }) == "workflow_size: the data from task 1 to task 2 must be >= 0 B and finite, got inf");
}

TEST_CASE("a task graph becomes a problem: times by host as they are, amounts on related machines") {
  auto graph = std::make_shared<TaskGraph>();
  graph->files = {{"a", 4}, {"b", 6}, {"in", 9}};
  graph->tasks = {{.name = "x", .amount = 8, .inputs = {2}, .outputs = {0, 1}},
                  {.name = "y", .amount = 4, .inputs = {0, 1}},
                  {.name = "z", .amount = 2, .after = {0}}};
  const GraphProblem related = graph_problem_of(graph, {2, 4});
  CHECK(related.machines == 2);
  CHECK(related.time(0, 1) == 2);
  CHECK(related.arcs.find(0, 1)->bytes == 10);
  CHECK(related.arcs.find(0, 1)->largest == 6);
  CHECK_FALSE(related.arcs.find(0, 2)->has_data);
  auto by_host = std::make_shared<TaskGraph>(*graph);
  by_host->form = TimeForm::by_host;
  by_host->hosts = 3;
  by_host->times = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const GraphProblem problem = graph_problem_of(by_host);
  CHECK(problem.machines == 3);
  CHECK(problem.times.data() == by_host->times.data());  // not copied
  CHECK_THROWS_AS(graph_problem_of(by_host, {1, 2}), Error);
}
