// Runs of a sweep whose data is sent to a host that goes on computing. All times are worked out by hand.
#include <catch2/catch.hpp>

#include "runtime/results/resource_rows.h"
#include "runtime/results/validator.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

std::shared_ptr<Workload> sweep_with_bytes(double runs, double seconds, double bytes) {
  auto workload = sweep_of(runs, 1);
  workload->works[0].amount = workload->works[0].estimate = seconds;
  workload->extras[0].bytes = bytes;
  return workload;
}

// Posts a run's data, and its computation after that.
void send(Sim& sim, double run, HostId host) {
  Posting chunk;
  chunk.kind = ActivityKind::chunk;
  chunk.piece = {WorkId(0), run, 1};
  chunk.host = host;
  Posting compute;
  compute.piece = chunk.piece;
  compute.host = host;
  compute.after = sim.post(chunk);
  sim.post(compute);
}

struct SweepChunksStep {
  RecordKind kind;
  ActivityKind what;
  double run;
  std::uint32_t host;  // 99: a link
  double at;
  bool operator==(const SweepChunksStep&) const = default;
};
std::vector<SweepChunksStep> steps(const Outcome& outcome, std::initializer_list<RecordKind> kinds) {
  std::vector<SweepChunksStep> out;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record& r = outcome.trace[i];
    if (std::find(kinds.begin(), kinds.end(), r.kind) == kinds.end()) continue;
    if (r.what == ActivityKind::chunk && r.on.kind() == ResourceKind::host) continue;  // the link says it
    out.push_back(
        {r.kind, r.what, r.first, r.on.kind() == ResourceKind::host ? r.on.host().index : 99, r.time});
  }
  return out;
}
constexpr auto S = RecordKind::started, E = RecordKind::ended, L = RecordKind::lost;
constexpr auto C = ActivityKind::chunk, R = ActivityKind::compute;

PlatformSpec::ClusterSpec one_host(const std::string& name, double bandwidth, double latency) {
  return with_link(cluster_of({1}, name, 2), bandwidth, latency);
}

}  // namespace

TEST_CASE("runs come while the host computes; each is computed when it has come and the one before is done") {
  // 2 B a run over 1 B/s with 0.5 s latency: 2.5 s a chunk; 4 s a run on a host of 2 cores, 0.25 s set-up.
  auto cluster = one_host("A", 1, 0.5);
  cluster.hosts[0].setup = 0.25;
  auto scenario = scenario_of(platform_of({cluster}), sweep_with_bytes(3, 4, 2));
  Simulation simulation(scenario, toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                          if (events[0].kind != EventKind::arrived) return;
                          for (int run = 0; run < 3; ++run) send(sim, run, HostId(0));
                        }));
  simulation.run_until(3);
  CHECK(simulation.sim().view().hosts()[0].idle == 0);
  CHECK(simulation.sim().view().hosts()[0].running == 2);  // the chunk too
  simulation.run();
  const Outcome outcome = simulation.outcome();
  CHECK(steps(outcome, {S, E}) == std::vector<SweepChunksStep>{{S, C, 0, 99, 0},
                                                               {E, C, 0, 99, 2.5},
                                                               {S, R, 0, 0, 2.5},
                                                               {S, C, 1, 99, 2.5},
                                                               {E, C, 1, 99, 5},
                                                               {S, C, 2, 99, 5},
                                                               {E, R, 0, 0, 6.75},
                                                               {S, R, 1, 0, 6.75},
                                                               {E, C, 2, 99, 7.5},
                                                               {E, R, 1, 0, 11},
                                                               {S, R, 2, 0, 11},
                                                               {E, R, 2, 0, 15.25}});
  CHECK(validate(outcome) == std::vector<std::string>{});
  // The host is busy with its runs, 3 * 4.25 s on both cores. Data that comes takes no core.
  const std::vector<ResourceRow> rows = resource_rows(outcome);
  CHECK(rows[0].busy == Approx(3 * 4.25 * 2));
  CHECK(rows[1].busy == Approx(7.5));
  CHECK(rows[1].bytes == 6);
}

