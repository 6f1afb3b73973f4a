// Grids of clusters: a cell of Figure 11 of Berman et al. (LIP RR 1999-46) and a large grid under the
// planner, and workqueue on the same, with and without files.
#include <benchmark/benchmark.h>

#include <string>

#include "runtime/schedulers/catalogue.h"
#include "tests/support/grids.h"
#include "tests/support/layers.h"

namespace {

using namespace perigee;
using namespace perigee::test;

void run(benchmark::State& state, const std::shared_ptr<const Scenario>& scenario, const ConfigPtr& config) {
  for (auto _ : state) {
    RunOptions options;
    options.level = TraceLevel::none;
    Simulation simulation(
        scenario, {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants},
        perfect_estimator(), options);
    simulation.run();
    if (simulation.status() != RunStatus::complete) state.SkipWithError("not complete");
    benchmark::DoNotOptimize(simulation.now());
  }
}

// So many tasks in chunks of 50 that share a file, on 10 clusters of 10 hosts each.
std::shared_ptr<Scenario> large_grid(std::uint32_t tasks) {
  Stream random(1, "large grid");
  std::vector<PlatformSpec::ClusterSpec> clusters;
  for (int c = 0; c < 10; ++c) {
    auto cluster = test::with_link(test::cluster_of(std::vector<double>(10, 1.0), "c" + std::to_string(c)),
                                   1e5 * (1 + random.unit()));
    for (Host& host : cluster.hosts) host.availability = Profile(0.3 + 0.7 * random.unit());
    clusters.push_back(cluster);
  }
  std::vector<double> sizes;
  std::vector<test::FiledTask> filed;
  for (std::uint32_t t = 0; t < tasks; ++t) {
    if (t % 50 == 0) sizes.push_back(1e6 * (1 + random.unit()));
    const auto shared = static_cast<std::uint32_t>(sizes.size()) - 1 - 3 * (t % 50);
    const auto own = static_cast<std::uint32_t>(sizes.size());
    for (int f = 0; f < 3; ++f) sizes.push_back(8000 + 4000 * random.unit());
    filed.push_back({90 + 20 * random.unit(), {shared, own, own + 1}, {own + 2}});
  }
  return test::scenario_of(test::platform_of(clusters), test::filed_tasks(sizes, filed));
}

std::shared_ptr<Scenario> without_files(std::size_t tasks) {
  std::vector<test::TaskSpec> times;
  Stream random(1, "tasks without files");
  for (std::size_t t = 0; t < tasks; ++t) times.push_back({90 + 20 * random.unit()});
  auto scenario = test::figure11(0, 1);
  scenario->workload = test::tasks_of(times);
  return scenario;
}

const int kRegistered = [] {
  const Catalogue catalogue;
  const auto workqueue = catalogue.configure("workqueue");
  const auto add = [](const std::string& name, auto scenario, const ConfigPtr& config) {
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
      run(state, scenario(), config);
    })->Unit(benchmark::kMillisecond);
  };
  for (const auto& entry : catalogue.entries()) {
    if (!entry->charts()) continue;
    const ConfigPtr planner = catalogue.configure("planner", {{"map", entry->name}});
    add(
        "grid/figure11/" + entry->name, [] { return test::figure11(2.4e6, 1); }, planner);
    add(
        "grid/plan/2000_tasks_100_hosts/" + entry->name, [] { return large_grid(2000); }, planner);
    add(
        "grid/plan/10000_tasks_100_hosts/" + entry->name, [] { return large_grid(10000); }, planner);
  }
  add(
      "grid/workqueue/400_tasks_22_hosts", [] { return test::figure11(2.4e6, 1); }, workqueue);
  add(
      "grid/workqueue/400_tasks_22_hosts/no_files", [] { return without_files(400); }, workqueue);
  add(
      "grid/workqueue/100000_tasks_22_hosts/no_files", [] { return without_files(100'000); }, workqueue);
  add(
      "grid/workqueue/100000_tasks_100_hosts", [] { return large_grid(100'000); }, workqueue);
  return 0;
}();

}  // namespace
