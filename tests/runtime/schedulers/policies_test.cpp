// Duties of every policy of the catalogue, whatever it decides.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "runtime/engine/information.h"
#include "runtime/results/executions.h"
#include "runtime/results/metrics.h"
#include "runtime/results/packages.h"
#include "runtime/results/resource_rows.h"
#include "runtime/results/validator.h"
#include "tests/support/every_policy.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"
#include "tests/support/rounds.h"
#include "tests/support/shapes.h"
#include "tests/support/workflows.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// Every second run has imperfect information.
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

// The core-seconds that attempts of jobs and tasks held from the first arrival on, each attempt by itself.
double held_by_attempts(const Outcome& outcome) {
  const Executions all = executions(outcome);
  const Workload& workload = *outcome.scenario->workload;
  double sum = 0;
  for (const Execution& each : all.all) {
    if (each.kind != ActivityKind::compute) continue;
    const WorkKind kind = workload[each.work].kind;
    if (kind != WorkKind::job && kind != WorkKind::task) continue;
    const Shape* shape = workload.shape_of(each.work);
    for (const UsedResource& on : all.on(each))
      sum +=
          (each.ended - each.started - each.suspended()) *
          (shape != nullptr && shape->exclusive ? (*outcome.scenario->platform)[on.host()].cores : on.cores);
  }
  return sum;
}

// The parts of the core-seconds add up, and idle cores are less than there are.
void check_core_time(const Outcome& outcome) {
  const Metrics metrics = measure(outcome);
  double sum = 0;
  for (const char* part : {"useful", "setup", "restart", "dump", "standing", "lost", "killed"}) {
    const double value = metrics[std::string("core_time.") + part];
    REQUIRE(value >= 0);
    sum += value;
  }
  REQUIRE(sum == Approx(held_by_attempts(outcome)).epsilon(1e-9).margin(1e-9));
  if (!std::isnan(metrics["waste"]))
    REQUIRE(metrics["waste"] ==
            Approx((sum - metrics["core_time.useful"]) / sum).epsilon(1e-9).margin(1e-12));
  if (std::isnan(metrics["lost_capacity"])) return;
  REQUIRE(metrics["fragmentation"] >= 0);
  REQUIRE(metrics["fragmentation"] <= metrics["lost_capacity"]);
  REQUIRE(metrics["lost_capacity"] <= 1 + 1e-9);
}

// A share of a whole lies in [0, 1], however much of the run there was.
void check_shares(const Outcome& outcome) {
  constexpr double kMost = 1 + 1e-9;
  const auto is_share = [](double value) { return std::isnan(value) || (value >= 0 && value <= kMost); };
  const Metrics metrics = measure(outcome);
  check_core_time(outcome);
  for (const MetricInfo& info : metric_infos()) {
    const std::string name(info.name);
    if (name.find("utilization") == std::string::npos && !name.ends_with("_ratio") && name != "fairness" &&
        name != "efficiency.available")
      continue;
    if (name == "bound_ratio" || name == "computation_ratio") continue;  // of times
    INFO(name << " = " << metrics[name]);
    REQUIRE(is_share(metrics[name]));
  }
  for (const ResourceRow& row : resource_rows(outcome)) REQUIRE(is_share(row.utilization));
  const Time end = end_of_rows(outcome);
  for (const HostRow& row : host_rows(outcome, executions(outcome))) {
    REQUIRE(std::min({row.useful, row.duplicate, row.redundant, row.lost, row.running, row.idle}) >= 0);
    REQUIRE(row.useful + row.duplicate + row.redundant + row.lost + row.running + row.idle ==
            Approx(end).epsilon(1e-9));
  }
}

void check_run(const ConfiguredPolicy& policy, const std::shared_ptr<Scenario>& scenario,
               std::uint64_t seed) {
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
  check_shares(outcome);

  Simulation again(scenario, policy.setup(), information_for(seed), options);
  again.run_until(outcome.end / 2);
  check_shares(again.outcome());
  RunOptions cut = options;
  cut.horizon = 0.7 * outcome.end;
  Simulation until(scenario, policy.setup(), information_for(seed), cut);
  until.run();
  check_shares(until.outcome());
  Simulation fork(again);
  again.run();
  fork.run();
  REQUIRE(again.outcome().full == outcome.full);
  REQUIRE(fork.outcome().full == outcome.full);
}

void check_random_scenarios(std::uint64_t seeds) {
  for (const ConfiguredPolicy& policy : every_policy()) {
    INFO(policy.text);
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      INFO("seed " << seed);
      check_run(policy, random_scenario(seed, policy.config->entry->accepts), seed);
    }
  }
}

// Jobs over several hosts, with limits, and reservations beside them.
bool takes_all_jobs(const ConfiguredPolicy& policy) {
  const Accepts& accepts = policy.config->entry->accepts;
  return accepts.several_hosts && accepts.limits && accepts.reservations;
}

