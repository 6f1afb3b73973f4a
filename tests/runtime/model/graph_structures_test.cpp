#include "runtime/model/graph_structures.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/faults.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

using Counts = std::pair<std::uint64_t, std::uint64_t>;  // tasks, edges

Counts counts_of(const TaskGraph& graph) {
  check_graph(graph);
  return {graph.tasks.size(), edges_of(graph).size()};
}

// "from>to" by names.
std::set<std::string> named_edges(const TaskGraph& graph) {
  std::set<std::string> edges;
  for (const GraphEdge& edge : edges_of(graph))
    edges.insert(graph.tasks[edge.from].name + ">" + graph.tasks[edge.to].name);
  return edges;
}

std::uint64_t with_category(const TaskGraph& graph, const std::string& category) {
  return static_cast<std::uint64_t>(std::ranges::count(graph.tasks, category, &GraphTask::category));
}

}  // namespace

TEST_CASE("graph structures: values of the specification") {
  CHECK(counts_of(gaussian_structure(5)) == Counts{14, 19});
  CHECK(counts_of(fft_structure(4)) == Counts{15, 22});
  CHECK(counts_of(cholesky_structure(5)) == Counts{35, 60});
  CHECK(counts_of(lu_structure(5)) == Counts{55, 110});
  CHECK(counts_of(montage_structure(3, 4)) == Counts{58, 138});
  CHECK(counts_of(montage_structure(10, 10)) == Counts{547, 1429});
  CHECK(counts_of(fork_join_structure(5, 3)) == Counts{19, 30});
}

TEST_CASE("graph structures: counts in closed form") {
  for (std::uint64_t n = 1; n <= 9; ++n) {
    CHECK(counts_of(chain_structure(n)) == Counts{n, n - 1});
    // In differences of two, for what is below zero for few tiles is a factor of zero there.
    const std::uint64_t a = n - 1, b = n >= 2 ? n - 2 : 0, c = n >= 3 ? n - 3 : 0;
    CHECK(counts_of(cholesky_structure(n)) ==
          Counts{n * (n + 1) * (n + 2) / 6, a + n * a + a * b + n * a * b / 3 + a * b * c / 6});
    CHECK(counts_of(lu_structure(n)) ==
          Counts{n * (n + 1) * (2 * n + 1) / 6,
                 a + n * a + a * b + a * n * (2 * n - 1) / 3 + (n >= 2 ? b * a * (2 * n - 3) / 6 : 0)});
    if (n >= 2) CHECK(counts_of(gaussian_structure(n)) == Counts{(n * n + n - 2) / 2, n * (n - 1) - 1});
    for (std::uint64_t m = 1; m <= 5; ++m) {
      CHECK(counts_of(fork_join_structure(n, m)) == Counts{m * (n + 1) + 1, 2 * n * m});
      CHECK(counts_of(stencil_structure(n, m)) == Counts{n * m, 2 * n * m - n - m});
      const std::uint64_t overlaps = 4 * n * m + 2 - 3 * n - 3 * m;
      CHECK(counts_of(montage_structure(n, m)) ==
            Counts{2 * n * m + overlaps + 5, 3 * overlaps + 4 * n * m + 3});
    }
  }
  for (std::uint64_t branching = 2; branching <= 4; ++branching)
    for (std::uint64_t depth = 0; depth <= 4; ++depth) {
      std::uint64_t tasks = 0, level = 1;
      for (std::uint64_t d = 0; d <= depth; ++d, level *= branching) tasks += level;
      CHECK(counts_of(out_tree_structure(branching, depth)) == Counts{tasks, tasks - 1});
      CHECK(counts_of(in_tree_structure(branching, depth)) == Counts{tasks, tasks - 1});
    }
  for (std::uint64_t stages = 1; stages <= 6; ++stages) {
    const std::uint64_t points = std::uint64_t{1} << stages;
    CHECK(counts_of(fft_structure(points)) ==
          Counts{2 * points - 1 + points * stages, 2 * points - 2 + 2 * points * stages});
  }
}

