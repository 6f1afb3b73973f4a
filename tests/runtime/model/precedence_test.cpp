#include "runtime/model/precedence.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "runtime/kernel/random.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

using Tasks = std::vector<std::uint32_t>;
using Edges = std::vector<Precedence::Edge>;

Tasks listed(std::span<const std::uint32_t> tasks) { return {tasks.begin(), tasks.end()}; }

// The length of the shortest way from one task to itself, by trying ways of every length; 0 = none.
std::size_t cycle_length(std::size_t tasks, const Edges& edges, std::uint32_t start) {
  std::vector<bool> reached(tasks);
  reached[start] = true;
  for (std::size_t length = 1; length <= tasks; ++length) {
    std::vector<bool> next(tasks);
    for (const auto& [from, to] : edges)
      if (reached[from]) next[to] = true;
    if (next[start]) return length;
    reached = next;
  }
  return 0;
}

}  // namespace

TEST_CASE("precedence: neighbours are ascending, a repeated edge is one") {
  const Precedence precedence(4, {{2, 3}, {0, 2}, {0, 1}, {1, 3}, {0, 2}, {0, 3}});
  CHECK(precedence.tasks() == 4);
  CHECK(precedence.edges() == 5);
  CHECK(listed(precedence.successors(0)) == Tasks{1, 2, 3});
  CHECK(listed(precedence.predecessors(3)) == Tasks{0, 1, 2});
  CHECK(precedence.predecessors(0).empty());
  CHECK(precedence.first_edge(1) == 3);  // (0,1) (0,2) (0,3) (1,3) (2,3)
  CHECK(Precedence().tasks() == 0);
}

TEST_CASE("precedence: the order takes the lowest task that is ready") {
  CHECK(Precedence(5, {{4, 0}, {3, 1}, {1, 0}}).order() == Tasks{2, 3, 1, 4, 0});
  // 1 and 2 wait for each other, 3 for them.
  CHECK(Precedence(5, {{1, 2}, {2, 1}, {2, 3}, {0, 1}}).order() == Tasks{0, 4});
}

TEST_CASE("precedence: the shortest cycle through the lowest task on one") {
  CHECK(Precedence(3, {{0, 1}, {1, 2}}).shortest_cycle().empty());
  CHECK(Precedence(3, {{1, 1}, {0, 1}}).shortest_cycle() == Tasks{1});
  // 0 is behind a cycle, and 1 before one and behind one, but neither is on any.
  CHECK(Precedence(6, {{2, 3}, {3, 2}, {3, 1}, {1, 4}, {4, 5}, {5, 4}, {5, 0}}).shortest_cycle() ==
        Tasks{2, 3});
  // Through 0 by 1, 2, 3 or by 4, 5.
  CHECK(Precedence(6, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {4, 5}, {5, 0}}).shortest_cycle() ==
        Tasks{0, 4, 5});
}

TEST_CASE("precedence: cycles of random graphs, against all ways") {
  Stream rng(1, "cycles");
  for (int round = 0; round < 400; ++round) {
    const std::size_t tasks = 1 + rng.below(7);
    Edges edges;
    for (std::uint64_t count = rng.below(12); count > 0; --count)
      edges.emplace_back(static_cast<std::uint32_t>(rng.below(tasks)),
                         static_cast<std::uint32_t>(rng.below(tasks)));
    const Precedence precedence(tasks, edges);
    const Tasks cycle = precedence.shortest_cycle();
    std::uint32_t lowest = 0;
    while (lowest < tasks && cycle_length(tasks, edges, lowest) == 0) ++lowest;
    CHECK(cycle.empty() == (precedence.order().size() == tasks));
    if (lowest == tasks) {
      CHECK(cycle.empty());
      continue;
    }
    REQUIRE(!cycle.empty());
    CHECK(cycle.front() == lowest);
    CHECK(cycle.size() == cycle_length(tasks, edges, lowest));
    for (std::size_t i = 0; i < cycle.size(); ++i)
      CHECK(std::ranges::count(edges, Precedence::Edge{cycle[i], cycle[(i + 1) % cycle.size()]}) > 0);
  }
}

TEST_CASE("precedence: a cycle behind a long chain is found in linear time") {
  constexpr std::uint32_t kTasks = 200'000;
  Edges edges{{kTasks - 1, kTasks - 2}, {kTasks - 2, kTasks - 1}, {kTasks - 1, 0}};
  for (std::uint32_t t = 0; t + 3 < kTasks; ++t) edges.emplace_back(t, t + 1);
  CHECK(Precedence(kTasks, edges).shortest_cycle() == Tasks{kTasks - 2, kTasks - 1});
}
