#include "runtime/model/task_graph.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/faults.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// a makes f (10 B) and g (5 B), b reads both and e (7 B), which nobody makes; c reads f and comes after b.
TaskGraph small_graph() {
  TaskGraph graph;
  graph.files = {{"e", 7}, {"f", 10}, {"g", 5}};
  graph.tasks.resize(3);
  graph.tasks[0] = {.name = "a", .amount = 1, .outputs = {1, 2}};
  graph.tasks[1] = {.name = "b", .amount = 2, .inputs = {0, 1, 2}};
  graph.tasks[2] = {.name = "c", .amount = 3, .inputs = {1}, .after = {1, 1}};
  return graph;
}

std::string graph_fault(const TaskGraph& graph) {
  return fault_line([&] { check_graph(graph); });
}

// Tasks "1", "2", ... that wait for each other by these edges.
TaskGraph graph_by_edges(std::size_t tasks, std::vector<Dependency> edges) {
  TaskGraph graph;
  for (std::size_t t = 1; t <= tasks; ++t) graph.tasks.push_back({.name = std::to_string(t)});
  add_dependencies(graph, std::move(edges));
  return graph;
}

}  // namespace

TEST_CASE("task graph: files and after between two tasks are one edge") {
  const TaskGraph graph = small_graph();
  check_graph(graph);
  const auto edges = edges_of(graph);
  REQUIRE(edges.size() == 3);
  const auto fields = [](const GraphEdge& e) {
    return std::tuple(e.from, e.to, e.files, e.bytes, e.largest);
  };
  CHECK(fields(edges[0]) == std::tuple(0u, 1u, 2u, 15.0, 10.0));
  CHECK(fields(edges[1]) == std::tuple(0u, 2u, 1u, 10.0, 10.0));
  CHECK(fields(edges[2]) == std::tuple(1u, 2u, 0u, 0.0, 0.0));
  CHECK(makers_of(graph) == std::vector<std::uint32_t>{kNone, 0, 0});
  CHECK(precedence_of(graph).edges() == 3);
}

TEST_CASE("task graph: dependencies become files by the names of the tasks") {
  const TaskGraph graph = graph_by_edges(3, {{1, 2, 0.0}, {0, 2}, {0, 1, 4.0}, {0, 1}, {0, 2}});
  check_graph(graph);
  REQUIRE(graph.files.size() == 2);
  CHECK(graph.files[0].name == "1>2");
  CHECK(graph.files[0].size == 4);
  CHECK(graph.files[1].name == "2>3");
  CHECK(graph.tasks[2].after == std::vector<std::uint32_t>{0});
  CHECK(fault_line([] {
          graph_by_edges(2, {{0, 1, 4.0}, {0, 1, 5.0}});
        }) == "workflow_size two edges from '1' to '2' say different sizes: 4 and 5 bytes");
  CHECK(fault_line([] {
          graph_by_edges(2, {{0, 2}});
        }) == "workflow_reference an edge from task 1 to task 3: the graph has 2 tasks");
}

TEST_CASE("task graph: cycles are told by the names of their tasks") {
  CHECK(graph_fault(graph_by_edges(1, {{0, 0}})) == "workflow_cycle task '1' waits for itself");
  CHECK(graph_fault(graph_by_edges(1, {{0, 0, 1.0}})) ==
        "workflow_cycle task '1' waits for itself: file '1>1' is both its input and its output");
  CHECK(graph_fault(graph_by_edges(3, {{0, 1}, {2, 1}, {1, 2, 5.0}})) ==
        "workflow_cycle 2 tasks wait for one another: '2' -> '3' -> '2'");
  std::vector<Dependency> ring;
  std::string names;
  for (std::uint32_t t = 0; t < 50; ++t) {
    ring.push_back({t, (t + 1) % 50});
    names += "'" + std::to_string(t + 1) + "' -> ";
  }
  CHECK(graph_fault(graph_by_edges(50, ring)) ==
        "workflow_cycle 50 tasks wait for one another: " + names + "'1'");
}

TEST_CASE("task graph: what is refused") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto with = [](auto change) {
    TaskGraph graph = small_graph();
    change(graph);
    return graph_fault(graph);
  };
  CHECK(graph_fault({}) == "workflow_empty a graph has at least one task");
  CHECK(with([](TaskGraph& g) { g.tasks[2].name = "a"; }) ==
        "workflow_duplicate two tasks of a graph are called 'a': number 1 and number 3");
  CHECK(with([](TaskGraph& g) { g.files[2].name = "f"; }) ==
        "workflow_duplicate two files of a graph are called 'f': number 2 and number 3");
  CHECK(with([](TaskGraph& g) { g.tasks[2].outputs = {2}; }) ==
        "workflow_duplicate file 'g' is an output of both 'a' and 'c'; one task makes a file");
  CHECK(with([](TaskGraph& g) {
          g.tasks[1].inputs = {1, 0, 1};
        }) == "workflow_duplicate task 'b': file 'f' stands twice in its inputs");
  CHECK(with([](TaskGraph& g) {
          g.tasks[0].outputs = {1, 1};
        }) == "workflow_duplicate task 'a': file 'f' stands twice in its outputs");
  CHECK(with([](TaskGraph& g) { g.tasks[0].inputs = {3}; }) ==
        "workflow_reference task 'a': there is no file 4 among the 3 of the graph");
  CHECK(with([](TaskGraph& g) { g.tasks[0].after = {3}; }) ==
        "workflow_reference task 'a': there is no task 4 to come after; the graph has 3");
  for (const double wrong : {-1.0, kInfinity, std::nan("")}) {
    CHECK(
        with([&](TaskGraph& g) { g.files[1].size = wrong; }).starts_with("workflow_size file 'f': its size"));
    CHECK(with([&](TaskGraph& g) {
            g.tasks[1].amount = wrong;
          }).starts_with("workflow_time task 'b': its operations"));
  }
  CHECK(
      with([](TaskGraph& g) {
        g.form = TimeForm::by_host;
        g.hosts = 2;
        g.times = {1, 2, 3, 4, 5};
      }) ==
      "workflow_hosts times by host are a row of one time per host for each of 3 tasks, got 5 times for 2 hosts");
  CHECK(with([](TaskGraph& g) {
          g.form = TimeForm::by_host;
          g.hosts = 2;
          g.times = {1, 2, 3, HUGE_VAL, 5, -1};
        }) ==
        "workflow_time task 'c': its time on host 2 must be >= 0, or infinite where it cannot run, got -1");
}

TEST_CASE("task graph: a file of many readers, a task of many parents, and tasks of many files") {
  constexpr std::uint32_t kMany = 100'000;
  TaskGraph graph;
  for (std::uint32_t t = 0; t < kMany; ++t) {
    graph.tasks.push_back({.name = std::to_string(t)});
    graph.files.push_back({std::to_string(t), 1});
    graph.tasks[t].outputs = {t};
  }
  graph.tasks.push_back({.name = "last"});
  graph.files.push_back({"shared", 1});
  for (std::uint32_t t = 0; t < kMany; ++t) {
    graph.tasks[t].inputs = {kMany};
    graph.tasks[kMany].after.push_back(t);
    graph.tasks[kMany].inputs.push_back(t);
  }
  check_graph(graph);
  CHECK(edges_of(graph).size() == kMany);
  for (std::uint32_t t = 0; t < kMany; ++t) graph.tasks[t].outputs.clear();
  for (std::uint32_t t = 0; t <= kMany; ++t) graph.tasks[kMany].outputs.push_back(t);
  CHECK(graph_fault(graph).starts_with("workflow_cycle task 'last' waits for itself: file '0'"));
}
