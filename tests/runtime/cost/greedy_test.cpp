#include "runtime/cost/greedy.h"
#include "runtime/kernel/constants.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/runtime/schedulers/textbook_mappers.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

bool greedy_same(const Mapping& a, const Mapping& b) {
  if (a.order != b.order || a.machine != b.machine || a.makespan != b.makespan) return false;
  for (std::size_t i = 0; i < a.completion.size(); ++i)
    if (std::bit_cast<std::uint64_t>(a.completion[i]) != std::bit_cast<std::uint64_t>(b.completion[i]))
      return false;
  return true;
}

std::vector<double> times(std::size_t tasks, std::size_t machines, int round, std::mt19937_64& rng) {
  std::vector<double> out(tasks * machines);
  for (double& x : out) {
    x = round % 3 == 0 ? static_cast<double>(rng() % 4) : static_cast<double>(rng() >> 11) * 0x1p-50;
    if (round % 4 == 0 && rng() % 3 == 0) x = kInfinity;
  }
  return out;
}

double best(const GreedyView& view, std::size_t task) { return view.best(task); }

}  // namespace

TEST_CASE("heuristics as keys equal the textbook, pure or not") {
  std::mt19937_64 rng(9);
  Mapping out;
  for (int round = 0; round < 400; ++round) {
    const std::size_t tasks = rng() % 30, machines = rng() % 9;
    const std::vector<double> etc = times(tasks, machines, round, rng);
    const MappingProblem problem{tasks, machines, etc, {}};
    for (const bool pure : {true, false}) {
      greedy_by_key(problem, best, false, pure, out);
      REQUIRE(greedy_same(out, textbook::min_min(problem)));
      greedy_by_key(problem, best, true, pure, out);
      REQUIRE(greedy_same(out, textbook::max_min(problem)));
      greedy_by_key(
          problem, [](const GreedyView& v, std::size_t t) { return v.second(t) - v.best(t); }, true, pure,
          out);
      REQUIRE(greedy_same(out, textbook::sufferage(problem)));
    }
  }
}

TEST_CASE("a view tells the truth about every waiting task whenever it is asked") {
  std::mt19937_64 rng(10);
  for (int round = 0; round < 200; ++round) {
    const std::size_t tasks = 1 + rng() % 40, machines = 1 + rng() % 90;
    const std::vector<double> etc = times(tasks, machines, round, rng);
    const MappingProblem problem{tasks, machines, etc, {}};
    textbook::State state(problem);
    bool truthful = true;
    Mapping out;
    greedy_by_key(
        problem, [&](const GreedyView& view, std::size_t) { return static_cast<double>(view.tasks()); },
        false, false, out,
        [&](const GreedyView& view, std::size_t chosen) {
          for (std::size_t j = 0; j < tasks; ++j) {
            const bool waits = state.waiting[j] && state.best(j);
            truthful &= view.unmapped(j) == waits;
            if (!waits) continue;
            const std::size_t m = *state.best(j);
            truthful &= view.best_machine(j) == m && view.best(j) == state.ct(j, m) &&
                        view.time(j) == problem.time(j, m) &&
                        view.second(j) - view.best(j) == state.sufferage(j);
          }
          for (std::size_t m = 0; m < machines; ++m) truthful &= view.ready(m) == state.ready(m);
          // Any feasible machine, not only the best.
          std::size_t machine = rng() % machines;
          while (!state.feasible(chosen, machine)) machine = (machine + 1) % machines;
          state.assign(chosen, machine);
          return machine;
        });
    REQUIRE(truthful);
    REQUIRE(greedy_same(out, state.out));
  }
}

