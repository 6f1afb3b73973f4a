// Corners of the engine: slivers of loads, links in the middle of a way, known steps, interventions.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/faults.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

PolicySetup test_policy(const std::string& name) {
  const ConfigPtr config = Catalogue().configure(name);
  return {name, config->make_policy(), config->entry->accepts, config->entry->instants};
}

std::uint32_t sim_queue(const Simulation& simulation, std::uint32_t link) {
  return simulation.view().links()[link].queued;
}

}  // namespace

TEST_CASE("a load is finished once, when the last of its pieces has ended, however small") {
  // All but 1e-10 of it takes 10 s; the rest, 1e-9 s of work, gets 1e-11 of a host: 100 s.
  auto cluster = cluster_of({1, 1});
  cluster.hosts[1].availability = Profile(1e-11);
  auto workload = load_of(1, 10);
  workload->works.push_back(workload->works[0]);
  workload->works[1].arrival = 200;
  workload->works[1].extra = 1;
  workload->extras.push_back(workload->extras[0]);
  Simulation simulation(scenario_of(platform_of({cluster}), workload),
                        toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                          for (const Event& event : events) {
                            if (event.kind != EventKind::arrived) continue;
                            if (event.work.index == 0) {
                              sim.start(Piece{event.work, 0, 1 - 1e-10}, HostId(0));
                              sim.start(Piece{event.work, 1 - 1e-10, 1e-10}, HostId(1));
                            } else {
                              sim.start(Piece{event.work, 0, 1}, HostId(0));
                            }
                          }
                        }));
  simulation.run();
  CHECK(simulation.status() == RunStatus::complete);
  const Lines finished = lines(simulation, {RecordKind::finished});
  REQUIRE(finished.size() == 2);
  CHECK(finished == Lines{"finished 1 100", "finished 2 210"});
}

TEST_CASE("the last piece of a load takes what rounding would leave over") {
  // Ten times 0.1 is less than 1 by an ulp.
  auto count = std::make_shared<int>(0);
  Simulation simulation(scenario_of(platform_of({cluster_of({1})}), load_of(1, 10)),
                        toy({}, [=](Sim& sim, std::span<const Event>, auto&) {
                          const Piece piece = sim.next_piece(WorkId(0), 0.1);
                          if (piece.size == 0) return;
                          sim.start(piece, HostId(0));
                          ++*count;
                        }));
  simulation.run();
  CHECK(simulation.status() == RunStatus::complete);
  CHECK(*count == 10);
}

TEST_CASE("what cannot be divided or computed is not started in parts") {
  auto workload = tasks_of({{5, 0}});
  Work work;
  work.kind = WorkKind::reservation;
  work.extra = 0;
  workload->works.push_back(work);
  WorkExtra extra;
  extra.hosts = 1;
  extra.from = 2;
  extra.to = 4;
  workload->extras.push_back(extra);
  auto errors = std::make_shared<Lines>();
  Simulation simulation(
      scenario_of(platform_of({cluster_of({1})}), workload),
      toy({}, [=](Sim& sim, std::span<const Event> events, auto&) {
        if (events[0].kind != EventKind::arrived) return;
        errors->push_back(fault_of([&] { sim.start(Piece{WorkId(0), 0, 0.5}, HostId(0)); }).message);
        errors->push_back(fault_of([&] { sim.start(WorkId(1), HostId(0)); }).message);
        Posting posting;
        posting.piece = {WorkId(0), 0, 1};
        posting.host = HostId(0);
        posting.after = ActivityId{77, 0};
        errors->push_back(fault_of([&] { sim.post(posting); }).message);
        sim.start(WorkId(0), HostId(0));
        sim.reject(WorkId(1));
      }));
  simulation.run();
  REQUIRE(errors->size() == 3);
  CHECK_THAT((*errors)[0], Catch::Contains("cannot be divided"));
  CHECK_THAT((*errors)[1], Catch::Contains("a reservation holds hosts"));
  CHECK_THAT((*errors)[2], Catch::Contains("is no activity") || Catch::Contains("running, posted or done"));
}

