// Mappers that look at one task after another: kpb, switching, random.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "runtime/cost/etc.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/runtime/schedulers/random_matrices.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

Mapping immediate_map_with(const std::string& name, const std::map<std::string, Value>& given,
                           const MappingProblem& problem) {
  Mapping out;
  Catalogue().configure(name, given)->make_mapper()->map(problem, out);
  return out;
}

std::string immediate_refused(const std::string& name, const std::map<std::string, Value>& given) {
  try {
    (void)Catalogue().configure(name, given);
  } catch (const Error& error) {
    CHECK(error.diagnostic().code == "bad_parameter");
    return error.diagnostic().message;
  }
  return "no error";
}

}  // namespace

TEST_CASE("kpb by hand") {
  // Two of the four machines run the task fastest, in 1 and 2; they end it at 5 + 1 = 6 and 3.5 + 2 = 5.5.
  // The earliest completion of all is that of the first machine, 3.
  const EtcMatrix etc{1, 4, {3, 1, 2, 9}};
  const std::vector<double> ready{0, 5, 3.5, 0};
  const auto machine = [&](double k) {
    return immediate_map_with("kpb", {{"k", k}}, problem_of(etc, ready)).machine[0];
  };
  CHECK(machine(1) == 1);
  CHECK(machine(49) == 1);
  CHECK(machine(50) == 2);
  CHECK(machine(74) == 2);
  CHECK(machine(75) == 0);
  CHECK(machine(100) == 0);
  // A third of three machines is one machine, also for a rounded k: the fastest is the second.
  const EtcMatrix three{1, 3, {2, 1, 4}};
  const std::vector<double> late{0, 3, 0};
  CHECK(immediate_map_with("kpb", {{"k", 33.333333333}}, problem_of(three, late)).machine[0] == 1);
  CHECK(immediate_map_with("kpb", {{"k", 66.666666666}}, problem_of(three, late)).machine[0] == 0);
}

TEST_CASE("kpb lies between met and mct") {
  std::mt19937_64 rng(5);
  for (int round = 0; round < 400; ++round) {
    Case c = make(static_cast<Kind>(round % kKinds), rng() % 40, 1 + rng() % 8, round % 2 == 0, rng);
    if (round % 3 == 0) add_cores(c, round % 2 == 0, rng);
    const MappingProblem problem = c.problem();
    INFO("round " << round);
    const double one_machine = 100.0 / static_cast<double>(c.machines);
    CHECK(immediate_map_with("kpb", {{"k", 100.0}}, problem).machine ==
          immediate_map_with("mct", {}, problem).machine);
    CHECK(immediate_map_with("kpb", {{"k", one_machine}}, problem).machine ==
          immediate_map_with("met", {}, problem).machine);
    CHECK(immediate_map_with("kpb", {{"k", 1e-3}}, problem).machine ==
          immediate_map_with("met", {}, problem).machine);
  }
}

TEST_CASE("switching by hand") {
  // low 0.6, high 0.9; ready times before each task, their quotient, the rule and the choice:
  //   0 0       0     mct   4 against 9: first
  //   4 0       0     mct   4 + 9 against 4: second
  //   4 4       1     met   2 against 3: first
  //   6 4       0.67  met   3 against 4: first (mct: 9 against 8, second)
  //   9 4       0.44  mct   10 against 9: second (met: first)
  //   9 9       1     met   1 against 2: first
  //   10 9      0.9   met   3 against 2: second
  //   10 11     0.91  met   5 against 6: first (10 + 5)
  const EtcMatrix etc{8, 2, {4, 9, 9, 4, 2, 3, 3, 4, 1, 5, 1, 2, 3, 2, 5, 6}};
  const Mapping out = immediate_map_with("switching", {}, problem_of(etc));
  CHECK(out.machine == std::vector<std::uint32_t>{0, 1, 0, 0, 1, 0, 1, 0});
  CHECK(out.completion == std::vector<double>{4, 4, 6, 9, 9, 10, 11, 15});
  CHECK(out.makespan == 15);
  // Loads that are even from the start are left to met at once: 2 against 3. Then they are 2 and 4; with low
  // = 0 met goes on, with low = 1 it is mct again: 5 against 6.
  const std::vector<double> even{2, 2};
  const EtcMatrix one{2, 2, {3, 2, 3, 2}};
  CHECK(immediate_map_with("switching", {{"low", 0.0}}, problem_of(one, even)).machine ==
        std::vector<std::uint32_t>{1, 1});
  CHECK(immediate_map_with("switching", {{"low", 1.0}, {"high", 1.0}}, problem_of(one, even)).machine ==
        std::vector<std::uint32_t>{1, 0});
}

TEST_CASE("random draws uniformly from the machines that can run a task") {
  // Three of five machines. The sum of squares has a chi-square distribution with 2 degrees of freedom: more
  // than 18.42 once in 10,000 seeds.
  constexpr std::size_t kTasks = 30000;
  EtcMatrix etc{kTasks, 5, {}};
  for (std::size_t t = 0; t < kTasks; ++t) etc.values.insert(etc.values.end(), {1, kInf, 9, 1e-3, kInf});
  const auto mapper = Catalogue().configure("random")->make_mapper();
  mapper->reseed(Stream(4, "test"));
  Mapping out;
  mapper->map(problem_of(etc), out);
  std::vector<double> times(5, 0);
  for (const std::uint32_t machine : out.machine) ++times.at(machine);
  CHECK(times[1] == 0);
  CHECK(times[4] == 0);
  double sum = 0;
  for (const std::size_t m : {0, 2, 3})
    sum += (times[m] - kTasks / 3.0) * (times[m] - kTasks / 3.0) / (kTasks / 3.0);
  CHECK(sum < 18.42);
  // The mapper goes on drawing: the next answer is another one, unless the stream begins anew.
  Mapping next;
  mapper->map(problem_of(etc), next);
  CHECK(next.machine != out.machine);
  mapper->reseed(Stream(4, "test"));
  mapper->map(problem_of(etc), next);
  CHECK(next.machine == out.machine);
}

TEST_CASE("parameters that make no sense are refused") {
  CHECK(immediate_refused("kpb", {{"k", 0.0}}) == "kpb: k must be > 0, got 0");
  CHECK(immediate_refused("kpb", {{"k", 101.0}}) == "kpb: k must be from 0 to 100, got 101");
  CHECK(immediate_refused("switching", {{"low", 0.95}}) ==
        "switching: low must be at most high, got 0.95 and 0.9");
  CHECK(immediate_refused("switching", {{"high", 1.5}}) == "switching: high must be from 0 to 1, got 1.5");
}
