#include <catch2/catch.hpp>

#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/grids.h"
#include "tests/support/random_scenario.h"

using namespace perigee;
using namespace perigee::test;

namespace {

Simulation planned(std::shared_ptr<const Scenario> scenario, const std::map<std::string, Value>& given,
                   std::uint64_t seed = 1) {
  const ConfigPtr config = Catalogue().configure("planner", given);
  RunOptions options;
  options.seed = seed;
  return {std::move(scenario),
          {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants},
          perfect_estimator(),
          options};
}

// When each task begins, and when its output is at home.
std::vector<std::pair<Time, Time>> times_of(const Outcome& outcome) {
  std::vector<std::pair<Time, Time>> times(outcome.works.size());
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record& record = outcome.trace[i];
    if (record.kind == RecordKind::started && record.what == ActivityKind::compute)
      times[record.work.index].first = record.time;
    if (record.kind == RecordKind::finished) times[record.work.index].second = record.time;
  }
  return times;
}

}  // namespace

TEST_CASE("planner: two tasks that share a file on one host, by hand") {
  const auto scenario = scenario_of(platform_of({with_link(cluster_of({1}), 10)}),
                                    filed_tasks({20, 10, 10, 10}, {{5, {0}, {1}}, {3, {0, 2}, {3}}}));
  using Times = std::vector<std::pair<Time, Time>>;
  for (const char* links : {"greedy", "strict"}) {
    INFO(links);
    // The second task would be complete at 7, the first at 8: files come until 3, it ends at 6, the first
    // at 11.
    Simulation shorter = planned(scenario, {{"map", std::string("min_min")}, {"links", std::string(links)}});
    shorter.run();
    CHECK(times_of(shorter.outcome()) == Times{{6, 12}, {3, 7}});
    // File 0 comes until 2, file 2 until 3; the first ends at 7, its output is home at 8, the second ends
    // at 10.
    Simulation longer = planned(scenario, {{"map", std::string("max_min")}, {"links", std::string(links)}});
    longer.run();
    CHECK(times_of(longer.outcome()) == Times{{2, 8}, {7, 11}});
  }
}

TEST_CASE("planner: a plan counts on the end of a transfer that begins in its instant") {
  const auto scenario = scenario_of(
      platform_of({with_link(cluster_of({1, 1}), 10)}),
      filed_tasks({20, 20, 10, 10}, {{5, {}, {0}}, {9, {}, {1}}, {30, {}, {2}}, {30, {}, {3}}}));
  // At 5 the output of the first task sets out, and the first host gets the third task, for 30 s and 1 s of
  // output; the fourth follows the second at 9.
  Simulation simulation = planned(scenario, {{"map", std::string("min_min")}, {"count", 1.0}});
  simulation.run();
  CHECK(times_of(simulation.outcome()) ==
        std::vector<std::pair<Time, Time>>{{0, 7}, {0, 11}, {5, 36}, {9, 40}});
}

TEST_CASE("planner: what is lost with a host is planned anew") {
  auto scenario = scenario_of(platform_of({with_link(cluster_of({1, 1}), 10)}),
                              filed_tasks({10, 10}, {{10, {0}, {}}, {10, {1}, {}}}));
  scenario->happenings.push_back(
      happening(5, HappeningKind::leave, ResourceId::of(HostId(0)), Cause::membership));
  // The first task is on host 1 from 1 on, the second on host 2 from 2 to 12. At 5 the first is lost; host 2
  // takes it at 12.
  Simulation simulation = planned(scenario, {{"map", std::string("min_min")}});
  simulation.run();
  const Outcome outcome = simulation.outcome();
  CHECK(outcome.status == RunStatus::complete);
  CHECK(times_of(outcome) == std::vector<std::pair<Time, Time>>{{12, 22}, {2, 12}});
}

TEST_CASE("planner: random grids with failures under all its options") {
  const std::map<std::string, Value> options[] = {
      {{"steal", true}},
      {{"keep", 1.0}, {"planning_time", 2.0}},
      {{"keep", 2.0}, {"interval", 7.0}, {"strategy", std::string("deviation")}},
      {{"interval", 5.0},
       {"strategy", std::string("weighted")},
       {"margin", 3.0},
       {"margin_policy", std::string("adaptive")},
       {"replan", std::string("both")}},
      {{"count", 1.0}},
      {{"random", 0.05}},
      {{"subset", std::string("affinity")}, {"subset_size", 2.0}, {"steal", true}},
      {{"links", std::string("hybrid")}, {"patience", 3.0}, {"planning_time", 1.0}},
      {{"planning_time", 5.0}, {"replan", std::string("both")}, {"idle_replan", std::string("always")}},
      {{"idle_replan", std::string("never")}, {"replan", std::string("none")}, {"interval", 6.0}},
  };
  const Accepts accepts = Catalogue().find("planner")->accepts;
  for (const auto& given : options)
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Simulation run = planned(random_scenario(seed, accepts), given, seed);
      INFO(run.outcome().policy << ", seed " << seed);
      run.run_until(20);
      Simulation fork = run;
      run.run();
      fork.run();
      const Outcome outcome = run.outcome();
      REQUIRE(outcome.status == RunStatus::complete);
      REQUIRE(fork.outcome().full == outcome.full);
      const auto violations = validate(outcome);
      INFO((violations.empty() ? std::string() : violations.front()));
      REQUIRE(violations.empty());
    }
}
