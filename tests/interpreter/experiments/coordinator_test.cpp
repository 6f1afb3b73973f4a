// The coordinator by itself: who computes cells is played by the test.
#include "interpreter/experiments/coordinator.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "interpreter/bindings/words.h"
#include "runtime/kernel/error.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using namespace perigee::experiments;

namespace {

using Given = std::vector<std::pair<std::uint64_t, CellOutcome>>;
using Standing = CellCoordinator::Standing;

// Factors with so many levels each, which are numbers from 0.
Design design_of(const std::vector<std::size_t>& levels, std::uint64_t replications,
                 const std::string& name = "d") {
  Design design;
  design.name = name;
  design.combinations = {{}};
  for (std::size_t f = 0; f < levels.size(); ++f) {
    Factor factor{"f" + std::to_string(f), {}};
    std::vector<std::vector<std::uint32_t>> longer;
    for (std::uint32_t l = 0; l < levels[f]; ++l) factor.levels.emplace_back(static_cast<double>(l));
    for (const auto& combination : design.combinations)
      for (std::uint32_t l = 0; l < levels[f]; ++l) {
        longer.push_back(combination);
        longer.back().push_back(l);
      }
    design.factors.push_back(std::move(factor));
    design.combinations = std::move(longer);
  }
  design.replications.least = design.replications.most = replications;
  return design;
}

CellOutcome found(double value) {
  static const auto names = std::make_shared<const std::vector<std::string>>(1, "x");
  CellOutcome outcome;
  outcome.names = names;
  outcome.values = {value};
  return outcome;
}

std::exception_ptr an_error(const std::string& message) {
  return std::make_exception_ptr(Error({"bad_value", message, {}, {}}));
}

// A coordinator, whose main interpreter computes nothing by itself.
struct Desk {
  explicit Desk(InterpreterOptions options = {})
      : interpreter(open_words, silent(std::move(options))), coordinator(interpreter) {}

  static InterpreterOptions silent(InterpreterOptions options) {
    options.jobs = 0;
    options.output = options.warnings = [](std::string_view) {};
    return options;
  }

  ExperimentPtr enter(const Design& design) { return coordinator.enter(interpreter, nth++, design); }
  // The answer to the main interpreter when it asks: the message of the error that is the cause; empty when
  // all cells are done.
  std::string end(Experiment& experiment) {
    std::string message;
    try {
      const auto cell = coordinator.take(interpreter, experiment);
      CHECK_FALSE(cell);
    } catch (const Error& error) {
      message = error.diagnostic().message;
    }
    coordinator.leave(experiment);
    return message;
  }
  // Computes all that is waiting, a few at a time.
  std::vector<std::uint64_t> compute_all(Experiment& experiment) {
    std::vector<std::uint64_t> all;
    for (;;) {
      const auto some = coordinator.take_some(experiment, 7);
      if (some.empty()) return all;
      Given outcomes;
      for (const std::uint64_t cell : some) outcomes.emplace_back(cell, found(static_cast<double>(cell)));
      coordinator.give_all(experiment, std::move(outcomes));
      all.insert(all.end(), some.begin(), some.end());
    }
  }

  Interpreter interpreter;
  CellCoordinator coordinator;
  std::size_t nth = 0;
};

InterpreterOptions shard(std::uint64_t index, std::uint64_t count) {
  InterpreterOptions options;
  options.shard = {index, count};
  return options;
}

std::vector<std::uint64_t> cells_of_shard(const Design& design, std::uint64_t index, std::uint64_t count) {
  Desk desk(shard(index, count));
  const ExperimentPtr experiment = desk.enter(design);
  auto cells = desk.compute_all(*experiment);
  CHECK(experiment->over);
  CHECK(experiment->known == cells.size());
  CHECK(experiment->partial == (cells.size() < design.most_cells()));
  CHECK(desk.end(*experiment).empty());
  return cells;
}

}  // namespace

TEST_CASE("cells are dealt out in order, at the most so many, and each once") {
  Desk desk;
  const ExperimentPtr experiment = desk.enter(design_of({3}, 4));
  CHECK(desk.coordinator.experiment(0) == experiment);
  CHECK(desk.coordinator.experiment(1) == nullptr);
  CHECK(desk.coordinator.waiting(*experiment) == 12);
  CHECK(desk.coordinator.take_some(*experiment, 0).empty());
  CHECK(desk.coordinator.take_some(*experiment, 5) == std::vector<std::uint64_t>{1, 2, 3, 4, 5});
  CHECK(desk.coordinator.take_some(*experiment, 1) == std::vector<std::uint64_t>{6});
  CHECK(desk.coordinator.take_some(*experiment, 100) == std::vector<std::uint64_t>{7, 8, 9, 10, 11, 12});
  CHECK(desk.coordinator.take_some(*experiment, 100).empty());
  CHECK(experiment->under_way == 12);
  CHECK(desk.coordinator.standing(*experiment) == Standing::open);
  CHECK_FALSE(desk.coordinator.problem(*experiment));
}

