#include <catch2/catch.hpp>
#include <set>
#include <tuple>

#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/grid/plan_drawing.h"
#include "tests/runtime/schedulers/grid/planned.h"
#include "tests/support/grids.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"
#include "tests/support/rounds.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// Every mapper that can choose on a chart, with each value of its choices.
std::vector<ConfigPtr> chart_mappers() {
  const Catalogue catalogue;
  std::vector<ConfigPtr> all;
  for (const auto& entry : catalogue.entries()) {
    if (!entry->charts()) continue;
    all.push_back(catalogue.configure(entry->name));
    for (const Parameter& parameter : entry->parameters)
      for (const std::string& choice : parameter.choices) {
        const ConfigPtr config = catalogue.configure(entry->name, {{parameter.name, choice}});
        if (config->text() != entry->name) all.push_back(config);
      }
  }
  return all;
}

// Up to three clusters of up to four hosts, some of which change over time. Tasks have up to three files,
// shared or of their own.
std::shared_ptr<Scenario> changing_grid(std::uint64_t seed) {
  Stream random(seed, "changing grid");
  const auto among = [&](std::uint64_t most) { return static_cast<double>(1 + random.below(most)); };
  std::vector<PlatformSpec::ClusterSpec> clusters;
  for (std::uint64_t c = 1 + random.below(3); c > 0; --c) {
    std::vector<double> speeds(1 + random.below(4));
    for (double& speed : speeds) speed = among(4) / 2;
    const std::string name(1, static_cast<char>('a' + clusters.size()));
    auto cluster = with_link(cluster_of(speeds, name), among(20), among(3) / 4);
    for (Host& host : cluster.hosts)
      if (random.below(3) == 0) host.availability = Profile::circular({1, 0.5, 0, 0.25 * among(4)}, 5);
    if (random.below(3) == 0) cluster.link.bandwidth = Profile::circular({10, 0, 3, among(30)}, 5);
    clusters.push_back(cluster);
  }
  std::vector<double> sizes;
  for (int f = 0; f < 4; ++f) sizes.push_back(10 * among(10));
  std::vector<FiledTask> tasks(1 + random.below(30));
  for (FiledTask& task : tasks) {
    task.seconds = among(2) * 3 + random.unit();
    if (random.below(3) > 0) task.inputs.push_back(static_cast<std::uint32_t>(random.below(4)));
    for (std::uint64_t own = random.below(3); own > 0; --own) {
      task.inputs.push_back(static_cast<std::uint32_t>(sizes.size()));
      sizes.push_back(among(40));
    }
    for (std::uint64_t own = random.below(3); own > 0; --own) {
      task.outputs.push_back(static_cast<std::uint32_t>(sizes.size()));
      sizes.push_back(among(40));
    }
  }
  return scenario_of(platform_of(clusters), filed_tasks(sizes, tasks));
}

// The same with hosts and clusters that come and go, and links that break.
std::shared_ptr<Scenario> failing_grid(std::uint64_t seed) {
  auto scenario = changing_grid(seed);
  Stream random(seed, "failures of a grid");
  const Platform& platform = *scenario->platform;
  for (std::uint64_t n = 1 + random.below(5); n > 0; --n) {
    const auto kind = random.below(4);
    const ResourceId on = kind == 0   ? ResourceId::of(ClusterId(random.below(platform.clusters().size())))
                          : kind == 1 ? ResourceId::of(LinkId(random.below(platform.links().size())))
                                      : ResourceId::of(HostId(random.below(platform.hosts().size())));
    const bool breaks = kind == 1;
    const Time from = static_cast<double>(random.below(40));
    const bool returns = breaks || random.below(4) > 0;
    const Time to = from + static_cast<double>(1 + random.below(20));
    const Cause cause = breaks ? Cause::outage : Cause::membership;
    scenario->happenings.push_back(
        happening(from, breaks ? HappeningKind::down : HappeningKind::leave, on, cause));
    if (returns)
      scenario->happenings.push_back(
          happening(to, breaks ? HappeningKind::up : HappeningKind::join, on, cause));
    if (kind != 0 || !returns) continue;
    for (std::size_t h = 0; h < platform.hosts().size(); ++h)  // some of its hosts too
      if (random.below(3) > 0)
        scenario->happenings.push_back(
            happening(to + random.unit(), HappeningKind::join, ResourceId::of(HostId(h)), cause));
  }
  std::ranges::stable_sort(scenario->happenings, {}, &Happening::at);
  scenario->requeue_stranded = random.below(2) == 0;
  scenario->check();
  return scenario;
}

