// A*: its published example, the step-by-step form, and the optimum.
#include <bit>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runtime/cost/etc.h"
#include "runtime/cost/greedy.h"
#include "runtime/cost/search_tree.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/runtime/schedulers/random_matrices.h"
#include "tests/runtime/schedulers/textbook_searches.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

Mapping a_star(const std::map<std::string, Value>& given, const MappingProblem& problem,
               std::uint64_t seed = 0) {
  Mapping out;
  const auto mapper = Catalogue().configure("a_star", given)->make_mapper();
  mapper->reseed(Stream(seed, "test"));
  mapper->map(problem, out);
  return out;
}

double count(const Mapping& mapping, std::string_view name) {
  for (const auto& [each, value] : mapping.search.counts)
    if (each == name) return value;
  FAIL("no count " << name);
  return 0;
}

// Compares the counts of the tree with those of the textbook's tree for the same search.
void check_same(const Mapping& fast, const textbook::Tree& slow) {
  CHECK(fast.machine == slow.state->out.machine);
  CHECK(fast.order == slow.state->out.order);
  CHECK(std::bit_cast<std::uint64_t>(fast.makespan) ==
        std::bit_cast<std::uint64_t>(slow.state->out.makespan));
  CHECK(count(fast, "attempts") == slow.attempts);
  CHECK(count(fast, "limit") == static_cast<double>(slow.limit));
  CHECK(count(fast, "created") == slow.created);
  CHECK(count(fast, "expanded") == slow.expanded);
  CHECK(count(fast, "pruned") == slow.pruned);
  CHECK(count(fast, "truncated") == slow.truncated);
}

const std::map<std::string, Value> kUnlimited = {{"max_tree_nodes", 0.0}, {"max_expansions", 0.0}};

}  // namespace