TEST_CASE("an experiment is over once every cell has its outcome, in whatever order they come") {
  Desk desk;
  const ExperimentPtr experiment = desk.enter(design_of({2}, 3));
  desk.coordinator.take_some(*experiment, 6);
  CellOutcome failed;
  failed.error = "no";
  desk.coordinator.give_all(*experiment, {{6, found(6)}, {1, found(1)}, {4, failed}});
  desk.coordinator.put_back(*experiment, 3);
  desk.coordinator.put_back(*experiment, 2);
  CHECK(desk.coordinator.waiting(*experiment) == 2);
  CHECK(experiment->under_way == 1);
  desk.coordinator.give(*experiment, 5, found(5));
  CHECK(desk.coordinator.standing(*experiment) == Standing::open);
  CHECK(desk.coordinator.take_some(*experiment, 9) ==
        std::vector<std::uint64_t>{2, 3});  // last back, first out
  desk.coordinator.give_all(*experiment, {{2, found(2)}, {3, found(3)}});
  CHECK(desk.coordinator.standing(*experiment) == Standing::over);
  CHECK(experiment->under_way == 0);
  CHECK(experiment->failed == 1);
  REQUIRE(experiment->outcomes.size() == 6);
  for (const auto& [cell, outcome] : experiment->outcomes)
    CHECK((cell == 4 ? outcome.failed() : outcome.values == std::vector<double>{static_cast<double>(cell)}));
  CHECK(desk.end(*experiment).empty());
  CHECK(desk.coordinator.failed() == "experiment 'd': 1 of 6 cells failed");
}

TEST_CASE("whatever is taken, lost and given, each cell is counted once") {
  std::mt19937_64 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int round = 0; round < 200; ++round) {
    Desk desk;
    const std::size_t levels = 1 + below(5);
    const std::uint64_t replications = 1 + below(20);
    const ExperimentPtr experiment = desk.enter(design_of({levels}, replications));
    std::vector<std::vector<std::uint64_t>> hands(1 + below(4));
    std::map<std::uint64_t, int> given;
    while (!experiment->over) {
      auto& hand = hands[below(hands.size())];
      switch (below(4)) {
        case 0:
        case 1: {
          const auto some = desk.coordinator.take_some(*experiment, 1 + below(9));
          hand.insert(hand.end(), some.begin(), some.end());
          break;
        }
        case 2: {  // answers of a part
          Given some;
          for (std::size_t left = below(hand.size() + 1); left > 0; --left) {
            ++given[hand.front()];
            some.emplace_back(hand.front(), found(1));
            hand.erase(hand.begin());
          }
          desk.coordinator.give_all(*experiment, std::move(some));
          break;
        }
        default:  // a worker is lost
          for (; !hand.empty(); hand.pop_back()) desk.coordinator.put_back(*experiment, hand.back());
      }
      std::size_t under_way = 0;
      for (const auto& each : hands) under_way += each.size();
      REQUIRE(experiment->under_way == under_way);
      REQUIRE(experiment->outcomes.size() + experiment->waiting.size() + under_way == levels * replications);
    }
    CHECK(given.size() == levels * replications);
    CHECK(std::ranges::all_of(given, [](const auto& each) { return each.second == 1; }));
    CHECK(desk.end(*experiment).empty());
  }
}

TEST_CASE("cells of a next round come when the last one is whole") {
  Desk desk;
  Design design = design_of({2}, 2);
  // The half-width of 0 and 1 is 12.706 * 0.7071 / 1.4142 = 6.353 (t tables): too wide for the first
  // combination, which gets as many replications again. The second has no deviation.
  design.replications = {2, 4, 1.0, false, "x", 0.95};
  const ExperimentPtr experiment = desk.enter(design);
  CHECK(desk.coordinator.take_some(*experiment, 9) == std::vector<std::uint64_t>{1, 2, 3, 4});
  desk.coordinator.give_all(*experiment, {{1, found(0)}, {2, found(5)}, {3, found(1)}});
  CHECK(desk.coordinator.waiting(*experiment) == 0);
  desk.coordinator.give(*experiment, 4, found(5));
  CHECK(desk.coordinator.standing(*experiment) == Standing::open);
  CHECK(desk.coordinator.take_some(*experiment, 9) == std::vector<std::uint64_t>{5, 7});
  CHECK(experiment->known == 6);
  desk.coordinator.give_all(*experiment, {{7, found(1)}, {5, found(0)}});
  CHECK(desk.coordinator.standing(*experiment) == Standing::over);
  CHECK(desk.end(*experiment).empty());
}

