// Logs of jobs over several hosts, drawn and replayed under batch policies. The floor is the event queue with a count of
// idle hosts, first come first served: it knows no host by name. A log of one core a host beside the same on one host
// that has all cores, and jobs with checkpoints beside the same without, say what hosts and dumps cost.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/kernel/event_queue.h"
#include "tests/bench/growth.h"
#include "tests/support/toys.h"

namespace {

using namespace perigee;
using namespace perigee::test;

struct DrawnLog {
  std::size_t hosts = 1000;
  std::int32_t cores = 16;    // of a host, which serves one job at a time
  std::int32_t widest = 9;    // jobs have 1, 2, 4, ... up to 2 to the power of this, each as often
  double load = 0.9;          // work that arrives per second over what the hosts can do
  bool exact = false;         // otherwise jobs declare two to ten times too much
  bool by_processes = false;  // that many cores on any hosts, which others may share
  Seconds dumps = 0;          // computing between two checkpoints; 0 = none
  Seconds mtbf = 0;           // of a host; 0 = none fails
};

std::shared_ptr<const Platform> hosts_of(std::size_t hosts, std::int32_t cores, bool exclusive) {
  auto cluster = cluster_of(std::vector<double>(hosts, 1), "node", cores);
  for (Host& host : cluster.hosts) host.exclusive = exclusive;
  return platform_of({std::move(cluster)});
}

std::shared_ptr<Scenario> drawn(const DrawnLog& log, std::size_t jobs) {
  auto workload = std::make_shared<Workload>();
  Stream random(1, "log");
  double used = 0;  // hosts, or cores, times seconds
  for (std::size_t j = 0; j < jobs; ++j) {
    Work& work = workload->works.emplace_back();
    work.kind = WorkKind::job;
    const std::int32_t width = 1 << random.below(static_cast<std::uint64_t>(log.widest) + 1);
    work.amount = std::floor(random.lognormal(3600, 7200)) + 1;
    work.estimate = log.exact ? work.amount : std::floor(work.amount * random.uniform(2, 10)) + 1;
    used += work.amount * width;
    WorkExtra extra;
    extra.shape.nodes = log.by_processes ? 0 : width;
    if (log.by_processes) work.cores = width;
    if (log.dumps > 0) {
      extra.shape.checkpoints = true;
      extra.checkpoint.interval = log.dumps;
      extra.checkpoint.cost = log.dumps / 100;
    }
    work.extra = static_cast<std::uint32_t>(workload->extras.size());
    workload->extras.push_back(std::move(extra));
  }
  const double all = static_cast<double>(log.hosts) * (log.by_processes ? log.cores : 1);
  Time at = 0;
  for (Work& work : workload->works) {
    at += random.exponential(used / static_cast<double>(jobs) / all / log.load);
    work.arrival = std::floor(at);
  }
  auto scenario = std::make_shared<Scenario>();
  scenario->platform = hosts_of(log.hosts, log.cores, !log.by_processes);
  scenario->workload = std::move(workload);
  if (log.mtbf > 0) {
    FailureModel& failures = scenario->failures.emplace_back();
    for (std::size_t h = 0; h < log.hosts; ++h) failures.hosts.emplace_back(h);
    failures.mtbf = log.mtbf;
    failures.mttr = 3600;
  }
  return scenario;
}

// The same jobs on one host that has all cores.
std::shared_ptr<const Scenario> on_one_host(const Scenario& scenario) {
  auto one = std::make_shared<Scenario>(scenario);
  std::int32_t cores = 0;
  for (const Host& host : scenario.platform->hosts()) cores += host.cores;
  one->platform = hosts_of(1, cores, false);
  auto workload = std::make_shared<Workload>(*scenario.workload);
  for (Work& work : workload->works) work.extra = kNone;
  workload->extras.clear();
  one->workload = std::move(workload);
  return one;
}

// First come, first served, on a number of hosts, or of cores.
Time bare_replay_over_hosts(const Scenario& scenario) {
  const Workload& workload = *scenario.workload;
  const auto width = [&](std::uint32_t w) {
    const Shape* shape = workload.shape_of(WorkId(w));
    return shape != nullptr && shape->nodes > 0 ? shape->nodes : workload.works[w].cores;
  };
  EventQueue ends;
  Time now = 0;
  std::int64_t free = 0;
  for (const Host& host : scenario.platform->hosts()) free += host.exclusive ? 1 : host.cores;
  for (std::uint32_t w = 0; w < workload.works.size(); ++w) {
    now = std::max(now, workload.works[w].arrival);
    while (!ends.empty() && (ends.top().at <= now || free < width(w))) {
      now = std::max(now, ends.top().at);
      free += width(ends.top().tag);
      ends.pop();
    }
    free -= width(w);
    ends.push({now + workload.works[w].amount, w, w});
  }
  return now;
}

double replayed(const std::shared_ptr<const Scenario>& scenario, const ConfigPtr& config) {
  return seconds_taken([&] {
    if (finished_run(scenario, config, declared_estimator()).status() != RunStatus::complete)
      throw std::runtime_error("the run is incomplete");
  });
}

constexpr const char* kQueueAlone = "the event queue with a count of hosts, first come first served";

void add_growth_over_hosts(const std::string& name, const std::string& measured, const ConfigPtr& config,
                           const DrawnLog& log, std::array<double, 3> sizes) {
  add_growth({.name = "over_hosts/" + name,
              .measured = measured,
              .floor = kQueueAlone,
              .unit = "jobs",
              .sizes = sizes,
              .make = [=](double size) -> AtSize {
                const std::shared_ptr<const Scenario> scenario = drawn(log, static_cast<std::size_t>(size));
                return {[=] { return replayed(scenario, config); },
                        [=] {
                          return seconds_taken(
                              [&] { benchmark::DoNotOptimize(bare_replay_over_hosts(*scenario)); });
                        }};
              }});
}

// One run, which takes long, beside its floor.
void replay_once(benchmark::State& state, const ConfigPtr& config, const DrawnLog& log, std::size_t jobs) {
  const std::shared_ptr<const Scenario> scenario = drawn(log, jobs);
  double ours = 0, floor = 0, waited = 0;
  for (auto _ : state) {
    floor += seconds_taken([&] { benchmark::DoNotOptimize(bare_replay_over_hosts(*scenario)); });
    ours += seconds_taken([&] {
      const Simulation run = finished_run(scenario, config, declared_estimator(), TraceLevel::work);
      if (run.status() != RunStatus::complete) state.SkipWithError("the run is incomplete");
      for (std::size_t i = 0; i < run.trace().size(); ++i) {
        const engine::Record record = run.trace()[i];
        if (record.kind != RecordKind::finished) continue;
        const Work& work = scenario->workload->works[record.work.index];
        waited += (record.time - work.arrival - work.amount) / run.now();
      }
    });
  }
  state.counters["times_floor"] = ours / floor;
  state.counters["mean_waiting"] = waited / static_cast<double>(state.iterations());  // jobs
  state.counters["jobs_per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations() * jobs), benchmark::Counter::kIsRate);
  state.SetLabel(std::string("times_floor = ") + kQueueAlone);
}

void add_once(const std::string& name, const ConfigPtr& config, const DrawnLog& log, std::size_t jobs) {
  benchmark::RegisterBenchmark(("over_hosts/" + name).c_str(),
                               [=](benchmark::State& state) { replay_once(state, config, log, jobs); })
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

// A job over hosts of one core beside the same on one host.
void add_one_core_hosts() {
  const ConfigPtr easy = Catalogue().configure("easy");
  add_growth({.name = "over_hosts/one_core",
              .measured = "a log under `easy` on 100 hosts of one core",
              .floor = "the same log on one host of 100 cores",
              .unit = "jobs",
              .sizes = {7000, 14'000, 28'000},  // the last is about that of KTH-SP2
              .make = [=](double size) -> AtSize {
                const DrawnLog log{.hosts = 100, .cores = 1, .widest = 6, .load = 0.7, .by_processes = true};
                const std::shared_ptr<const Scenario> many = drawn(log, static_cast<std::size_t>(size));
                const std::shared_ptr<const Scenario> one = on_one_host(*many);
                return {[=] { return replayed(many, easy); }, [=] { return replayed(one, easy); }};
              }});
}

void add_dumps() {
  const ConfigPtr easy = Catalogue().configure("easy");
  add_growth({.name = "over_hosts/dumps",
              .measured = "a log under `easy`, in which jobs write a checkpoint each quarter of an hour",
              .floor = "the same log without checkpoints",
              .unit = "jobs",
              .sizes = {5000, 10'000, 20'000},
              .make = [=](double size) -> AtSize {
                const auto jobs = static_cast<std::size_t>(size);
                const DrawnLog log{.load = 0.6};
                DrawnLog with_dumps = log;
                with_dumps.dumps = 900;
                const std::shared_ptr<const Scenario> without = drawn(log, jobs),
                                                      with = drawn(with_dumps, jobs);
                return {[=] { return replayed(with, easy); }, [=] { return replayed(without, easy); }};
              }});
}

const int registered = [] {
  const Catalogue catalogue;
  const std::array<double, 3> sizes = {25'000, 50'000, 100'000};
  const std::string log =
      "jobs of 1 to 512 nodes on 1000 exclusive hosts at load 0.9, which declare two to ten times "
      "too much, under ";
  add_growth_over_hosts("fcfs", log + "`fcfs`", catalogue.configure("fcfs"), {}, sizes);
  add_growth_over_hosts("easy", log + "`easy`", catalogue.configure("easy"), {}, sizes);
  add_growth_over_hosts("easy_failures", log + "`easy`, where each host fails about once a year",
                        catalogue.configure("easy"), {.load = 0.8, .mtbf = 365 * 86'400.0}, sizes);
  add_one_core_hosts();
  add_dumps();
  add_once("conservative/20000_jobs", catalogue.configure("conservative"), {.load = 0.96}, 20'000);
  add_once("backfill_slurm/100000_jobs", catalogue.configure("backfill", {{"preset", std::string("slurm")}}),
           {.load = 0.8}, 100'000);
  add_once("easy/1000000_jobs", catalogue.configure("easy"), {.widest = 7}, 1'000'000);
  return 0;
}();

}  // namespace
