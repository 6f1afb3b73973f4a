// conservative decides like its plain form, whatever happens.
#include <catch2/catch.hpp>

#include "runtime/results/metrics.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/runtime/schedulers/batch/eager_conservative.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"
#include "tests/support/rounds.h"

using namespace perigee;
using namespace perigee::test;

namespace {

PolicySetup setup(bool eager) {
  const ConfigPtr config = Catalogue().configure("conservative");
  ClonePtr<Policy> policy = config->make_policy();
  if (eager) policy = eager_conservative();
  return {"conservative", std::move(policy), config->entry->accepts, config->entry->instants};
}

std::unique_ptr<Estimator> estimator(bool perfect) {
  return perfect ? perfect_estimator() : declared_estimator();
}

}  // namespace

TEST_CASE("conservative: outages, failures, changes of speed and of availability, hosts that come and go") {
  std::size_t started = 0;
  for (std::uint64_t seed = 1; seed <= rounds(1500); ++seed) {
    INFO("seed " << seed);
    const auto scenario =
        random_scenario(seed, {.tasks = true, .jobs = true, .several_cores = true}, seed % 4 != 0);
    Stream random(seed, "more");
    auto workload = std::make_shared<Workload>(*scenario->workload);
    for (Work& work : workload->works) {  // estimates on both sides, and times without exact sums
      work.estimate *= 0.1 + 0.3 * static_cast<double>(random.below(8));
      work.arrival *= 0.3;
    }
    scenario->workload = workload;
    if (seed % 5 == 0) {
      scenario->profiles.push_back(Profile::steps({0, 4, 9}, {0.5, 2, 1}));
      Happening change = happening(static_cast<double>(random.below(30)), HappeningKind::change,
                                   ResourceId::of(HostId(0)), Cause::change);
      change.profile = 0;
      scenario->happenings.push_back(change);
      scenario->check();
    }
    for (const bool perfect : {true, false}) {
      Simulation fast(scenario, setup(false), estimator(perfect)),
          eager(scenario, setup(true), estimator(perfect));
      fast.run();
      eager.run();
      REQUIRE(fast.outcome().physical == eager.outcome().physical);
    }
    // Half way, more work comes and the policy is taken over.
    Simulation fast(scenario, setup(false), estimator(false)), eager(scenario, setup(true), estimator(false));
    for (Simulation* run : {&fast, &eager}) {
      run->run_until(7.5);
      if (run->over()) continue;
      auto more = std::make_shared<Workload>(*run->scenario().workload);
      for (int i = 0; i < 3; ++i) {
        more->works.push_back(more->works[0]);
        more->works.back().arrival = 8 + i;
      }
      run->submit(more);
      run->run_until(12.25);
      if (seed % 3 == 0 && !run->over()) run->set_policy(setup(run == &eager));
      run->run();
    }
    REQUIRE(fast.outcome().physical == eager.outcome().physical);
    started += fast.outcome().trace.size();
  }
  CHECK(started > rounds(100000));
}

TEST_CASE("conservative: a long queue under overload, with estimates up to five times too long") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    auto workload = std::make_shared<Workload>();
    Stream random(seed, "overload");
    for (int j = 0; j < 1200; ++j) {
      Work work;
      work.kind = WorkKind::job;
      work.cores = 1 << random.below(6);
      work.arrival = 40.0 * j;
      work.amount = random.exponential(1000);
      work.estimate = work.amount * random.uniform(1, 5);
      workload->works.push_back(work);
    }
    PlatformSpec::ClusterSpec cluster =
        cluster_of(seed % 2 == 0 ? std::vector<double>{1} : std::vector<double>{1, 2});
    for (Host& host : cluster.hosts) host.cores = 48;
    const auto scenario = scenario_of(platform_of({cluster}), workload);
    Simulation fast(scenario, setup(false), declared_estimator()),
        eager(scenario, setup(true), declared_estimator());
    fast.run();
    eager.run();
    REQUIRE(fast.outcome().physical == eager.outcome().physical);
    CHECK(measure(fast.outcome())["max_wait"] > 1000);
  }
}
