// Activities: times in closed form, queues of posted ones, copies, holds, transfers, failures.
#include <catch2/catch.hpp>

#include <cmath>

#include "tests/support/layers.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

const auto kActivity = {RecordKind::started, RecordKind::ended, RecordKind::lost, RecordKind::superseded,
                        RecordKind::cancelled};

}  // namespace

TEST_CASE("availability is integrated, not sampled") {
  // 10 s of work on a host that is ours at 50 % until 6 and wholly afterwards: 3 s are done at 6, so it ends
  // at 13.
  auto cluster = cluster_of({1});
  cluster.hosts[0].availability = Profile::steps({0, 6}, {0.5, 1});
  Simulation simulation(scenario_of(platform_of({cluster}), tasks_of({{10, 0}})), greedy());
  simulation.run();
  CHECK(simulation.now() == 13);
}

TEST_CASE("a change of speed keeps the progress made") {
  // Speed 2: 6 op done at 3; then a quarter of it, 0.5 op/s: the other 4 take 8 s.
  auto scenario = scenario_of(platform_of({cluster_of({2})}), tasks_of({{10, 0}}));
  Happening change = happening(3, HappeningKind::change, ResourceId::of(HostId(0)), Cause::change);
  change.factor = 0.25;
  scenario->happenings = {change};
  Simulation simulation(scenario, greedy());
  simulation.run();
  CHECK(simulation.now() == 11);
}

TEST_CASE("an outage: lost, resumed or restarted") {
  // 10 s of work from 0, the host is away in [4, 7).
  const auto run = [](OnFailure rule) {
    auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{10, 0}}));
    scenario->compute_rule = rule;
    scenario->happenings = {happening(4, HappeningKind::down, ResourceId::of(HostId(0))),
                            happening(7, HappeningKind::up, ResourceId::of(HostId(0)))};
    Simulation simulation(scenario, greedy());
    simulation.run();
    CHECK(simulation.status() == RunStatus::complete);
    return lines(simulation, kActivity);
  };
  CHECK(run(OnFailure::lost) ==
        Lines{"started 1@c.1 0", "lost 1@c.1 4", "started 1@c.1 7", "ended 1@c.1 17"});
  CHECK(run(OnFailure::resumed) == Lines{"started 1@c.1 0", "ended 1@c.1 13"});
  CHECK(run(OnFailure::restarted) == Lines{"started 1@c.1 0", "ended 1@c.1 17"});
}

TEST_CASE("an outage that is not announced stops the work; the policy learns of it when the host is back") {
  auto scenario = scenario_of(platform_of({cluster_of({1, 1})}), tasks_of({{10, 0}}));
  Happening down = happening(4, HappeningKind::down, ResourceId::of(HostId(0)));
  Happening up = happening(7, HappeningKind::up, ResourceId::of(HostId(0)));
  down.announced = up.announced = false;
  scenario->happenings = {down, up};
  auto told = std::make_shared<std::vector<std::string>>();
  Simulation simulation(scenario, toy({}, [=](Sim& sim, std::span<const Event> events, auto&) {
                          for (const Event& event : events)
                            told->push_back(text_of(sim, event) + fmt::format(" {:g}", sim.now()));
                          start_all(sim);
                        }));
  simulation.run();
  CHECK(*told == Lines{"arrived 1 0", "lost 1@c.1 7", "ended 1@c.1 17"});
}

TEST_CASE("work started on a host that is silently down waits with its set-up before it") {
  // The second task is started at 4 on a host that has been away since 3 and is back at 7: 7 + 2 + 10.
  auto cluster = cluster_of({1});
  cluster.hosts[0].setup = 2;
  auto scenario = scenario_of(platform_of({cluster}), tasks_of({{10, 4}}));
  scenario->compute_rule = OnFailure::resumed;
  scenario->happenings = {happening(3, HappeningKind::down, ResourceId::of(HostId(0))),
                          happening(7, HappeningKind::up, ResourceId::of(HostId(0)))};
  for (Happening& each : scenario->happenings) each.announced = false;
  Simulation simulation(scenario, greedy());
  simulation.run();
  CHECK(lines(simulation, kActivity) == Lines{"started 1@c.1 4", "ended 1@c.1 19"});
}

