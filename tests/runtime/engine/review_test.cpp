// Corners of the engine: slivers of loads, links in the middle of a way, known steps, interventions.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

using Lines = std::vector<std::string>;

// "ended 1@c.1 10" for every record of the given kinds.
Lines lines(const Simulation& simulation, std::initializer_list<RecordKind> kinds) {
  Lines out;
  for (std::size_t i = 0; i < simulation.trace().size(); ++i) {
    const Record& r = simulation.trace()[i];
    if (std::find(kinds.begin(), kinds.end(), r.kind) == kinds.end()) continue;
    std::string line(name_of(r.kind));
    if (r.file.valid())
      line += " " + simulation.scenario().workload->files[r.file.index].name;
    else if (r.work.valid())
      line += " " + std::to_string(r.work.index + 1);
    if (r.on.valid()) line += "@" + simulation.scenario().platform->name_of(r.on);
    out.push_back(line + fmt::format(" {:g}", r.time));
  }
  return out;
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.diagnostic().message;
  }
  return "";
}

std::shared_ptr<Workload> one_load(double size, double seconds_per_unit) {
  auto workload = std::make_shared<Workload>();
  Work work;
  work.kind = WorkKind::load;
  work.amount = work.estimate = seconds_per_unit;
  work.extra = 0;
  workload->works.push_back(work);
  WorkExtra extra;
  extra.size = size;
  workload->extras.push_back(extra);
  return workload;
}

}  // namespace

TEST_CASE("a load is finished once, when the last of its pieces has ended, however small") {
  // All but 1e-10 of it takes 10 s; the rest, 1e-9 s of work, gets 1e-11 of a host: 100 s.
  auto cluster = cluster_of({1, 1});
  cluster.hosts[1].availability = Profile(1e-11);
  auto workload = one_load(1, 10);
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
  Simulation simulation(scenario_of(platform_of({cluster_of({1})}), one_load(1, 10)),
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
        errors->push_back(error_of([&] { sim.start(Piece{WorkId(0), 0, 0.5}, HostId(0)); }));
        errors->push_back(error_of([&] { sim.start(WorkId(1), HostId(0)); }));
        Posting posting;
        posting.piece = {WorkId(0), 0, 1};
        posting.host = HostId(0);
        posting.after = ActivityId{77, 0};
        errors->push_back(error_of([&] { sim.post(posting); }));
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
  // Twice the same draws would hide the second model behind the first.
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

TEST_CASE("a policy cannot take over a run that is over, and one that fails at its begin ends the run") {
  const auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{5, 0}, {5, 20}}));
  Simulation done(scenario, greedy());
  done.run();
  const Fingerprint before = done.outcome().full;
  CHECK_THAT(error_of([&] { done.set_policy(greedy()); }), Catch::Contains("the run is over (complete)"));
  CHECK(done.outcome().full == before);

  Simulation midway(scenario, greedy());
  midway.run_until(10);
  const auto failing = [] { return toy([](Sim&, auto&) { fail("no", "cannot begin"); }, {}); };
  CHECK_THAT(error_of([&] { midway.set_policy(failing()); }), Catch::Contains("cannot begin"));
  CHECK(midway.status() == RunStatus::incomplete);
}
