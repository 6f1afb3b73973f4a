// The optimum: against every mapping tried, and how far other mappers are from it, by bounds that are known and by all
// small matrices.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cost/etc.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/runtime/schedulers/random_matrices.h"
#include "tests/runtime/schedulers/textbook_mappers.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

Mapping mapping_by(const std::string& name, const MappingProblem& problem,
                   const std::map<std::string, Value>& given = {}) {
  static const Catalogue catalogue;
  Mapping out;
  catalogue.configure(name, given)->make_mapper()->map(problem, out);
  return out;
}
double makespan_by(const std::string& name, const EtcMatrix& etc) {
  return mapping_by(name, problem_of(etc)).makespan;
}

// The least makespan of all mappings and all orders of choice: each task that is left may be the next.
double least_of_all_orders(const MappingProblem& problem, const textbook::State& state) {
  double best = kInf;
  bool any = false;
  for (std::size_t task = 0; task < problem.tasks; ++task) {
    if (!state.waiting[task]) continue;
    for (std::size_t m = 0; m < problem.machines; ++m) {
      if (!state.feasible(task, m)) continue;
      any = true;
      textbook::State next = state;
      next.assign(task, m);
      best = std::min(best, least_of_all_orders(problem, next));
    }
  }
  return any ? best : state.out.makespan;
}

// The numbers of a mapping are those that its order gives, and it has each task that can run.
void check_answer(const MappingProblem& problem, const Mapping& mapping) {
  textbook::State state(problem);
  std::size_t can_run = 0;
  for (std::size_t task = 0; task < problem.tasks; ++task) can_run += state.best(task) ? 1 : 0;
  REQUIRE(mapping.order.size() == can_run);
  for (const std::uint32_t task : mapping.order) {
    CHECK(mapping.completion[task] == state.end(task, mapping.machine[task]));
    state.assign(task, mapping.machine[task]);
  }
  CHECK(std::max(mapping.makespan, problem.now) == std::max(state.out.makespan, problem.now));
  CHECK(mapping.search.curve.back() == mapping.makespan);
}

EtcMatrix equal_for_all(const std::vector<double>& times, std::size_t machines) {
  EtcMatrix etc{times.size(), machines, {}};
  for (const double time : times) etc.values.insert(etc.values.end(), machines, time);
  return etc;
}

}  // namespace

TEST_CASE("optimal is the least of all mappings") {
  std::mt19937_64 rng(53);
  int fewer = 0;
  for (int round = 0; round < 1500; ++round) {
    const auto kind = static_cast<Kind>(round % kKinds);
    if (kind == overflowing) continue;  // there a task may be left out
    const Case c = make(kind, 1 + rng() % 6, 1 + rng() % 4, round % 2 == 0, rng);
    const MappingProblem problem = c.problem();
    INFO("round " << round);
    const Mapping mapping = mapping_by("optimal", problem);
    check_answer(problem, mapping);
    CHECK(mapping.makespan == Approx(textbook::optimum(problem)).epsilon(2e-12).margin(0));
    fewer += mapping.makespan < mapping_by("duplex", problem).makespan ? 1 : 0;
  }
  CHECK(fewer > 50);
}

TEST_CASE("optimal leaves nothing out where ends are beyond all numbers for most mappings") {
  // Two tasks that fit on no machine together.
  const EtcMatrix etc{3, 2, {1e308, 1e308, 1e308, 1e308, 1, 2}};
  CHECK(makespan_by("optimal", etc) == 1e308);
  // Three of them on two machines: there is no mapping, and what can be mapped is.
  const Mapping most = mapping_by("optimal", problem_of(equal_for_all({1e308, 1e308, 1e308}, 2)));
  CHECK(most.order.size() == 2);
  CHECK(most.machine[2] == kUnmapped);
}

