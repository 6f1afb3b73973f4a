// What every policy of the catalogue decides, to the bit: in every build, on every CPU, at any thread count.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <numeric>
#include <sstream>
#include <thread>

#include "tests/support/every_policy.h"
#include "tests/support/paths.h"
#include "tests/support/random_scenario.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// A line for each policy and seed, simulated by so many threads at once.
std::string fingerprints(std::size_t threads) {
  const std::vector<ConfiguredPolicy> policies = every_policy();
  constexpr std::size_t kSeeds = 3;
  std::vector<std::string> lines(policies.size() * kSeeds);
  const auto work = [&](std::size_t thread) {
    for (std::size_t i = thread; i < lines.size(); i += threads) {
      const ConfiguredPolicy& policy = policies[i / kSeeds];
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

}  // namespace

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