TEST_CASE("outages that overlap end with the last of them") {
  auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{10, 0}}));
  scenario->compute_rule = OnFailure::resumed;
  const ResourceId host = ResourceId::of(HostId(0));
  scenario->happenings = {happening(2, HappeningKind::down, host), happening(5, HappeningKind::up, host),
                          happening(3, HappeningKind::down, host), happening(8, HappeningKind::up, host)};
  Simulation simulation(scenario, greedy());
  simulation.run();
  CHECK(simulation.now() == 16);  // 2 s done, 8 left from 8
}

TEST_CASE("posted work starts in the order of rank and posting, and the head blocks") {
  // One host with 2 cores: jobs of 1, 2 and 1 cores of 10 s each. The second waits for two cores and blocks
  // the third.
  for (const bool overtake : {false, true}) {
    auto cluster = cluster_of({1}, "c", 2);
    cluster.hosts[0].overtake = overtake;
    auto scenario = scenario_of(platform_of({cluster}), tasks_of({{10, 0, 1}, {10, 0, 2}, {10, 0, 1}}));
    Simulation simulation(scenario, toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                            for (const Event& event : events)
                              if (event.kind == EventKind::arrived) {
                                Posting posting;
                                posting.piece = {event.work};
                                posting.host = HostId(0);
                                sim.post(posting);
                              }
                          }));
    simulation.run();
    if (overtake)
      CHECK(lines(simulation, {RecordKind::started}) ==
            Lines{"started 1@c.1 0", "started 3@c.1 0", "started 2@c.1 10"});
    else
      CHECK(lines(simulation, {RecordKind::started}) ==
            Lines{"started 1@c.1 0", "started 2@c.1 10", "started 3@c.1 20"});
  }
}

TEST_CASE("a rank overrules the order of posting; not_before holds a post back") {
  auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{10, 0}, {10, 0}, {10, 0}}));
  Simulation simulation(scenario, toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                          for (const Event& event : events)
                            if (event.kind == EventKind::arrived) {
                              Posting posting;
                              posting.piece = {event.work};
                              posting.host = HostId(0);
                              posting.rank = -static_cast<double>(event.work.index);
                              posting.not_before = 5;
                              sim.post(posting);
                            }
                        }));
  simulation.run();
  CHECK(lines(simulation, {RecordKind::started}) ==
        Lines{"started 3@c.1 5", "started 2@c.1 15", "started 1@c.1 25"});
}

TEST_CASE("copies: the first end wins, the others are superseded in the same instant") {
  SECTION("one is faster") {
    auto scenario = scenario_of(platform_of({cluster_of({1, 4})}), tasks_of({{20, 0}}));
    Simulation simulation(scenario, toy([](Sim& sim, auto&) { sim.timer(5); },
                                        [](Sim& sim, std::span<const Event> events, auto&) {
                                          for (const Event& event : events) {
                                            if (event.kind == EventKind::arrived)
                                              sim.start(event.work, HostId(0));
                                            if (event.kind == EventKind::timer)
                                              sim.copy(sim.running_on(HostId(0)).front(), HostId(1));
                                          }
                                        }));
    simulation.run();
    CHECK(lines(simulation, kActivity) ==
          Lines{"started 1@c.1 0", "started 1@c.2 5", "ended 1@c.2 10", "superseded 1@c.1 10"});
    CHECK(simulation.status() == RunStatus::complete);
  }
  SECTION("they end together: the lower host wins, each other one is superseded, the policy hears of all") {
    auto scenario = scenario_of(platform_of({cluster_of({1, 1, 1})}), tasks_of({{10, 0}, {3, 0}}));
    auto told = std::make_shared<std::vector<std::string>>();
    Simulation simulation(
        scenario, toy({}, [=](Sim& sim, std::span<const Event> events, auto&) {
          for (const Event& event : events) {
            if (sim.now() == 10) told->push_back(text_of(sim, event));
            if (event.kind == EventKind::arrived && event.work.index == 0) {
              const ActivityId original = sim.start(event.work, HostId(2));
              sim.copy(original, HostId(1));
              sim.copy(original, HostId(0));
            }
            if (event.kind == EventKind::superseded && sim.view()[WorkId(1)].state == WorkState::waiting)
              sim.start(WorkId(1), event.on.host());
          }
        }));
    simulation.run();
    CHECK(lines(simulation, {RecordKind::ended, RecordKind::superseded}) ==
          Lines{"ended 1@c.1 10", "superseded 1@c.3 10", "superseded 1@c.2 10", "ended 2@c.3 13"});
    CHECK(*told == Lines{"superseded 1@c.3", "superseded 1@c.2", "ended 1@c.1"});
    CHECK(simulation.status() == RunStatus::complete);
  }
}