TEST_CASE("the error of the lowest cell ends an experiment, once the cells below it are done") {
  Desk desk;
  const ExperimentPtr experiment = desk.enter(design_of({10}, 1));
  auto& coordinator = desk.coordinator;
  coordinator.take_some(*experiment, 6);
  coordinator.stop_by(*experiment, 4, an_error("of cell 4"));
  CHECK(coordinator.waiting(*experiment) == 0);  // none of those behind is wanted any more
  REQUIRE(coordinator.problem(*experiment));
  CHECK(coordinator.problem(*experiment)->message == "of cell 4");
  coordinator.stop_by(*experiment, 6, an_error("of cell 6"));
  CHECK(coordinator.problem(*experiment)->message == "of cell 4");
  coordinator.give(*experiment, 1, found(1));
  coordinator.put_back(*experiment, 5);  // its worker is lost, and it is not wanted
  CHECK(coordinator.waiting(*experiment) == 0);
  coordinator.put_back(*experiment, 2);
  CHECK(coordinator.take_some(*experiment, 9) == std::vector<std::uint64_t>{2});
  coordinator.stop_by(*experiment, 2, an_error("of cell 2"));
  CHECK(coordinator.standing(*experiment) == Standing::open);
  coordinator.give(*experiment, 3, found(3));
  CHECK(desk.end(*experiment) == "of cell 2");
  CHECK(coordinator.standing(*experiment) == Standing::left);
  CHECK(coordinator.problem(*experiment)->message == "of cell 2");
}

TEST_CASE("an experiment with an error is as if one interpreter had computed it, however workers are lost") {
  std::mt19937_64 random(11);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int round = 0; round < 300; ++round) {
    Desk desk;
    auto& coordinator = desk.coordinator;
    const std::size_t cells = 2 + below(30);
    const ExperimentPtr experiment = desk.enter(design_of({cells}, 1));
    std::set<std::uint64_t> wrong;
    for (std::size_t left = 1 + below(4); left > 0; --left) wrong.insert(1 + below(cells));
    std::vector<std::vector<std::uint64_t>> hands(1 + below(4));
    const auto done = [&] {
      return experiment->problem && experiment->under_way == 0 && experiment->waiting.empty();
    };
    while (!done()) {
      REQUIRE_FALSE(experiment->over);
      auto& hand = hands[below(hands.size())];
      if (below(2) == 0) {
        const auto some = coordinator.take_some(*experiment, 1 + below(5));
        hand.insert(hand.end(), some.begin(), some.end());
      } else if (below(3) == 0) {
        for (; !hand.empty(); hand.pop_back()) coordinator.put_back(*experiment, hand.back());
      } else if (!hand.empty()) {
        const std::uint64_t cell = hand.front();
        hand.erase(hand.begin());
        if (wrong.contains(cell))
          coordinator.stop_by(*experiment, cell, an_error(std::to_string(cell)));
        else
          coordinator.give(*experiment, cell, found(1));
      }
    }
    CHECK(desk.end(*experiment) == std::to_string(*wrong.begin()));
    for (std::uint64_t cell = 1; cell < *wrong.begin(); ++cell) CHECK(experiment->outcomes.contains(cell));
  }
}

TEST_CASE("where nobody is left who could compute, every experiment that is open ends with that") {
  Desk desk;
  const Error nobody({"no_workers", "no worker is left", {}, {}});
  const ExperimentPtr first = desk.enter(design_of({2}, 1, "first"));
  desk.compute_all(*first);
  CHECK(desk.end(*first).empty());
  const ExperimentPtr second = desk.enter(design_of({4}, 1, "second"));
  CHECK(desk.coordinator.more_after(0));
  CHECK_FALSE(desk.coordinator.more_after(1));
  desk.coordinator.take_some(*second, 1);
  desk.coordinator.give(*second, 1, found(1));
  desk.coordinator.give_up(nobody);
  desk.coordinator.give_up(nobody);
  CHECK(desk.end(*second) == "no worker is left");
  CHECK(desk.coordinator.standing(*first) == Standing::over);
  CHECK_FALSE(desk.coordinator.problem(*first));
  CHECK_FALSE(desk.coordinator.more_after(0));  // it has been left
}

