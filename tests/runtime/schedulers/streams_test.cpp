// A stream and the same works declared whole are one scenario to every policy that accepts streams.
#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "runtime/results/accounts.h"
#include "runtime/results/metrics.h"
#include "tests/support/every_policy.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"
#include "tests/support/rounds.h"
#include "tests/support/streams.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// Works in order of arrival, some with a run time for each host.
std::shared_ptr<Scenario> declared_scenario(std::uint64_t seed, Accepts accepts) {
  accepts.files = accepts.sweeps = accepts.reservations = false;
  auto scenario = random_scenario(seed, accepts);
  auto workload = std::make_shared<Workload>(*scenario->workload);
  workload->qualities.clear();
  std::ranges::stable_sort(workload->works, {}, &Work::arrival);
  Stream random(seed, "times of hosts");
  const std::size_t hosts = scenario->platform->hosts().size();
  for (Work& work : workload->works) {
    if (work.kind == WorkKind::load || work.cores > 1 || random.below(4) != 0) continue;
    work.form = TimeForm::by_host;
    work.times = static_cast<std::uint32_t>(workload->times.size());
    const std::uint64_t able = random.below(hosts);
    for (std::size_t h = 0; h < hosts; ++h) {
      const auto time = static_cast<double>(1 + random.below(20));
      workload->times.push_back(h != able && random.below(5) == 0 ? kNever : time);
    }
  }
  scenario->workload = std::move(workload);
  scenario->check();
  return scenario;
}

// The run must have ended as the other one, to the bit.
void check_same(const Simulation& run, const Outcome& expected) {
  const Outcome outcome = run.outcome();
  REQUIRE(outcome.full == expected.full);
  REQUIRE(outcome.status == expected.status);
  const Metrics metrics = measure(outcome), others = measure(expected);
  for (const MetricInfo& info : metric_infos()) {
    const double value = metrics[std::string(info.name)] + 0.0, other = others[std::string(info.name)] + 0.0;
    INFO(info.name << " = " << value << ", expected " << other);
    REQUIRE((std::isnan(value) ? std::isnan(other)
                               : std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(other)));
  }
}

void check_streams(std::uint64_t seeds) {
  for (const ConfiguredPolicy& policy : every_policy()) {
    if (!policy.config->entry->accepts.streams) continue;
    if (policy.text.find("quality") != std::string::npos) continue;  // a stream has none
    INFO(policy.text);
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      INFO("seed " << seed);
      const auto declared = declared_scenario(seed, policy.config->entry->accepts);
      const auto stream = streamed(*declared);
      const auto start = [&](const std::shared_ptr<Scenario>& scenario) {
        RunOptions options;
        options.seed = seed;
        options.level = TraceLevel::none;
        options.works_at_once = 1 + seed % 3;
        options.witness = std::make_unique<results::Accounts>(scenario, options.warmup);
        return Simulation(scenario, policy.setup(), perfect_estimator(), options);
      };
      Simulation whole = start(declared), run = start(stream);
      whole.run();
      const Outcome expected = whole.outcome();
      run.run_until(expected.end / 2);
      Simulation fork(run);
      run.run();
      check_same(run, expected);
      fork.run();
      check_same(fork, expected);
    }
  }
}

}  // namespace

TEST_CASE("a stream gives the fingerprint and the metrics of the same works declared whole") {
  check_streams(rounds(8));
}

TEST_CASE("the same with many more streams", "[.long]") { check_streams(400); }

TEST_CASE("a run of a stream holds the works that are not settled, and a few more") {
  Stream random(1, "works");
  auto workload = std::make_shared<Workload>();
  for (int w = 0; w < 6'000; ++w) {
    Work work;
    work.amount = work.estimate = 1 + static_cast<double>(random.below(3));
    work.arrival = w;
    workload->works.push_back(work);
  }
  const auto scenario = streamed(*scenario_of(platform_of({cluster_of({1, 1, 1, 1}, "c", 1)}), workload));
  RunOptions options;
  options.level = TraceLevel::none;
  for (const ConfiguredPolicy& policy : every_policy()) {
    if (!policy.config->entry->accepts.streams || !policy.config->entry->accepts.tasks) continue;
    if (policy.text.find("quality") != std::string::npos) continue;  // a stream has none
    INFO(policy.text);
    Simulation run(scenario, policy.setup(), perfect_estimator(), options);
    std::size_t most = 0;
    std::size_t waiting = 0;
    while (run.step() && run.view().works().size() < workload->size()) {
      const std::size_t present = run.view().works().size() - run.view().works().first();
      most = std::max(most, present - run.view().unsettled());
      waiting = std::max(waiting, run.view().unsettled());
    }
    run.run();
    CHECK(run.status() == RunStatus::complete);
    CHECK(run.outcome().forgotten.in(WorkState::finished) + waiting > 3'000);
    CHECK(most < 3 * options.works_at_once);
  }
}

TEST_CASE("a policy that needs works before they come refuses a stream, a stream refuses further works") {
  auto workload = std::make_shared<Workload>();
  workload->works.push_back(Work{.amount = 1, .estimate = 1});
  workload->works.push_back(Work{.arrival = 5, .amount = 1, .estimate = 1});
  const auto scenario = streamed(*scenario_of(platform_of({cluster_of({1}, "c", 1)}), workload));
  for (const ConfiguredPolicy& policy : every_policy()) {
    INFO(policy.text);
    const Accepts& accepts = policy.config->entry->accepts;
    if (!accepts.streams)
      CHECK_THROWS_WITH(Simulation(scenario, policy.setup()), Catch::Contains("a stream"));
    if (!accepts.streams || !accepts.tasks) continue;
    Simulation run(scenario, policy.setup());
    auto more = std::make_shared<Workload>(run.view().workload());
    more->works.push_back(Work{.amount = 1, .estimate = 1});
    CHECK_THROWS_WITH(run.submit(more), Catch::Contains("no work can be submitted to a run of a stream"));
  }
}

namespace {

PolicySetup stream_policy() {
  const std::vector<ConfiguredPolicy> all = every_policy();
  return std::ranges::find_if(all,
                              [](const ConfiguredPolicy& policy) {
                                return policy.config->entry->accepts.streams &&
                                       policy.config->entry->accepts.tasks;
                              })
      ->setup();
}

}  // namespace

TEST_CASE("works of a stream that come before the one in front of them are an error") {
  auto workload = std::make_shared<Workload>();
  workload->works.push_back(Work{.arrival = 5, .amount = 1, .estimate = 1});
  workload->works.push_back(Work{.arrival = 4, .amount = 1, .estimate = 1});
  const auto scenario = streamed(*scenario_of(platform_of({cluster_of({1}, "c", 1)}), workload));
  Simulation run(scenario, stream_policy());
  CHECK_THROWS_WITH(run.run(),
                    Catch::Contains("task 2: a stream gives works in order of arrival; this one arrives "
                                    "at 4 s, the one before at 5 s"));
}
