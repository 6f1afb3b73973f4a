// Corners of the engine: outages, what comes from outside, and who waits for what.
#include <catch2/catch.hpp>

#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/faults.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("who waits for what: the policy's own words, queues of hosts and links, holds") {
  class Explains final : public PolicyOf<Explains> {
   public:
    void react(Sim& sim, std::span<const Event> events) override {
      if (events.back().kind != EventKind::arrived) return;
      Posting posting;
      posting.kind = ActivityKind::transfer_in;
      posting.file = FileId(0);
      posting.cluster = ClusterId(0);
      sim.post(posting);
      posting = {};
      posting.kind = ActivityKind::hold;
      posting.hosts = {HostId(0), HostId(1)};
      posting.to = 100;
      sim.post(posting);
      posting = {};
      posting.piece = {WorkId(0), 0, 1};
      posting.host = HostId(0);
      sim.post(posting);
    }
    void explain(const View& view, Waiting& lines) const override {
      lines.push_back(fmt::format("{} work still hoped for", view.unsettled()));
    }
  };
  auto workload = tasks_of({{1, 0}});
  workload->files = {{"x", 10, 10}};
  auto scenario = scenario_of(platform_of({with_link(cluster_of({1, 1}), 1)}), workload);
  scenario->happenings = {happening(0, HappeningKind::down, ResourceId::of(LinkId(0))),
                          happening(0, HappeningKind::down, ResourceId::of(HostId(1)))};
  Simulation simulation(scenario, {"explains", std::make_unique<Explains>(), everything(), {}});
  simulation.run();
  CHECK(simulation.status() == RunStatus::incomplete);
  CHECK(simulation.outcome().waiting ==
        Lines{"1 work still hoped for", "a hold is posted on c.1 and waits for a host, which is down",
              "task 1 is posted on c.1 and waits for those before it in the queue",
              "file 'x' is posted to cluster 'c' and waits for a way to its cluster"});
}

TEST_CASE("a validator that knows what was injected finds nothing, and misses what was not") {
  Simulation simulation(scenario_of(platform_of({cluster_of({1, 1})}), tasks_of({{10, 0}, {10, 0}})),
                        greedy());
  simulation.run_until(1);
  simulation.inject(happening(4, HappeningKind::down, ResourceId::of(HostId(1))));
  simulation.inject(happening(6, HappeningKind::up, ResourceId::of(HostId(1))));
  Happening faster = happening(7, HappeningKind::change, ResourceId::of(HostId(0)), Cause::change);
  faster.factor = 3;  // 7 of 10 op done, 3 more by 8
  simulation.inject(faster);
  simulation.run();
  Outcome outcome = simulation.outcome();
  CHECK(lines(simulation, {RecordKind::finished}) == Lines{"finished 1 8", "finished 2 16"});
  CHECK(validate(outcome) == Lines{});
  outcome.injected.clear();
  const Lines found = validate(outcome);
  REQUIRE(found.size() >= 2);
  CHECK_THAT(found[0], Catch::Contains("'c.2' goes down, but nothing was to happen to it"));
  CHECK_THAT(found[1], Catch::Contains("'c.1' changes, but nothing was to happen to it"));
}

TEST_CASE("drawn repairs are no hope for a host that an outage without end keeps down") {
  auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{1000, 0}}));
  scenario->happenings = {happening(1, HappeningKind::down, ResourceId::of(HostId(0)))};
  FailureModel model;
  model.hosts = {HostId(0)};
  model.mtbf = 50;
  model.mttr = 1;
  scenario->failures = {model};
  RunOptions options;
  options.horizon = 1e6;
  Simulation simulation(scenario, greedy(), perfect_estimator(), options);
  simulation.run();
  CHECK(simulation.status() == RunStatus::incomplete);
}

TEST_CASE("hosts cannot fail so often that time stands still") {
  Scenario scenario = *scenario_of(platform_of({cluster_of({1})}), tasks_of({{10, 0}}));
  FailureModel model;
  model.hosts = {HostId(0)};
  model.mtbf = 1e-300;
  model.mttr = 1;
  scenario.failures = {model};
  CHECK(fault_of([&] { scenario.check(); }).message ==
        "failures: mtbf must be finite and >= 1e-06 s, got 1e-300");
}