TEST_CASE("a measure that decides and that no cell has is an error after the last cell") {
  Desk desk;
  Design design = design_of({2}, 2);
  design.replications = {2, 4, 1.0, false, "y", 0.95};
  const ExperimentPtr experiment = desk.enter(design);
  desk.compute_all(*experiment);
  CHECK_THAT(desk.end(*experiment), Catch::Matchers::Contains("no cell has the measure 'y'"));
}

TEST_CASE("what is told to the main interpreter is told once, and why a worker was lost too") {
  InterpreterOptions options;
  Desk desk(options);
  CHECK(desk.coordinator.lost_worker().empty());
  desk.coordinator.lose("it was another script");
  CHECK(desk.coordinator.lost_worker() == "it was another script");
  CHECK(desk.coordinator.lost_worker().empty());
}

// ---- shards

TEST_CASE("shards have each cell once, and as many cells to one") {
  for (const std::size_t cells : {1u, 2u, 5u, 7u, 12u, 36u, 37u})
    for (const std::uint64_t replications : {1u, 3u})
      for (const std::uint64_t count : {1u, 2u, 3u, 6u, 7u, 12u, 40u}) {
        CAPTURE(cells, replications, count);
        const Design design = design_of({cells}, replications);
        std::vector<std::uint64_t> all;
        std::size_t least = design.most_cells(), most = 0;
        for (std::uint64_t index = 1; index <= count; ++index) {
          const auto part = cells_of_shard(design, index, count);
          CHECK(std::ranges::is_sorted(part));
          all.insert(all.end(), part.begin(), part.end());
          least = std::min(least, part.size());
          most = std::max(most, part.size());
        }
        std::ranges::sort(all);
        REQUIRE(all.size() == design.most_cells());
        for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == i + 1);
        CHECK(most - least <= 1);
      }
}

TEST_CASE("a shard has cells of every level, where their number is a multiple of that of shards") {
  struct Case {
    std::vector<std::size_t> levels;
    std::uint64_t replications, count;
  };
  for (const Case& each : {Case{{4}, 4, 4}, Case{{4, 4}, 1, 4}, Case{{2, 4}, 4, 4}, Case{{4, 2}, 2, 2},
                           Case{{3, 3, 3}, 1, 3}, Case{{5, 10}, 1, 5}, Case{{10, 5}, 2, 10}}) {
    CAPTURE(each.levels, each.replications, each.count);
    const Design design = design_of(each.levels, each.replications);
    for (std::uint64_t index = 1; index <= each.count; ++index) {
      std::vector<std::set<std::uint32_t>> seen(each.levels.size());
      for (const std::uint64_t cell : cells_of_shard(design, index, each.count))
        for (std::size_t f = 0; f < seen.size(); ++f)
          seen[f].insert(design.combinations[design.combination_of(cell)][f]);
      for (std::size_t f = 0; f < seen.size(); ++f) CHECK(seen[f].size() == each.levels[f]);
    }
  }
}

TEST_CASE("a shard takes the first round of an experiment that has several") {
  Design design = design_of({2}, 2);
  design.replications = {2, 10, 1.0, false, "x", 0.95};
  Desk desk(shard(1, 2));
  const ExperimentPtr experiment = desk.enter(design);
  CHECK(experiment->partial);
  desk.coordinator.take_some(*experiment, 9);
  CHECK(experiment->under_way == 2);
  desk.coordinator.give_all(*experiment, {{1, found(0)}, {4, found(100)}});
  CHECK(experiment->over);
  CHECK(desk.end(*experiment).empty());
}

TEST_CASE("a shard without a cell is over at once, and one that has all lacks nothing") {
  Desk none(shard(3, 3));
  const ExperimentPtr empty = none.enter(design_of({2}, 1));
  CHECK(empty->partial);
  CHECK(empty->over);
  CHECK(empty->outcomes.empty());
  CHECK(none.end(*empty).empty());
  Desk whole(shard(1, 3));
  const ExperimentPtr one = whole.enter(design_of({1}, 1));
  CHECK_FALSE(one->partial);
  whole.compute_all(*one);
  CHECK(whole.end(*one).empty());
}