TEST_CASE(
    "an exclusive link carries one transfer at a time, a fair one shares, an unlimited one does neither") {
  // Two files of 100 B over 10 B/s with latency 1, both asked for at 0; a task that needs both and computes 5
  // s.
  const auto run = [](Sharing sharing) {
    auto workload = tasks_of({{5, 0}});
    workload->files = {{"a", 100, 100}, {"b", 50, 50}};
    workload->file_lists = {FileId(0), FileId(1)};
    workload->works[0].input_count = 2;
    auto scenario = scenario_of(platform_of({with_link(cluster_of({1}), 10, 1, sharing)}), workload);
    Simulation simulation(scenario, toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                            for (const Event& event : events) {
                              if (event.kind != EventKind::arrived) continue;
                              for (const FileId file : {FileId(0), FileId(1)}) {
                                Posting posting;
                                posting.kind = ActivityKind::transfer_in;
                                posting.file = file;
                                posting.cluster = ClusterId(0);
                                sim.post(posting);
                              }
                              Posting posting;
                              posting.piece = {event.work};
                              posting.host = HostId(0);
                              sim.post(posting);
                            }
                          }));
    simulation.run();
    return lines(simulation, {RecordKind::started, RecordKind::ended});
  };
  // 1 + 10, then 1 + 5.
  CHECK(run(Sharing::exclusive) == Lines{"started a@c.link 0", "ended a@c.link 11", "started b@c.link 11",
                                         "ended b@c.link 17", "started 1@c.1 17", "ended 1@c.1 22"});
  // From 1 at 5 B/s each: b is there at 11, a has 50 B left and gets all: 16.
  CHECK(run(Sharing::fair) == Lines{"started a@c.link 0", "started b@c.link 0", "ended b@c.link 11",
                                    "ended a@c.link 16", "started 1@c.1 16", "ended 1@c.1 21"});
  CHECK(run(Sharing::unlimited) == Lines{"started a@c.link 0", "started b@c.link 0", "ended b@c.link 6",
                                         "ended a@c.link 11", "started 1@c.1 11", "ended 1@c.1 16"});
}

TEST_CASE("outputs come home before work is finished") {
  auto workload = tasks_of({{5, 0}});
  workload->files = {{"o", 100, 100}};
  workload->file_lists = {FileId(0)};
  workload->works[0].output_count = 1;
  auto scenario = scenario_of(platform_of({with_link(cluster_of({1}), 10)}), workload);
  Simulation simulation(scenario, toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                          for (const Event& event : events) {
                            if (event.kind == EventKind::arrived) sim.start(event.work, HostId(0));
                            if (event.kind == EventKind::ended && !event.transfer) {
                              CHECK(sim.view()[event.work].state == WorkState::computed);
                              CHECK_FALSE(event.finishes);
                              sim.start_transfer(FileId(0), ClusterId(0), ActivityKind::transfer_out);
                            }
                          }
                        }));
  simulation.run();
  CHECK(lines(simulation, {RecordKind::ended, RecordKind::finished}) ==
        Lines{"ended 1@c.1 5", "ended o@c.link 15", "finished 1 15"});
}