TEST_CASE("a transfer waits for a link in the middle of its way and starts when that is free") {
  // B hangs on A. File x, 10 B, goes to A over A's link at 1 B/s in [0, 10); y, 10 B, to B over both, from 10
  // to 20.
  PlatformSpec spec;
  spec.clusters = {with_link(cluster_of({1}, "A"), 1), with_link(cluster_of({1}, "B"), 5)};
  spec.clusters[1].at = "A";
  auto workload = tasks_of({{1, 0}});
  workload->files = {{"x", 10, 10}, {"y", 10, 10}};
  Simulation simulation(scenario_of(std::make_shared<const Platform>(spec), workload),
                        toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                          if (events[0].kind == EventKind::arrived)
                            for (std::uint32_t k = 0; k < 2; ++k) {
                              Posting posting;
                              posting.kind = ActivityKind::transfer_in;
                              posting.file = FileId(k);
                              posting.cluster = ClusterId(k);
                              sim.post(posting);
                            }
                          if (sim.now() == 20) sim.start(WorkId(0), HostId(0));
                        }));
  simulation.run();
  CHECK(simulation.status() == RunStatus::complete);
  CHECK(lines(simulation, {RecordKind::started, RecordKind::ended}) ==
        Lines{"started x@A.link 0", "ended x@A.link 10", "started y@A.link 10", "started y@B.link 10",
              "ended y@A.link 20", "ended y@B.link 20", "started 1@A.1 20", "ended 1@A.1 21"});
}

TEST_CASE("transfers that end together are told by file, not by order of posting") {
  auto workload = tasks_of({{1, 0}});
  workload->files = {{"x", 10, 10}, {"y", 10, 10}};
  Simulation simulation(
      scenario_of(platform_of({with_link(cluster_of({1}), 1, 0, Sharing::unlimited)}), workload),
      toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
        if (events[0].kind == EventKind::arrived)
          for (const std::uint32_t k : {1U, 0U})
            sim.start_transfer(FileId(k), ClusterId(0), ActivityKind::transfer_in);
        if (sim.now() == 10) sim.start(WorkId(0), HostId(0));
      }));
  simulation.run();
  CHECK(lines(simulation, {RecordKind::started, RecordKind::ended}) ==
        Lines{"started y@c.link 0", "started x@c.link 0", "ended x@c.link 10", "ended y@c.link 10",
              "started 1@c.1 10", "ended 1@c.1 11"});
}

TEST_CASE("known steps are told after a profile has changed, on links, and to a policy that takes over") {
  // The host's availability steps at 2; at 3 a new profile comes, with steps 4 s after that. The link steps
  // at 5.
  auto cluster = with_link(cluster_of({1}), 1);
  cluster.hosts[0].availability = Profile::steps({0, 2, 9}, {1, 0.5, 1});
  cluster.link.bandwidth = Profile::steps({0, 5, 11}, {1, 2, 3});
  auto scenario = scenario_of(platform_of({cluster}), tasks_of({{100, 0}}));
  scenario->profiles = {Profile::steps({0, 4}, {1, 0.5})};
  Happening change = happening(3, HappeningKind::change, ResourceId::of(HostId(0)), Cause::change);
  change.profile = 0;
  scenario->happenings = {change};
  auto told = std::make_shared<Lines>();
  const auto listen = [&](bool steps) {
    Instants instants;
    instants.steps = steps;
    return toy(
        {},
        [=](Sim& sim, std::span<const Event> events, auto&) {
          for (const Event& event : events)
            if (event.kind == EventKind::changed)
              told->push_back(text_of(sim, event) + fmt::format(" {:g}", sim.now()));
          start_all(sim);
        },
        instants);
  };
  Simulation simulation(scenario, listen(true));
  Simulation other(scenario, listen(false));
  simulation.run();
  CHECK(*told ==
        Lines{"changed c.1 2", "changed c.1 3", "changed c.link 5", "changed c.1 7", "changed c.link 11"});
  told->clear();
  other.run_until(4);
  other.set_policy(listen(true));
  other.run();
  CHECK(*told == Lines{"changed c.1 3", "changed c.link 5", "changed c.1 7", "changed c.link 11"});
}