TEST_CASE("pure keys are asked again only for touched tasks") {
  std::mt19937_64 rng(12);
  const std::vector<double> etc = times(200, 40, 1, rng);
  const MappingProblem problem{200, 40, etc, {}};
  Mapping out;
  std::size_t pure = 0, all = 0;
  greedy_by_key(
      problem, [&](const GreedyView& v, std::size_t t) { return ++pure, v.best(t); }, true, true, out);
  greedy_by_key(
      problem, [&](const GreedyView& v, std::size_t t) { return ++all, v.best(t); }, true, false, out);
  CHECK(all == 200 * 201 / 2);
  CHECK(pure < all / 5);
}

TEST_CASE("infinite keys are keys like others, and ties go to the first task") {
  const std::vector<double> etc = {1, 1, 1};
  const MappingProblem problem{3, 1, etc, {}};
  Mapping out;
  for (const bool largest : {true, false})
    for (const double value : {kInfinity, -kInfinity, 0.0}) {
      greedy_by_key(
          problem, [value](const GreedyView&, std::size_t) { return value; }, largest, true, out);
      CHECK(out.order == std::vector<std::uint32_t>{0, 1, 2});
    }
  const double keys[] = {-kInfinity, kInfinity, 5};
  greedy_by_key(
      problem, [&](const GreedyView&, std::size_t t) { return keys[t]; }, true, true, out);
  CHECK(out.order == std::vector<std::uint32_t>{1, 2, 0});
  greedy_by_key(
      problem, [&](const GreedyView&, std::size_t t) { return keys[t]; }, false, true, out);
  CHECK(out.order == std::vector<std::uint32_t>{0, 2, 1});
}

TEST_CASE("second is infinite with one feasible machine") {
  const std::vector<double> etc = {3, kInfinity, 1, 2};
  const MappingProblem problem{2, 2, etc, {}};
  GreedyView view(problem, GreedyView::Keep::best_and_second);
  CHECK(view.second(0) == kInfinity);
  CHECK(view.second(1) == 2);
  CHECK(view.time(0) == 3);
}

TEST_CASE("a key that says it is pure and is not is noticed") {
  // Task 2 is best on machine 1 and second-best on machine 2, whatever happens to machine 3, where task 1
  // goes.
  const std::vector<double> etc = {9, 9, 1, 2, 3, 9};
  const MappingProblem problem{2, 3, etc, {}};
  const GreedyKey lies = [](const GreedyView& view, std::size_t task) {
    return (task == 0 ? 10.0 : 0.0) + view.ready(2);
  };
  Mapping out;
  greedy_by_key(problem, lies, true, false, out);
  CHECK(out.order == std::vector<std::uint32_t>{0, 1});
  std::string message;
  try {
    greedy_by_key(problem, lies, true, true, out);
  } catch (const Error& error) {
    message = error.diagnostic().code + ": " + error.diagnostic().message;
  }
  CHECK(message ==
        "not_pure: the key of task 2 was 0 and is 1 now, although neither its best nor its second completion "
        "has changed: it is not pure");
}

TEST_CASE("bad keys and places are errors that name the task") {
  const std::vector<double> etc = {1, 2, 1, kInfinity};
  const MappingProblem problem{2, 2, etc, {}};
  Mapping out;
  const auto code = [&](auto key, auto place) -> std::string {
    try {
      greedy_by_key(problem, key, true, true, out, place);
    } catch (const Error& error) {
      CHECK_THAT(error.diagnostic().message, Contains("task 2"));
      return error.diagnostic().code;
    }
    return "none";
  };
  const auto one_first = [](const GreedyView&, std::size_t t) { return static_cast<double>(t); };
  CHECK(code([](const GreedyView&, std::size_t t) { return t == 1 ? std::nan("") : 0.0; }, GreedyPlace{}) ==
        "bad_key");
  CHECK(code(one_first, [](const GreedyView&, std::size_t) -> std::size_t { return 2; }) == "bad_place");
  CHECK(code(one_first, [](const GreedyView&, std::size_t) -> std::size_t { return 1; }) == "bad_place");
  CHECK(code(one_first, [](const GreedyView&, std::size_t) -> std::size_t { return 0; }) == "none");
}
