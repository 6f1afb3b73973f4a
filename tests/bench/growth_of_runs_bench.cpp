// How the time of a whole run, a plan, an admission test, a saved run grows with the number of its works, jobs or
// hosts. It doubles from one size to the next. The counter `exponent` is 1 where the time grows as the number does,
// and 2 where each work looks at all others.
#include <benchmark/benchmark.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/bindings/words.h"
#include "interpreter/session/interpreter.h"
#include "runtime/results/accounts.h"
#include "runtime/results/export.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/bench/growth.h"
#include "tests/support/folder.h"
#include "tests/support/grids.h"
#include "tests/support/layers.h"
#include "tests/support/streams.h"

namespace {

using namespace perigee;
using namespace perigee::test;

// Who has finished takes the next.
constexpr const char* kLuaQueue = R"lua(
policy "lua_queue" {
  begin = function(self) self.waiting, self.next = {}, 1 end,
  arrived = function(self, sim, works)
    table.move(works, 1, #works, #self.waiting + 1, self.waiting)
    for host = 1, sim:host_count() do
      if self.next <= #self.waiting then sim:start(self.waiting[self.next], host) end
      self.next = self.next + 1
    end
  end,
  finished = function(self, sim, works, hosts)
    for i = 1, #hosts do
      if self.next <= #self.waiting then sim:start(self.waiting[self.next], hosts[i]) end
      self.next = self.next + 1
    end
  end,
}
)lua";

Interpreter& interpreter() {
  static Interpreter made(open_words);
  static const bool declared = (made.run_text("lua_queue", kLuaQueue), true);
  static_cast<void>(declared);
  return made;
}

std::shared_ptr<const Platform> hosts_of(std::size_t count, std::int32_t cores = 1) {
  PlatformSpec spec;
  PlatformSpec::ClusterSpec& cluster = spec.clusters.emplace_back();
  cluster.name = "c";
  for (std::size_t h = 0; h < count; ++h) {
    Host& host = cluster.hosts.emplace_back();
    host.name = "c." + std::to_string(h + 1);
    host.cores = cores;
  }
  return std::make_shared<Platform>(spec);
}

// Tasks that keep `busy` of all hosts busy; 0 = all arrive at once.
std::shared_ptr<Scenario> tasks_on(std::size_t hosts, std::size_t tasks, double busy) {
  auto workload = std::make_shared<Workload>();
  Stream random(1, "tasks");
  Time at = 0;
  for (std::size_t t = 0; t < tasks; ++t) {
    Work& work = workload->works.emplace_back();
    work.amount = work.estimate = random.uniform(50, 150);
    if (busy > 0) at += random.exponential(100 / busy / static_cast<double>(hosts));
    work.arrival = at;
  }
  auto scenario = std::make_shared<Scenario>();
  scenario->platform = hosts_of(hosts);
  scenario->workload = std::move(workload);
  return scenario;
}

void add_outages(Scenario& scenario, std::size_t count) {
  Stream random(2, "outages");
  const std::size_t hosts = scenario.platform->hosts().size();
  const double span = 100.0 * static_cast<double>(scenario.workload->size()) / static_cast<double>(hosts);
  for (std::size_t i = 0; i < count; ++i) {
    Happening happening;
    happening.on = ResourceId::of(HostId(random.below(hosts)));
    happening.at = random.uniform(0, span);
    happening.kind = HappeningKind::down;
    scenario.happenings.push_back(happening);
    happening.at += 10;
    happening.kind = HappeningKind::up;
    scenario.happenings.push_back(happening);
  }
}

std::shared_ptr<Scenario> rigid_jobs(std::size_t jobs, double load) {
  constexpr std::int32_t kCores = 128;
  auto workload = std::make_shared<Workload>();
  Stream random(1, "jobs");
  double core_seconds = 0;
  for (std::size_t j = 0; j < jobs; ++j) {
    Work& work = workload->works.emplace_back();
    work.kind = WorkKind::job;
    work.cores = 1 << random.below(7);
    work.amount = std::floor(random.lognormal(3600, 7200)) + 1;
    work.estimate = std::floor(work.amount * random.uniform(2, 10)) + 1;
    core_seconds += work.amount * work.cores;
  }
  Time at = 0;
  for (Work& work : workload->works)
    work.arrival = at += random.exponential(core_seconds / static_cast<double>(jobs) / kCores / load);
  auto scenario = std::make_shared<Scenario>();
  scenario->platform = hosts_of(1, kCores);
  scenario->workload = std::move(workload);
  return scenario;
}

std::shared_ptr<Scenario> tasks_with_files(std::uint32_t tasks) {
  Stream random(1, "files");
  std::vector<PlatformSpec::ClusterSpec> clusters;
  for (int c = 0; c < 10; ++c)
    clusters.push_back(with_link(cluster_of(std::vector<double>(10, 1.0), "c" + std::to_string(c)),
                                 1e5 * (1 + random.unit())));
  std::vector<double> sizes;
  std::vector<FiledTask> filed;
  for (std::uint32_t t = 0; t < tasks; ++t) {
    if (t % 50 == 0) sizes.push_back(1e6 * (1 + random.unit()));
    const auto shared = static_cast<std::uint32_t>(sizes.size()) - 1 - 3 * (t % 50);
    const auto own = static_cast<std::uint32_t>(sizes.size());
    for (int f = 0; f < 3; ++f) sizes.push_back(8000 + 4000 * random.unit());
    filed.push_back({90 + 20 * random.unit(), {shared, own, own + 1}, {own + 2}});
  }
  return scenario_of(platform_of(clusters), filed_tasks(sizes, filed));
}

std::shared_ptr<Scenario> loads(std::size_t count, double ratio) {
  auto workload = std::make_shared<Workload>();
  Stream random(1, "loads");
  Time at = 0;
  for (std::size_t l = 0; l < count; ++l) {
    Work& work = workload->works.emplace_back();
    work.kind = WorkKind::load;
    work.amount = work.estimate = 100;
    at += random.exponential(100);
    work.arrival = at;
    work.extra = static_cast<std::uint32_t>(l);
    WorkExtra extra;
    extra.size = random.uniform(50, 350);
    extra.bytes = 1;
    work.deadline = at + ratio * extra.size;
    workload->extras.push_back(extra);
  }
  return scenario_of(platform_of({with_link(cluster_of(std::vector<double>(256, 1.0), "c"), 1)}), workload);
}

std::shared_ptr<Scenario> single_hosts(std::size_t count) {
  PlatformSpec spec;
  for (std::size_t h = 0; h < count; ++h) {
    PlatformSpec::ClusterSpec& cluster = spec.clusters.emplace_back();
    cluster.name = cluster.hosts.emplace_back().name = "h" + std::to_string(h);
    cluster.has_link = true;
    cluster.link.bandwidth = Profile(1e6);
  }
  auto scenario = std::make_shared<Scenario>();
  scenario->platform = std::make_shared<Platform>(spec);
  auto workload = std::make_shared<Workload>();
  workload->works.push_back(Work{.amount = 1, .estimate = 1});
  scenario->workload = std::move(workload);
  return scenario;
}

Simulation run_of(const std::shared_ptr<Scenario>& scenario, const ConfigPtr& config, bool traced = false) {
  RunOptions options;
  if (!traced) {
    options.level = TraceLevel::none;
    options.witness = std::make_unique<results::Accounts>(scenario, 0);
  }
  const Entry& entry = *config->entry;
  Simulation run(scenario, {config->text(), config->make_policy(), entry.accepts, entry.instants},
                 declared_estimator(), std::move(options));
  run.run();
  return run;
}

struct Row {
  const char* name;
  const char *policy, *map;  // the policy's mapper; "" = it has none
  std::size_t smallest;
  std::shared_ptr<Scenario> (*make)(std::size_t);
};

constexpr Row kRows[] = {
    {"tasks/workqueue/256_hosts", "workqueue", "", 50'000, [](std::size_t n) { return tasks_on(256, n, 0); }},
    {"tasks/workqueue/half_idle", "workqueue", "", 50'000,
     [](std::size_t n) { return tasks_on(256, n, 0.5); }},
    {"tasks/workqueue/stream", "workqueue", "", 50'000,
     [](std::size_t n) { return streamed(*tasks_on(256, n, 0.9)); }},
    {"tasks/workqueue/outages", "workqueue", "", 50'000,
     [](std::size_t n) {
       auto scenario = tasks_on(1000, n, 0);
       add_outages(*scenario, n / 20);
       return scenario;
     }},
    {"tasks/policy_in_lua", "lua_queue", "", 50'000, [](std::size_t n) { return tasks_on(256, n, 0); }},
    {"tasks_with_files/workqueue", "workqueue", "", 5'000,
     [](std::size_t n) { return tasks_with_files(static_cast<std::uint32_t>(n)); }},
    {"tasks_with_files/planner_min_min", "planner", "min_min", 250,
     [](std::size_t n) { return tasks_with_files(static_cast<std::uint32_t>(n)); }},
    {"tasks_with_files/planner_sufferage", "planner", "sufferage", 250,
     [](std::size_t n) { return tasks_with_files(static_cast<std::uint32_t>(n)); }},
    {"jobs/fcfs/load_0.9", "fcfs", "", 20'000, [](std::size_t n) { return rigid_jobs(n, 0.9); }},
    {"jobs/easy/load_0.9", "easy", "", 20'000, [](std::size_t n) { return rigid_jobs(n, 0.9); }},
    {"jobs/easy/load_2", "easy", "", 10'000, [](std::size_t n) { return rigid_jobs(n, 2); }},
    {"jobs/conservative/load_0.9", "conservative", "", 20'000,
     [](std::size_t n) { return rigid_jobs(n, 0.9); }},
    {"jobs/conservative/load_2", "conservative", "", 2'500, [](std::size_t n) { return rigid_jobs(n, 2); }},
    {"jobs/mapped_sufferage/load_0.9", "mapped", "sufferage", 2'000,
     [](std::size_t n) { return rigid_jobs(n, 0.9); }},
    {"loads/edf/256_nodes", "edf", "", 5'000, [](std::size_t n) { return loads(n, 20); }},
    {"loads/edf_iit_1/256_nodes", "edf_iit_1", "", 500, [](std::size_t n) { return loads(n, 20); }},
    {"clusters_of_one_host/first_task", "fcfs", "", 1'000, single_hosts},
};

const int registered = [] {
  const auto counted = [](std::size_t n) { return std::pair(std::to_string(n), static_cast<double>(n)); };
  const auto add = [](const std::string& name, auto run) {
    benchmark::RegisterBenchmark(("growth/" + name).c_str(), run)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  };
  for (const Row& row : kRows)
    add(row.name, [&row, counted](benchmark::State& state) {
      std::map<std::string, schedulers::Value> given;
      if (*row.map != 0) given.emplace("map", std::string(row.map));
      const ConfigPtr config = interpreter().catalogue().configure(row.policy, given);
      const Interpreter::InRun in_run(interpreter());
      bench::grow(
          state, std::vector{row.smallest, 2 * row.smallest, 4 * row.smallest},
          [&](std::size_t n) {
            return [&, scenario = row.make(n)] {
              const Simulation run = run_of(scenario, config);
              if (run.status() != RunStatus::complete) state.SkipWithError("the run is incomplete");
              benchmark::DoNotOptimize(run.trace().physical());
            };
          },
          counted);
    });
  add("saved_run/easy", [counted](benchmark::State& state) {
    const ConfigPtr config = Catalogue().configure("easy");
    const Folder folder;
    bench::grow(
        state, std::vector<std::size_t>{5'000, 10'000, 20'000},
        [&](std::size_t n) {
          return [&, outcome = run_of(rigid_jobs(n, 0.8), config, true).outcome()] {
            save(outcome, folder.path / "run");
          };
        },
        counted);
  });
  return 0;
}();

}  // namespace