TEST_CASE(
    "an announced outage during a silent one: the policy knows from then on, and so the work is lost then") {
  // Silently down from 2 to 20, announced from 5 to 30: lost at 5, done again from 30 to 40.
  auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{10, 0}}));
  Happening silent = happening(2, HappeningKind::down, ResourceId::of(HostId(0)));
  Happening end = happening(20, HappeningKind::up, ResourceId::of(HostId(0)));
  silent.announced = end.announced = false;
  scenario->happenings = {silent, end, happening(5, HappeningKind::down, ResourceId::of(HostId(0))),
                          happening(30, HappeningKind::up, ResourceId::of(HostId(0)))};
  Simulation simulation(scenario, greedy());
  simulation.run();
  CHECK(lines(simulation, {RecordKind::down, RecordKind::lost, RecordKind::up, RecordKind::ended}) ==
        Lines{"down@c.1 2", "down@c.1 5", "lost 1@c.1 5", "up@c.1 30", "ended 1@c.1 40"});
  CHECK(validate(simulation.outcome()) == Lines{});

  scenario->compute_rule = OnFailure::resumed;
  Simulation resumed(scenario, greedy());
  resumed.run();
  CHECK(resumed.now() == 38);
}

TEST_CASE("outages of a cluster are those of the hosts that are in it") {
  // Cluster a is away in [10, 50), b in [60, 80). Host a.1 leaves at 15 and joins b at 20: up at once, and
  // away with b. Host a.2 leaves at 62 and joins b at 65, which is away: up at 80.
  auto scenario =
      scenario_of(platform_of({cluster_of({1, 1}, "a"), cluster_of({1}, "b")}), tasks_of({{200, 0}}));
  scenario->compute_rule = OnFailure::resumed;
  const auto moves = [&](std::uint32_t host, Time leaves, Time joins) {
    scenario->happenings.push_back(
        happening(leaves, HappeningKind::leave, ResourceId::of(HostId(host)), Cause::membership));
    Happening join = happening(joins, HappeningKind::join, ResourceId::of(HostId(host)), Cause::membership);
    join.cluster = ClusterId(1);
    scenario->happenings.push_back(join);
  };
  for (const std::uint32_t c : {0U, 1U}) {
    scenario->happenings.push_back(
        happening(c == 0 ? 10 : 60, HappeningKind::down, ResourceId::of(ClusterId(c))));
    scenario->happenings.push_back(
        happening(c == 0 ? 50 : 80, HappeningKind::up, ResourceId::of(ClusterId(c))));
  }
  moves(0, 15, 20);
  moves(1, 62, 65);
  Simulation simulation(scenario, greedy());
  const auto up = [&](Time at) {
    simulation.run_until(at);
    std::string text;
    for (const HostView& host : simulation.view().hosts()) text += host.up ? '1' : '0';
    return text;  // a.1, a.2, b.1
  };
  CHECK(up(5) == "111");
  CHECK(up(12) == "001");
  CHECK(up(21) == "101");
  CHECK(up(51) == "111");
  CHECK(up(61) == "010");
  CHECK(up(66) == "000");
  CHECK(up(81) == "111");
  simulation.run();
  CHECK(simulation.status() == RunStatus::complete);
  CHECK(validate(simulation.outcome()) == Lines{});
}

TEST_CASE("drawn repairs that nobody is told of are waited for") {
  // Silent failures: work that is started on a host that is down stands still until the repair.
  auto scenario =
      scenario_of(platform_of({cluster_of({1, 1})}), tasks_of({{20}, {20}, {20}, {20}, {20}, {20}}));
  FailureModel model;
  model.hosts = {HostId(0), HostId(1)};
  model.mtbf = 15;
  model.mttr = 8;
  model.announced = false;
  scenario->failures = {model};
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    RunOptions options;
    options.seed = seed;
    Simulation simulation(scenario, greedy(), perfect_estimator(), options);
    simulation.run();
    INFO(seed);
    CHECK(simulation.status() == RunStatus::complete);
  }
}

