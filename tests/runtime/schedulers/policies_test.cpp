// What every policy of the catalogue must do, whatever it decides.
#include <catch2/catch.hpp>

#include <fstream>
#include <numeric>
#include <sstream>
#include <thread>

#include "runtime/engine/information.h"
#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/paths.h"
#include "tests/support/random_scenario.h"
#include "tests/support/small_search.h"

using namespace perigee;
using namespace perigee::test;

namespace {

struct Configured {
  std::string text;
  ConfigPtr config;
  PolicySetup setup() const {
    return {text, config->make_policy(), config->entry->accepts, config->entry->instants};
  }
};

// Every policy with its defaults and, for each parameter that is a choice, has words or is a mapper, with
// each of its values; small searches only.
std::vector<Configured> every_policy() {
  const Catalogue catalogue;
  std::vector<Configured> all;
  const auto add = [&](const std::string& name, const std::map<std::string, Value>& given) {
    const ConfigPtr config = catalogue.configure(name, given);
    for (const Configured& each : all)
      if (each.text == config->text()) return;  // a default, spelt out
    all.push_back({config->text(), config});
  };
  for (const auto& entry : catalogue.entries()) {
    if (entry->role != Role::policy) continue;
    add(entry->name, {});
    for (const Parameter& parameter : entry->parameters) {
      for (const std::string& choice : parameter.choices) add(entry->name, {{parameter.name, choice}});
      for (const std::string& word : parameter.words) add(entry->name, {{parameter.name, word}});
      if (parameter.type == ParameterType::mapper && parameter.choices.empty())
        for (const auto& mapper : catalogue.entries())
          if (mapper->role == Role::mapper)
            add(entry->name, {{parameter.name, catalogue.configure(mapper->name, small_search(*mapper))}});
    }
  }
  return all;
}

// A line for each policy and seed, simulated by so many threads at once.
std::string fingerprints(std::size_t threads) {
  const std::vector<Configured> policies = every_policy();
  constexpr std::size_t kSeeds = 3;
  std::vector<std::string> lines(policies.size() * kSeeds);
  const auto work = [&](std::size_t thread) {
    for (std::size_t i = thread; i < lines.size(); i += threads) {
      const Configured& policy = policies[i / kSeeds];
      RunOptions options;
      options.seed = i % kSeeds + 1;
      Simulation run(random_scenario(options.seed, policy.config->entry->accepts), policy.setup(),
                     perfect_estimator(), options);
      run.run();
      lines[i] =
          "\"" + policy.text + "\"," + std::to_string(options.seed) + "," + run.outcome().full.text() + "\n";
    }
  };
  std::vector<std::thread> others;
  for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  work(0);
  for (std::thread& other : others) other.join();
  return std::accumulate(lines.begin(), lines.end(), std::string());
}

// Each second run knows less than everything.
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

}  // namespace

TEST_CASE(
    "every policy finishes every random scenario; the validator finds nothing; forks and repeats agree") {
  for (const Configured& policy : every_policy()) {
    INFO(policy.text);
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
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

TEST_CASE("what a policy does not accept is refused before the run") {
  for (const Configured& policy : every_policy()) {
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

TEST_CASE("fingerprints of the whole catalogue are those that were approved") {
  const std::string path = (source_folder() / "tests/golden/fingerprints.csv").string();
  const std::string now = fingerprints(1);
  if (std::getenv("PERIGEE_APPROVE") != nullptr) std::ofstream(path) << now;
  std::ifstream file(path);
  std::stringstream approved;
  approved << file.rdbuf();
  CHECK(now == approved.str());
  CHECK(fingerprints(4) == approved.str());
}