void check_jobs_over_hosts(std::uint64_t seeds, bool moldable) {
  std::size_t checked = 0;
  for (const ConfiguredPolicy& policy : every_policy()) {
    if (!takes_all_jobs(policy)) continue;
    INFO(policy.text);
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      INFO("seed " << seed << (moldable ? ", moldable" : ""));
      auto scenario = with_shapes(*random_scenario(seed, policy.config->entry->accepts), seed);
      if (moldable) scenario = with_molds(*scenario, seed);
      check_run(policy, scenario, seed);
      ++checked;
    }
  }
  CHECK(checked >= 10 * seeds);
}

void check_dumps_over_links(std::uint64_t seeds) {
  std::size_t checked = 0;
  for (const ConfiguredPolicy& policy : every_policy()) {
    const Accepts& accepts = policy.config->entry->accepts;
    if (!takes_all_jobs(policy)) continue;
    INFO(policy.text);
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      INFO("seed " << seed);
      check_run(policy, with_dumps_over_links(*with_shapes(*random_scenario(seed, accepts), seed), seed),
                seed);
      ++checked;
    }
  }
  CHECK(checked >= 10 * seeds);
}

void check_consumables(std::uint64_t seeds) {
  std::size_t checked = 0;
  for (const ConfiguredPolicy& policy : every_policy()) {
    const Accepts& accepts = policy.config->entry->accepts;
    if (!accepts.memory || !takes_all_jobs(policy)) continue;
    INFO(policy.text);
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      INFO("seed " << seed);
      const auto shaped = with_consumables(*with_shapes(*random_scenario(seed, accepts), seed), seed);
      check_run(policy, seed % 2 == 0 ? shaped : with_inside(*shaped, seed), seed);
      ++checked;
    }
  }
  CHECK(checked >= 10 * seeds);
}

void check_precedence(std::uint64_t seeds) {
  std::size_t checked = 0;
  for (const ConfiguredPolicy& policy : every_policy()) {
    const Accepts& accepts = policy.config->entry->accepts;
    if (!accepts.tasks) continue;
    INFO(policy.text);
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      INFO("seed " << seed);
      check_run(policy, with_precedence(*random_scenario(seed, accepts), seed), seed);
      ++checked;
    }
  }
  CHECK(checked >= 20 * seeds);
}

bool counts_promises(const ConfiguredPolicy& policy) {
  return policy.text.find("\"count\"") != std::string::npos ||
         policy.text.find("= count") != std::string::npos;
}

void check_queues(std::uint64_t seeds) {
  std::size_t checked = 0;
  for (const ConfiguredPolicy& policy : every_policy()) {
    const Accepts& accepts = policy.config->entry->accepts;
    if (!takes_all_jobs(policy) || counts_promises(policy)) continue;
    INFO(policy.text);
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      INFO("seed " << seed);
      auto scenario = with_shapes(*random_scenario(seed, accepts), seed);
      if (seed % 3 == 0) scenario = with_molds(*scenario, seed);
      check_run(policy, with_queues(*scenario, seed), seed);
      ++checked;
    }
  }
  CHECK(checked >= 10 * seeds);
}

}  // namespace

TEST_CASE(
    "every policy finishes every random scenario; the validator finds nothing; forks and repeats agree; "
    "shares are at "
    "most 1") {
  check_random_scenarios(rounds(50));
}

TEST_CASE("the same with many more scenarios", "[.long]") { check_random_scenarios(400); }

TEST_CASE("the same of tasks that wait for each other") { check_precedence(rounds(50)); }

TEST_CASE("the same of such tasks, with many more scenarios", "[.long]") { check_precedence(400); }

TEST_CASE("the same of jobs in queues") { check_queues(rounds(30)); }

TEST_CASE("the same of jobs over several hosts") { check_jobs_over_hosts(rounds(50), false); }

TEST_CASE("the same of moldable jobs") { check_jobs_over_hosts(rounds(50), true); }

TEST_CASE("the same of jobs over several hosts, with many more scenarios", "[.long]") {
  check_jobs_over_hosts(400, false);
  check_jobs_over_hosts(400, true);
}

TEST_CASE("the same of jobs that send their dumps over links") { check_dumps_over_links(rounds(30)); }

TEST_CASE("the same of such dumps, with many more scenarios", "[.long]") { check_dumps_over_links(400); }

TEST_CASE("the same of jobs that take memory, resources and licences, and of jobs inside of reservations") {
  check_consumables(rounds(30));
}

TEST_CASE("the same of such jobs, with many more scenarios", "[.long]") { check_consumables(400); }

TEST_CASE("what a policy does not accept is refused before the run") {
  for (const ConfiguredPolicy& policy : every_policy()) {
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

TEST_CASE("jobs over several hosts are refused by policies that do not take them") {
  const auto platform = platform_of({cluster_of({1, 1}, "c", 1)});
  auto workload = std::make_shared<Workload>(*tasks_of({{5, 0, 1}}));
  workload->works[0].kind = WorkKind::job;
  workload->works[0].extra = 0;
  workload->extras.emplace_back().shape.nodes = 2;
  for (const ConfiguredPolicy& policy : every_policy()) {
    const Accepts& accepts = policy.config->entry->accepts;
    if (accepts.several_hosts || !accepts.jobs) continue;
    INFO(policy.text);
    CHECK_THROWS_WITH(Simulation(scenario_of(platform, workload), policy.setup()),
                      Catch::Contains("'nodes' = 2"));
  }
}