TEST_CASE("a chunk holds its node; the computation takes the node over without a gap") {
  // Two loads of 10 units in one chunk each, 1 B a unit over 1 B/s, 2 s a unit. The second chunk is posted to
  // the node before the first computation, yet that computation comes first.
  auto scenario = scenario_of(platform_of({with_link(cluster_of({1}), 1)}), load_of(10, 2, 1, 2));
  Simulation simulation(scenario, toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                          if (sim.now() > 0) return;
                          std::vector<ActivityId> chunks;
                          for (const Event& event : events) {
                            Posting chunk;
                            chunk.kind = ActivityKind::chunk;
                            chunk.piece = {event.work, 0, 10};
                            chunk.host = HostId(0);
                            chunks.push_back(sim.post(chunk));
                          }
                          for (std::size_t i = 0; i < events.size(); ++i) {
                            Posting compute;
                            compute.piece = {events[i].work, 0, 10};
                            compute.host = HostId(0);
                            compute.after = chunks[i];
                            sim.post(compute);
                          }
                        }));
  simulation.run();
  CHECK(lines(simulation, {RecordKind::started, RecordKind::ended}) ==
        Lines{"started 1@c.1 0", "started 1@c.link 0", "ended 1@c.1 10", "ended 1@c.link 10",
              "started 1@c.1 10", "ended 1@c.1 30", "started 2@c.1 30", "started 2@c.link 30",
              "ended 2@c.1 40", "ended 2@c.link 40", "started 2@c.1 40", "ended 2@c.1 60"});
}

TEST_CASE("a plan posted from closed forms runs without refusal", "[plan]") {
  // Ten thousand random plans of ten installments (10^5 posted chunks) on one channel. Planned starts are
  // sums in another order than the engine's, so they differ in the last bits. Even so, nothing may be refused
  // and everything ends.
  Stream random(42, "plans");
  double worst = 0;
  for (int plan = 0; plan < 10000; ++plan) {
    const int nodes = 1 + static_cast<int>(random.below(4));
    const double chi = random.uniform(0.1, 20), size = random.uniform(1, 1000);
    auto scenario = scenario_of(
        platform_of({with_link(cluster_of(std::vector<double>(static_cast<std::size_t>(nodes), 1.0)),
                               random.uniform(0.1, 5), random.uniform(0, 2))}),
        load_of(size, chi, 1));
    const std::uint64_t seed = random();
    RunOptions options;
    options.seed = seed;
    auto planned_end = std::make_shared<double>(0);
    Simulation simulation(
        scenario,
        toy({},
            [=](Sim& sim, std::span<const Event> events, auto&) {
              if (events[0].kind != EventKind::arrived) return;
              const Link& link = sim.view().platform().links()[0];
              double channel = 0, first = 0;
              std::vector<double> free(static_cast<std::size_t>(nodes), 0.0);
              for (int k = 0; k < 10; ++k) {
                const double part = k == 9 ? size - first : size / 10 * sim.stream("parts").uniform(0.2, 1.0);
                const auto node = static_cast<std::size_t>(k % nodes);
                const double start = std::max(channel, free[node]);
                channel = start + (link.latency.at(0) + part / link.bandwidth.at(0));
                free[node] = channel + part * chi;
                Posting chunk;
                chunk.kind = ActivityKind::chunk;
                chunk.piece = {events[0].work, first, part};
                chunk.host = HostId(node);
                chunk.not_before = start;
                Posting compute;
                compute.piece = chunk.piece;
                compute.host = chunk.host;
                compute.after = sim.post(chunk);
                sim.post(compute);
                first += part;
              }
              *planned_end = *std::max_element(free.begin(), free.end());
            }),
        perfect_estimator(), options);
    simulation.run();
    REQUIRE(simulation.status() == RunStatus::complete);
    worst = std::max(worst, std::abs(simulation.now() - *planned_end) / *planned_end);
  }
  CHECK(worst < 1e-9);
}

