// backfill decides as easy and as conservative where it must, and passes that are left out would change nothing.
#include <catch2/catch.hpp>

#include <map>
#include <memory>
#include <string>

#include "runtime/engine/information.h"
#include "runtime/results/metrics.h"
#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"
#include "tests/support/shapes.h"

using namespace perigee;
using namespace perigee::test;

namespace {

using Given = std::map<std::string, Value>;

PolicySetup configured(const std::string& name, const Given& given) {
  const ConfigPtr config = Catalogue().configure(name, given);
  return {name, config->make_policy(), config->entry->accepts, config->entry->instants};
}

std::unique_ptr<Estimator> what_is_known(bool perfect) {
  return perfect ? perfect_estimator() : declared_estimator();
}

// Jobs on equal hosts, which never take longer than they declare.
std::shared_ptr<Scenario> on_equal_hosts(std::uint64_t seed, std::size_t hosts, int cores, bool shapes,
                                         bool more = false) {
  Stream random(seed, "equal hosts");
  const auto platform = platform_of({cluster_of(std::vector<double>(hosts, 1.0), "c", cores)});
  auto workload = std::make_shared<Workload>();
  const std::size_t works = 5 + random.below(40);
  for (std::size_t w = 0; w < works; ++w) {
    Work work;
    work.kind = WorkKind::job;
    work.form = TimeForm::seconds;
    work.amount = static_cast<double>(1 + random.below(30));
    work.estimate = work.amount;
    if (random.below(2) == 0) work.estimate += static_cast<double>(random.below(20));
    work.arrival = static_cast<double>(random.below(60));
    work.cores = 1 + static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(cores)));
    workload->works.push_back(work);
  }
  const auto made = scenario_of(platform, workload);
  if (!shapes) return made;
  const auto shaped = with_shapes(*made, seed, more);
  auto in_time = std::make_shared<Workload>(*shaped->workload);
  for (WorkExtra& extra : in_time->extras) {
    extra.grace = 0;                             // what goes on into it is overdue
    extra.checkpoint.estimate_is_given = false;  // which knows of no dumps
  }
  shaped->workload = std::move(in_time);
  shaped->at_limit = AtLimit::kill;
  return shaped;
}

Outcome run_of(const std::shared_ptr<Scenario>& scenario, const std::string& name, const Given& given,
               bool perfect, std::uint64_t seed = 1) {
  RunOptions options;
  options.seed = seed;
  Simulation run(scenario, configured(name, given), what_is_known(perfect), options);
  run.run();
  return run.outcome();
}

// Larger first: who has arrived earlier. It makes a pass at every multiple of the interval.
class EarlierFirst final : public Rule {
 public:
  std::unique_ptr<Rule> clone() const override { return std::make_unique<EarlierFirst>(*this); }
  std::string text() const override { return "function"; }
  Answer ask_work(Sim& sim, WorkId work) override { return -sim.view().place_in_line(work); }
};

}  // namespace

TEST_CASE("backfill with one promise decides as easy on equal hosts where no job overruns") {
  std::size_t records = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    INFO("seed " << seed);
    const bool one_core = seed % 2 == 0;
    const auto scenario = on_equal_hosts(seed, 1 + seed % 9, one_core ? 1 : 4, seed % 4 < 3);
    for (const bool perfect : {true, false}) {
      const Outcome easy = run_of(scenario, "easy", {}, perfect);
      const Outcome backfill = run_of(scenario, "backfill", {{"reserve", 1.0}}, perfect);
      REQUIRE(easy.physical == backfill.physical);
      records += easy.trace.size();
    }
  }
  CHECK(records > 20000);
}

