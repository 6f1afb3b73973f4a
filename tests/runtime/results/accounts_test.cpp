// The metrics of a run without a trace are those of its trace.
#include "runtime/results/accounts.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "runtime/results/metrics.h"
#include "tests/support/every_policy.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"
#include "tests/support/rounds.h"

using namespace perigee;
using namespace perigee::test;

namespace {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

RunOptions at_level(TraceLevel level, const std::shared_ptr<const Scenario>& scenario, RunOptions options) {
  options.level = level;
  options.witness = std::make_unique<Accounts>(scenario, options.warmup);
  return options;
}

// The number of metrics that are had without the trace.
std::size_t compare(const Outcome& traced, const Outcome& other) {
  const Metrics expected = measure(traced), metrics = measure(other);
  std::size_t count = 0;
  for (const MetricInfo& info : metric_infos()) {
    if (!metrics.has(info.name)) continue;
    ++count;
    INFO(info.name << " = " << metrics[info.name] << ", of the trace " << expected[info.name]);
    REQUIRE(same(metrics[info.name], expected[info.name]));
  }
  REQUIRE(other.full == traced.full);
  return count;
}

std::size_t check_policy(const ConfiguredPolicy& policy, std::uint64_t seed) {
  const auto scenario = random_scenario(seed, policy.config->entry->accepts);
  RunOptions options;
  options.seed = seed;
  if (seed % 3 == 0) options.warmup = 20;
  Simulation traced(scenario, policy.setup(), perfect_estimator(), options);
  Simulation none(scenario, policy.setup(), perfect_estimator(),
                  at_level(TraceLevel::none, scenario, options));
  Simulation work(scenario, policy.setup(), perfect_estimator(),
                  at_level(TraceLevel::work, scenario, options));
  traced.run();
  const Time half = traced.outcome().end / 2;
  Simulation again(scenario, policy.setup(), perfect_estimator(), options);
  for (Simulation* each : {&again, &none, &work}) each->run_until(half);
  compare(again.outcome(), none.outcome());
  Simulation fork(none);
  for (Simulation* each : {&none, &work, &fork}) each->run();
  compare(traced.outcome(), work.outcome());
  compare(traced.outcome(), fork.outcome());
  REQUIRE(none.trace().size() == 0);
  return compare(traced.outcome(), none.outcome());
}

}  // namespace

TEST_CASE(
    "without a trace all policies have the metrics of their traces, to the bit, half-way and in forks") {
  constexpr std::size_t kOfTheTrace = 24;  // chain.*, scheduler_wait, bounds, those of workflows
  for (const ConfiguredPolicy& policy : every_policy()) {
    INFO(policy.text);
    for (std::uint64_t seed = 1; seed <= rounds(12); ++seed) {
      INFO("seed " << seed);
      const std::size_t had = check_policy(policy, seed);
      // The time held needs the trace where a host has holds and other work.
      REQUIRE(had + 1 + kOfTheTrace >= metric_infos().size());
    }
  }
}

TEST_CASE("works that are submitted on the way are in the accounts") {
  const auto scenario = scenario_of(platform_of({cluster_of({1, 1})}), tasks_of({{5}, {7}, {6}}));
  for (const TraceLevel level : {TraceLevel::full, TraceLevel::none}) {
    Simulation run(scenario, every_policy().front().setup(), perfect_estimator(),
                   at_level(level, scenario, {}));
    run.run_until(1);
    auto more = std::make_shared<Workload>(*scenario->workload);
    more->works.push_back(more->works.back());
    more->works.back().arrival = 2;
    run.submit(more);
    run.run();
    const Metrics metrics = measure(run.outcome());
    // Two hosts of speed 1: [0, 5) [5, 11) and [0, 7) [7, 13).
    CHECK(metrics["makespan"] == 13);
    CHECK(metrics["flowtime"] == 5 + 7 + 11 + 11);
    CHECK(metrics["utilization"] == 24 / 26.0);
    CHECK(metrics["mean_wait"] == (5 + 5) / 4.0);
  }
}

TEST_CASE("a trace that grows too long is forgotten, and the metrics stay") {
  Stream random(4, "tasks");
  std::vector<TaskSpec> tasks;
  for (int i = 0; i < 5000; ++i) tasks.push_back({random.uniform(1, 9), random.uniform(0, 6000)});
  const auto scenario = scenario_of(platform_of({cluster_of({1, 2, 1})}), tasks_of(tasks));
  RunOptions options;
  options.warmup = 100;
  const auto run_with = [&](std::size_t most) {
    RunOptions bounded = options;
    bounded.witness = std::make_unique<Accounts>(scenario, options.warmup);
    bounded.most_records = most;
    Simulation run(scenario, every_policy().front().setup(), perfect_estimator(), bounded);
    run.run();
    return run.outcome();
  };
  const Outcome whole = run_with(Trace::kAll), enough = run_with(1 << 20), cut = run_with(4096);
  REQUIRE(whole.trace.size() > 15000);
  CHECK(enough.trace.size() == whole.trace.size());
  CHECK_FALSE(enough.trace.has_forgotten());
  CHECK(cut.trace.has_forgotten());
  CHECK(cut.trace.size() == 0);
  compare(whole, enough);
  compare(whole, cut);
}

TEST_CASE("computations that do not wait are added up whole, and it is known where that matters") {
  const auto platform = platform_of({cluster_of({1})});
  const Absences away{std::vector<std::vector<Away>>(1), {}};
  const std::vector<results::UsedResource> on = {{ResourceId::of(HostId(0)), 1}};
  HostUse few(*platform, 1), all(*platform);
  for (const double end : {1.0, 2.0, 3.0})
    for (HostUse* use : {&few, &all}) {
      Execution run;
      run.kind = ActivityKind::compute;
      run.how = RecordKind::ended;
      run.cores = 1;
      run.started = end - 1;
      run.ended = end;
      use->add(run, on, *platform, away);
    }
  // With one that waits, those that end at 1 and 2 did not: rows up to 2.5 are right, up to 1.5 they are not.
  CHECK(few.knows_rows(2.5));
  CHECK_FALSE(few.knows_rows(1.5));
  CHECK(all.knows_rows(0));
  CHECK(few.rows(2.5, *platform, away)[0].useful == 2.5);
  CHECK(all.rows(2.5, *platform, away)[0].useful == 2.5);
}
