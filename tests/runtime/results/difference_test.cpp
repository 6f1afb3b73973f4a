// The first difference of two runs.
#include "runtime/results/difference.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

#include "runtime/results/gantt.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/scenarios.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

Simulation begin(const std::string& policy, std::shared_ptr<const Scenario> scenario) {
  const ConfigPtr config = Catalogue().configure(policy);
  return {std::move(scenario),
          {policy, config->make_policy(), config->entry->accepts, config->entry->instants}};
}

Outcome ended(Simulation run) {
  run.run();
  return run.outcome();
}

std::string side(const std::optional<Record>& record, const Outcome& outcome) {
  return record ? text_of(*record, *outcome.scenario->platform, *outcome.scenario->workload) : "";
}

// The same records; those of equal time are in another order.
Outcome shuffled(const Outcome& outcome, std::uint32_t seed) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) records.push_back(outcome.trace[i]);
  std::mt19937 rng(seed);
  std::shuffle(records.begin(), records.end(), rng);
  std::ranges::stable_sort(records, {}, &Record::time);
  Outcome out = outcome;
  out.trace = Trace();
  for (const Record& record : records) out.trace.add(record);
  return out;
}

}  // namespace

TEST_CASE("a fork with a dead host parts where the host dies") {
  // Two hosts, four tasks of 10 s: from 0 to 10 and from 10 to 20. At 15 the fork's second host goes down.
  const auto scenario = scenario_of(platform_of({cluster_of({1, 1})}), tasks_of({{10}, {10}, {10}, {10}}));
  Simulation run = begin("workqueue", scenario);
  run.run_until(15);
  Simulation fork(run);
  CHECK_FALSE(first_difference(run.outcome(), fork.outcome()));
  fork.inject(happening(15, HappeningKind::down, ResourceId::of(HostId(1))));
  const Outcome a = ended(run), b = ended(fork);
  const auto parting = first_difference(a, b);
  REQUIRE(parting);
  CHECK(parting->time == 15);
  CHECK_FALSE(parting->first);
  // The first record is the lost work of the host: work 4, lost at 15.
  CHECK(side(parting->second, b).find("c.2") != std::string::npos);
  CHECK(different_settings(a, b) ==
        std::vector<std::string>{"interventions: nothing more against c.2 down at t = 15 s"});
  // A run that has not come as far has no differences after its end.
  Simulation early = begin("workqueue", scenario);
  early.run_until(14);
  CHECK_FALSE(first_difference(early.outcome(), b));
  CHECK_FALSE(first_difference(b, early.outcome()));
  // 45 columns: 3 for the labels, 2 for the bars at the ends, 40 for 30 s, so that 15 s is in their middle.
  CHECK_THAT(gantt(a, b, parting->time, 45, false),
             Catch::StartsWith("  they part at t = 15 s v\nworkqueue\nc.1|"));
}

TEST_CASE("the records of both about the same work stand beside each other") {
  // Hosts of speed 1 and 2: fcfs takes the fastest host, workqueue the first one.
  const auto scenario = scenario_of(platform_of({cluster_of({1, 2})}), tasks_of({{10}, {4, 1}}));
  const Outcome a = ended(begin("fcfs", scenario)), b = ended(begin("workqueue", scenario));
  const auto parting = first_difference(a, b);
  REQUIRE(parting);
  CHECK(parting->time == 0);
  CHECK(side(parting->first, a) == "task 1 started on c.2");
  CHECK(side(parting->second, b) == "task 1 started on c.1");
  CHECK(different_settings(a, b) == std::vector<std::string>{"policy: fcfs against workqueue"});
  CHECK_THAT(text_of(parting, a, b), Catch::Contains("they part at t = 0 s\n"));
}

TEST_CASE("the order within an instant is no difference, a changed record is the first one") {
  // Many tasks in few instants, more than one chunk of records.
  std::vector<TaskSpec> tasks;
  for (int i = 0; i < 3000; ++i)
    tasks.push_back({static_cast<double>(1 + i % 3), static_cast<double>(i / 100)});
  const auto scenario = scenario_of(platform_of({cluster_of(std::vector<double>(50, 1.0))}), tasks_of(tasks));
  const Outcome a = ended(begin("workqueue", scenario));
  REQUIRE(a.trace.size() == 9000 + 3000);  // arrived, started, ended, finished
  for (std::uint32_t seed = 1; seed <= 3; ++seed) CHECK_FALSE(first_difference(a, shuffled(a, seed)));
  std::mt19937 rng(4);
  for (int round = 0; round < 50; ++round) {
    const Outcome other = shuffled(a, static_cast<std::uint32_t>(round));
    Outcome changed = other;
    changed.trace = Trace();
    const std::size_t at = rng() % other.trace.size();
    Record before, after;
    for (std::size_t i = 0; i < other.trace.size(); ++i) {
      Record record = other.trace[i];
      before = i == at ? record : before;
      if (i == at) record.cores += 1;
      after = i == at ? record : after;
      changed.trace.add(record);
    }
    const auto parting = first_difference(a, changed);
    REQUIRE(parting);
    CHECK(parting->time == before.time);
    REQUIRE((parting->first && parting->second));
    CHECK(parting->first->work == before.work);
    CHECK(parting->first->kind == before.kind);
    CHECK(parting->second->cores == after.cores);
    CHECK(parting->second->work == after.work);
  }
}

TEST_CASE("runs of different scenarios: what differs") {
  const auto one = scenario_of(platform_of({cluster_of({1, 2})}), tasks_of({{10}, {4, 1}}));
  const auto faster = scenario_of(platform_of({cluster_of({1, 3})}), tasks_of({{10}, {4, 2}, {1, 3}}));
  const Outcome a = ended(begin("fcfs", one)), b = ended(begin("fcfs", faster));
  CHECK(different_settings(a, b) ==
        std::vector<std::string>{"platform: c.2 has 1 cores of 2 op/s against 1 of 3 op/s",
                                 "workload: 2 works against 3",
                                 "workload: task 2 arrives at 1 s with 4 against 2 s with 4"});
  const auto other = scenario_of(platform_of({cluster_of({1, 2}, "d")}), tasks_of({{10}, {4, 1}}));
  const Outcome c = ended(begin("fcfs", other));
  CHECK_FALSE(first_difference(a, c));
  CHECK_THAT(text_of(first_difference(a, c), a, c), Catch::StartsWith("their platforms differ"));
  RunOptions options;
  options.level = TraceLevel::none;
  const ConfigPtr config = Catalogue().configure("fcfs");
  Simulation silent(one, {"fcfs", config->make_policy(), config->entry->accepts, config->entry->instants},
                    perfect_estimator(), options);
  CHECK_THROWS_WITH(first_difference(a, ended(std::move(silent))), Catch::Contains("has kept no full trace"));
}