TEST_CASE("the tree of Figures 4 and 5") {
  // IRMaSim thesis: nodes of speed 1 and 1.5, jobs of 1, 3 and 3. The root's children are worth 2.5 and 2.67,
  // the first one's 4 and 4, the second one's 3 and 3; the older of these has children of 6 and 3. By hand.
  const EtcMatrix etc{3, 2, {1, 1 / 1.5, 3, 3 / 1.5, 3, 3 / 1.5}};
  const Mapping out = a_star({}, problem_of(etc));
  CHECK(out.machine == std::vector<std::uint32_t>{1, 0, 1});
  CHECK(out.order == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(out.makespan == 3);
  CHECK(out.completion == std::vector<double>{1 / 1.5, 3, 1 / 1.5 + 3 / 1.5});
  CHECK(count(out, "expanded") == 4);
  CHECK(count(out, "created") == 8);
  CHECK(count(out, "pruned") == 0);
  CHECK(count(out, "attempts") == 1);
  CHECK(count(out, "limit") == 128);
  CHECK(count(out, "truncated") == 0);
  CHECK(out.search.curve == std::vector<double>{3});
  const textbook::Tree slow = textbook::a_star(problem_of(etc), {0, 1, 2}, 128, 64, false);
  REQUIRE(slow.expanded_f.size() == 3);
  CHECK(slow.expanded_f[0] == 2.5);
  CHECK(slow.expanded_f[1] == Approx(8.0 / 3));
  CHECK(slow.expanded_f[2] == 3);
  check_same(out, slow);
}

TEST_CASE("the tree of Figure 4, vertex by vertex") {
  // The same example; g, h1 and h2 are worked out by hand. Times in thirds.
  const EtcMatrix etc{3, 2, {1, 1 / 1.5, 3, 3 / 1.5, 3, 3 / 1.5}};
  const auto mapper = Catalogue().configure("a_star")->make_mapper();
  const std::vector<TreeVertex> tree = dynamic_cast<GrowsTree&>(*mapper).tree(problem_of(etc));
  struct Expected {
    std::uint32_t parent, task, machine;
    double g, h1, h2, f;
    std::uint32_t expanded;
    bool taken;
  };
  const std::vector<Expected> expected = {{kUnmapped, 0, 0, 3, 3, 4.5, 7.5, 2, false},
                                          {kUnmapped, 0, 1, 2, 6, 5, 8, 3, true},
                                          {0, 1, 0, 12, 0, 0, 12, 0, false},
                                          {0, 1, 1, 6, 6, 1.5, 12, 0, false},
                                          {1, 1, 0, 9, 0, 0, 9, 4, true},
                                          {1, 1, 1, 8, 1, 0, 9, 0, false},
                                          {4, 2, 0, 18, 0, 0, 18, 0, false},
                                          {4, 2, 1, 9, 0, 0, 9, 0, true}};
  REQUIRE(tree.size() == expected.size());
  for (std::size_t v = 0; v < tree.size(); ++v) {
    INFO("vertex " << v);
    CHECK(tree[v].parent == expected[v].parent);
    CHECK(tree[v].task == expected[v].task);
    CHECK(tree[v].machine == expected[v].machine);
    CHECK(tree[v].g == Approx(expected[v].g / 3));
    CHECK(tree[v].h1 == Approx(expected[v].h1 / 3));
    CHECK(tree[v].h2 == Approx(expected[v].h2 / 3));
    CHECK(tree[v].f == Approx(expected[v].f / 3));
    CHECK(tree[v].expanded == expected[v].expanded);
    CHECK(tree[v].taken == expected[v].taken);
    CHECK_FALSE(tree[v].dropped);
  }
}

TEST_CASE("the list of a tree is the tree that the mapping comes from") {
  std::mt19937_64 rng(37);
  double dropped_in_all = 0;
  for (int round = 0; round < 300; ++round) {
    Case c = make(static_cast<Kind>(round % kKinds), 1 + rng() % 7, 1 + rng() % 4, round % 2 == 0, rng);
    if (round % 3 == 0) add_cores(c, round % 2 == 0, rng);
    const std::map<std::string, Value> given = {{"max_tree_nodes", round % 4 == 0 ? 0.0 : 2.0 + round % 5},
                                                {"max_expansions", 1.0 + round % 7},
                                                {"order", std::string(round % 5 == 0 ? "random" : "longest")},
                                                {"h2", std::string(round % 7 < 3 ? "cores" : "nodes")}};
    const Mapping out = a_star(given, c.problem(), 5);
    const auto mapper = Catalogue().configure("a_star", given)->make_mapper();
    mapper->reseed(Stream(5, "test"));
    const std::vector<TreeVertex> tree = dynamic_cast<GrowsTree&>(*mapper).tree(c.problem());
    INFO("round " << round);
    REQUIRE(static_cast<double>(tree.size()) == count(out, "created"));
    double expanded = 0, dropped = 0, attempts = out.order.empty() ? 1 : 0;
    std::size_t taken = 0;
    for (const TreeVertex& v : tree) {
      expanded += v.expanded > 0 ? 1 : 0;
      dropped += v.dropped ? 1 : 0;
      attempts = std::max(attempts, static_cast<double>(v.attempt));
      if (v.machine == kUnmapped) continue;
      CHECK(v.f == v.g + std::max(v.h1, v.h2));
      if (!v.taken) continue;
      CHECK(out.machine[v.task] == v.machine);
      ++taken;
    }
    CHECK(dropped == count(out, "pruned"));
    CHECK(attempts == count(out, "attempts"));
    CHECK(expanded + (tree.empty() ? 0 : attempts) == count(out, "expanded"));
    if (count(out, "truncated") == 0) CHECK(taken == out.order.size());
    dropped_in_all += dropped;
  }
  CHECK(dropped_in_all > 0);
}

TEST_CASE("a tree without limits finds the optimum") {
  std::mt19937_64 rng(31);
  for (int round = 0; round < 600; ++round) {
    const auto kind = static_cast<Kind>(round % kKinds);
    if (kind == overflowing) continue;  // there a mapping may be impossible to complete
    Case c = make(kind, 1 + rng() % 6, 1 + rng() % 3, rng() % 2 == 0, rng);
    INFO("round " << round);
    std::map<std::string, Value> given = kUnlimited;
    // With cores, the bound of machines does not hold, but that of cores does. The textbook tries all
    // mappings in input order.
    if (round % 3 == 0) {
      add_cores(c, round % 2 == 0, rng);
      given["h2"] = "cores";
    } else if (round % 3 == 1) {
      given["order"] = round % 2 == 0 ? "longest" : "random";
    }
    const Mapping out = a_star(given, c.problem(), static_cast<std::uint64_t>(round));
    const double optimum = textbook::optimum(c.problem());
    // f and the sums of a machine in another order are exact up to rounding.
    CHECK(out.makespan <= optimum * (1 + 1e-12));
    CHECK(out.makespan >= optimum * (1 - 1e-12));
    CHECK(count(out, "truncated") == 0);
  }
}

TEST_CASE("trees with limits grow as the textbook's, through restarts and to the end by mct") {
  std::mt19937_64 rng(32);
  double restarted = 0, truncated = 0, pruned = 0;
  for (int round = 0; round < 700; ++round) {
    const auto kind = static_cast<Kind>(round % kKinds);
    if (kind == overflowing) continue;
    Case c = make(kind, rng() % 9, 1 + rng() % 4, rng() % 2 == 0, rng);
    const bool cores = round % 4 == 0, by_cores = round % 8 == 0;
    if (cores) add_cores(c, round % 3 == 0, rng);
    const std::size_t limit = round % 7 == 0 ? 0 : 2 + rng() % 12, expansions = rng() % 4;
    INFO("round " << round << ", limit " << limit << ", expansions " << expansions);
    const Mapping out = a_star({{"max_tree_nodes", static_cast<double>(limit)},
                                {"max_expansions", static_cast<double>(expansions)},
                                {"h2", std::string(by_cores ? "cores" : "nodes")}},
                               c.problem());
    const textbook::Vector order = textbook::schedulable(c.problem());
    if (order.empty()) {
      CHECK(count(out, "attempts") == 1);
      CHECK(count(out, "created") == 0);
      continue;
    }
    check_same(out, textbook::a_star(c.problem(), order, limit, expansions, by_cores));
    restarted += count(out, "attempts") > 1;
    truncated += count(out, "truncated");
    pruned += count(out, "pruned");
  }
  CHECK(restarted > 20);
  CHECK(truncated > 20);
  CHECK(pruned > 1000);
}

TEST_CASE("A* maps in the order asked for") {
  const EtcMatrix etc{4, 2, {5, 6, 1, 2, 7, 7, kInf, kInf}};
  const auto order = [&](const char* which, std::uint64_t seed = 0) {
    return a_star({{"order", std::string(which)}}, problem_of(etc), seed).order;
  };
  CHECK(order("submission") == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(order("shortest") == std::vector<std::uint32_t>{1, 0, 2});
  CHECK(order("longest") == std::vector<std::uint32_t>{2, 0, 1});
  // SplitMix64 of seed 1 gives 0x910a2dec89025cc1 and 0xbeeb8da1658eec67, that is 0.567 and 0.746: position 2
  // stays where floor(0.567 * 3) = 1 was, position 1 changes with floor(0.746 * 2) = 1, itself.
  CHECK(order("random", 1) == std::vector<std::uint32_t>{0, 2, 1});
  std::set<std::vector<std::uint32_t>> drawn;
  for (std::uint64_t seed = 0; seed < 100; ++seed) drawn.insert(order("random", seed));
  CHECK(drawn.size() == 6);  // all permutations: one is missed by 100 draws with a chance below 1e-7
}

TEST_CASE("a task that no longer ends in finite time is left out by A*") {
  const EtcMatrix etc{3, 1, {1e308, 1e308, 1}};
  const Mapping out = a_star({}, problem_of(etc));
  CHECK(out.machine == std::vector<std::uint32_t>{0, kUnmapped, 0});
  CHECK(out.makespan == 1e308);
}

TEST_CASE("a tree of one node is refused") {
  CHECK_THROWS_WITH((void)Catalogue().configure("a_star", {{"max_tree_nodes", 1.0}}),
                    Catch::Contains("a_star: max_tree_nodes must be 0 or at least 2, got 1"));
  CHECK_THROWS_WITH((void)Catalogue().configure("a_star", {{"max_tree_nodes", -1.0}}),
                    Catch::Contains("a_star: max_tree_nodes must be from 0 to"));
}
