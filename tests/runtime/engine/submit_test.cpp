// Work that is submitted to a run under way.
#include <catch2/catch.hpp>

#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"
#include "tests/support/rounds.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

PolicySetup policy_of(const Entry& entry) {
  const Catalogue catalogue;
  const ConfigPtr config = catalogue.configure(entry.name);
  return {entry.name, config->make_policy(), entry.accepts, entry.instants};
}

// The workload with one more task of so many seconds.
std::shared_ptr<Workload> longer(const Workload& workload, double seconds, Time arrival) {
  auto more = std::make_shared<Workload>(workload);
  Work work;
  work.form = TimeForm::seconds;
  work.amount = work.estimate = seconds;
  work.arrival = arrival;
  more->works.push_back(work);
  return more;
}

double finished_at(const Outcome& outcome, std::size_t work) {
  for (std::size_t i = 0; i < outcome.trace.size(); ++i)
    if (const Record& record = outcome.trace[i];
        record.kind == RecordKind::finished && record.work.index == work)
      return record.time;
  return -1;
}

}  // namespace

TEST_CASE("work submitted at t does what it does when it is declared to arrive at t") {
  const Catalogue catalogue;
  std::size_t compared = 0;
  for (const auto& entry : catalogue.entries()) {
    if (entry->role != Role::policy) continue;
    for (std::uint64_t seed = 1; seed <= rounds(60); ++seed) {
      const auto with = random_scenario(seed, entry->accepts);
      if (with->workload->size() < 4) continue;
      const Time at = 11.37 + 0.1 * static_cast<double>(seed);  // nothing else happens then
      auto all = std::make_shared<Workload>(*with->workload);
      auto few = std::make_shared<Workload>(*all);
      for (std::size_t k = 0; k < 3; ++k) {
        few->works.pop_back();
        Work& later = all->works[few->works.size()];
        const Time arrival = at + 5.0 * static_cast<double>(k);
        later.deadline += arrival - later.arrival;
        later.arrival = arrival;
      }
      with->workload = all;
      auto without = std::make_shared<Scenario>(*with);
      without->workload = few;

      Simulation declared(with, policy_of(*entry));
      declared.run();
      Simulation submitted(without, policy_of(*entry));
      submitted.run_until(at);
      if (submitted.over()) continue;
      submitted.submit(all);
      submitted.run();
      const Outcome expected = declared.outcome(), outcome = submitted.outcome();
      INFO(entry->name << ", seed " << seed);
      REQUIRE(outcome.status == expected.status);
      REQUIRE(outcome.physical == expected.physical);
      REQUIRE(validate(outcome).empty());
      ++compared;
    }
  }
  REQUIRE(compared > 60);
}

TEST_CASE("forks and earlier outcomes keep their own work") {
  const auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{10, 0}, {10, 1}}));
  Simulation simulation(scenario, greedy());
  simulation.run_until(4);
  const Outcome before = simulation.outcome();
  Simulation fork = simulation;
  simulation.submit(longer(*scenario->workload, 3, 4));
  Simulation later = simulation;
  later.submit(longer(*later.scenario().workload, 2, 30));
  for (Simulation* each : {&simulation, &fork, &later}) each->run();
  CHECK(before.scenario->workload->size() == 2);
  CHECK(scenario->workload->size() == 2);
  CHECK(fork.outcome().works.size() == 2);
  CHECK(fork.now() == 20);
  CHECK(simulation.outcome().works.size() == 3);
  CHECK(simulation.now() == 23);  // 10 + 10 + 3, one after the other
  CHECK(later.now() == 32);       // idle from 23 on, then 2 more
  CHECK(validate(later.outcome()).empty());
}

TEST_CASE("equal arrivals are in order of input, those submitted later behind") {
  const auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{1, 0}, {1, 9}, {1, 5}}));
  Simulation simulation(scenario, greedy());
  simulation.run_until(2);
  simulation.submit(longer(*scenario->workload, 1, 9));
  simulation.submit(longer(*simulation.scenario().workload, 1, 5));
  simulation.run();
  std::vector<std::size_t> arrived;
  for (std::size_t i = 0; i < simulation.trace().size(); ++i)
    if (const Record& record = simulation.trace()[i]; record.kind == RecordKind::arrived)
      arrived.push_back(record.work.index);
  CHECK(arrived == std::vector<std::size_t>{0, 2, 4, 1, 3});
}

TEST_CASE("a changed profile outlives the scenario that it came from") {
  auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{10, 0}}));
  scenario->profiles.push_back(Profile(0.5));
  Happening change = happening(4, HappeningKind::change, ResourceId::of(HostId(0)), Cause::change);
  change.profile = 0;
  scenario->happenings.push_back(change);
  Simulation simulation(std::shared_ptr<const Scenario>(scenario), greedy());
  const auto workload = longer(*scenario->workload, 2, 7);
  scenario.reset();
  simulation.run_until(6);
  simulation.submit(workload);
  simulation.run();
  CHECK(finished_at(simulation.outcome(), 0) == 16);  // 4 at full speed, 6 at half
  CHECK(finished_at(simulation.outcome(), 1) == 20);
}

TEST_CASE("what cannot be submitted changes nothing") {
  const auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{10, 0}}));
  PolicySetup only_tasks = greedy();
  only_tasks.accepts = Accepts{};
  only_tasks.accepts.tasks = true;
  Simulation simulation(scenario, only_tasks);
  simulation.run_until(4);
  CHECK_THROWS_WITH(simulation.submit(longer(*scenario->workload, 1, 3)),
                    Contains("task 2: its arrival, 3 s, is before the present, t = 4 s"));
  auto job = longer(*scenario->workload, 1, 4);
  job->works.back().kind = WorkKind::job;
  CHECK_THROWS_WITH(simulation.submit(job), Contains("does not accept work of kind 'job' (job 2)"));
  CHECK_THROWS_WITH(simulation.submit(longer(*scenario->workload, -1, 4)), Contains("time must be"));
  simulation.run();
  CHECK(simulation.outcome().works.size() == 1);
}

TEST_CASE("more work makes a run go on that is complete") {
  const auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{10, 0}}));
  RunOptions options;
  options.horizon = 50;
  Simulation simulation(scenario, greedy(), perfect_estimator(), options);
  simulation.run();
  const Outcome before = simulation.outcome();
  simulation.run_until(15);
  CHECK(simulation.now() == 15);
  CHECK(simulation.outcome().full == before.full);
  CHECK(simulation.outcome().end == 10);
  simulation.submit(longer(*scenario->workload, 1, 20));
  CHECK(simulation.status() == RunStatus::running);
  simulation.run();
  CHECK(simulation.status() == RunStatus::complete);
  CHECK(simulation.outcome().end == 21);
  simulation.run_until(80);
  CHECK(simulation.now() == 50);  // the horizon
}