TEST_CASE("two failure models of one host draw independently") {
  auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{1000, 0}}));
  scenario->compute_rule = OnFailure::resumed;
  FailureModel model;
  model.hosts = {HostId(0)};
  model.mtbf = 50;
  model.mttr = 1;
  const auto first_down = [&](std::vector<FailureModel> models) {
    scenario->failures = std::move(models);
    Simulation simulation(scenario, greedy());
    simulation.run();
    return lines(simulation, {RecordKind::down}).size();
  };
  // If both models drew the same, the second would be hidden behind the first.
  CHECK(first_down({model, model}) > first_down({model}));
}

TEST_CASE("a policy does not see an outage of a link, nor a change of speed, that it is not told of") {
  auto scenario = scenario_of(platform_of({with_link(cluster_of({4}), 1)}), tasks_of({{100, 0}}));
  Happening down = happening(2, HappeningKind::down, ResourceId::of(LinkId(0)));
  Happening up = happening(6, HappeningKind::up, ResourceId::of(LinkId(0)));
  Happening slower = happening(3, HappeningKind::change, ResourceId::of(HostId(0)), Cause::change);
  slower.factor = 0.5;
  down.announced = up.announced = slower.announced = false;
  scenario->happenings = {down, up, slower};
  auto events_told = std::make_shared<int>(0);
  Simulation simulation(scenario, toy({}, [=](Sim& sim, std::span<const Event> events, auto&) {
                          for (const Event& event : events)
                            if (event.kind == EventKind::down || event.kind == EventKind::up ||
                                event.kind == EventKind::changed)
                              ++*events_told;
                          start_all(sim);
                        }));
  simulation.run_until(4);
  CHECK(simulation.view().links()[0].up);
  CHECK(simulation.view().hosts()[0].speed == 4);
  simulation.run();
  CHECK(*events_told == 0);
  CHECK(simulation.now() == 47);  // 12 op done at 3, 88 more at 2 op/s
}

TEST_CASE("a reservation whose host was away for a while keeps its link until its io part is over") {
  // The hold is [0, 20) with the link until 10; the host is away in [2, 4). The file waits for the link
  // until 10.
  auto workload = tasks_of({{1, 0}});
  workload->files = {{"x", 10, 10}};
  auto scenario = scenario_of(platform_of({with_link(cluster_of({1}), 1)}), workload);
  scenario->hold_rule = OnFailure::resumed;
  scenario->happenings = {happening(2, HappeningKind::down, ResourceId::of(HostId(0))),
                          happening(4, HappeningKind::up, ResourceId::of(HostId(0)))};
  Simulation simulation(scenario, toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                          if (events[0].kind == EventKind::arrived) {
                            Posting hold;
                            hold.kind = ActivityKind::hold;
                            hold.hosts = {HostId(0)};
                            hold.with_link = true;
                            hold.to = 20;
                            hold.io_until = 10;
                            sim.post(hold);
                            sim.settle();
                            Posting transfer;
                            transfer.kind = ActivityKind::transfer_in;
                            transfer.file = FileId(0);
                            transfer.cluster = ClusterId(0);
                            sim.post(transfer);
                          }
                          if (sim.now() == 20) start_all(sim);
                        }));
  simulation.run();
  CHECK(simulation.status() == RunStatus::complete);
  const Lines all = lines(simulation, {RecordKind::started, RecordKind::ended});
  CHECK(std::find(all.begin(), all.end(), "started x@c.link 10") != all.end());
  CHECK(std::find(all.begin(), all.end(), "ended x@c.link 20") != all.end());
}