TEST_CASE("a star with one port: links of their own behind an exclusive link to the origin") {
  PlatformSpec spec;
  spec.clusters = {one_host("A", 1, 0), one_host("B", 2, 1)};
  spec.routers = {"hub"};
  PlatformSpec::LinkSpec port;
  port.link.name = "port";
  port.link.bandwidth = Profile(1000);
  port.from = "origin";
  port.to = "hub";
  spec.links = {port};
  for (auto& cluster : spec.clusters) cluster.at = "hub";
  auto scenario = scenario_of(std::make_shared<const Platform>(spec), sweep_with_bytes(4, 3, 2));
  Simulation simulation(scenario, toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                          if (events[0].kind != EventKind::arrived) return;
                          for (int run = 0; run < 4; ++run) send(sim, run, HostId(run % 2));
                        }));
  simulation.run();
  // A: 2 B at 1 B/s. B: 1 s and 2 B at 2 B/s. In turn: A 0-2, B 2-4, A 4-6, B 6-8; 3 s a run.
  std::vector<SweepChunksStep> sent;
  for (const SweepChunksStep& step : steps(simulation.outcome(), {E}))
    if (step.what == R) sent.push_back(step);
  CHECK(sent ==
        std::vector<SweepChunksStep>{{E, R, 0, 0, 5}, {E, R, 1, 1, 7}, {E, R, 2, 0, 9}, {E, R, 3, 1, 11}});
  CHECK(validate(simulation.outcome()) == std::vector<std::string>{});
}

TEST_CASE("a host goes down: what comes and what it computes is lost, what comes after is told") {
  auto scenario = scenario_of(platform_of({one_host("A", 1, 0)}), sweep_with_bytes(2, 4, 2));
  scenario->happenings = {happening(3, HappeningKind::down, ResourceId::of(HostId(0))),
                          happening(10, HappeningKind::up, ResourceId::of(HostId(0)))};
  Simulation simulation(scenario, toy({}, [](Sim& sim, std::span<const Event> events, auto& memory) {
                          for (const Event& event : events) {
                            if (event.kind == EventKind::lost) memory.push_back(event.transfer ? 1 : 0);
                            if (event.kind == EventKind::lost && memory.size() == 3) {
                              CHECK(sim.undealt(WorkId(0)) == 2);
                              for (int run = 0; run < 2; ++run) send(sim, run, HostId(0));
                            }
                            if (event.kind == EventKind::arrived)
                              for (int run = 0; run < 2; ++run) send(sim, run, HostId(0));
                          }
                        }));
  simulation.run();
  const Outcome outcome = simulation.outcome();
  // Lost at 3: run 0 on the host, and the chunk of run 1 with its computation. Both start again from 10 on,
  // although the data of run 0 had come: 10-12, 12-14; 12-16, 16-20.
  CHECK(steps(outcome, {L}) == std::vector<SweepChunksStep>{{L, R, 0, 0, 3}, {L, C, 1, 99, 3}});
  CHECK(outcome.status == RunStatus::complete);
  CHECK(outcome.end == 20);
  CHECK(validate(outcome) == std::vector<std::string>{});
}

TEST_CASE("a chunk posted for a host that leaves comes over the link of the cluster that it joins") {
  auto scenario =
      scenario_of(platform_of({one_host("A", 1, 0), one_host("B", 4, 0)}), sweep_with_bytes(1, 3, 2));
  Happening join = happening(5, HappeningKind::join, ResourceId::of(HostId(0)), Cause::membership);
  join.cluster = ClusterId(1);
  scenario->happenings = {happening(1, HappeningKind::leave, ResourceId::of(HostId(0)), Cause::membership),
                          join};
  Simulation simulation(scenario, toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                          if (events[0].kind == EventKind::down) send(sim, 0, HostId(0));
                        }));
  simulation.run();
  CHECK(simulation.outcome().status == RunStatus::complete);
  CHECK(simulation.outcome().end == 8.5);  // 5, 2 B at 4 B/s, 3 s
  CHECK(validate(simulation.outcome()) == std::vector<std::string>{});
}

