// Duties of every policy of the catalogue, whatever it decides.
#include <catch2/catch.hpp>

#include "runtime/engine/information.h"
#include "runtime/results/validator.h"
#include "tests/support/every_policy.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// Every second run has imperfect information.
std::unique_ptr<Estimator> information_for(std::uint64_t seed) {
  static constexpr const char* kKinds[] = {"declared",
                                           "learnt",
                                           "error(0.75)",
                                           "mean",
                                           "current age(7)",
                                           "last",
                                           "declared adapt_mse overdue(0)",
                                           "nominal",
                                           "learnt mean",
                                           "run_avg progress",
                                           "quantile(0)",
                                           "exp(0.3) age(3) error(0.2)",
                                           "declared perfect progress"};
  return estimator(information_of(seed % 2 == 0 ? "perfect" : kKinds[seed / 2 % std::size(kKinds)]));
}

void check_random_scenarios(std::uint64_t seeds) {
  for (const ConfiguredPolicy& policy : every_policy()) {
    INFO(policy.text);
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      INFO("seed " << seed);
      const auto scenario = random_scenario(seed, policy.config->entry->accepts);
      RunOptions options;
      options.seed = seed;
      Simulation run(scenario, policy.setup(), information_for(seed), options);
      run.run();
      const Outcome outcome = run.outcome();
      INFO((outcome.waiting.empty() ? std::string() : outcome.waiting.front()));
      REQUIRE(outcome.status == RunStatus::complete);
      const auto violations = validate(outcome);
      INFO((violations.empty() ? std::string() : violations.front()));
      REQUIRE(violations.empty());

      Simulation again(scenario, policy.setup(), information_for(seed), options);
      again.run_until(outcome.end / 2);
      Simulation fork(again);
      again.run();
      fork.run();
      REQUIRE(again.outcome().full == outcome.full);
      REQUIRE(fork.outcome().full == outcome.full);
    }
  }
}

}  // namespace

TEST_CASE(
    "every policy finishes every random scenario; the validator finds nothing; forks and repeats agree") {
  check_random_scenarios(50);
}

TEST_CASE("the same with many more scenarios", "[.long]") { check_random_scenarios(400); }

TEST_CASE("what a policy does not accept is refused before the run") {
  for (const ConfiguredPolicy& policy : every_policy()) {
    INFO(policy.text);
    Accepts more = policy.config->entry->accepts;
    if (more.several_cores) continue;
    if (!more.jobs) {
      auto scenario = scenario_of(platform_of({cluster_of({1}, "c", 4)}), tasks_of({{5, 0, 2}}));
      CHECK_THROWS_WITH(Simulation(scenario, policy.setup()), Catch::Contains("work of kind 'job' (job 1)"));
      continue;
    }
    auto scenario = scenario_of(platform_of({cluster_of({1}, "c", 4)}), tasks_of({{5, 0, 2}}));
    CHECK_THROWS_WITH(Simulation(scenario, policy.setup()), Catch::Contains("'cores' = 2"));
  }
}