TEST_CASE("a policy cannot take over a run at its horizon, and one that fails at its begin ends the run") {
  const auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{5, 0}, {5, 20}}));
  RunOptions options;
  options.horizon = 15;
  Simulation done(scenario, greedy(), perfect_estimator(), options);
  done.run();
  const Fingerprint before = done.outcome().full;
  CHECK_THAT(fault_of([&] { done.set_policy(greedy()); }).message,
             Catch::Contains("the run is over (horizon)"));
  CHECK(done.outcome().full == before);
  Simulation complete(scenario, greedy());
  complete.run();
  complete.set_policy(greedy());
  CHECK(complete.status() == RunStatus::running);
  complete.run();
  CHECK(complete.status() == RunStatus::complete);
  CHECK(complete.now() == 25);

  Simulation midway(scenario, greedy());
  midway.run_until(10);
  const auto failing = [] { return toy([](Sim&, auto&) { fail("no", "cannot begin"); }, {}); };
  CHECK_THAT(fault_of([&] { midway.set_policy(failing()); }).message, Catch::Contains("cannot begin"));
  CHECK(midway.status() == RunStatus::incomplete);
}

TEST_CASE("of transfers that wait for a link in the middle of their ways the first posted goes first") {
  // B and C hang on A. x, 10 B, goes to A in [0, 10); z is posted to C before y to B: 10 to 20, 20 to 30.
  PlatformSpec spec;
  spec.clusters = {with_link(cluster_of({1}, "A"), 1), with_link(cluster_of({1}, "B"), 5),
                   with_link(cluster_of({1}, "C"), 5)};
  spec.clusters[1].at = spec.clusters[2].at = "A";
  auto workload = tasks_of({{1, 0}});
  workload->files = {{"x", 10, 10}, {"y", 10, 10}, {"z", 10, 10}};
  Simulation simulation(scenario_of(std::make_shared<const Platform>(spec), workload),
                        toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                          if (events[0].kind == EventKind::arrived)
                            for (const std::uint32_t k : {0U, 2U, 1U}) {
                              Posting posting;
                              posting.kind = ActivityKind::transfer_in;
                              posting.file = FileId(k);
                              posting.cluster = ClusterId(k);
                              sim.post(posting);
                            }
                          if (sim.now() == 30) sim.start(WorkId(0), HostId(0));
                        }));
  simulation.run();
  CHECK(lines(simulation, {RecordKind::ended}) == Lines{"ended x@A.link 10", "ended z@A.link 20",
                                                        "ended z@C.link 20", "ended y@A.link 30",
                                                        "ended y@B.link 30", "ended 1@A.1 31"});
  CHECK(validate(simulation.outcome()) == Lines{});
}

TEST_CASE("a chunk that is posted for a host moves to the link of the cluster that the host moves to") {
  // The load has 10 B in all. Host A.1 leaves at 1 with the chunk posted from 3 on, joins B at 2 and gets it
  // over B's link at 5 B/s: 3 to 5.
  auto workload = load_of(1, 4);
  workload->extras[0].bytes = 10;
  auto scenario = scenario_of(
      platform_of({with_link(cluster_of({1}, "A"), 1), with_link(cluster_of({1}, "B"), 5)}), workload);
  Happening join = happening(2, HappeningKind::join, ResourceId::of(HostId(0)), Cause::membership);
  join.cluster = ClusterId(1);
  scenario->happenings = {happening(1, HappeningKind::leave, ResourceId::of(HostId(0)), Cause::membership),
                          join};
  Simulation simulation(scenario, toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                          if (events[0].kind != EventKind::arrived) return;
                          Posting chunk;
                          chunk.kind = ActivityKind::chunk;
                          chunk.piece = {WorkId(0), 0, 1};
                          chunk.host = HostId(0);
                          chunk.not_before = 3;
                          Posting compute;
                          compute.piece = chunk.piece;
                          compute.host = chunk.host;
                          compute.after = sim.post(chunk);
                          sim.post(compute);
                        }));
  simulation.run_until(1);
  CHECK(sim_queue(simulation, 0) == 1);
  simulation.run();
  CHECK(simulation.status() == RunStatus::complete);
  CHECK(lines(simulation, {RecordKind::started, RecordKind::ended}) ==
        Lines{"started 1@A.1 3", "started 1@B.link 3", "ended 1@A.1 5", "ended 1@B.link 5", "started 1@A.1 5",
              "ended 1@A.1 9"});
  CHECK(validate(simulation.outcome()) == Lines{});
}

