#include "runtime/cost/draft.h"

#include <bit>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "runtime/cost/greedy.h"
#include "runtime/kernel/error.h"
#include "tests/runtime/schedulers/random_matrices.h"
#include "tests/runtime/schedulers/textbook_mappers.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  return true;
}

bool same(const Mapping& a, const Mapping& b) {
  return a.order == b.order && a.machine == b.machine && a.makespan == b.makespan &&
         same(a.completion, b.completion);
}

Case any_case(std::uint64_t round, std::mt19937_64& rng) {
  Case c = make(static_cast<Kind>(round % kKinds), 1 + rng() % 25, 1 + rng() % 9, rng() % 2 == 0, rng);
  if (round % 3 == 0) add_cores(c, rng() % 2 == 0, rng);
  return c;
}

}  // namespace

TEST_CASE("a draft that assigns and undoes at random is the textbook's state after what is left of it") {
  std::mt19937_64 rng(31);
  for (std::uint64_t round = 0; round < 300; ++round) {
    const Case c = any_case(round, rng);
    const MappingProblem problem = c.problem();
    Draft draft(problem);
    std::vector<std::pair<std::size_t, std::uint32_t>> done;  // kUnmapped = left out
    for (int step = 0; step < 60; ++step) {
      const std::size_t task = rng() % problem.tasks;
      const auto machine = static_cast<std::uint32_t>(rng() % problem.machines);
      if (rng() % 3 == 0) {
        REQUIRE(draft.undo() == !done.empty());
        if (!done.empty()) done.pop_back();
      } else if (draft.waits(task) && rng() % 8 == 0) {
        draft.leave_out(task);
        done.emplace_back(task, kUnmapped);
      } else if (draft.waits(task) && draft.fits(task, machine)) {
        draft.assign(task, machine);
        done.emplace_back(task, machine);
      }
      textbook::State state(problem);
      std::vector<std::uint8_t> gone(problem.tasks, 0);
      for (const auto& [each, on] : done) {
        gone[each] = 1;
        if (on != kUnmapped) state.assign(each, on);
      }
      REQUIRE(same(draft.mapping(), state.out));
      for (std::size_t t = 0; t < problem.tasks; ++t) REQUIRE(draft.waits(t) == (gone[t] == 0));
      for (std::size_t m = 0; m < problem.machines; ++m) {
        REQUIRE(draft.times().ready(m) == state.ready(m));
        REQUIRE(draft.times().completion(task, m) == state.ct(task, m));
      }
    }
  }
}

TEST_CASE("the best of each cluster is the smallest completion of its machines, the lowest of equals") {
  std::mt19937_64 rng(32);
  for (std::uint64_t round = 0; round < 200; ++round) {
    const Case c = any_case(round, rng);
    MappingProblem problem = c.problem();
    std::vector<std::uint32_t> cluster(problem.machines);
    std::uint32_t most = 0;
    for (std::uint32_t& each : cluster) most = std::max(most, each = static_cast<std::uint32_t>(rng() % 4));
    if (round % 4 != 0) problem.cluster = cluster;
    const Draft draft(problem);
    CHECK(draft.clusters() == (round % 4 != 0 ? most + 1 : problem.machines));
    for (std::size_t k = 0; k < draft.clusters(); ++k)
      for (std::size_t t = 0; t < problem.tasks; ++t) {
        const Smallest found = draft.best_of_cluster(t, k);
        std::optional<std::size_t> best;
        for (std::size_t m = problem.machines; m-- > 0;)
          if ((round % 4 != 0 ? cluster[m] : m) == k && draft.fits(t, m) &&
              (!best || draft.times().completion(t, m) <= draft.times().completion(t, *best)))
            best = m;
        REQUIRE((found.value < kInf) == best.has_value());
        if (!best) continue;
        REQUIRE(found.at == *best);
        REQUIRE(found.value == draft.times().completion(t, *best));
      }
  }
}