TEST_CASE("a run whose data is not there cannot start, be posted or be copied to the host") {
  auto scenario =
      scenario_of(platform_of({one_host("A", 1, 0), one_host("B", 1, 0)}), sweep_with_bytes(2, 4, 2));
  const auto complaint = [&](auto act) {
    Simulation simulation(scenario, toy({}, [=](Sim& sim, std::span<const Event>, auto&) { act(sim); }));
    try {
      simulation.run();
    } catch (const Error& error) {
      return error.diagnostic().message;
    }
    return std::string("none");
  };
  const auto missing = Catch::Contains("its data has not been sent there");
  CHECK_THAT(complaint([](Sim& sim) { sim.start({WorkId(0), 0, 1}, HostId(0)); }), missing);
  CHECK_THAT(complaint([](Sim& sim) {
               Posting compute;
               compute.piece = {WorkId(0), 0, 1};
               compute.host = HostId(0);
               sim.post(compute);
             }),
             missing);
  CHECK_THAT(complaint([](Sim& sim) {
               if (sim.now() == 0) send(sim, 0, HostId(0)), sim.timer(3);
               if (sim.now() == 3) sim.copy(sim.running_on(HostId(0)).front(), HostId(1));
             }),
             missing);
}

TEST_CASE("the validator sees a package whose data was never sent") {
  auto scenario = scenario_of(platform_of({one_host("A", 1, 0)}), sweep_with_bytes(1, 4, 0));
  Simulation simulation(scenario, toy({}, [](Sim& sim, std::span<const Event> events, auto&) {
                          if (events[0].kind == EventKind::arrived) sim.start({WorkId(0), 0, 1}, HostId(0));
                        }));
  simulation.run();
  Outcome outcome = simulation.outcome();
  CHECK(validate(outcome) == std::vector<std::string>{});
  auto changed = std::make_shared<Scenario>(*scenario);  // the same run, as if there had been data
  changed->workload = sweep_with_bytes(1, 4, 2);
  outcome.scenario = changed;
  const auto found = validate(outcome);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], Catch::Contains("has not been sent to 'A.1'"));
}

TEST_CASE("sweeps are dealt out in packages whose times are whole waves") {
  // Node_A of Sim-PETEK, section 3.1: 8 slots, 1 s a simulation, 10 trials: 8, 9 and 10 runs take 10, 12 and
  // 13 s.
  const auto workload = sweep_of(27, 10);
  auto cluster = cluster_of({1});
  cluster.hosts[0].slots = 8;
  Simulation simulation(
      scenario_of(platform_of({cluster}), workload),
      toy(
          [](Sim&, std::vector<double>& sizes) {
            sizes = {8, 9, 10};
          },
          [](Sim& sim, std::span<const Event>, std::vector<double>& sizes) {
            if (sizes.empty() || sim.view()[HostId(0)].idle == 0) return;
            const Piece piece = sim.next_piece(WorkId(0), sizes.front());
            CHECK_THROWS_WITH(sim.start(Piece{WorkId(0), 20, 8}, HostId(0)), Catch::Contains("[0, 27)"));
            sim.start(piece, HostId(0));
            CHECK_THROWS(sim.start(piece, HostId(0)));
            sizes.erase(sizes.begin());
          }));
  simulation.run();
  CHECK(lines(simulation, {RecordKind::ended, RecordKind::finished}) ==
        Lines{"ended 1@c.1 10", "ended 1@c.1 22", "ended 1@c.1 35", "finished 1 35"});
}

TEST_CASE("a package of a sweep has the whole host") {
  // 16 runs of 10 s on 4 cores: 40 s at least, however they are dealt out.
  const auto workload = sweep_of(16, 1);
  workload->works[0].amount = 10;
  Simulation simulation(scenario_of(platform_of({cluster_of({1}, "c", 4)}), workload),
                        toy({}, [](Sim& sim, std::span<const Event>, auto&) {
                          const Piece piece = sim.next_piece(WorkId(0), 4);
                          if (piece.size == 0 || !sim.fits(WorkId(0), HostId(0))) return;
                          sim.start(piece, HostId(0));
                          CHECK(sim.view()[HostId(0)].idle == 0);
                        }));
  simulation.run();
  CHECK(simulation.now() == 40);
}
