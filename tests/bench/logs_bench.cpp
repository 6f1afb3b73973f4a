// A synthetic log of 10^5 rigid jobs on one host of 128 cores, replayed under batch policies that go by what
// jobs declare: two to ten times too much. `load` is the work that arrives per second over what the host can
// do; at 2 the queue grows to half of the log.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "runtime/engine/simulation.h"
#include "runtime/results/export.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"

namespace {

using namespace perigee;
using namespace perigee::test;

constexpr std::size_t kJobs = 100'000;
constexpr std::int32_t kCores = 128;

std::shared_ptr<const Scenario> synthetic_log(double load, bool exact, std::size_t jobs = kJobs) {
  PlatformSpec spec;
  PlatformSpec::ClusterSpec& cluster = spec.clusters.emplace_back();
  cluster.name = "machine";
  cluster.hosts.emplace_back().name = "machine.1";
  cluster.hosts.back().cores = kCores;
  auto workload = std::make_shared<Workload>();
  Stream random(1, "log");
  double core_seconds = 0;
  for (std::size_t j = 0; j < jobs; ++j) {
    Work& work = workload->works.emplace_back();
    work.kind = WorkKind::job;
    work.cores = 1 << random.below(7);
    if (random.below(4) == 0) work.cores = 1 + static_cast<std::int32_t>(random.below(kCores));
    work.amount = std::floor(random.lognormal(3600, 7200)) + 1;
    work.estimate = exact ? work.amount : std::floor(work.amount * random.uniform(2, 10)) + 1;
    core_seconds += work.amount * work.cores;
  }
  Time at = 0;
  for (Work& work : workload->works) {
    at += random.exponential(core_seconds / static_cast<double>(jobs) / kCores / load);
    work.arrival = std::floor(at);
  }
  auto scenario = std::make_shared<Scenario>();
  scenario->platform = std::make_shared<Platform>(spec);
  scenario->workload = std::move(workload);
  return scenario;
}

void replay(benchmark::State& state, const std::string& policy, double load, bool exact) {
  const auto scenario = synthetic_log(load, exact);
  const ConfigPtr config = Catalogue().configure(policy);
  RunOptions options;
  options.level = TraceLevel::none;
  for (auto _ : state) {
    Simulation simulation(scenario,
                          {policy, config->make_policy(), config->entry->accepts, config->entry->instants},
                          declared_estimator(), options);
    simulation.run();
    if (simulation.status() != RunStatus::complete) state.SkipWithError("the run is incomplete");
    benchmark::DoNotOptimize(simulation.trace().physical());
  }
  state.counters["jobs_per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kJobs, benchmark::Counter::kIsRate);
}

double seconds() {  // of this thread
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// All files of a replay of 28,000 jobs, beside the writing of as many bytes that are there already.
void saving(benchmark::State& state) {
  constexpr std::size_t kSaved = 28'000;
  const ConfigPtr config = Catalogue().configure("easy");
  Simulation simulation(synthetic_log(0.8, false, kSaved),
                        {"easy", config->make_policy(), config->entry->accepts, config->entry->instants},
                        declared_estimator(), {});
  simulation.run();
  const Outcome outcome = simulation.outcome();
  const Folder folder;
  double ours = 0, floor = 0;
  std::uintmax_t bytes = 0;
  for (auto _ : state) {
    const double from = seconds();
    save(outcome, folder.path / "run");
    const double taken = seconds() - from;
    state.SetIterationTime(taken);
    ours += taken;
    bytes = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder.path / "run"))
      bytes += file.file_size();
    const std::string same(bytes, '0');
    const double begin = seconds();
    std::ofstream(folder.path / "same", std::ios::binary) << same;
    floor += seconds() - begin;
  }
  state.counters["bytes"] = static_cast<double>(bytes);
  state.counters["times_floor"] = ours / floor;
}
BENCHMARK(saving)->UseManualTime()->Unit(benchmark::kMillisecond);

const int registered = [] {
  struct Run {
    const char* policy;
    double load;
    bool exact;
  };
  for (const Run& run : {Run{"fcfs", 0.6, false}, Run{"fcfs", 2, false}, Run{"sjf", 2, false},
                         Run{"easy", 0.8, false}, Run{"easy", 2, false}, Run{"easy", 2, true},
                         Run{"conservative", 0.8, true}, Run{"conservative", 0.8, false}})
    benchmark::RegisterBenchmark(
        ("log/" + std::string(run.policy) +
         (run.load < 1 ? "/load_0." + std::to_string(int(run.load * 10)) : "/load_2") +
         (run.exact ? "/exact" : ""))
            .c_str(),
        [=](benchmark::State& state) { replay(state, run.policy, run.load, run.exact); })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  return 0;
}();

}  // namespace