TEST_CASE("a run in which nothing can happen any more goes on when somebody intervenes") {
  Simulation simulation(scenario_of(platform_of({cluster_of({1})}), tasks_of({{10, 0}})), greedy());
  simulation.run_until(3);
  simulation.inject(happening(3, HappeningKind::down, ResourceId::of(HostId(0))));
  simulation.run_until(5);
  CHECK(simulation.status() == RunStatus::incomplete);
  CHECK(simulation.now() == 5);
  CHECK(simulation.outcome().end == 3);
  Simulation fork(simulation);
  fork.run();
  CHECK(fork.status() == RunStatus::incomplete);
  CHECK(fork.outcome().full == simulation.outcome().full);
  for (Simulation* each : {&simulation, &fork}) {
    each->inject(happening(5, HappeningKind::up, ResourceId::of(HostId(0))));
    each->run();
    CHECK(each->status() == RunStatus::complete);
    CHECK(each->now() == 15);
  }
}

TEST_CASE("what was changed from outside is seen before its policy is told") {
  const auto asks = std::make_shared<int>(0);
  Simulation simulation(scenario_of(platform_of({cluster_of({1, 1})}), tasks_of({{10, 0}})),
                        toy([](Sim&, auto&) {},
                            [=](Sim& sim, std::span<const Event>, auto&) {
                              ++*asks;
                              start_all(sim);
                            }));
  simulation.run_until(4);
  CHECK_FALSE(simulation.has_changes());
  simulation.inject(happening(4, HappeningKind::down, ResourceId::of(HostId(0))));
  simulation.inject(happening(7, HappeningKind::down, ResourceId::of(HostId(1))));
  REQUIRE(simulation.has_changes());
  const Fingerprint before = simulation.outcome().full;
  const int asked = *asks;
  const Simulation seen = simulation.with_changes();
  CHECK(seen.now() == 4);
  CHECK_FALSE(seen.view()[HostId(0)].up);
  CHECK(seen.view()[HostId(1)].up);
  CHECK(seen.view()[WorkId(0)].state == WorkState::waiting);
  CHECK(*asks == asked);
  CHECK(simulation.outcome().full == before);
  CHECK(simulation.view()[HostId(0)].up);
  simulation.run_until(4);
  CHECK_FALSE(simulation.has_changes());
  CHECK(simulation.view()[WorkId(0)].state == WorkState::running);  // on the other host, until 7
}

TEST_CASE("a link of a cluster that has left goes down and up in the trace as hosts do") {
  // Down at 5, away from 8 to 12, up again at 10; down at 14 while away from 13 on, back at 16, up at 20.
  const ResourceId link = ResourceId::of(LinkId(0)), cluster = ResourceId::of(ClusterId(0));
  auto scenario = scenario_of(platform_of({with_link(cluster_of({1}), 1)}), tasks_of({{1, 30}}));
  for (const auto& [at, kind, on] :
       {std::tuple(5.0, HappeningKind::down, link), std::tuple(8.0, HappeningKind::leave, cluster),
        std::tuple(10.0, HappeningKind::up, link), std::tuple(12.0, HappeningKind::join, cluster),
        std::tuple(13.0, HappeningKind::leave, cluster), std::tuple(14.0, HappeningKind::down, link),
        std::tuple(16.0, HappeningKind::join, cluster), std::tuple(20.0, HappeningKind::up, link)})
    scenario->happenings.push_back(happening(at, kind, on));
  for (const double at : {12.0, 16.0}) {
    scenario->happenings.push_back(happening(at, HappeningKind::join, ResourceId::of(HostId(0))));
    scenario->happenings.back().cluster = ClusterId(0);
  }
  Simulation simulation(scenario, greedy());
  simulation.run();
  std::vector<std::pair<double, RecordKind>> records;
  for (std::size_t i = 0; i < simulation.trace().size(); ++i)
    if (const Record& record = simulation.trace()[i]; record.on == link)
      records.emplace_back(record.time, record.kind);
  CHECK(records == std::vector<std::pair<double, RecordKind>>{{5, RecordKind::down},
                                                              {8, RecordKind::left},
                                                              {10, RecordKind::up},
                                                              {12, RecordKind::joined},
                                                              {13, RecordKind::left},
                                                              {14, RecordKind::down},
                                                              {16, RecordKind::joined},
                                                              {20, RecordKind::up}});
  CHECK(validate(simulation.outcome()).empty());
}