TEST_CASE("a hold keeps hosts and link; only its own work runs inside") {
  // A reservation of two hosts in [10, 20), its link until 15; a task posted on one of them waits until 20.
  auto workload = tasks_of({{5, 0}});
  Work reservation;
  reservation.kind = WorkKind::reservation;
  reservation.extra = 0;
  workload->works.push_back(reservation);
  workload->works[0].arrival = 8;
  WorkExtra extra;
  extra.hosts = 2;
  extra.from = 10;
  extra.to = 20;
  extra.io_ratio = 0.5;
  workload->extras.push_back(extra);
  auto scenario = scenario_of(platform_of({with_link(cluster_of({1, 1}), 10)}), workload);
  auto idle = std::make_shared<std::vector<int>>();
  Simulation simulation(scenario, toy(
                                      [](Sim& sim, auto&) {
                                        sim.timer(12);
                                        sim.timer(17);
                                      },
                                      [=](Sim& sim, std::span<const Event> events, auto&) {
                                        for (const Event& event : events) {
                                          if (event.kind == EventKind::timer) {
                                            idle->push_back(sim.view()[HostId(0)].idle);
                                            CHECK_THROWS_WITH(sim.start(WorkId(0), HostId(1)),
                                                              Catch::Contains("posted"));
                                          }
                                          if (event.kind != EventKind::arrived) continue;
                                          Posting posting;
                                          if (event.work.index == 1) {
                                            posting.kind = ActivityKind::hold;
                                            posting.piece = {event.work};
                                            posting.hosts = {HostId(0), HostId(1)};
                                            posting.with_link = true;
                                            posting.not_before = 10;
                                            posting.to = 20;
                                            posting.io_until = 15;
                                          } else {
                                            posting.piece = {event.work};
                                            posting.host = HostId(0);
                                          }
                                          sim.post(posting);
                                        }
                                      }));
  simulation.run();
  CHECK(*idle == std::vector<int>{0, 0});
  CHECK(lines(simulation, {RecordKind::started, RecordKind::ended, RecordKind::finished}) ==
        Lines{"started 2@c.1 10", "started 2@c.2 10", "started 2@c.link 10", "ended 2@c.1 20",
              "ended 2@c.2 20", "ended 2@c.link 20", "finished 2 20", "started 1@c.1 20", "ended 1@c.1 25",
              "finished 1 25"});
}

TEST_CASE("a host that reappears in another cluster while a post waits for it") {
  // The task is posted on a.1 with its input on the way to cluster a. At 5 the host leaves; at 8 it joins b.
  // The computation is not possible there until the policy sends the file to b.
  auto workload = tasks_of({{5, 0}});
  workload->files = {{"f", 100, 100}};
  workload->file_lists = {FileId(0)};
  workload->works[0].input_count = 1;
  auto scenario = scenario_of(
      platform_of({with_link(cluster_of({1}, "a"), 10), with_link(cluster_of({1}, "b"), 10)}), workload);
  Happening join = happening(8, HappeningKind::join, ResourceId::of(HostId(0)), Cause::membership);
  join.cluster = ClusterId(1);
  scenario->happenings = {happening(5, HappeningKind::leave, ResourceId::of(HostId(0)), Cause::membership),
                          join};
  const auto send = [](Sim& sim, ClusterId cluster) {
    Posting posting;
    posting.kind = ActivityKind::transfer_in;
    posting.file = FileId(0);
    posting.cluster = cluster;
    sim.post(posting);
  };
  Simulation simulation(scenario, toy({}, [=](Sim& sim, std::span<const Event> events, auto&) {
                          for (const Event& event : events) {
                            if (event.kind == EventKind::arrived) {
                              send(sim, ClusterId(0));
                              Posting posting;
                              posting.piece = {event.work};
                              posting.host = HostId(0);
                              sim.post(posting);
                            }
                            if (event.kind == EventKind::stalled) {
                              CHECK(sim.now() == 10);  // the file came to a, where the host is no longer
                              CHECK(sim.view()[HostId(0)].cluster == ClusterId(1));
                              send(sim, ClusterId(1));
                            }
                          }
                        }));
  simulation.run();
  CHECK(lines(simulation, {RecordKind::left, RecordKind::joined, RecordKind::started, RecordKind::ended}) ==
        Lines{"started f@a.link 0", "left@a.1 5", "joined@a.1 8", "ended f@a.link 10", "started f@b.link 10",
              "ended f@b.link 20", "started 1@a.1 20", "ended 1@a.1 25"});
}

