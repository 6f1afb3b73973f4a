// Mappers made of mappers: best_of, then_improve and switch; and local_search, which improves.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/cost/etc.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/runtime/schedulers/random_matrices.h"
#include "tests/runtime/schedulers/textbook_searches.h"
#include "tests/support/layers.h"
#include "tests/support/small_search.h"

using namespace perigee;
using namespace perigee::test;

namespace {

Mapping mapped(const std::string& name, const std::map<std::string, Value>& given,
               const MappingProblem& problem, std::uint64_t seed = 1) {
  Mapping out;
  const auto mapper = Catalogue().configure(name, given)->make_mapper();
  mapper->reseed(Stream(seed, "test"));
  mapper->map(problem, out);
  return out;
}

bool same_answer(const Mapping& a, const Mapping& b) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  return a.machine == b.machine && a.order == b.order && bits(a.makespan) == bits(b.makespan) &&
         std::ranges::equal(a.completion, b.completion, {}, bits, bits);
}

double combinators_count(const Mapping& mapping, std::string_view name) {
  for (const auto& [each, value] : mapping.search.counts)
    if (each == name) return value;
  return -1;
}

Case combinators_random_case(int round, std::mt19937_64& rng, std::size_t most_tasks = 25) {
  const bool related = rng() % 2 == 0;
  const std::size_t machines = 1 + rng() % 5, tasks = rng() % most_tasks;
  Case c = make(static_cast<Kind>(round % kKinds), tasks, machines, related, rng);
  if (round % 4 == 0) add_cores(c, round % 3 == 0, rng);
  return c;
}

// A rule for these tests.
class CombinatorsSays final : public Rule {
 public:
  explicit CombinatorsSays(std::function<Answer(const MappingProblem&)> answer)
      : answer_(std::move(answer)) {}
  std::unique_ptr<Rule> clone() const override { return std::make_unique<CombinatorsSays>(*this); }
  std::string text() const override { return "says"; }
  Answer ask(const MappingProblem& problem) override { return answer_(problem); }

 private:
  std::function<Answer(const MappingProblem&)> answer_;
};
RulePtr combinators_says(Rule::Answer answer) {
  return std::make_shared<const CombinatorsSays>([answer](const MappingProblem&) { return answer; });
}

}  // namespace

TEST_CASE("duplex is the best of min_min and max_min, in every bit") {
  std::mt19937_64 rng(61);
  double max_min = 0;
  for (int round = 0; round < 500; ++round) {
    const Case c = combinators_random_case(round, rng);
    INFO("round " << round);
    for (const char* form : {"classic", "sorted"}) {
      const Catalogue catalogue;
      const Parts both{catalogue.configure("min_min", {{"form", form}}),
                       catalogue.configure("max_min", {{"form", form}})};
      const Mapping duplex = mapped("duplex", {{"form", form}}, c.problem());
      const Mapping best = mapped("best_of", {{"maps", both}}, c.problem());
      CHECK(same_answer(duplex, best));
      CHECK(combinators_count(best, "taken") == combinators_count(duplex, "max_min_taken") + 1);
      max_min += combinators_count(duplex, "max_min_taken");
    }
  }
  CHECK(max_min > 50);
}

TEST_CASE("best_of takes the least makespan, of equal ones the first") {
  std::mt19937_64 rng(62);
  const Parts several{"mct", "met", "sufferage", "olb", "min_min"};
  for (int round = 0; round < 300; ++round) {
    const Case c = combinators_random_case(round, rng);
    INFO("round " << round);
    const Mapping best = mapped("best_of", {{"maps", several}}, c.problem());
    std::size_t first = 0;
    std::vector<Mapping> each;
    for (const Part& part : several) {
      each.push_back(mapped(std::get<std::string>(part), {}, c.problem()));
      if (each.back().makespan < each[first].makespan) first = each.size() - 1;
    }
    CHECK(same_answer(best, each[first]));
    CHECK(combinators_count(best, "taken") == static_cast<double>(first + 1));
  }
  const EtcMatrix etc{2, 2, {1, 1, 1, 1}};
  CHECK(combinators_count(mapped("best_of", {{"maps", Parts{"max_min", "min_min"}}}, problem_of(etc)),
                          "taken") == 1);
}

TEST_CASE("each part draws numbers of its own") {
  std::mt19937_64 rng(63);
  const Case c = make(random_times, 30, 5, false, rng);
  const double once = mapped("best_of", {{"maps", Parts{"random"}}}, c.problem()).makespan;
  const double often = mapped("best_of", {{"maps", Parts(40, "random")}}, c.problem()).makespan;
  CHECK(often < once);  // equal if all drew the same
  CHECK(mapped("best_of", {{"maps", Parts(40, "random")}}, c.problem(), 2).makespan != often);
}