TEST_CASE("a part of a load is computed where its data is") {
  // 10 B on a link of 1 B/s, 4 s of work. Without data, or with data elsewhere, it is refused.
  auto errors = std::make_shared<Lines>();
  Simulation simulation(scenario_of(platform_of({with_link(cluster_of({1, 1}), 1)}), load_of(1, 4, 10)),
                        toy({}, [=](Sim& sim, std::span<const Event> events, auto&) {
                          const Piece all{WorkId(0), 0, 1};
                          if (events[0].kind == EventKind::ended && sim.now() == 10) {
                            errors->push_back(fault_of([&] { sim.start(all, HostId(1)); }).message);
                            sim.start(all, HostId(0));
                          }
                          if (events[0].kind != EventKind::arrived) return;
                          errors->push_back(fault_of([&] { sim.start(all, HostId(0)); }).message);
                          Posting chunk;
                          chunk.kind = ActivityKind::chunk;
                          chunk.piece = all;
                          chunk.host = HostId(0);
                          Posting compute;
                          compute.piece = all;
                          compute.host = HostId(1);
                          compute.after = sim.post(chunk);
                          errors->push_back(fault_of([&] { sim.post(compute); }).message);
                        }));
  simulation.run();
  CHECK(simulation.status() == RunStatus::complete);
  CHECK(simulation.now() == 14);
  REQUIRE(errors->size() == 3);
  for (const std::string& error : *errors)
    CHECK_THAT(error, Catch::Contains("its data has not been sent there"));
}

TEST_CASE("a store keeps its files while its cluster is away") {
  // The input is there at 5. The cluster is away in [6, 20); the task, posted, starts at 20 without another
  // transfer, and ends at 30.
  auto workload = tasks_of({{10, 0}});
  workload->files = {{"x", 5, 5}};
  workload->file_lists = {FileId(0)};
  workload->works[0].input_count = 1;
  auto scenario = scenario_of(platform_of({with_link(cluster_of({1}), 1)}), workload);
  scenario->happenings = {happening(6, HappeningKind::leave, ResourceId::of(ClusterId(0)), Cause::membership),
                          happening(20, HappeningKind::join, ResourceId::of(ClusterId(0)), Cause::membership),
                          happening(20, HappeningKind::join, ResourceId::of(HostId(0)), Cause::membership)};
  Simulation simulation(scenario, toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                          if (events[0].kind != EventKind::arrived) return;
                          sim.start_transfer(FileId(0), ClusterId(0), ActivityKind::transfer_in);
                          Posting compute;
                          compute.piece = {WorkId(0), 0, 1};
                          compute.host = HostId(0);
                          compute.not_before = 7;
                          sim.post(compute);
                        }));
  simulation.run();
  CHECK(lines(simulation, {RecordKind::started, RecordKind::ended}) ==
        Lines{"started x@c.link 0", "ended x@c.link 5", "started 1@c.1 20", "ended 1@c.1 30"});
  CHECK(validate(simulation.outcome()) == Lines{});
}

TEST_CASE("who waits for what: what is under way and cannot end") {
  // Task 1 runs on c.1, whose availability is 0 from 5 on; the file moves over a link without bandwidth.
  auto cluster = with_link(cluster_of({1, 1}), 0);
  cluster.hosts[0].availability = Profile::steps({0, 5}, {1, 0});
  auto workload = tasks_of({{10, 0}});
  workload->files = {{"x", 10, 10}};
  Simulation simulation(scenario_of(platform_of({cluster}), workload),
                        toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                          if (events[0].kind != EventKind::arrived) return;
                          sim.start(WorkId(0), HostId(0));
                          sim.start_transfer(FileId(0), ClusterId(0), ActivityKind::transfer_in);
                        }));
  simulation.run();
  CHECK(simulation.outcome().waiting ==
        Lines{"task 1 is under way on c.1 and waits for availability or speed above 0",
              "file 'x' is under way on c.link and waits for bandwidth above 0"});
}

