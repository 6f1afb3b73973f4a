// Workqueue with a queue for each width against a policy of a few lines that looks at all waiting work in
// order.
#include <catch2/catch.hpp>

#include "runtime/results/job_rows.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// One host of 8 cores that is away now and then, and many more jobs of 1 to 8 cores than it can run.
std::shared_ptr<Scenario> crowd(std::uint64_t seed) {
  Stream random(seed, "crowd");
  std::vector<TaskSpec> jobs;
  double arrival = 0;
  for (int j = 0; j < 300; ++j) {
    arrival += static_cast<double>(random.below(3));
    jobs.push_back(
        {static_cast<double>(1 + random.below(20)), arrival, 1 + static_cast<std::int32_t>(random.below(8))});
  }
  auto scenario = scenario_of(platform_of({cluster_of({1}, "c", 8)}), tasks_of(jobs));
  const ResourceId host = ResourceId::of(HostId(0));
  for (int o = 0; o < 4; ++o) {
    const Time from = 100.0 * (o + 1) + static_cast<double>(random.below(50));
    scenario->happenings.push_back(happening(from, HappeningKind::down, host));
    scenario->happenings.push_back(happening(from + 5, HappeningKind::up, host));
  }
  scenario->check();
  return scenario;
}

}  // namespace

TEST_CASE("workqueue: the earliest of those that fit, losses back in their place") {
  const Catalogue catalogue;
  const ConfigPtr config = catalogue.configure("workqueue");
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO("seed " << seed);
    const auto scenario = crowd(seed);
    Simulation run(scenario,
                   {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants});
    Simulation plain(scenario, greedy(config->entry->instants));
    run.run();
    plain.run();
    const Outcome outcome = run.outcome();
    REQUIRE(outcome.status == RunStatus::complete);
    std::size_t lost = 0;
    for (std::size_t i = 0; i < outcome.trace.size(); ++i) lost += outcome.trace[i].kind == RecordKind::lost;
    CHECK(lost > 0);
    CHECK(outcome.physical == plain.outcome().physical);
  }
}

TEST_CASE("with all work there at 0 and exact times a workqueue maps as olb does") {
  // The source is Maheswaran et al. 1999. Times are whole numbers, so that many machines are idle at the same
  // time.
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    Stream random(seed, "olb");
    const std::size_t tasks = 1 + random.below(40), machines = 1 + random.below(6);
    auto workload = std::make_shared<Workload>();
    for (std::size_t t = 0; t < tasks; ++t) {
      Work work;
      work.form = TimeForm::by_host;
      work.times = static_cast<std::uint32_t>(t * machines);
      workload->works.push_back(work);
      for (std::size_t m = 0; m < machines; ++m)
        workload->times.push_back(static_cast<double>(1 + random.below(9)));
    }
    Mapping mapping;
    Catalogue().configure("olb")->make_mapper()->map(
        {.tasks = tasks, .machines = machines, .etc = workload->times, .ready = {}}, mapping);
    const ConfigPtr config = Catalogue().configure("workqueue");
    Simulation run(scenario_of(platform_of({cluster_of(std::vector<double>(machines, 1))}), workload),
                   {"workqueue", config->make_policy(), config->entry->accepts, config->entry->instants});
    run.run();
    for (const JobRow& row : job_rows(run.outcome())) {
      REQUIRE(row.hosts.at(0).index == mapping.machine[row.id.index]);
      REQUIRE(row.finish == mapping.completion[row.id.index]);
    }
  }
}
