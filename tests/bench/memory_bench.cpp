// Peak memory of a run of 10^6 tasks that arrive at once, under workqueue on 256 hosts, by what is kept of its
// trace. Bytes are on top of the scenario, whose own are a row too.
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <memory>

#include "runtime/results/accounts.h"
#include "runtime/results/metrics.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/bench/growth.h"
#include "tests/support/layers.h"
#include "tests/support/scenarios.h"
#include "tests/support/toys.h"

namespace {

using namespace perigee;
using namespace perigee::test;

constexpr std::size_t kTasks = 1'000'000;

std::shared_ptr<const Scenario> make_scenario(std::size_t tasks = kTasks) {
  auto workload = std::make_shared<Workload>();
  workload->works.resize(tasks);
  Stream random(1, "times");
  for (Work& work : workload->works) work.amount = work.estimate = random.uniform(90, 110);
  return scenario_of(platform_of({cluster_of(std::vector<double>(256, 1))}), workload);
}

double peak() {  // B
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

// The most that the work takes, in B, in a process of its own.
double peak_of(const std::function<void()>& work) {
  malloc_trim(0);  // the process would take again what this one has freed
  int ends[2];
  if (pipe(ends) != 0) return 0;
  if (const pid_t child = fork(); child == 0) {
    const double before = peak();
    work();
    const double taken = peak() - before;
    const bool told = write(ends[1], &taken, sizeof taken) == sizeof taken;
    _exit(told ? 0 : 1);
  } else {
    double taken = 0;
    if (read(ends[0], &taken, sizeof taken) != sizeof taken) taken = 0;
    waitpid(child, nullptr, 0);
    close(ends[0]);
    close(ends[1]);
    return taken;
  }
}

void report(benchmark::State& state, const std::function<void()>& work) {
  double most = 0;
  for (auto _ : state) most = std::max(most, peak_of(work));
  state.counters["bytes_per_task"] = most / kTasks;
}

void memory_scenario(benchmark::State& state) {
  report(state, [] { benchmark::DoNotOptimize(make_scenario()); });
}
BENCHMARK(memory_scenario)->Iterations(1)->Unit(benchmark::kMillisecond);

void measured_run(const std::shared_ptr<const Scenario>& scenario, TraceLevel level) {
  const ConfigPtr config = Catalogue().configure("workqueue");
  RunOptions options;
  options.level = level;
  if (level != TraceLevel::full) options.witness = std::make_unique<Accounts>(scenario, options.warmup);
  Simulation run(scenario,
                 {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants},
                 perfect_estimator(), options);
  run.run();
  benchmark::DoNotOptimize(results::measure(run.outcome())["makespan"]);
}

void memory_run(benchmark::State& state, TraceLevel level) {
  const auto scenario = make_scenario();
  report(state, [&] { measured_run(scenario, level); });
}
BENCHMARK_CAPTURE(memory_run, none, TraceLevel::none)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(memory_run, work, TraceLevel::work)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(memory_run, full, TraceLevel::full)->Iterations(1)->Unit(benchmark::kMillisecond);

const int registered = [] {
  const auto add = [](const char* name, const char* measured, TraceLevel level) {
    add_growth({.name = std::string("memory/") + name,
                .measured = measured,
                .floor = "the memory of the scenario",
                .unit = "tasks",
                .sizes = {250'000, 500'000, kTasks},
                .make = [level](double size) -> AtSize {
                  const auto tasks = static_cast<std::size_t>(size);
                  const auto scenario = make_scenario(tasks);
                  return {[=] { return peak_of([&] { measured_run(scenario, level); }); },
                          [=] { return peak_of([&] { benchmark::DoNotOptimize(make_scenario(tasks)); }); }};
                }});
  };
  add("trace_none", "the memory of a run with `trace = \"none\"`", TraceLevel::none);
  add("trace_work", "the memory of a run with `trace = \"work\"`", TraceLevel::work);
  add("trace_full", "the memory of a run that keeps its trace", TraceLevel::full);
  return 0;
}();

}  // namespace
