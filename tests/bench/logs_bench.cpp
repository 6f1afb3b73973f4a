// A synthetic log of 10^5 rigid jobs on one host of 128 cores, replayed under batch policies that go by what
// jobs declare: two to ten times too much. `load` is the work that arrives per second over what the host can
// do; at 2 the queue grows to half of the log.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/kernel/event_queue.h"
#include "runtime/results/export.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/bench/growth.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"
#include "tests/support/scenarios.h"
#include "tests/support/toys.h"

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

// First come, first served: a job starts when it is the oldest and its cores are free.
Time bare_replay(const Scenario& scenario) {
  const auto& works = scenario.workload->works;
  EventQueue ends;
  Time now = 0;
  std::int32_t free = 0;
  for (const Host& host : scenario.platform->hosts()) free += host.cores;
  for (std::uint32_t w = 0; w < works.size(); ++w) {
    now = std::max(now, works[w].arrival);
    while (!ends.empty() && (ends.top().at <= now || free < works[w].cores)) {
      now = std::max(now, ends.top().at);
      free += works[ends.top().tag].cores;
      ends.pop();
    }
    free -= works[w].cores;
    ends.push({now + works[w].amount, w, w});
  }
  return now;
}

void replay(benchmark::State& state, const std::string& policy, double load, bool exact) {
  const auto scenario = synthetic_log(load, exact);
  const ConfigPtr config = Catalogue().configure(policy);
  double ours = 0, floor = 0;
  for (auto _ : state) {
    floor += seconds_taken([&] { benchmark::DoNotOptimize(bare_replay(*scenario)); });
    ours += seconds_taken([&] {
      if (finished_run(scenario, config, declared_estimator()).status() != RunStatus::complete)
        state.SkipWithError("the run is incomplete");
    });
  }
  state.counters["times_floor"] = ours / floor;
  state.SetLabel("times_floor = the event queue, first come first served");
  state.counters["jobs_per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kJobs, benchmark::Counter::kIsRate);
}

void add_growth_of_replay(const std::string& name, const std::string& measured, const ConfigPtr& config,
                          std::array<double, 3> sizes,
                          std::function<std::shared_ptr<const Scenario>(std::size_t jobs)> make) {
  add_growth(
      {.name = name,
       .measured = measured,
       .floor = "the event queue, first come first served",
       .unit = "jobs",
       .sizes = sizes,
       .make = [=](double size) -> AtSize {
         const auto scenario = make(static_cast<std::size_t>(size));
         return {[=] { return seconds_taken([&] { finished_run(scenario, config, declared_estimator()); }); },
                 [=] { return seconds_taken([&] { benchmark::DoNotOptimize(bare_replay(*scenario)); }); }};
       }});
}

// Tasks of one core on 64 hosts of one core, that arrive at load 0.9.
std::shared_ptr<const Scenario> arriving_tasks(std::size_t tasks) {
  constexpr std::size_t kHosts = 64;
  auto workload = std::make_shared<Workload>();
  Stream random(1, "tasks");
  Time at = 0;
  for (std::size_t t = 0; t < tasks; ++t) {
    Work& work = workload->works.emplace_back();
    work.amount = work.estimate = random.uniform(50, 150);
    work.arrival = at += random.exponential(100 / (0.9 * kHosts));
  }
  return scenario_of(platform_of({cluster_of(std::vector<double>(kHosts, 1))}), workload);
}

// All files of a replay of so many jobs, beside the writing of as many bytes that are there already.
AtSize growth_of_saving(double size) {
  const auto outcome = std::make_shared<Outcome>(
      finished_run(synthetic_log(0.8, false, static_cast<std::size_t>(size)), Catalogue().configure("easy"),
                   declared_estimator(), TraceLevel::full)
          .outcome());
  const auto folder = std::make_shared<Folder>();
  const auto same = std::make_shared<std::string>();
  return {[=] {
            const double taken = seconds_taken([&] { save(*outcome, folder->path / "run"); });
            std::uintmax_t bytes = 0;
            for (const auto& file : std::filesystem::directory_iterator(folder->path / "run"))
              bytes += file.file_size();
            same->assign(bytes, '0');
            return taken;
          },
          [=] {
            return seconds_taken([&] { std::ofstream(folder->path / "same", std::ios::binary) << *same; });
          }};
}

void saving(benchmark::State& state) {
  const AtSize files = growth_of_saving(28'000);
  double ours = 0, floor = 0;
  for (auto _ : state) {
    const double taken = files.ours();
    state.SetIterationTime(taken);
    ours += taken;
    floor += files.floor();
  }
  state.counters["times_floor"] = ours / floor;
  state.SetLabel("times_floor = the writing of as many bytes that are there already");
}
BENCHMARK(saving)->UseManualTime()->Unit(benchmark::kMillisecond);

const int registered = [] {
  for (const auto& [policy, load] :
       {std::pair{"easy", 0.9}, {"easy", 2.0}, {"conservative", 0.9}, {"conservative", 2.0}}) {
    const bool over = load > 1;
    const bool long_queue = over && policy == std::string("conservative");
    add_growth_of_replay(fmt::format("{}/{}", policy, over ? "overload" : "load_0.9"),
                         fmt::format("a log replayed under `{}`, {}, jobs declare two to ten times too much",
                                     policy, over ? "twice as much arrives as can be done" : "at load 0.9"),
                         Catalogue().configure(policy),
                         long_queue ? std::array<double, 3>{2500, 5000, 10'000}
                                    : std::array<double, 3>{10'000, 20'000, 40'000},
                         [load = load](std::size_t jobs) { return synthetic_log(load, false, jobs); });
  }
  for (const char* mapper : {"mct", "min_min", "sufferage"})
    add_growth_of_replay(
        fmt::format("mapped/{}", mapper),
        fmt::format("tasks that arrive at load 0.9 on 64 hosts under `mapped {{ map = \"{}\" }}`", mapper),
        Catalogue().configure("mapped", {{"map", std::string(mapper)}}), {2500, 5000, 10'000},
        arriving_tasks);
  add_growth({.name = "saving",
              .measured = "all files of a run are saved",
              .floor = "the writing of as many bytes that are there already",
              .unit = "jobs",
              .sizes = {7000, 14'000, 28'000},
              .make = growth_of_saving});
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