TEST_CASE("the rest of a draft, mapped and joined, goes on where the draft stopped") {
  std::mt19937_64 rng(33);
  for (std::uint64_t round = 0; round < 300; ++round) {
    const Case c = any_case(round, rng);
    const MappingProblem problem = c.problem();
    Draft draft(problem);
    textbook::State state(problem);
    for (std::size_t t = 0; t < problem.tasks; ++t) {
      const auto machine = static_cast<std::uint32_t>(rng() % problem.machines);
      if (rng() % 2 == 0 || !draft.fits(t, machine)) continue;
      draft.assign(t, machine);
      state.assign(t, machine);
    }
    std::vector<std::uint32_t> only;
    for (std::size_t t = 0; t < problem.tasks; ++t)
      if (draft.waits(t) && rng() % 2 == 0) only.push_back(static_cast<std::uint32_t>(t));
    const bool some = round % 2 == 0;
    const Rest rest = some ? Rest(draft, only) : Rest(draft);
    // By hand: each waiting task, in order of position, goes to where it completes first.
    std::vector<std::uint32_t> order;
    for (std::size_t t = 0; t < problem.tasks; ++t) {
      const bool in = draft.waits(t) && (!some || std::ranges::find(only, t) != only.end());
      REQUIRE(rest.has(t) == (draft.untouched() && !some ? true : in));
      if (!in) continue;
      order.push_back(static_cast<std::uint32_t>(t));
      if (const auto machine = state.best(t)) state.assign(t, *machine);
    }
    Mapping mapping;
    map_in_order(rest.problem(), order, mapping);
    REQUIRE(same(rest.join(mapping), state.out));
    // No mapper maps the other tasks.
    greedy_by_key(
        rest.problem(), [](const GreedyView& view, std::size_t task) { return view.best(task); }, false, true,
        mapping);
    for (const std::uint32_t task : mapping.order) REQUIRE(rest.has(task));
  }
}

TEST_CASE("a mapping that is given as a whole is the textbook's, and whatever is wrong with one is said") {
  std::mt19937_64 rng(34);
  for (std::uint64_t round = 0; round < 200; ++round) {
    const Case c = any_case(round, rng);
    const MappingProblem problem = c.problem();
    textbook::State state(problem);
    std::vector<std::uint32_t> machine(problem.tasks, kUnmapped), order(problem.tasks), kept;
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), rng);
    for (const std::uint32_t task : order) {
      const auto on = static_cast<std::uint32_t>(rng() % problem.machines);
      if (!state.feasible(task, on)) continue;
      state.assign(task, on);
      machine[task] = on;
      kept.push_back(task);
    }
    Mapping out;
    map_as(problem, machine, kept, out);
    REQUIRE(same(out, state.out));
  }
  const std::vector<double> etc = {1, 2, 3, kInf, 5, 6};
  const MappingProblem problem{3, 2, etc, {}};
  const auto message = [&](const std::vector<std::uint32_t>& machine,
                           const std::vector<std::uint32_t>& order) {
    Mapping out;
    try {
      map_as(problem, machine, order, out);
    } catch (const Error& error) {
      CHECK(error.diagnostic().code == "bad_mapping");
      return error.diagnostic().message;
    }
    return std::string("none");
  };
  CHECK(message({0, 0, 1}, {2, 0, 1}) == "none");
  CHECK(message({0, kUnmapped, 1}, {2, 0}) == "none");
  CHECK(message({0, 0}, {0, 1}) == "2 machines for 3 tasks");
  CHECK(message({0, 0, 2}, {0, 1, 2}) == "task 3 is on machine 3, but there are 2");
  CHECK(message({0, 1, 1}, {0, 1, 2}) == "task 2 is on machine 2, where it cannot run");
  CHECK(message({0, 0, 1}, {0, 1, 2, 0}) == "task 1 is in the order twice");
  CHECK(message({0, 0, 1}, {0, 1, 3}) == "task 4 is in the order, but there are 3");
  CHECK(message({0, kUnmapped, 1}, {0, 1, 2}) == "task 2 is in the order, but has no machine");
  CHECK(message({0, 0, 1}, {0, 1}) == "task 3 has a machine, but is not in the order");
}
