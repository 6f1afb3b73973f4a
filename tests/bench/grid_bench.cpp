// Grids of clusters: a cell of Figure 11 of Berman et al. (LIP RR 1999-46) and a large grid under the
// planner, and workqueue on the same, with and without files. Each runs its floor beside itself, in each
// iteration, so that a ratio means something on a noisy machine:
//   plan   one time for each pair of a task that is mapped and one that waits, and the best of them
//   queue  the event queue, and the times of tasks and files
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "runtime/kernel/event_queue.h"

#include "runtime/schedulers/catalogue.h"
#include "tests/bench/growth.h"
#include "tests/support/grids.h"
#include "tests/support/layers.h"

namespace {

using namespace perigee;
using namespace perigee::test;

using Floor = Time (*)(const Scenario&);

// The time for which the link of the cluster sends the file.
Seconds sending(const Scenario& scenario, FileId file, ClusterId cluster) {
  const Platform& platform = *scenario.platform;
  const double bandwidth = platform[platform[cluster].link].bandwidth.at(0);
  return bandwidth > 0 ? scenario.workload->files[file.index].size / bandwidth : 0;
}

Seconds computing(const Scenario& scenario, std::size_t task, std::size_t host) {
  const Host& on = (*scenario.platform)[HostId(host)];
  return scenario.workload->works[task].amount / (on.speed * on.availability.at(0));
}

// Hosts take tasks as they come. Links send what these need, and what they made, in the order of asking.
Time bare_queue(const Scenario& scenario) {
  const auto hosts = scenario.platform->hosts();
  const std::size_t tasks = scenario.workload->works.size(), files = scenario.workload->files.size();
  std::vector<Time> link(scenario.platform->clusters().size(), 0);
  std::vector<std::uint8_t> there(link.size() * files, 0);
  std::vector<WorkId> running(hosts.size());
  EventQueue queue;
  std::size_t next = 0;
  const auto start = [&](std::uint32_t host, Time now) {
    const ClusterId cluster = hosts[host].cluster;
    Time& free = link[cluster.index];
    for (const FileId file : scenario.workload->inputs(WorkId(next)))
      if (std::exchange(there[cluster.index * files + file.index], std::uint8_t{1}) == 0)
        now = free = std::max(free, now) + sending(scenario, file, cluster);
    running[host] = WorkId(next);
    queue.push({now + computing(scenario, next++, host), 0, host});
  };
  for (std::uint32_t h = 0; h < hosts.size() && next < tasks; ++h) start(h, 0);
  while (!queue.empty()) {
    const Pending due = queue.top();
    queue.pop();
    const ClusterId cluster = hosts[due.tag].cluster;
    Time& free = link[cluster.index];
    for (const FileId file : scenario.workload->outputs(running[due.tag]))
      free = std::max(free, due.at) + sending(scenario, file, cluster);
    if (next < tasks) start(due.tag, due.at);
  }
  return *std::ranges::max_element(link);
}

// Min-min without files, one host after another.
Time bare_plan(const Scenario& scenario) {
  std::vector<Seconds> waiting;
  for (std::size_t t = 0; t < scenario.workload->works.size(); ++t)
    waiting.push_back(computing(scenario, t, 0));
  std::vector<Time> ready(scenario.platform->hosts().size(), 0);
  for (std::size_t host = 0; !waiting.empty(); host = (host + 1) % ready.size()) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < waiting.size(); ++i)
      if (ready[host] + waiting[i] < ready[host] + waiting[best]) best = i;
    ready[host] += waiting[best];
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return ready.front();
}