TEST_CASE("local search equals the textbook's") {
  std::mt19937_64 rng(64);
  double steps = 0, swaps = 0;
  for (int round = 0; round < 600; ++round) {
    if (round % kKinds == overflowing) continue;
    const Case c = combinators_random_case(round, rng, round % 10 == 0 ? 60 : 25);
    if (textbook::schedulable(c.problem()).empty()) continue;
    INFO("round " << round);
    textbook::LocalOptions options;
    options.moves = round % 3 != 1;
    options.swaps = round % 3 != 2;
    options.first = round % 2 == 0;
    options.steps = round % 5 == 0 ? 2 : 10000;
    const char* moves = !options.swaps ? "move" : !options.moves ? "swap" : "both";
    const Mapping fast = mapped("local_search",
                                {{"moves", moves},
                                 {"take", options.first ? "first" : "best"},
                                 {"steps", static_cast<double>(options.steps)}},
                                c.problem());
    const textbook::Found slow =
        textbook::local_search(c.problem(), textbook::min_min(c.problem()).machine, options);
    CHECK(fast.machine == slow.machine);
    CHECK(fast.search.curve == slow.curve);
    CHECK(fast.search.counts == slow.counts);
    steps += combinators_count(fast, "moves") + combinators_count(fast, "swaps");
    swaps += combinators_count(fast, "swaps");
  }
  CHECK(steps > 400);
  CHECK(swaps > 100);
}

TEST_CASE("local search, by hand") {
  // Tasks of 8, 7, 6, 5 and 4 on two machines of one speed. Min-min takes the shortest first, each to the
  // machine that is free first: 4, 6 and 8 = 18 on the first, 5 and 7 = 12 on the second. Among 4, 6 and 8
  // of the first, only a move of the 4 has both end before 18: at 14 and 16; the swaps: 8 with 5 or 7: 15 and
  // 15, 17 and 13; 6 with 5: 17 and 13; the best is 8 with 5, which is the bound, half of 30.
  const EtcMatrix etc{5, 2, {8, 8, 7, 7, 6, 6, 5, 5, 4, 4}};
  const Mapping min_min = mapped("min_min", {}, problem_of(etc));
  CHECK(min_min.makespan == 18);
  const Mapping best = mapped("local_search", {}, problem_of(etc));
  CHECK(best.machine == std::vector<std::uint32_t>{1, 1, 0, 0, 0});
  CHECK(best.search.curve == std::vector<double>{18, 15});
  CHECK(combinators_count(best, "swaps") == 1);
  // The first that helps: the 8 may not move (12 + 8 = 20) and changes places with the 7: 17 and 13. Then the
  // 7, 6 and 4 are there: the 7 may neither move (20) nor go for the 8 (18), but for the 5: 15 and 15.
  const Mapping first = mapped("local_search", {{"take", "first"}}, problem_of(etc));
  CHECK(first.search.curve == std::vector<double>{18, 17, 15});
  // By moves alone: the 4 to the second machine, 14 and 16; from there nothing helps.
  const Mapping moves = mapped("local_search", {{"moves", "move"}}, problem_of(etc));
  CHECK(moves.search.curve == std::vector<double>{18, 16});
  CHECK(mapped("local_search", {{"steps", 0.0}}, problem_of(etc)).makespan == 18);
}

TEST_CASE("what improves is never worse than what it is given") {
  const Catalogue catalogue;
  std::mt19937_64 rng(65);
  std::map<std::string, int> better;
  for (int round = 0; round < 400; ++round) {
    const Case c = combinators_random_case(round, rng);
    for (const auto& entry : catalogue.entries()) {
      if (!entry->improves) continue;
      const ConfigPtr with = catalogue.configure(entry->name, small_search(*entry));
      for (const char* map : {"max_min", "random", "olb"}) {
        INFO("round " << round << " " << map << " then " << with->text());
        Mapping start, out;
        const auto first = catalogue.configure(map)->make_mapper();
        first->reseed(Stream(7, "test").sub(0));  // the stream of a first part
        first->map(c.problem(), start);
        const auto both = catalogue.configure("then_improve", {{"map", map}, {"with", with}})->make_mapper();
        both->reseed(Stream(7, "test"));
        both->map(c.problem(), out);
        CHECK(out.makespan <= start.makespan);
        if (out.makespan == start.makespan) CHECK(same_answer(out, start));  // the start is kept
        REQUIRE(!out.search.curve.empty());
        if (out.search.curve.size() > 1) CHECK(out.search.curve.front() == start.makespan);
        CHECK(std::ranges::is_sorted(out.search.curve, std::ranges::greater()));
        CHECK(out.search.curve.back() == out.makespan);
        better[entry->name] += out.makespan < start.makespan;
      }
    }
  }
  CHECK(better.size() == 5);
  for (const auto& [name, times] : better) {
    INFO(name);
    CHECK(times > 200);
  }
}

