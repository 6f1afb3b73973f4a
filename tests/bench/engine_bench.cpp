// The event queue, and 10^6 independent tasks through the whole engine with a workqueue, the native one or
// one in Lua: actions checked, fingerprint on, no trace kept. Every engine benchmark runs two floors right
// beside itself, in each iteration, so that a ratio means something on a noisy machine:
//   queue   nothing but the event queue: the first task due out, the next one in
//   tasks   the least that a simulator of these tasks could do: the same, with their times and four hashed
//   records each
#include <benchmark/benchmark.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/bindings/words.h"
#include "interpreter/session/interpreter.h"
#include "runtime/engine/history.h"
#include "runtime/kernel/event_queue.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/bench/growth.h"
#include "tests/support/layers.h"

namespace {

using namespace perigee;
using namespace perigee::test;

constexpr std::size_t kTasks = 1'000'000;
constexpr int kRepetitions = 7;

// Hosts of four speeds, tasks that have all arrived at 0.
std::shared_ptr<Scenario> independent_tasks(std::size_t hosts, std::size_t tasks = kTasks) {
  PlatformSpec spec;
  PlatformSpec::ClusterSpec& cluster = spec.clusters.emplace_back();
  cluster.name = "c";
  for (std::size_t h = 0; h < hosts; ++h) {
    Host& host = cluster.hosts.emplace_back();
    host.name = "c." + std::to_string(h + 1);
    host.speed = static_cast<double>(1 + h % 4);
  }
  auto workload = std::make_shared<Workload>();
  Stream random(1, "tasks");
  workload->works.resize(tasks);
  for (Work& work : workload->works) {
    work.form = TimeForm::operations;
    work.amount = work.estimate = random.uniform(50, 150);
  }
  auto scenario = std::make_shared<Scenario>();
  scenario->platform = std::make_shared<Platform>(spec);
  scenario->workload = std::move(workload);
  return scenario;
}

// Half of them change a host's speed, the others take a host away or bring it back, all over the run.
void add_happenings(Scenario& scenario, std::size_t count) {
  const auto hosts = scenario.platform->hosts().size();
  const double span =
      100.0 * static_cast<double>(scenario.workload->works.size()) / (2.5 * static_cast<double>(hosts));
  Stream random(2, "happenings");
  for (std::size_t i = 0; i < count; i += 4) {
    Happening happening;
    happening.on = ResourceId::of(HostId(random.below(hosts)));
    happening.at = random.uniform(0, span);
    happening.kind = HappeningKind::down;
    scenario.happenings.push_back(happening);
    happening.at += 10;
    happening.kind = HappeningKind::up;
    scenario.happenings.push_back(happening);
    for (int k = 0; k < 2; ++k) {
      happening.on = ResourceId::of(HostId(random.below(hosts)));
      happening.at = random.uniform(0, span);
      happening.kind = HappeningKind::change;
      happening.cause = Cause::change;
      happening.factor = random.uniform(0.5, 1.5);
      scenario.happenings.push_back(happening);
    }
  }
}

const std::shared_ptr<Scenario>& scenario_of(std::size_t hosts,
                                             std::size_t happenings) {  // one at a time in memory
  static std::shared_ptr<Scenario> scenario;
  static std::size_t of_hosts = 0, of_happenings = 0;
  if (!scenario || of_hosts != hosts || of_happenings != happenings) {
    scenario = independent_tasks(hosts);
    add_happenings(*scenario, happenings);
    of_hosts = hosts;
    of_happenings = happenings;
  }
  return scenario;
}

Time bare_queue(std::size_t hosts, const std::vector<double>& seconds) {
  EventQueue queue;
  std::size_t next = 0;
  Time now = 0;
  for (std::uint32_t h = 0; h < hosts; ++h) queue.push({seconds[next++], 0, h});
  while (!queue.empty()) {
    const Pending due = queue.top();
    queue.pop();
    now = due.at;
    if (next < seconds.size()) queue.push({now + seconds[next++], 0, due.tag});
  }
  return now;
}

Fingerprint bare_tasks(const Scenario& scenario) {
  const auto& works = scenario.workload->works;
  const auto hosts = scenario.platform->hosts();
  struct Running {
    std::uint32_t work;
    double speed;
  };
  std::vector<Running> running;
  for (const Host& host : hosts) running.push_back({0, host.speed});
  EventQueue queue;
  Fingerprint fingerprint;
  std::uint32_t next = 0;
  const auto note = [&](RecordKind kind, Time at, std::uint32_t work, std::uint32_t host) {
    Record record;
    record.time = at;
    record.kind = kind;
    record.work = WorkId(work);
    record.on = ResourceId(ResourceKind::host, host);
    add_to(fingerprint, record);
  };
  const auto start = [&](std::uint32_t host, Time now) {
    running[host].work = next;
    note(RecordKind::started, now, next, host);
    queue.push({now + works[next].amount / running[host].speed, next, host});
    ++next;
  };
  for (std::uint32_t w = 0; w < works.size(); ++w) note(RecordKind::arrived, 0, w, 0);
  for (std::uint32_t h = 0; h < hosts.size(); ++h) start(h, 0);
  while (!queue.empty()) {
    const Pending due = queue.top();
    queue.pop();
    note(RecordKind::ended, due.at, running[due.tag].work, due.tag);
    note(RecordKind::finished, due.at, running[due.tag].work, due.tag);
    if (next < works.size()) start(due.tag, due.at);
  }
  return fingerprint;
}

void report(benchmark::State& state, double seconds, double queue, double tasks) {
  const double runs = static_cast<double>(state.iterations());
  state.counters["tasks_per_second"] = runs * kTasks / seconds;
  state.counters["ns_per_task"] = seconds * 1e9 / runs / kTasks;
  state.counters["queue_floor_ns"] = queue * 1e9 / runs / kTasks;
  state.counters["tasks_floor_ns"] = tasks * 1e9 / runs / kTasks;
  state.counters["times_queue"] = seconds / queue;
  state.counters["times_tasks"] = seconds / tasks;
  state.SetLabel(
      "times_queue = the event queue alone; times_tasks = the same, with the tasks' times and their hashed records");
}

// Without failures: who has finished takes the next.
constexpr const char* kLuaWorkqueue = R"lua(
policy "lua_workqueue" {
  begin = function(self) self.waiting, self.next = {}, 1 end,
  arrived = function(self, sim, works)
    table.move(works, 1, #works, #self.waiting + 1, self.waiting)
    for host = 1, sim:host_count() do
      if self.next <= #self.waiting then sim:start(self.waiting[self.next], host) end
      self.next = self.next + 1
    end
  end,
  finished = function(self, sim, works, hosts)
    local waiting, next = self.waiting, self.next
    for i = 1, #hosts do
      if next <= #waiting then sim:start(waiting[next], hosts[i]) end
      next = next + 1
    end
    self.next = next
  end,
}
)lua";

void through_engine(benchmark::State& state, Interpreter& interpreter, const char* policy, std::size_t hosts,
                    std::size_t happenings) {
  const std::shared_ptr<Scenario>& scenario = scenario_of(hosts, happenings);
  std::vector<double> seconds;
  for (const Work& work : scenario->workload->works) seconds.push_back(work.amount);
  const ConfigPtr config = interpreter.catalogue().configure(policy);
  const Interpreter::InRun in_run(interpreter);
  double total = 0, queue = 0, tasks = 0;
  for (auto _ : state) {
    queue += seconds_taken([&] { benchmark::DoNotOptimize(bare_queue(hosts, seconds)); });
    tasks += seconds_taken([&] { benchmark::DoNotOptimize(bare_tasks(*scenario)); });
    const double took = seconds_taken([&] {
      if (finished_run(scenario, config, perfect_estimator()).status() != RunStatus::complete)
        state.SkipWithError("the run is incomplete");
    });
    state.SetIterationTime(took);
    total += took;
  }
  report(state, total, queue, tasks);
}

// Tasks under `config` on so many hosts, 0 for as many as tasks, with a happening for each ten tasks or with none.
// The floor is a run under another policy where one is given, the event queue otherwise.
void add_growth_of_engine(const char* name, const char* measured, const char* floor, const ConfigPtr& config,
                          std::size_t hosts, bool happenings, std::array<double, 3> sizes,
                          const ConfigPtr& other = {}, const Interpreter* interpreter = nullptr) {
  add_growth({.name = std::string("engine/") + name,
              .measured = measured,
              .floor = floor,
              .unit = "tasks",
              .sizes = sizes,
              .make = [=](double size) -> AtSize {
                const auto tasks = static_cast<std::size_t>(size);
                const std::size_t on = hosts > 0 ? hosts : tasks;
                const auto scenario = independent_tasks(on, tasks);
                if (happenings) add_happenings(*scenario, tasks / 10);
                std::vector<double> seconds;
                for (const Work& work : scenario->workload->works) seconds.push_back(work.amount);
                return {[=] {
                          std::optional<Interpreter::InRun> in_run;
                          if (interpreter != nullptr) in_run.emplace(const_cast<Interpreter&>(*interpreter));
                          return seconds_taken([&] { finished_run(scenario, config, perfect_estimator()); });
                        },
                        [=] {
                          return seconds_taken([&] {
                            if (other)
                              finished_run(scenario, other, perfect_estimator());
                            else
                              benchmark::DoNotOptimize(bare_queue(on, seconds));
                          });
                        }};
              }});
}

// Hosts that are clusters of their own, each with a link.
PlatformSpec single_hosts(std::size_t hosts) {
  PlatformSpec spec;
  for (std::size_t h = 0; h < hosts; ++h) {
    PlatformSpec::ClusterSpec& cluster = spec.clusters.emplace_back();
    cluster.name = cluster.hosts.emplace_back().name = "h" + std::to_string(h);
    cluster.has_link = true;
    cluster.link.bandwidth = Profile(1e6);
  }
  return spec;
}

void add_growth_of_platforms() {
  const auto workqueue = Catalogue().configure("workqueue");
  const auto add = [&](const char* name, const char* measured, bool runs) {
    add_growth({.name = name,
                .measured = measured,
                .floor = "a copy of the list of hosts",
                .unit = "hosts",
                .sizes = {2000, 4000, 8000},
                .make = [=](double size) -> AtSize {
                  const auto hosts = static_cast<std::size_t>(size);
                  const auto spec = std::make_shared<PlatformSpec>(single_hosts(hosts));
                  const auto scenario = independent_tasks(1, hosts);
                  return {[=] {
                            return seconds_taken([&] {
                              scenario->platform = std::make_shared<Platform>(*spec);
                              if (runs) finished_run(scenario, workqueue, perfect_estimator());
                            });
                          },
                          [=] {
                            return seconds_taken([&] {
                              const PlatformSpec copy = *spec;
                              benchmark::DoNotOptimize(copy.clusters.data());
                            });
                          }};
                }});
  };
  add("platform/single_hosts", "a platform of hosts that are clusters of their own", false);
  add("platform/single_hosts/run", "the same, and a run of a task for each host under `workqueue`", true);
}

// A long run of little state, a sweep of 10^6 runs, that keeps a past, beside one that does not.
void keeping(benchmark::State& state) {
  auto scenario = independent_tasks(64);
  auto workload = std::make_shared<Workload>();
  Work work;
  work.kind = WorkKind::sweep;
  work.amount = work.estimate = 1;
  work.extra = 0;
  workload->works.push_back(work);
  WorkExtra extra;
  extra.size = kTasks;
  workload->extras.push_back(extra);
  scenario->workload = std::move(workload);
  const ConfigPtr config = Catalogue().configure("workqueue");
  RunOptions options;
  options.level = TraceLevel::none;
  const auto start = [&] {
    const Entry& entry = *config->entry;
    return Simulation(scenario, {"workqueue", config->make_policy(), entry.accepts, entry.instants},
                      perfect_estimator(), options);
  };
  double with = 0, without = 0;
  std::size_t keyframes = 0;
  for (auto _ : state) {
    without += seconds_taken([&] { start().run(); });
    const double took = seconds_taken([&] {
      Simulation simulation = start();
      History history(start);
      simulation.on_progress(64, [&](const Simulation& now) {
        history.keep(now);
        return true;
      });
      simulation.run();
      keyframes = history.keyframes();
    });
    state.SetIterationTime(took);
    with += took;
  }
  state.counters["keyframes"] = static_cast<double>(keyframes);
  state.counters["times_without"] = with / without;
  state.SetLabel("times_without = the same run that keeps no past");
}

// A queue that stays as long as it is: the first out, a later one in.
void queue_pop_push(benchmark::State& state, std::size_t length) {
  Stream random(3, "queue");
  std::vector<double> delays(1 << 16);
  for (double& delay : delays) delay = random.exponential(1);
  EventQueue queue;
  for (std::size_t i = 0; i < length; ++i) queue.push({delays[i % delays.size()], 0, 0});
  std::size_t i = 0;
  for (auto _ : state) {
    const Pending due = queue.top();
    queue.pop();
    queue.push({due.at + delays[++i % delays.size()], 0, 0});
  }
  state.counters["events_per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

// One task on hosts that are clusters of their own, while a hundred links go down and come back: each time all
// routes are found anew.
void routes(benchmark::State& state, std::size_t hosts) {
  auto scenario = std::make_shared<Scenario>();
  scenario->platform = std::make_shared<Platform>(single_hosts(hosts));
  auto workload = std::make_shared<Workload>();
  Work& work = workload->works.emplace_back();
  work.form = TimeForm::operations;
  work.amount = work.estimate = 1000;
  scenario->workload = std::move(workload);
  for (std::uint32_t i = 0; i < 100; ++i) {
    Happening happening;
    happening.on = ResourceId::of(LinkId(i));
    for (const HappeningKind kind : {HappeningKind::down, HappeningKind::up}) {
      happening.kind = kind;
      happening.at = kind == HappeningKind::down ? 1 + i : 201 + i;
      scenario->happenings.push_back(happening);
    }
  }
  const ConfigPtr config = Catalogue().configure("fcfs");
  for (auto _ : state) {
    const Entry& entry = *config->entry;
    Simulation simulation(scenario, {"fcfs", config->make_policy(), entry.accepts, entry.instants},
                          perfect_estimator(), {});
    simulation.run();
    if (simulation.status() != RunStatus::complete) state.SkipWithError("the run is incomplete");
  }
}

const int registered = [] {
  for (const std::size_t hosts : {1000, 8000})
    benchmark::RegisterBenchmark(("engine/routes/" + std::to_string(hosts) + "_hosts/100_outages").c_str(),
                                 [=](benchmark::State& state) { routes(state, hosts); })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  for (const std::size_t length : {16, 256, 10'000, 1'000'000})
    benchmark::RegisterBenchmark(("queue/pop_push/" + std::to_string(length)).c_str(),
                                 [=](benchmark::State& state) { queue_pop_push(state, length); })
        ->Repetitions(kRepetitions)
        ->DisplayAggregatesOnly(true)
        ->MinTime(0.1);
  benchmark::RegisterBenchmark("engine/keyframes", keeping)
      ->Repetitions(kRepetitions)
      ->DisplayAggregatesOnly(true)
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
  struct Run {
    const char *name, *policy;
    std::size_t hosts, happenings;
  };
  static Interpreter interpreter(open_words);
  interpreter.run_text("lua_workqueue", kLuaWorkqueue);
  const ConfigPtr workqueue = Catalogue().configure("workqueue");
  add_growth_of_engine("tasks", "a run under `workqueue` on 256 hosts", "the event queue alone", workqueue,
                       256, false, {62'500, 250'000, kTasks});
  add_growth_of_engine(
      "changes_and_failures", "a run under `workqueue` on 1000 hosts, with a change or failure for ten tasks",
      "the event queue alone, without them", workqueue, 1000, true, {62'500, 250'000, kTasks});
  add_growth_of_engine("lua_policy", "a run under a work queue written in Lua on 256 hosts",
                       "the same run under the native `workqueue`",
                       interpreter.catalogue().configure("lua_workqueue"), 256, false,
                       {62'500, 125'000, 250'000}, workqueue, &interpreter);
  add_growth_of_engine("a_host_for_each_task", "a run under `workqueue`, a host for each task",
                       "the event queue alone", workqueue, 0, false, {16'000, 32'000, 64'000});
  add_growth_of_engine("a_host_for_each_task/fcfs", "a run under `fcfs`, a host for each task",
                       "the event queue alone", Catalogue().configure("fcfs"), 0, false, {1000, 2000, 4000});
  add_growth_of_platforms();
  for (const Run& run :
       {Run{"engine/workqueue/16_hosts", "workqueue", 16, 0},
        Run{"engine/workqueue/256_hosts", "workqueue", 256, 0},
        Run{"engine/lua_workqueue/256_hosts", "lua_workqueue", 256, 0},
        Run{"engine/workqueue/1000_hosts", "workqueue", 1000, 0},
        Run{"engine/workqueue/1000_hosts/100000_changes_and_failures", "workqueue", 1000, 100'000}})
    benchmark::RegisterBenchmark(run.name,
                                 [=](benchmark::State& state) {
                                   through_engine(state, interpreter, run.policy, run.hosts, run.happenings);
                                 })
        ->Repetitions(kRepetitions)
        ->DisplayAggregatesOnly(true)
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  return 0;
}();

}  // namespace