TEST_CASE("a hold that is not lost by an outage ends by the clock") {
  // A reservation of [0, 10) with the link until 4; its host is away in [2, 30). A file waits for the link.
  auto workload = tasks_of({{1, 0}});
  Work work;
  work.kind = WorkKind::reservation;
  work.extra = 0;
  workload->works.push_back(work);
  WorkExtra extra;
  extra.hosts = 1;
  extra.to = 10;
  extra.io_ratio = 0.4;
  workload->extras.push_back(extra);
  workload->files = {{"x", 10, 10}};
  auto cluster = with_link(cluster_of({1, 1}), 10);
  for (const OnFailure rule : {OnFailure::resumed, OnFailure::restarted}) {
    auto scenario = scenario_of(platform_of({cluster}), workload);
    scenario->hold_rule = rule;
    scenario->happenings = {happening(2, HappeningKind::down, ResourceId::of(HostId(0))),
                            happening(30, HappeningKind::up, ResourceId::of(HostId(0)))};
    Simulation simulation(scenario, toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                            if (events[0].kind != EventKind::arrived) return;
                            Posting hold;
                            hold.kind = ActivityKind::hold;
                            hold.piece.work = WorkId(1);
                            hold.hosts = {HostId(0)};
                            hold.with_link = true;
                            hold.to = 10;
                            hold.io_until = 4;
                            sim.post(hold);
                            sim.settle();
                            Posting transfer;
                            transfer.kind = ActivityKind::transfer_in;
                            transfer.file = FileId(0);
                            transfer.cluster = ClusterId(0);
                            sim.post(transfer);
                            sim.start(WorkId(0), HostId(1));
                          }));
    simulation.run();
    CHECK(simulation.status() == RunStatus::complete);
    CHECK(lines(simulation, {RecordKind::finished}) == Lines{"finished 1 1", "finished 2 10"});
    const Lines ended = lines(simulation, {RecordKind::ended});
    CHECK(std::find(ended.begin(), ended.end(), "ended x@c.link 5") != ended.end());
    CHECK(validate(simulation.outcome()) == Lines{});
  }
}

TEST_CASE("arrivals within the tolerance come in the order of input") {
  // Declared as 1, 2, 3; submitted at 10.5, 10, 20: 1 and 2 are one instant, at 10.
  for (const Ask ask : {Ask::once, Ask::phases, Ask::each}) {
    auto told = std::make_shared<Lines>();
    Instants instants;
    instants.tolerance = 0.1;
    instants.ask = ask;
    Simulation simulation(
        scenario_of(platform_of({cluster_of({1, 1, 1})}), tasks_of({{1, 10.5}, {1, 10}, {1, 20}})),
        toy(
            {},
            [=](Sim& sim, std::span<const Event> events, auto&) {
              for (const Event& event : events)
                if (event.kind == EventKind::arrived)
                  told->push_back(fmt::format("{} {:g} {:g}", event.work.index + 1, event.at, sim.now()));
              start_all(sim);
            },
            instants));
    simulation.run();
    CHECK(*told == Lines{"1 10.5 10", "2 10 10", "3 20 20"});
    CHECK(validate(simulation.outcome()) == Lines{});
  }
}

