// 10^6 runs of 20 trials each over 1000 hosts of several sizes and speeds, dealt out by the coordinators of
// sweeps, trace kept or not; and what the engine takes for as many packages, dealt out by a workqueue.
// Seconds of this thread.
#include <benchmark/benchmark.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>

#include "runtime/engine/simulation.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/bench/growth.h"
#include "tests/support/layers.h"

namespace {

using namespace perigee;
using namespace perigee::test;

constexpr double kRuns = 1e6;
constexpr std::size_t kHosts = 1000;

std::shared_ptr<const Scenario> large_sweep(double runs = kRuns) {
  PlatformSpec spec;
  PlatformSpec::ClusterSpec& cluster = spec.clusters.emplace_back();
  cluster.name = "c";
  Stream random(1, "hosts");
  for (std::size_t h = 0; h < kHosts; ++h) {
    Host& host = cluster.hosts.emplace_back();
    host.name = "c." + std::to_string(h + 1);
    host.cores = 2 << h % 4;
    host.slots = host.cores == 2 ? 1 : host.cores == 16 ? 15 : host.cores;
    host.speed = random.uniform(0.5, 1.5);
    host.setup = 0.5;
  }
  auto workload = std::make_shared<Workload>();
  Work& work = workload->works.emplace_back();
  work.kind = WorkKind::sweep;
  work.form = TimeForm::operations;
  work.amount = work.estimate = 1;
  work.extra = 0;
  WorkExtra& extra = workload->extras.emplace_back();
  extra.size = runs;
  extra.trials = 20;
  auto scenario = std::make_shared<Scenario>();
  scenario->platform = std::make_shared<Platform>(spec);
  scenario->workload = std::move(workload);
  return scenario;
}

struct Ran {
  double seconds = 0, packages = 0;
};
Ran ran(const std::shared_ptr<const Scenario>& scenario, const std::string& name,
        const std::map<std::string, Value>& given, TraceLevel level) {
  const ConfigPtr config = Catalogue().configure(name, given);
  const double from = seconds_of_thread();
  const Simulation run = finished_run(scenario, config, perfect_estimator(), level);
  return {.seconds = seconds_of_thread() - from, .packages = static_cast<double>(begun_in(run.trace()))};
}

void sweep(benchmark::State& state, const std::string& name, const std::map<std::string, Value>& given) {
  const auto scenario = large_sweep();
  const double packages = ran(scenario, name, given, TraceLevel::full).packages;
  double bare = 0, traced = 0, floor = 0;
  for (auto _ : state) {
    const double took = ran(scenario, name, given, TraceLevel::none).seconds;
    state.SetIterationTime(took);
    bare += took;
    traced += ran(scenario, name, given, TraceLevel::full).seconds;
    floor += ran(scenario, "workqueue", {{"chunk", std::ceil(kRuns / packages)}}, TraceLevel::none).seconds;
  }
  state.counters["packages"] = packages;
  state.counters["times_traced"] = traced / bare;
  state.counters["times_workqueue"] = bare / floor;
  state.SetLabel(
      "times_workqueue = as many packages, dealt out by `workqueue`; times_traced = the run that keeps its trace, over "
      "the one that does not");
}

using Given = std::map<std::string, Value>;
BENCHMARK_CAPTURE(sweep, amrs, "amrs", Given())->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK_CAPTURE(sweep, amra, "amra", Given())->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK_CAPTURE(sweep, samra, "samra", Given())->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK_CAPTURE(sweep, ssse_amra, "ssse_amra", Given())->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK_CAPTURE(sweep, issse_amra, "issse_amra", Given())->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK_CAPTURE(sweep, issse_amra_5_50, "issse_amra", (Given{{"peak", 5.0}, {"k", 50.0}}))
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();

const int registered = [] {
  for (const char* policy : {"amra", "issse_amra"})
    add_growth({.name = std::string("sweep/") + policy,
                .measured = std::string("a sweep dealt out by `") + policy + "` over 1000 hosts",
                .floor = "as many packages, dealt out by `workqueue`",
                .unit = "runs",
                .sizes = {250'000, 500'000, kRuns},
                .make = [=](double size) -> AtSize {
                  const auto scenario = large_sweep(size);
                  const double packages = ran(scenario, policy, {}, TraceLevel::full).packages;
                  return {[=] { return ran(scenario, policy, {}, TraceLevel::none).seconds; },
                          [=] {
                            return ran(scenario, "workqueue", {{"chunk", std::ceil(size / packages)}},
                                       TraceLevel::none)
                                .seconds;
                          }};
                }});
  return 0;
}();

}  // namespace