TEST_CASE("backfill with all promises decides as conservative on one host, with failures and early ends") {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    INFO("seed " << seed);
    const auto scenario = on_equal_hosts(seed, 1, 1 + static_cast<int>(seed % 8), false);
    if (seed % 3 == 0) {
      const auto from = static_cast<double>(10 + seed % 40);
      scenario->happenings.push_back(happening(from, HappeningKind::down, ResourceId::of(HostId(0))));
      scenario->happenings.push_back(
          happening(from + static_cast<double>(seed % 11), HappeningKind::up, ResourceId::of(HostId(0))));
      scenario->check();
    }
    for (const bool perfect : {true, false})
      REQUIRE(run_of(scenario, "conservative", {}, perfect).physical ==
              run_of(scenario, "backfill", {}, perfect).physical);
  }
}

TEST_CASE("backfill: a pass that is left out because nothing can have changed would change nothing") {
  const auto earlier_first = std::make_shared<EarlierFirst>();
  std::size_t complete = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    const Accepts accepts = Catalogue().require("backfill")->accepts;
    const auto scenario = seed % 2 == 0
                              ? on_equal_hosts(seed, 1 + seed % 9, 1 + static_cast<int>(seed % 3), true, true)
                              : with_shapes(*random_scenario(seed, accepts), seed);
    Stream random(seed, "settings");
    Given given;
    if (random.below(2) == 0) given["preset"] = std::string("slurm");
    given["interval"] = static_cast<double>(1 + random.below(9));
    if (random.below(2) == 0) given["resolution"] = static_cast<double>(random.below(7));
    if (random.below(2) == 0) given["window"] = static_cast<double>(random.below(30));
    if (random.below(2) == 0) given["min_age"] = static_cast<double>(random.below(20));
    if (random.below(2) == 0) given["reserve"] = static_cast<double>(random.below(5));
    if (random.below(3) == 0) given["depth"] = static_cast<double>(1 + random.below(5));
    if (random.below(3) == 0) given["main_depth"] = static_cast<double>(1 + random.below(3));
    if (random.below(3) == 0) given["max_start"] = static_cast<double>(1 + random.below(2));
    Given always = given;
    always["priority"] = RulePtr(earlier_first);
    for (const bool perfect : {true, false}) {
      const Outcome some = run_of(scenario, "backfill", given, perfect, seed);
      const Outcome all = run_of(scenario, "backfill", always, perfect, seed);
      REQUIRE(some.physical == all.physical);
      REQUIRE(validate(some).empty());
      complete += some.status == RunStatus::complete ? 1 : 0;
    }
  }
  CHECK(complete == 600);
}

TEST_CASE("backfill with timers: forks and repeats agree, and the run ends") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    const auto scenario = on_equal_hosts(seed, 5, 2, true);
    const Given given = {{"preset", std::string("slurm")}, {"interval", static_cast<double>(1 + seed % 4)}};
    const Outcome whole = run_of(scenario, "backfill", given, false);
    REQUIRE(whole.status == RunStatus::complete);
    Simulation run(scenario, configured("backfill", given), declared_estimator());
    run.run_until(whole.end / 2);
    Simulation fork(run);
    fork.run();
    run.run();
    REQUIRE(fork.outcome().full == whole.full);
    REQUIRE(run.outcome().full == whole.full);
  }
}

TEST_CASE("backfill: timers keep no run alive in which what waits can never start") {
  // The second host goes for good while a job waits for both; the first one finishes at 10.
  const auto platform = platform_of({cluster_of({1, 1})});
  auto workload = std::make_shared<Workload>(*tasks_of({{10, 0, 1}, {5, 1, 1}}));
  for (Work& work : workload->works) work.kind = WorkKind::job;
  workload->works[1].extra = 0;
  workload->extras.emplace_back().shape.nodes = 2;
  const auto scenario = scenario_of(platform, workload);
  scenario->happenings.push_back(happening(3, HappeningKind::down, ResourceId::of(HostId(1))));
  scenario->check();
  const Outcome outcome = run_of(scenario, "backfill", {{"preset", std::string("slurm")}}, true);
  CHECK(outcome.status != RunStatus::complete);
  CHECK(outcome.end <= 60);
}
