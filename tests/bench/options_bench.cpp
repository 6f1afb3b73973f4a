// Cost of queues, priorities, preemption and the power of hosts. A drawn log of jobs of one host runs with one of them, its
// metrics included, beside the same log without; who uses none of them should pay for none. The rows `again` are the same
// run twice: what they differ from 1 by is noise.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/results/metrics.h"
#include "runtime/schedulers/batch/multifactor.h"
#include "tests/bench/growth.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

namespace {

using namespace perigee;
using namespace perigee::test;

enum class Tiers : std::uint8_t { none, one, two };

struct DrawnJobs {
  std::size_t jobs = 100'000;
  Tiers tiers =
      Tiers::none;  // one queue, or two qualities of service, the higher of which a tenth of the jobs has
  bool powered = false;  // hosts declare what they draw
};

std::shared_ptr<const Platform> hosts(bool powered) {
  constexpr std::size_t kHosts = 64;
  auto cluster = cluster_of(std::vector<double>(kHosts, 1), "node", 16);
  PowerModel power;
  power.states = {{.idle = 95, .epsilon = 100, .busy = 190}};
  power.off = 9.75;
  power.boot = {152, 125};
  power.shutdown = {6, 101};
  for (Host& host : cluster.hosts)
    if (powered) host.power = std::make_shared<const PowerModel>(power);
  return platform_of({std::move(cluster)});
}

// Jobs of 1 to 16 cores of one of 64 hosts of 16, at load 0.7, which declare two to ten times too much.
std::shared_ptr<const Scenario> drawn(const DrawnJobs& wanted) {
  auto scenario = std::make_shared<Scenario>();
  scenario->platform = hosts(wanted.powered);
  auto workload = std::make_shared<Workload>();
  for (int u = 0; u < 20; ++u) workload->users.push_back("user " + std::to_string(u));
  if (wanted.tiers != Tiers::none) {
    auto queues = std::make_shared<model::Queues>();
    queues->declared = true;
    queues->queues.push_back({.name = "all"});
    queues->qos = {{.name = "high", .tier = 2}, {.name = "low", .tier = 1}};
    workload->queues = std::move(queues);
  }
  Stream random(1, "options");
  double used = 0;  // core-seconds
  for (std::size_t j = 0; j < wanted.jobs; ++j) {
    Work& work = workload->works.emplace_back();
    work.kind = WorkKind::job;
    work.cores = 1 << random.below(5);
    work.amount = std::floor(random.lognormal(3600, 7200)) + 1;
    work.estimate = std::floor(work.amount * random.uniform(2, 10)) + 1;
    work.user = UserId(random.below(20));
    const bool high = random.below(10) == 0;
    used += work.amount * work.cores;
    if (wanted.tiers == Tiers::none) continue;
    WorkExtra extra;
    extra.queue = 0;
    if (wanted.tiers == Tiers::two) extra.qos = high ? 0 : 1;
    work.extra = static_cast<std::uint32_t>(workload->extras.size());
    workload->extras.push_back(std::move(extra));
  }
  constexpr double kLoad = 0.7;
  const double apart = used / static_cast<double>(wanted.jobs) /
                       static_cast<double>(scenario->platform->total_cores()) / kLoad;
  Time at = 0;
  for (Work& work : workload->works) {
    at += random.exponential(apart);
    work.arrival = std::floor(at);
  }
  scenario->workload = std::move(workload);
  return scenario;
}

struct Measured {
  ConfigPtr config;
  DrawnJobs jobs;
};

double seconds_of(const std::shared_ptr<const Scenario>& scenario, const ConfigPtr& config) {
  return seconds_taken([&] {
    const Simulation run = finished_run(scenario, config, declared_estimator(), TraceLevel::full);
    if (run.status() != RunStatus::complete) throw std::runtime_error("the run is incomplete");
    benchmark::DoNotOptimize(Metrics(std::make_shared<const Outcome>(run.outcome())).all());
  });
}

// The median of the ratios of runs, which take turns at being the first of two. The first runs of all, which find no memory
// that is warm, do not count.
void beside(benchmark::State& state, const Measured& with, const Measured& without,
            const std::string& label) {
  constexpr std::size_t kRounds = 10;
  for (auto _ : state) {
    const auto ours = drawn(with.jobs), plain = drawn(without.jobs);
    std::vector<double> ratios;
    for (std::size_t round = 0; round <= kRounds; ++round) {
      const bool is_first = round % 2 == 0;
      double own = is_first ? seconds_of(ours, with.config) : 0;
      const double other = seconds_of(plain, without.config);
      if (!is_first) own = seconds_of(ours, with.config);
      if (round > 0) ratios.push_back(own / other);
    }
    state.counters["times_plain"] = growth::middle(ratios);
  }
  state.SetLabel("times_plain = " + label);
}

void add(const std::string& name, const Measured& with, const Measured& without, const std::string& label) {
  benchmark::RegisterBenchmark(("options/" + name).c_str(),
                               [=](benchmark::State& state) { beside(state, with, without, label); })
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

const int registered = [] {
  const Catalogue catalogue;
  const DrawnJobs plain, one_queue{.tiers = Tiers::one}, powered{.powered = true};
  for (const std::string policy : {"fcfs", "easy"}) {
    const ConfigPtr config = catalogue.configure(policy),
                    switching = catalogue.configure(policy, {{"off_after", 600.0}});
    const std::string same = "the same jobs under `" + policy + "` without";
    add(policy + "/again", {config, plain}, {config, plain}, "the same run once more");
    add(policy + "/one_queue", {config, one_queue}, {config, plain}, same + " a queue");
    add(policy + "/power", {config, powered}, {config, plain}, same + " power");
    add(policy + "/off_after", {switching, powered}, {config, powered}, same + " switching hosts off");
  }
  const DrawnJobs few{.jobs = 10'000}, tiers{.jobs = 10'000, .tiers = Tiers::two};
  const ConfigPtr backfill = catalogue.configure("backfill");
  batch::MultifactorSettings weights;
  weights.age = weights.size = 1;
  weights.fair_share = 10;
  const RulePtr multifactor = std::make_shared<const batch::Multifactor>(weights);
  add("backfill/multifactor", {catalogue.configure("backfill", {{"priority", multifactor}}), few},
      {backfill, few}, "the same jobs in order of arrival");
  add("backfill/tiers", {backfill, tiers}, {backfill, few}, "the same jobs in one tier");
  for (const std::string policy : {"easy", "backfill"})
    add(policy + "/suspend", {catalogue.configure(policy, {{"preempt", std::string("suspend")}}), tiers},
        {catalogue.configure(policy), tiers}, "the same tiers, where none preempts the other");
  return 0;
}();

}  // namespace