TEST_CASE("then_improve with local search and min_min is local search alone") {
  std::mt19937_64 rng(66);
  for (int round = 0; round < 200; ++round) {
    const Case c = make(small_integers, 1 + rng() % 30, 1 + rng() % 5, true, rng);  // exact sums
    INFO("round " << round);
    const Mapping alone = mapped("local_search", {}, c.problem());
    const Mapping both = mapped("then_improve", {}, c.problem());
    CHECK(both.makespan == alone.makespan);
    CHECK(both.search.curve == alone.search.curve);
  }
}

TEST_CASE("switch asks its rule for each problem") {
  std::mt19937_64 rng(67);
  const Parts three{"mct", "met", "sufferage"};
  const Case c = make(random_times, 20, 4, true, rng);
  const auto taken = [&](const Parts& maps, Rule::Answer answer) {
    return mapped("switch", {{"maps", maps}, {"when", combinators_says(std::move(answer))}}, c.problem());
  };
  for (std::size_t i = 0; i < three.size(); ++i) {
    const std::string name = std::get<std::string>(three[i]);
    const Mapping alone = mapped(name, {}, c.problem());
    CHECK(same_answer(taken(three, static_cast<double>(i + 1)), alone));
    CHECK(same_answer(taken(three, name), alone));
    CHECK(combinators_count(taken(three, name), "taken") == static_cast<double>(i + 1));
  }
  CHECK(combinators_count(taken({"mct", "met"}, true), "taken") == 1);
  CHECK(combinators_count(taken({"mct", "met"}, false), "taken") == 2);
  using Catch::Matchers::Message;
  CHECK_THROWS_MATCHES(taken(three, true), Error,
                       Message("switch: says said true, which chooses between two mappers; there are 3"));
  CHECK_THROWS_MATCHES(taken(three, 4.0), Error, Message("switch: says said 4; there are mappers 1 to 3"));
  CHECK_THROWS_MATCHES(taken(three, 1.5), Error, Message("switch: says said 1.5; there are mappers 1 to 3"));
  CHECK_THROWS_MATCHES(taken(three, "suferage"), Error,
                       Message("switch: says said 'suferage', which is none of its mappers; did you mean "
                               "'sufferage'?"));
  CHECK_THROWS_MATCHES(taken({"mct", "mct"}, "mct"), Error,
                       Message("switch: says said 'mct', the name of two of its mappers; give the number"));
  // By default min_min maps more tasks than there are machines, sufferage the others.
  CHECK(same_answer(mapped("switch", {}, c.problem()), mapped("min_min", {}, c.problem())));
  const Case few = make(random_times, 4, 4, true, rng);
  CHECK(same_answer(mapped("switch", {}, few.problem()), mapped("sufferage", {}, few.problem())));
}

TEST_CASE("features of a problem") {
  const std::vector<double> etc = {1, 3, kInf, 2, 4, 4, 5, kInf, kInf};
  const MappingProblem problem{3, 3, etc, {}};
  // Rows: {1, 3} has mean 2 and deviation 1; {2, 4, 4} mean 10 / 3 and deviation sqrt(8 / 9); {5} none.
  CHECK(machine_heterogeneity(problem) == Approx((0.5 + std::sqrt(8.0) / 10 + 0) / 3));
  // Columns: {1, 2, 5}: mean 8 / 3, squares (25 + 4 + 49) / 9; {3, 4}: mean 3.5, deviation 0.5; {4}: none.
  CHECK(task_heterogeneity(problem) == Approx((std::sqrt(78.0 / 27) / (8.0 / 3) + 1.0 / 7 + 0) / 3));
  CHECK(machine_heterogeneity({}) == 0);
  const std::vector<double> equal(6, 4.0), ready = {2, 8, 5};
  CHECK(task_heterogeneity({2, 3, equal, ready}) == 0);
  CHECK(load_balance(MachineTimes({2, 3, equal, ready})) == 0.25);
  CHECK(load_balance(MachineTimes({2, 3, equal, {}})) == 0);
}