TEST_CASE("optimal is the least of all mappings in all orders on machines with cores") {
  std::mt19937_64 rng(59);
  int needs_order = 0;
  for (int round = 0; round < 400; ++round) {
    const auto kind = static_cast<Kind>(round % kKinds);
    if (kind == overflowing) continue;
    Case c = make(kind, 1 + rng() % 4, 1 + rng() % 3, false, rng);
    add_cores(c, round % 2 == 0, rng);
    if (round % 4 == 0) std::ranges::fill(c.width, 1);
    if (round % 8 == 0) c.width.clear();
    MappingProblem problem = c.problem();
    if (round % 3 == 0) problem.now = static_cast<double>(rng() % 5);
    INFO("round " << round);
    const Mapping mapping = mapping_by("optimal", problem);
    // The textbook has no `now`: a core is free no earlier.
    std::vector<double> ready(c.ready);
    for (double& each : ready) each = std::max(each, problem.now);
    MappingProblem from_now = problem;
    from_now.ready = ready;
    check_answer(problem.now > 0 ? from_now : problem, mapping);
    const double least = least_of_all_orders(from_now, textbook::State(from_now));
    CHECK(std::max(mapping.makespan, problem.now) ==
          Approx(std::max(least, problem.now)).epsilon(2e-12).margin(0));
    needs_order += mapping.makespan < textbook::optimum(from_now) * (1 - 1e-9) ? 1 : 0;
  }
  CHECK(needs_order > 0);
}

TEST_CASE("optimal takes the machine where a task ends first, then the lowest") {
  // Every mapping of one task each is as good; equal tasks and equal machines keep their order.
  const Mapping equal = mapping_by("optimal", problem_of(equal_for_all({2, 2, 2}, 3)));
  CHECK(equal.machine == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(equal.order == std::vector<std::uint32_t>{0, 1, 2});
  // Task 2 comes first, as it has more work: it ends at 5 s on both machines. Then task 1 ends first on the other one.
  const EtcMatrix etc{2, 2, {3, 2, 5, 5}};
  CHECK(mapping_by("optimal", problem_of(etc)).machine == std::vector<std::uint32_t>{1, 0});
  const std::vector<double> ready = {4, 0};  // what a machine has to do before counts
  const Mapping busy = mapping_by("optimal", problem_of(etc, ready));
  CHECK(busy.machine == std::vector<std::uint32_t>{0, 1});
  CHECK(busy.makespan == 7);
}

TEST_CASE("optimal says what it has when it gives up") {
  const EtcMatrix etc{4, 2, {3, 5, 2, 9, 8, 4, 6, 7}};
  try {
    (void)mapping_by("optimal", problem_of(etc), {{"nodes", 2.0}});
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.diagnostic().code == "too_many_nodes");
    CHECK(error.diagnostic().message == "optimal: 4 tasks on 2 machines: there is no end after 2 nodes");
  }
  // After four nodes there is one mapping: in the order of their least times, 6, 4, 3 and 2 s, tasks 4, 3 and 1 end
  // first on machines 1, 2 and 1, and task 2 does after 9 s there: 11 s.
  CHECK_THROWS_WITH(
      mapping_by("optimal", problem_of(etc), {{"nodes", 4.0}}),
      "optimal: 4 tasks on 2 machines: there is no end after 4 nodes; the best mapping so far takes 11 s");
  std::mt19937_64 rng(61);
  for (int round = 0; round < 20; ++round) {  // many times less than the default
    const Case c = make(random_times, 12, 4, false, rng);
    (void)mapping_by("optimal", c.problem(), {{"nodes", 1e5}});
  }
}