// Checks that each task is finished once, or unfinished in a run that says so, and that no file reaches a
// cluster twice.
void check_once(const Outcome& outcome) {
  std::vector<int> finished(outcome.works.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> received;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record& record = outcome.trace[i];
    if (record.kind == RecordKind::finished) ++finished[record.work.index];
    if (record.kind == RecordKind::ended && record.what == ActivityKind::transfer_in)
      ++received[{record.file.index, record.on.packed()}];
  }
  bool all = true;
  for (std::size_t w = 0; w < finished.size(); ++w) {
    REQUIRE(finished[w] == (outcome.works[w] == WorkState::finished ? 1 : 0));
    all = all && (finished[w] == 1 || outcome.works[w] == WorkState::rejected);
  }
  REQUIRE((outcome.status == RunStatus::complete) == all);
  if (!all) REQUIRE(!outcome.waiting.empty());
  for (const auto& [where, times] : received) REQUIRE(times == 1);
}

// Transfers by resource, file and direction; computations by resource and work.
using Doings = std::map<std::tuple<std::uint32_t, std::uint32_t, int>, Slot>;

Doings executed(const Outcome& outcome) {
  Doings doings;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record& record = outcome.trace[i];
    if (record.kind != RecordKind::started && record.kind != RecordKind::ended) continue;
    const bool computes = record.what == ActivityKind::compute;
    Slot& slot = doings[{record.on.packed(), computes ? record.work.index : record.file.index,
                         static_cast<int>(record.what)}];
    (record.kind == RecordKind::started ? slot.start : slot.end) = record.time;
  }
  return doings;
}

// The plan of the first instant, drawn beside the policy.
Doings charted(const std::shared_ptr<Scenario>& scenario, const std::map<std::string, Value>& given,
               std::uint64_t seed) {
  auto doings = std::make_shared<Doings>();
  const ConfigPtr config = Catalogue().configure("planner", given);
  const auto draw = [&](Sim& sim, std::span<const Event>, std::vector<double>& drawn) {
    if (!std::exchange(drawn, {1}).empty()) return;
    const PlannerSettings settings = planner_settings(Arguments(*config));
    GridQueues queues(settings);
    queues.adopt(sim);
    PlanDrawing drawing(settings, queues, sim, {queues.pool().begin(), queues.pool().end()}, 0);
    GridQueues::Fresh fresh;
    const ConfigPtr map = Arguments(*config).parts("map").front();
    drawing.place_new(*chart_mapper(map->entry->make_chart_rule(Arguments(*map)), settings.random), kNever,
                      fresh);
    for (const auto& [server, work, slot] : drawing.computations())
      (*doings)[{ResourceId::of(queues.servers()[server].host).packed(), work.index,
                 static_cast<int>(ActivityKind::compute)}] = slot;
    for (const auto& [cluster, file, home, slot] : drawing.transfers())
      (*doings)[{ResourceId::of(scenario->platform->clusters()[cluster].link).packed(), file.index,
                 static_cast<int>(home ? ActivityKind::transfer_out : ActivityKind::transfer_in)}] = slot;
  };
  RunOptions options;
  options.seed = seed;
  Simulation simulation(scenario, toy({}, draw), perfect_estimator(), options);
  simulation.step();
  return *doings;
}

}  // namespace

TEST_CASE("planner: two tasks that share a file on one host, by hand") {
  const auto scenario = scenario_of(platform_of({with_link(cluster_of({1}), 10)}),
                                    filed_tasks({20, 10, 10, 10}, {{5, {0}, {1}}, {3, {0, 2}, {3}}}));
  using Times = std::vector<std::pair<Time, Time>>;
  for (const char* links : {"greedy", "strict"}) {
    INFO(links);
    // The second task would be complete at 7, the first at 8: files come until 3, it ends at 6, the first
    // at 11.
    Simulation shorter = planned(scenario, {{"map", std::string("min_min")}, {"links", std::string(links)}});
    shorter.run();
    CHECK(planner_times_of(shorter.outcome()) == Times{{6, 12}, {3, 7}});
    // File 0 comes until 2, file 2 until 3; the first ends at 7, its output is home at 8, the second ends
    // at 10.
    Simulation longer = planned(scenario, {{"map", std::string("max_min")}, {"links", std::string(links)}});
    longer.run();
    CHECK(planner_times_of(longer.outcome()) == Times{{2, 8}, {7, 11}});
  }
}

