#include "runtime/model/graph_generators.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <vector>

#include "runtime/model/graph_structures.h"
#include "tests/support/faults.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

struct GraphSums {
  std::size_t edges = 0;
  double times = 0, bytes = 0;
};
GraphSums sums_of(const TaskGraph& graph) {
  check_graph(graph);
  GraphSums sums{.times = std::accumulate(graph.times.begin(), graph.times.end(), 0.0)};
  for (const GraphEdge& edge : edges_of(graph)) {
    ++sums.edges;
    sums.bytes += edge.bytes;
  }
  return sums;
}

GraphSums sums_of_layered(std::uint64_t seed, const LayeredShape& shape, double beta, double ccr,
                          std::size_t hosts) {
  SplitMix64 rng(seed);
  TaskGraph graph = layered_structure(shape, rng);
  draw_costs(graph, {hosts, ccr, beta}, rng);
  return sums_of(graph);
}

}  // namespace

TEST_CASE("graph generators: check values of the specification") {
  GraphSums sums = sums_of_layered(1, {20, 1, 5}, 1, 1, 4);
  CHECK(sums.edges == 36);
  CHECK(sums.times == Approx(4225.822982311441).epsilon(1e-14));
  CHECK(sums.bytes == Approx(1579.8662086788233).epsilon(1e-14));
  sums = sums_of_layered(2, {100, 0.5, 3}, 1, 1, 4);
  CHECK(sums.edges == 206);
  CHECK(sums.times == Approx(22331.691677590923).epsilon(1e-14));
  CHECK(sums.bytes == Approx(9945.657452729136).epsilon(1e-14));
  SplitMix64 rng(4);
  TaskGraph graph = levels_structure({30, 0.5, 0.2, 0.8, 2}, rng);
  draw_costs(graph, {4, 1, 2}, rng);
  sums = sums_of(graph);
  CHECK(sums.edges == 63);
  CHECK(sums.times == Approx(5409.939873892449).epsilon(1e-14));
  CHECK(sums.bytes == Approx(3088.8211098828197).epsilon(1e-14));
}

TEST_CASE("graph generators: edges of the graphs whose makespans the specification lists") {
  CHECK(sums_of_layered(1, {20, 1, 3}, 1, 1, 4).edges == 32);
  CHECK(sums_of_layered(2, {40, 0.5, 4}, 0.5, 5, 4).edges == 83);
  CHECK(sums_of_layered(3, {60, 1, 4}, 1, 1, 8).edges == 148);
  CHECK(sums_of_layered(4, {60, 2, 5}, 1, 0.1, 8).edges == 137);
}

TEST_CASE("graph generators: a layered graph has one entry, and every other task a predecessor") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Stream rng(seed, "layered");
    const TaskGraph graph =
        layered_structure({1 + seed * 3, 0.25 * static_cast<double>(1 + seed % 8), 1 + seed % 5}, rng);
    check_graph(graph);
    CHECK(graph.tasks[0].after.empty());
    for (std::size_t t = 1; t < graph.tasks.size(); ++t) {
      CHECK(!graph.tasks[t].after.empty());
      CHECK(graph.tasks[t].after.back() < t);
    }
  }
}

TEST_CASE("graph generators: levels of regularity 1 are equally wide, and edges reach as far as they may") {
  Stream rng(7, "levels");
  const TaskGraph graph = levels_structure({100, 0.5, 1, 1, 3}, rng);  // 10 levels of 10
  check_graph(graph);
  std::uint32_t farthest = 0;
  for (std::uint32_t t = 0; t < 100; ++t) {
    CHECK(graph.tasks[t].after.empty() == (t < 10));
    for (const std::uint32_t before : graph.tasks[t].after) {
      CHECK(before / 10 < t / 10);
      farthest = std::max(farthest, t / 10 - before / 10);
    }
  }
  CHECK(farthest == 3);
}

TEST_CASE("graph generators: costs keep within their ranges and leave the structure as it is") {
  TaskGraph graph = cholesky_structure(6);
  const std::vector<GraphEdge> before = edges_of(graph);
  Stream rng(3, "costs");
  draw_costs(graph, {5, 0.5, 0.5, 20}, rng);
  check_graph(graph);
  const std::vector<GraphEdge> after = edges_of(graph);
  REQUIRE(after.size() == before.size());
  CHECK(graph.files.size() == before.size());
  for (std::size_t e = 0; e < after.size(); ++e) {
    CHECK(after[e].from == before[e].from);
    CHECK(after[e].to == before[e].to);
    CHECK(after[e].files == 1);
    CHECK(after[e].bytes < 20);  // 2 * 20 * 0.5
  }
  for (std::size_t t = 0; t < graph.tasks.size(); ++t) {
    const auto row = graph.times.begin() + static_cast<std::ptrdiff_t>(t * 5);
    const auto [least, greatest] = std::minmax_element(row, row + 5);
    CHECK(*greatest <= *least * (1.25 / 0.75));
    CHECK(*greatest < 40 * 1.25);
  }
}

TEST_CASE("graph generators: parameters that are refused") {
  Stream rng(1, "refused");
  CHECK(fault_line([&] {
          layered_structure({0, 1, 1}, rng);
        }) == "bad_parameter layered: 'tasks' must be a whole number from 1 to 100000000, got 0");
  CHECK(fault_line([&] {
          layered_structure({5, 0, 1}, rng);
        }) == "bad_parameter layered: 'alpha' must be more than 0 and finite, got 0");
  CHECK(fault_line([&] {
          levels_structure({5, 1.5}, rng);
        }) == "bad_parameter levels: 'fat' must be at least 0 and at most 1, got 1.5");
  CHECK(fault_of([&] { levels_structure({5, 0.5, 0.5, 0.5, 0}, rng); }).code == "bad_parameter");
  TaskGraph graph = chain_structure(2);
  CHECK(fault_line([&] {
          draw_costs(graph, {2, 1, 2.5}, rng);
        }) == "bad_parameter costs: 'beta' must be at least 0 and at most 2, got 2.5");
  CHECK(fault_of([&] { draw_costs(graph, {0, 1, 1}, rng); }).code == "bad_parameter");
}

TEST_CASE("graph generators: a hundred thousand tasks") {
  SplitMix64 rng(1);
  TaskGraph graph = layered_structure({100'000, 1, 5}, rng);
  draw_costs(graph, {2, 1, 1}, rng);
  check_graph(graph);
  CHECK(graph.files.size() > 200'000);
}