TEST_CASE("drawn failures: their own streams, and a run that they cannot help ends") {
  auto scenario = scenario_of(platform_of({cluster_of({1, 1})}), tasks_of({{1000, 0}, {1000, 0}, {1000, 0}}));
  FailureModel model;
  model.hosts = {HostId(0), HostId(1)};
  model.mtbf = 800;
  model.mttr = 100;
  scenario->failures = {model};
  scenario->compute_rule = OnFailure::resumed;
  Simulation simulation(scenario, greedy());
  simulation.run();
  CHECK(simulation.status() == RunStatus::complete);
  // The failures of a host do not depend on which other hosts fail.
  const auto downs = [](const Simulation& run, std::size_t host) {
    std::vector<double> times;
    for (std::size_t i = 0; i < run.trace().size(); ++i)
      if (run.trace()[i].kind == RecordKind::down && run.trace()[i].on == ResourceId::of(HostId(host)))
        times.push_back(run.trace()[i].time);
    return times;
  };
  auto one = std::make_shared<Scenario>(*scenario);
  one->failures[0].hosts = {HostId(1)};
  Simulation alone(one, greedy());
  alone.run();
  REQUIRE_FALSE(downs(alone, 1).empty());
  const std::size_t both = std::min(downs(alone, 1).size(), downs(simulation, 1).size());
  for (std::size_t i = 0; i < both; ++i) CHECK(downs(alone, 1)[i] == downs(simulation, 1)[i]);

  Simulation idle(scenario, toy({}, {}));
  idle.run();
  CHECK(idle.status() == RunStatus::incomplete);
}

TEST_CASE(
    "transfers over several hops take the least latency, then the fewest hops, then the first declared") {
  PlatformSpec spec;
  spec.routers = {"r1", "r2"};
  const auto link = [](std::string name, std::string from, std::string to, double bandwidth, double latency) {
    PlatformSpec::LinkSpec made;
    made.link.name = std::move(name);
    made.link.bandwidth = Profile(bandwidth);
    made.link.latency = Profile(latency);
    made.link.sharing = Sharing::fair;
    made.from = std::move(from);
    made.to = std::move(to);
    return made;
  };
  spec.links = {link("slow", "origin", "r1", 100, 3), link("fast", "origin", "r2", 50, 1),
                link("mid", "r2", "r1", 20, 1), link("twin", "r2", "r1", 1000, 1)};
  auto cluster = with_link(cluster_of({1}), 10, 0.5, Sharing::exclusive);
  cluster.at = "r1";
  spec.clusters = {cluster};
  const Platform platform(spec);
  const auto names = [&](const std::vector<LinkId>& route) {
    std::string text;
    for (const LinkId id : route) text += platform[id].name + " ";
    return text;
  };
  CHECK(names(platform.route(ClusterId(0))) == "fast mid c.link ");
  std::vector<std::uint8_t> up(platform.links().size(), 1);
  up[1] = 0;
  CHECK(names(platform.route(ClusterId(0), up)) == "slow c.link ");
  up[0] = 0;
  CHECK(platform.route(ClusterId(0), up).empty());

  // One file of 100 B: latency 2.5, then min(50, 20, 10) = 10 B/s.
  auto workload = tasks_of({{1, 0}});
  workload->files = {{"f", 100, 100}};
  workload->file_lists = {FileId(0)};
  workload->works[0].input_count = 1;
  Simulation simulation(scenario_of(std::make_shared<Platform>(platform), workload),
                        toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                          for (const Event& event : events) {
                            if (event.kind == EventKind::arrived)
                              sim.start_transfer(FileId(0), ClusterId(0), ActivityKind::transfer_in);
                            if (event.kind == EventKind::ended && event.transfer) start_all(sim);
                          }
                        }));
  simulation.run();
  CHECK(simulation.now() == 13.5);
}