TEST_CASE("graph structures: edges by hand") {
  CHECK(named_edges(chain_structure(3)) == std::set<std::string>{"task 1>task 2", "task 2>task 3"});
  CHECK(named_edges(fork_join_structure(2, 2)) ==
        std::set<std::string>{"fork>work 1,1", "fork>work 1,2", "work 1,1>join 1", "work 1,2>join 1",
                              "join 1>work 2,1", "join 1>work 2,2", "work 2,1>join 2", "work 2,2>join 2"});
  CHECK(named_edges(out_tree_structure(2, 1)) == std::set<std::string>{"task 1>task 2", "task 1>task 3"});
  CHECK(named_edges(in_tree_structure(2, 1)) == std::set<std::string>{"task 1>task 3", "task 2>task 3"});
  CHECK(named_edges(stencil_structure(2, 2)) ==
        std::set<std::string>{"cell 1,1>cell 1,2", "cell 1,1>cell 2,1", "cell 1,2>cell 2,2",
                              "cell 2,1>cell 2,2"});
  CHECK(named_edges(gaussian_structure(3)) ==
        std::set<std::string>{"pivot 1>update 1,2", "pivot 1>update 1,3", "update 1,2>pivot 2",
                              "update 1,3>update 2,3", "pivot 2>update 2,3"});
  CHECK(named_edges(fft_structure(2)) ==
        std::set<std::string>{"call 1>call 2", "call 1>call 3", "call 2>butterfly 1,1",
                              "call 3>butterfly 1,1", "call 2>butterfly 1,2", "call 3>butterfly 1,2"});
  CHECK(named_edges(cholesky_structure(2)) ==
        std::set<std::string>{"potrf 1>trsm 2,1", "trsm 2,1>syrk 2,1", "syrk 2,1>potrf 2"});
  CHECK(named_edges(lu_structure(2)) == std::set<std::string>{"getrf 1>lower 2,1", "getrf 1>upper 1,2",
                                                              "lower 2,1>gemm 2,2,1", "upper 1,2>gemm 2,2,1",
                                                              "gemm 2,2,1>getrf 2"});
  CHECK(named_edges(montage_structure(1, 2)) ==
        std::set<std::string>{"project 1,1>diff 1", "project 1,2>diff 1", "diff 1>concat", "concat>model",
                              "model>background 1,1", "model>background 1,2", "project 1,1>background 1,1",
                              "project 1,2>background 1,2", "background 1,1>table", "background 1,2>table",
                              "background 1,1>add", "background 1,2>add", "table>add", "add>view"});
}

TEST_CASE("graph structures: what tasks do is their category") {
  const TaskGraph cholesky = cholesky_structure(4);
  CHECK(with_category(cholesky, "potrf") == 4);
  CHECK(with_category(cholesky, "trsm") == 6);
  CHECK(with_category(cholesky, "syrk") == 6);
  CHECK(with_category(cholesky, "gemm") == 4);
  const TaskGraph montage = montage_structure(3, 4);
  CHECK(with_category(montage, "project") == 12);
  CHECK(with_category(montage, "diff") == 29);  // 9 to the right, 8 down, 6 and 6 across
  CHECK(with_category(montage, "background") == 12);
}

TEST_CASE("graph structures: sizes that are refused") {
  CHECK(fault_line([] { chain_structure(0); }) ==
        "bad_parameter chain: 'tasks' must be a whole number from 1 to 100000000, got 0");
  CHECK(fault_line([] { out_tree_structure(1, 3); }) ==
        "bad_parameter out_tree: 'branching' must be a whole number from 2 to 100000000, got 1");
  CHECK(fault_line([] {
          in_tree_structure(2, 100'000'000);
        }).starts_with("bad_parameter in_tree: a graph has at most"));
  CHECK(fault_line([] { fft_structure(6); }) == "bad_parameter fft: 'points' must be a power of two, got 6");
  CHECK(fault_line([] { stencil_structure(100'000'000, 100'000'000); }) ==
        "bad_parameter stencil: a graph has at most 100000000 tasks, got 1e+16");
  CHECK(fault_of([] { gaussian_structure(1); }).code == "bad_parameter");
  CHECK(fault_of([] { lu_structure(1'000'000); }).code == "bad_parameter");
}