TEST_CASE("planner: a plan counts on the end of a transfer that begins in its instant") {
  const auto scenario =
      scenario_of(platform_of({with_link(cluster_of({1, 1}), 10)}),
                  filed_tasks({20, 20, 10, 10}, {{5, {}, {0}}, {9, {}, {1}}, {30, {}, {2}}, {30, {}, {3}}}));
  // At 5 the output of the first task sets out, and the first host gets the third task, for 30 s and 1 s of
  // output; the fourth follows the second at 9.
  Simulation simulation = planned(scenario, {{"map", std::string("min_min")}, {"count", 1.0}});
  simulation.run();
  CHECK(planner_times_of(simulation.outcome()) ==
        std::vector<std::pair<Time, Time>>{{0, 7}, {0, 11}, {5, 36}, {9, 40}});
}

TEST_CASE("planner: what is lost with a host is planned anew") {
  auto scenario = scenario_of(platform_of({with_link(cluster_of({1, 1}), 10)}),
                              filed_tasks({10, 10}, {{10, {0}, {}}, {10, {1}, {}}}));
  scenario->happenings.push_back(
      happening(5, HappeningKind::leave, ResourceId::of(HostId(0)), Cause::membership));
  // The first task is on host 1 from 1 on, the second on host 2 from 2 to 12. At 5 the first is lost; host 2
  // takes it at 12.
  Simulation simulation = planned(scenario, {{"map", std::string("min_min")}});
  simulation.run();
  const Outcome outcome = simulation.outcome();
  CHECK(outcome.status == RunStatus::complete);
  CHECK(planner_times_of(outcome) == std::vector<std::pair<Time, Time>>{{12, 22}, {2, 12}});
}

TEST_CASE("planner: what is executed is what the chart says, as long as nothing happens") {
  for (const ConfigPtr& map : chart_mappers())
    for (std::uint64_t seed = 1; seed <= rounds(60); ++seed)
      for (const double random : {-1.0, 0.05}) {
        std::map<std::string, Value> given = {{"map", map}, {"links", std::string("strict")}};
        if (random >= 0) given["random"] = random;
        if (seed % 3 == 0) given["completion"] = std::string("compute");
        const auto scenario = changing_grid(seed);
        INFO(map->text() << ", seed " << seed << ", random " << random);
        Simulation simulation = planned(scenario, given, seed);
        simulation.run();
        const Outcome outcome = simulation.outcome();
        REQUIRE(outcome.status == RunStatus::complete);
        const auto chart = charted(scenario, given, seed), done = executed(outcome);
        REQUIRE(chart.size() == done.size());
        for (const auto& [what, slot] : chart) {
          REQUIRE(done.contains(what));
          REQUIRE(done.at(what).start == Approx(slot.start).epsilon(1e-9).margin(1e-9));
          REQUIRE(done.at(what).end == Approx(slot.end).epsilon(1e-9).margin(1e-9));
        }
      }
}