void run(benchmark::State& state, const std::shared_ptr<const Scenario>& scenario, const ConfigPtr& config,
         Floor floor) {
  double bare = 0, total = 0;
  for (auto _ : state) {
    bare += seconds_taken([&] { benchmark::DoNotOptimize(floor(*scenario)); });
    const double took = seconds_taken([&] {
      if (finished_run(scenario, config, perfect_estimator()).status() != RunStatus::complete)
        state.SkipWithError("not complete");
    });
    state.SetIterationTime(took);
    total += took;
  }
  state.counters["floor_ms"] = 1e3 * bare / static_cast<double>(state.iterations());
  state.counters["times_floor"] = total / bare;
  state.SetLabel(floor == &bare_plan
                     ? "times_floor = one time for each pair of a task that is mapped and one that waits"
                     : "times_floor = the event queue, and the times of tasks and files");
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

// A host for each task in one cluster, and a file for each task: all wait for the link.
std::shared_ptr<Scenario> behind_a_link(std::uint32_t tasks) {
  std::vector<test::FiledTask> filed;
  for (std::uint32_t t = 0; t < tasks; ++t) filed.push_back({1, {t}, {}});
  return test::scenario_of(
      test::platform_of({test::with_link(test::cluster_of(std::vector<double>(tasks, 1.0)), 1)}),
      test::filed_tasks(std::vector<double>(tasks, 1.0), filed));
}

void add_growth_of_grid(const std::string& name, const std::string& measured, const std::string& floor_text,
                        const ConfigPtr& config, Floor floor, std::array<double, 3> sizes,
                        std::shared_ptr<Scenario> (*make)(std::uint32_t tasks) = &large_grid) {
  add_growth(
      {.name = name,
       .measured = measured,
       .floor = floor_text,
       .unit = "tasks",
       .sizes = sizes,
       .make = [=](double size) -> AtSize {
         const std::shared_ptr<const Scenario> scenario = make(static_cast<std::uint32_t>(size));
         return {[=] { return seconds_taken([&] { finished_run(scenario, config, perfect_estimator()); }); },
                 [=] { return seconds_taken([&] { benchmark::DoNotOptimize(floor(*scenario)); }); }};
       }});
}

const int kRegistered = [] {
  const Catalogue catalogue;
  const auto workqueue = catalogue.configure("workqueue");
  const auto add = [](const std::string& name, auto scenario, const ConfigPtr& config, Floor floor) {
    benchmark::RegisterBenchmark(name.c_str(),
                                 [=](benchmark::State& state) { run(state, scenario(), config, floor); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  };
  for (const auto& entry : catalogue.entries()) {
    if (!entry->charts()) continue;
    const ConfigPtr planner = catalogue.configure("planner", {{"map", entry->name}});
    add_growth_of_grid("planner/" + entry->name,
                       "a run under `planner { map = \"" + entry->name + "\" }` on 100 hosts of 10 clusters",
                       "one time for each pair of a task that is mapped and one that waits", planner,
                       &bare_plan, {1000, 2000, 4000});
    add(
        "grid/figure11/" + entry->name, [] { return test::figure11(2.4e6, 1); }, planner, &bare_plan);
    const ConfigPtr few = catalogue.configure("planner", {{"map", entry->name}, {"count", 1.0}});
    add(
        "grid/figure11/one_a_host/" + entry->name, [] { return test::figure11(9.6e6, 1); }, few, &bare_plan);
    add(
        "grid/plan/2000_tasks_100_hosts/" + entry->name, [] { return large_grid(2000); }, planner,
        &bare_plan);
    add(
        "grid/plan/10000_tasks_100_hosts/" + entry->name, [] { return large_grid(10000); }, planner,
        &bare_plan);
  }
  add_growth_of_grid("workqueue/shared_files",
                     "a run under `workqueue` on 100 hosts of 10 clusters, with files that 50 tasks share",
                     "the event queue, and the times of tasks and files", workqueue, &bare_queue,
                     {12'500, 25'000, 50'000});
  add_growth_of_grid("workqueue/a_host_and_file_for_each_task",
                     "a run under `workqueue` on a host for each task, whose files come over one link",
                     "the event queue, and the times of tasks and files", workqueue, &bare_queue,
                     {1000, 2000, 4000}, &behind_a_link);
  add(
      "grid/workqueue/400_tasks_22_hosts", [] { return test::figure11(2.4e6, 1); }, workqueue, &bare_queue);
  add(
      "grid/workqueue/400_tasks_22_hosts/no_files", [] { return without_files(400); }, workqueue,
      &bare_queue);
  add(
      "grid/workqueue/100000_tasks_22_hosts/no_files", [] { return without_files(100'000); }, workqueue,
      &bare_queue);
  add(
      "grid/workqueue/100000_tasks_100_hosts", [] { return large_grid(100'000); }, workqueue, &bare_queue);
  return 0;
}();

}  // namespace
