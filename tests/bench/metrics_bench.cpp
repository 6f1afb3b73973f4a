// Metrics of a run of a grid with files under workqueue: the makespan alone, and all; and the run itself,
// with the trace that they are worked out from.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>

#include "runtime/results/metrics.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/grids.h"
#include "tests/support/layers.h"

namespace {

using namespace perigee;
using namespace perigee::test;

Outcome outcome_of(const std::shared_ptr<const Scenario>& scenario) {
  const ConfigPtr config = Catalogue().configure("workqueue");
  Simulation simulation(
      scenario, {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants});
  simulation.run();
  return simulation.outcome();
}

void metrics_run(benchmark::State& state) {
  const auto scenario = test::figure11(1.2e6, 1);
  for (auto _ : state) benchmark::DoNotOptimize(outcome_of(scenario));
}
BENCHMARK(metrics_run)->Unit(benchmark::kMicrosecond);

void metrics_makespan(benchmark::State& state) {
  const auto outcome = std::make_shared<const Outcome>(outcome_of(test::figure11(1.2e6, 1)));
  for (auto _ : state) benchmark::DoNotOptimize(Metrics(outcome)["makespan"]);
}
BENCHMARK(metrics_makespan)->Unit(benchmark::kMicrosecond);

void metrics_all(benchmark::State& state) {
  const auto outcome = std::make_shared<const Outcome>(outcome_of(test::figure11(1.2e6, 1)));
  for (auto _ : state) benchmark::DoNotOptimize(Metrics(outcome).all());
}
BENCHMARK(metrics_all)->Unit(benchmark::kMicrosecond);

}  // namespace