namespace {

void check_random_grids(int rounds) {
  const std::map<std::string, Value> options[] = {
      {{"steal", true}},
      {{"keep", 1.0}, {"planning_time", 2.0}, {"links", std::string("strict")}},
      {{"keep", 2.0}, {"interval", 7.0}, {"strategy", std::string("deviation")}},
      {{"interval", 5.0},
       {"strategy", std::string("weighted")},
       {"margin", 3.0},
       {"margin_policy", std::string("adaptive")},
       {"replan", std::string("both")}},
      {{"count", 1.0}, {"order", std::string("listed")}},
      {{"random", 0.05}, {"links", std::string("strict")}},
      {{"subset", std::string("affinity")}, {"subset_size", 2.0}, {"steal", true}},
      {{"subset", std::string("random")}, {"subset_size", 3.0}, {"order", std::string("largest")}},
      {{"links", std::string("hybrid")}, {"patience", 3.0}, {"planning_time", 1.0}},
      {{"planning_time", 5.0}, {"replan", std::string("both")}, {"idle_replan", std::string("always")}},
      {{"idle_replan", std::string("never")}, {"replan", std::string("none")}, {"interval", 6.0}},
      {{"completion", std::string("compute")}, {"keep", 1.0}, {"interval", 9.0}, {"steal", true}},
  };
  const Accepts accepts = Catalogue().find("planner")->accepts;
  std::uint64_t seed = 0;
  for (const ConfigPtr& map : chart_mappers())
    for (auto given : options)
      for (int round = 0; round < rounds; ++round) {
        given["map"] = map;
        const bool behind_links = ++seed % 2 == 0;
        const auto scenario = behind_links ? failing_grid(seed) : random_scenario(seed, accepts);
        Simulation run = planned(scenario, given, seed);
        INFO(run.outcome().policy << ", seed " << seed);
        run.run_until(20);
        Simulation fork = run;
        run.run();
        fork.run();
        const Outcome outcome = run.outcome();
        REQUIRE(fork.outcome().full == outcome.full);
        const auto violations = validate(outcome);
        INFO((violations.empty() ? std::string() : violations.front()));
        REQUIRE(violations.empty());
        check_once(outcome);
      }
}

}  // namespace

TEST_CASE("planner: random grids with failures, every heuristic, all options") { check_random_grids(6); }

TEST_CASE("planner: many more random grids", "[.long]") { check_random_grids(30); }

TEST_CASE("planner: what tasks in queues need is there, on its way, or in the queue of the link") {
  const std::map<std::string, Value> options[] = {
      {},
      {{"keep", 2.0}, {"interval", 5.0}},
      {{"keep", 1.0}, {"planning_time", 2.0}, {"replan", std::string("both")}},
      {{"links", std::string("strict")}, {"idle_replan", std::string("always")}, {"keep", 1.0}},
      {{"count", 1.5}, {"steal", true}, {"map", std::string("max_min")}},
  };
  std::size_t seen = 0, to_be_sent = 0;
  for (const auto& given : options)
    for (std::uint64_t seed = 1; seed <= rounds(60); ++seed) {
      INFO("seed " << seed);
      const auto scenario = failing_grid(seed);
      const Platform& platform = *scenario->platform;
      const Workload& workload = *scenario->workload;
      const ConfigPtr config = Catalogue().configure("planner", given);
      auto made = config->make_policy();
      const Policy& policy = *made;
      Simulation run(scenario, {"planner", std::move(made), config->entry->accepts, config->entry->instants});
      for (const Time until : {0.5, 3.0, 7.0, 12.0, 20.0, 30.0, 45.0}) {
        run.run_until(until);
        const Outcome outcome = run.outcome();
        std::set<std::pair<std::uint32_t, std::uint32_t>> here;  // files and links
        for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
          const Record& record = outcome.trace[i];
          const std::pair where(record.file.index, record.on.packed());
          if (record.what != ActivityKind::transfer_in || record.activity == 0) continue;
          if (record.kind == RecordKind::started) here.insert(where);
          if (record.kind == RecordKind::lost) here.erase(where);
        }
        Waiting said;
        policy.explain(run.view(), said);
        const std::set<std::string> lines(said.begin(), said.end());
        for (std::size_t w = 0; w < workload.works.size(); ++w)
          for (std::size_t h = 0; h < platform.hosts().size(); ++h) {
            const Host& host = platform[HostId(h)];
            if (!lines.contains(workload.name_of(WorkId(w)) + " is in the queue of " + host.name)) continue;
            const auto& cluster = platform[host.cluster];
            for (const FileId file : workload.inputs(WorkId(w))) {
              ++seen;
              if (here.contains({file.index, ResourceId::of(cluster.link).packed()})) continue;
              ++to_be_sent;
              REQUIRE(lines.contains(workload.files[file.index].name + " is to be sent to " + cluster.name));
            }
          }
      }
    }
  CHECK(seen > 1000);
  CHECK(to_be_sent > 300);
}