TEST_CASE("an output is sent home once") {
  auto workload = tasks_of({{1, 0}});
  workload->files = {{"out", 10, 10}};
  workload->file_lists = {FileId(0)};
  workload->works[0].output_count = 1;
  auto errors = std::make_shared<Lines>();
  Simulation simulation(scenario_of(platform_of({with_link(cluster_of({1}), 10)}), workload),
                        toy({}, [=](Sim& sim, std::span<const Event> events, auto&) {
                          if (events[0].kind != EventKind::arrived) return;
                          sim.start(WorkId(0), HostId(0));
                          Posting home;
                          home.kind = ActivityKind::transfer_out;
                          home.file = FileId(0);
                          home.cluster = ClusterId(0);
                          const ActivityId first = sim.post(home);
                          errors->push_back(fault_of([&] { sim.post(home); }).message);
                          sim.withdraw(first);
                          sim.post(home);
                        }));
  simulation.run();
  CHECK(simulation.status() == RunStatus::complete);
  CHECK(simulation.now() == 2);
  REQUIRE(errors->size() == 1);
  CHECK_THAT((*errors)[0], Catch::Contains("post file 'out' home from cluster 'c'") &&
                               Catch::Contains("it is there or on its way"));
}

TEST_CASE("a policy learns the name of a mark, injected ones too") {
  auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{10, 0}}));
  Happening noon = happening(3, HappeningKind::mark);
  noon.name = "noon";
  scenario->happenings = {noon};
  auto names = std::make_shared<Lines>();
  Simulation simulation(scenario, toy({}, [=](Sim& sim, std::span<const Event> events, auto&) {
                          for (const Event& event : events)
                            if (event.kind == EventKind::mark) names->emplace_back(sim.mark_name(event));
                          start_all(sim);
                        }));
  Happening tea = happening(5, HappeningKind::mark);
  tea.name = "tea";
  simulation.inject(tea);
  simulation.run();
  CHECK(*names == Lines{"noon", "tea"});
}

TEST_CASE("a policy that takes over deals out the rest of a sweep") {
  // Four runs of 10 s on one host, one at a time: the second half under another workqueue.
  Simulation simulation(scenario_of(platform_of({cluster_of({1})}), sweep_of(4, 10)),
                        test_policy("workqueue"));
  simulation.run_until(15);
  simulation.set_policy(test_policy("workqueue"));
  simulation.run();
  CHECK(simulation.status() == RunStatus::complete);
  CHECK(simulation.now() == 40);
}

TEST_CASE("a reservation is held once, as it says; rigid work takes its cores") {
  auto workload = tasks_of({{10, 0, 2}});
  Work work;
  work.kind = WorkKind::reservation;
  work.extra = 0;
  workload->works.push_back(work);
  WorkExtra extra;
  extra.hosts = 1;
  extra.from = 20;
  extra.to = 30;
  workload->extras.push_back(extra);
  auto errors = std::make_shared<Lines>();
  Simulation simulation(
      scenario_of(platform_of({cluster_of({1, 1}, "c", 2)}), workload),
      toy({}, [=](Sim& sim, std::span<const Event> events, auto&) {
        if (events[0].kind != EventKind::arrived) return;
        Posting hold;
        hold.kind = ActivityKind::hold;
        hold.piece.work = WorkId(1);
        hold.hosts = {HostId(0), HostId(1)};
        hold.not_before = 20;
        hold.to = 30;
        const auto refused = [&] { errors->push_back(fault_of([&] { sim.post(hold); }).message); };
        refused();
        hold.hosts = {HostId(0)};
        hold.not_before = 10;
        refused();
        hold.not_before = 20;
        sim.post(hold);
        refused();
        errors->push_back(fault_of([&] { sim.start({WorkId(0), 0, 1}, HostId(1), 1); }).message);
        sim.start(WorkId(0), HostId(1));
      }));
  simulation.run();
  CHECK(simulation.status() == RunStatus::complete);
  REQUIRE(errors->size() == 4);
  CHECK_THAT((*errors)[0], Catch::Contains("reservation 2 reserves 1 of them"));
  CHECK_THAT((*errors)[1], Catch::Contains("reservation 2 reserves them from 20 to 30 s"));
  CHECK_THAT((*errors)[2], Catch::Contains("it is held already"));
  CHECK_THAT((*errors)[3], Catch::Contains("it takes 2 cores, not 1"));
}