TEST_CASE("bounds of mappers are reached") {
  for (std::size_t m = 2; m <= 5; ++m) {
    const auto machines = static_cast<double>(m);
    INFO(m << " machines");
    // Graham 1966: list scheduling is within 2 - 1 / m.
    std::vector<double> ones(m * (m - 1), 1.0);
    ones.push_back(machines);
    const EtcMatrix list = equal_for_all(ones, m);
    CHECK(makespan_by("olb", list) == 2 * machines - 1);
    CHECK(makespan_by("mct", list) == 2 * machines - 1);
    CHECK(makespan_by("optimal", list) == machines);
    // Ibarra, Kim 1977: m for equal tasks of which each is put on the first machine.
    const EtcMatrix equal = equal_for_all(std::vector<double>(m, 1.0), m);
    CHECK(makespan_by("met", equal) == machines);
    CHECK(makespan_by("optimal", equal) == 1);
    // m for mct too: task j runs for 1 s on machine m + 1 - j, and there it is put behind task j - 1, which takes j - 1
    // s; on machine m - j it takes j s, so that both ends are equal. By hand.
    EtcMatrix chain{m, m, std::vector<double>(m * m, 2 * machines)};
    for (std::size_t j = 1; j <= m; ++j) {
      chain.values[(j - 1) * m + (m - j)] = 1;
      if (j < m) chain.values[(j - 1) * m + (m - j - 1)] = static_cast<double>(j);
    }
    CHECK(makespan_by("mct", chain) == machines);
    CHECK(makespan_by("optimal", chain) == 1);
  }
  // Graham 1969: LPT, which max_min is on equal machines, is within 4 / 3 - 1 / (3 m).
  const EtcMatrix two = equal_for_all({3, 3, 2, 2, 2}, 2), three = equal_for_all({5, 5, 4, 4, 3, 3, 3}, 3);
  CHECK(makespan_by("max_min", two) == 7);
  CHECK(makespan_by("optimal", two) == 6);
  CHECK(makespan_by("max_min", three) == 11);
  CHECK(makespan_by("optimal", three) == 9);
  // Cho, Sahni 1980: mct on two machines of speeds 1 and v is within the golden ratio.
  const double golden = (1 + std::sqrt(5.0)) / 2;
  const EtcMatrix related{2, 2, {1, 1 / golden, golden, 1}};
  CHECK(makespan_by("mct", related) / makespan_by("optimal", related) == Approx(golden).epsilon(1e-12));
  // mct on two unrelated machines is within 2.
  for (const EtcMatrix& etc : {EtcMatrix{2, 2, {1, 1, 1, 2}}, EtcMatrix{3, 2, {2, 1, 2, 1, 2, 3}}})
    CHECK(makespan_by("mct", etc) == 2 * makespan_by("optimal", etc));
}

TEST_CASE(
    "how much worse a mapper is than another at most, of all matrices of 3 x 2 with times from 1 to 4") {
  // Found by two other programs, which agree.
  const std::vector<std::string> names = {"olb", "met", "mct", "min_min", "max_min", "duplex", "optimal"};
  const std::vector<std::vector<std::string>> expected = {
      {"-", "4", "4", "4", "4", "4", "4"},   {"2", "-", "2", "2", "2", "2", "2"},
      {"5/3", "2", "-", "2", "2", "2", "2"}, {"5/3", "2", "5/3", "-", "2", "2", "2"},
      {"2", "7/4", "2", "2", "-", "2", "2"}, {"3/2", "4/3", "3/2", "1", "1", "-", "3/2"},
      {"1", "1", "1", "1", "1", "1", "-"}};  // the optimum never loses
  const Catalogue catalogue;
  std::vector<std::unique_ptr<Mapper>> mappers;
  for (const std::string& name : names) mappers.push_back(catalogue.configure(name)->make_mapper());
  using Fraction = std::pair<int, int>;
  std::vector<std::vector<Fraction>> worst(names.size(), std::vector<Fraction>(names.size(), {0, 1}));
  EtcMatrix etc{3, 2, std::vector<double>(6)};
  std::vector<int> makespan(names.size());
  Mapping out;
  for (int number = 0; number < 4096; ++number) {
    for (int i = 0; i < 6; ++i) etc.values[static_cast<std::size_t>(i)] = 1 + (number >> (2 * i)) % 4;
    for (std::size_t i = 0; i < mappers.size(); ++i) {
      mappers[i]->map(problem_of(etc), out);
      makespan[i] = static_cast<int>(out.makespan);
    }
    for (std::size_t a = 0; a < names.size(); ++a)
      for (std::size_t b = 0; b < names.size(); ++b)
        if (makespan[a] * worst[a][b].second > worst[a][b].first * makespan[b])
          worst[a][b] = {makespan[a], makespan[b]};
  }
  for (std::size_t a = 0; a < names.size(); ++a)
    for (std::size_t b = 0; b < names.size(); ++b) {
      if (a == b) continue;
      INFO(names[a] << " against " << names[b]);
      const auto [above, below] = worst[a][b];
      const int common = std::gcd(above, below);
      const std::string found =
          std::to_string(above / common) + (below == common ? "" : "/" + std::to_string(below / common));
      CHECK(found == expected[a][b]);
    }
}