TEST_CASE("a policy swapped while scheduling time is being spent") {
  // The old policy thinks for 10 s and has set a timer. The new one inherits the thinking, not the timer.
  auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{5, 0}, {1, 20}}));
  auto log = std::make_shared<std::vector<std::string>>();
  Simulation simulation(scenario, toy({}, [=](Sim& sim, std::span<const Event> events, auto&) {
                          for (const Event& event : events) {
                            log->push_back("old " + text_of(sim, event));
                            if (event.kind == EventKind::arrived) {
                              sim.think(10);
                              sim.timer(7);
                            }
                          }
                        }));
  simulation.run_until(4);
  CHECK(simulation.view().thinking());
  simulation.set_policy(toy(
      [=](Sim& sim, auto&) {
        CHECK(sim.view().thinking());
        CHECK_THROWS_WITH(sim.think(1), Catch::Contains("thinking already"));
      },
      [=](Sim& sim, std::span<const Event> events, auto&) {
        for (const Event& event : events)
          log->push_back("new " + text_of(sim, event) + fmt::format(" {:g}", sim.now()));
        if (!sim.view().thinking()) start_all(sim);
      }));
  simulation.run();
  CHECK(simulation.status() == RunStatus::complete);
  CHECK(*log == Lines{"old arrived 1", "new thought 10", "new ended 1@c.1 15", "new arrived 2 20",
                      "new ended 2@c.1 21"});
}

TEST_CASE("a change of availability keeps an earlier change of speed") {
  // 40 op: 10 done at 10 at speed 1; 2 op/s until 15: 20; then half of that: 20 more.
  auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{40, 0}}));
  Happening faster = happening(10, HappeningKind::change, ResourceId::of(HostId(0)), Cause::change);
  faster.factor = 2;
  Happening half = happening(15, HappeningKind::change, ResourceId::of(HostId(0)), Cause::change);
  half.profile = 0;
  scenario->profiles = {Profile(0.5)};
  scenario->happenings = {faster, half};
  Simulation simulation(scenario, greedy());
  simulation.run();
  CHECK(simulation.now() == 35);
}

TEST_CASE("a cluster that leaves takes its link along, keeps its files and strands outputs") {
  // Task 1 computes until 5, its output of 100 B needs 10 s. The cluster is away in [8, 20).
  auto workload = tasks_of({{5, 0}});
  workload->files = {{"o", 100, 100}};
  workload->file_lists = {FileId(0)};
  workload->works[0].output_count = 1;
  for (const bool requeue : {true, false}) {
    auto scenario = scenario_of(platform_of({with_link(cluster_of({1}), 10)}), workload);
    scenario->requeue_stranded = requeue;
    const ResourceId cluster = ResourceId::of(ClusterId(0));
    scenario->happenings = {happening(8, HappeningKind::leave, cluster, Cause::membership),
                            happening(20, HappeningKind::join, cluster, Cause::membership),
                            happening(20, HappeningKind::join, ResourceId::of(HostId(0)), Cause::membership)};
    Simulation simulation(scenario, toy({}, [](Sim& sim, std::span<const Event>, auto&) {
                            start_all(sim);
                            if (sim.view()[WorkId(0)].state == WorkState::computed &&
                                !sim.in_transfer(FileId(0), ClusterId(0)) &&
                                sim.in_store(FileId(0), ClusterId(0)) &&
                                sim.view().links()[0].transfers == 0 && sim.view().links()[0].up)
                              sim.start_transfer(FileId(0), ClusterId(0), ActivityKind::transfer_out);
                          }));
    simulation.run();
    CHECK(simulation.status() == RunStatus::complete);
    if (requeue)
      CHECK(lines(simulation, {RecordKind::started, RecordKind::ended, RecordKind::lost, RecordKind::stranded,
                               RecordKind::finished}) ==
            Lines{"started 1@c.1 0", "ended 1@c.1 5", "started o@c.link 5", "lost o@c.link 8", "stranded 1 8",
                  "started 1@c.1 20", "ended 1@c.1 25", "started o@c.link 25", "ended o@c.link 35",
                  "finished 1 35"});
    else
      CHECK(lines(simulation,
                  {RecordKind::started, RecordKind::ended, RecordKind::lost, RecordKind::finished}) ==
            Lines{"started 1@c.1 0", "ended 1@c.1 5", "started o@c.link 5", "lost o@c.link 8",
                  "started o@c.link 20", "ended o@c.link 30", "finished 1 30"});
  }
}

TEST_CASE("an impossible action is one clear error") {
  auto scenario = scenario_of(platform_of({cluster_of({1, 1})}), tasks_of({{5, 0}, {5, 3}}));
  scenario->happenings = {happening(0, HappeningKind::down, ResourceId::of(HostId(1)))};
  auto errors = std::make_shared<std::vector<std::string>>();
  Simulation simulation(scenario, toy({}, [=](Sim& sim, std::span<const Event> events, auto&) {
                          if (events[0].kind != EventKind::down && sim.now() > 0) return;
                          const auto attempt = [&](auto action) {
                            try {
                              action();
                            } catch (const Error& error) {
                              errors->push_back(error.what());
                            }
                          };
                          attempt([&] { sim.start(WorkId(0), HostId(1)); });
                          attempt([&] { sim.start(WorkId(1), HostId(0)); });
                          attempt([&] { sim.start(WorkId(7), HostId(0)); });
                          attempt([&] { sim.start(WorkId(0), HostId(7)); });
                          attempt([&] { sim.start(Piece{WorkId(0), 0, 1}, HostId(0), 2); });
                          const ActivityId first = sim.start(WorkId(0), HostId(0));
                          attempt([&] { sim.start(WorkId(0), HostId(0)); });
                          attempt([&] { sim.withdraw(first); });
                          attempt([&] { sim.reject(WorkId(0)); });
                          attempt([&] { sim.timer(-1); });
                          attempt([&] { sim.cancel(ActivityId{99, 0}); });
                        }));
  simulation.run();
  CHECK(*errors ==
        Lines{"policy 'toy' at t = 0: start task 1 on host 'c.2': the host is down",
              "policy 'toy' at t = 0: start task 2: it has not arrived",
              "policy 'toy' at t = 0: start work #7: there are 2 works",
              "policy 'toy' at t = 0: start on host #7: there are 2 hosts",
              "policy 'toy' at t = 0: start task 1 on host 'c.1': it takes 1 core, not 2",
              "policy 'toy' at t = 0: start task 1 on host 'c.1': it is running, posted or done already",
              "policy 'toy' at t = 0: withdraw activity 1: it has started; cancel it instead",
              "policy 'toy' at t = 0: reject task 1: part of it has started; expire it instead",
              "policy 'toy' at t = 0: set a timer at -1: that is in the past or no time",
              "policy 'toy' at t = 0: cancel activity 99: it is over"});
}
