// The order of simultaneous events, for each of the five ways in which the families ask.
#include <catch2/catch.hpp>

#include "tests/support/layers.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// At t = 10, all at once: a mark, two ends, an outage, the end of scheduling time, one timer of each phase
// and an arrival. While it is asked about the arrival, the policy makes a timer that is due at once.
std::vector<std::string> sequence(Instants instants) {
  const auto platform = platform_of({cluster_of({1, 1, 1})});
  auto scenario = scenario_of(platform, tasks_of({{10, 0}, {10, 0}, {5, 10}}));
  scenario->happenings = {happening(10, HappeningKind::down, ResourceId::of(HostId(2))),
                          happening(10, HappeningKind::mark)};
  auto log = std::make_shared<std::vector<std::string>>();
  auto begin = [](Sim& sim, std::vector<double>&) {
    sim.timer(10, TimerPhase::late);
    sim.timer(10, TimerPhase::sample);
    sim.timer(10, TimerPhase::due);
    sim.think(10);
  };
  auto react = [log](Sim& sim, std::span<const Event> events, std::vector<double>&) {
    if (sim.now() == 0) {  // host order and work order differ on purpose
      for (const Event& event : events)
        if (event.kind == EventKind::arrived) sim.start(event.work, HostId(1 - event.work.index));
      return;
    }
    if (sim.now() > 10) return;
    std::string ask;
    for (const Event& event : events) {
      ask += (ask.empty() ? "" : ", ") + text_of(sim, event);
      if (event.kind == EventKind::arrived) sim.timer(10);
    }
    log->push_back(ask);
  };
  Simulation simulation(scenario, toy(begin, react, instants));
  simulation.run();
  return *log;
}

using Asks = std::vector<std::string>;

}  // namespace

TEST_CASE("grid, sweep and realtime: once an instant, phases in order, what is born now in a next round") {
  for (const double tolerance : {1e-9, 1e-12}) {
    Instants instants;
    instants.tolerance = tolerance;
    CHECK(sequence(instants) ==
          Asks{"mark, ended 2@c.1, ended 1@c.2, down c.3, thought, timer, timer, arrived 3, timer", "timer",
               "stalled"});
  }
}

TEST_CASE("batch: after each phase that had events") {
  Instants instants;
  instants.ask = Ask::phases;
  CHECK(sequence(instants) == Asks{"mark", "ended 2@c.1, ended 1@c.2", "down c.3", "thought", "timer",
                                   "timer", "arrived 3", "timer", "timer", "stalled"});
}

TEST_CASE("batch with submit_first: arrivals before ends") {
  Instants instants;
  instants.ask = Ask::phases;
  instants.submit_first = true;
  CHECK(sequence(instants) == Asks{"mark", "arrived 3", "ended 2@c.1, ended 1@c.2", "down c.3", "thought",
                                   "timer", "timer", "timer", "timer", "stalled"});
}

TEST_CASE("grouping: each single event, those born meanwhile before what is later in the order") {
  Instants instants;
  instants.ask = Ask::each;
  CHECK(sequence(instants) == Asks{"mark", "ended 2@c.1", "ended 1@c.2", "down c.3", "thought", "timer",
                                   "timer", "arrived 3", "timer", "timer", "stalled"});
}

TEST_CASE("the timer born in an ask is told apart from the late one") {
  // In `each`, the timer made meanwhile (due, phase 4) comes before the late one; in `phases`, after it, in a
  // next round.
  for (const Ask ask : {Ask::each, Ask::phases}) {
    auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{1, 0}, {1, 10}}));
    auto late = std::make_shared<TimerId>();
    auto born = std::make_shared<TimerId>();
    auto log = std::make_shared<std::string>();
    Instants instants;
    instants.ask = ask;
    Simulation simulation(scenario, toy([=](Sim& sim, auto&) { *late = sim.timer(10, TimerPhase::late); },
                                        [=](Sim& sim, std::span<const Event> events, auto&) {
                                          for (const Event& event : events) {
                                            if (event.kind == EventKind::arrived && sim.now() == 10)
                                              *born = sim.timer(10);
                                            if (event.kind == EventKind::timer)
                                              *log += event.timer() == *late   ? "late "
                                                      : event.timer() == *born ? "born "
                                                                               : "? ";
                                          }
                                          start_all(sim);
                                        },
                                        instants));
    simulation.run();
    CHECK(*log == (ask == Ask::each ? "born late " : "late born "));
    CHECK(simulation.status() == RunStatus::complete);
  }
}

TEST_CASE("events within the tolerance are one instant and keep their own times") {
  // Ends at 100 and 100 + 5e-8: one instant under 1e-9 * 100 = 1e-7, two under 1e-12.
  for (const double tolerance : {1e-9, 1e-12}) {
    auto scenario = scenario_of(platform_of({cluster_of({1, 1})}), tasks_of({{100 + 5e-8, 0}, {100, 0}}));
    auto log = std::make_shared<std::vector<std::string>>();
    Instants instants;
    instants.tolerance = tolerance;
    Simulation simulation(
        scenario, toy(
                      {},
                      [log](Sim& sim, std::span<const Event> events, auto&) {
                        start_all(sim);
                        std::string ask;
                        for (const Event& event : events)
                          if (event.kind == EventKind::ended) {
                            ask += event.at == 100 ? "exact " : event.at == 100 + 5e-8 ? "own " : "? ";
                            ask += sim.now() == 100 ? "now=100 " : "later ";
                          }
                        if (!ask.empty()) log->push_back(ask);
                      },
                      instants));
    simulation.run();
    if (tolerance == 1e-9)
      CHECK(*log == Asks{"own now=100 exact now=100 "});
    else
      CHECK(*log == Asks{"exact now=100 ", "own later "});
  }
}

TEST_CASE("a policy that keeps time from moving is stopped") {
  auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{1, 0}}));
  Simulation simulation(scenario, toy({}, [](Sim& sim, auto, auto&) { sim.timer(sim.now()); }));
  CHECK_THROWS_WITH(simulation.run(), Catch::Contains("time does not move") && Catch::Contains("'toy'"));
}

TEST_CASE("the end of a run: settled, horizon, only timers left, keeps_alive") {
  const auto platform = platform_of({cluster_of({1})});
  SECTION("events at the horizon count") {
    RunOptions options;
    options.horizon = 10;
    Simulation at(scenario_of(platform, tasks_of({{10, 0}})), greedy(), perfect_estimator(), options);
    at.run();
    CHECK(at.status() == RunStatus::complete);
    Simulation beyond(scenario_of(platform, tasks_of({{10.5, 0}})), greedy(), perfect_estimator(), options);
    beyond.run();
    CHECK(beyond.status() == RunStatus::horizon);
    CHECK(beyond.now() == 10);
  }
  SECTION("an idle policy is told once that it stalls; then the run is incomplete and says who waits") {
    auto stalls = std::make_shared<int>(0);
    Simulation simulation(scenario_of(platform, tasks_of({{10, 3}})),
                          toy([](Sim& sim, auto&) { sim.timer(100, TimerPhase::due, Keeps::nothing); },
                              [=](Sim&, std::span<const Event> events, auto&) {
                                for (const Event& event : events) *stalls += event.kind == EventKind::stalled;
                              }));
    simulation.run();
    CHECK(simulation.status() == RunStatus::incomplete);
    CHECK(simulation.now() == 3);
    CHECK(*stalls == 1);
    const Outcome outcome = simulation.outcome();
    REQUIRE(outcome.waiting.size() == 2);
    CHECK(outcome.waiting[0] == "task 1 waits to be started by policy 'toy'");
    CHECK(outcome.waiting[1] ==
          "policy 'toy' has a timer for t = 100 s, for which alone no run goes on (idle)");
  }
  SECTION("a timer keeps the run going; what stalls meanwhile is told") {
    auto stalls = std::make_shared<int>(0);
    Simulation simulation(scenario_of(platform, tasks_of({{10, 3}})),
                          toy([](Sim& sim, auto&) { sim.timer(100); },
                              [=](Sim& sim, std::span<const Event> events, auto&) {
                                for (const Event& event : events) {
                                  *stalls += event.kind == EventKind::stalled;
                                  if (event.kind == EventKind::timer) start_all(sim);
                                }
                              }));
    simulation.run();
    CHECK(simulation.status() == RunStatus::complete);
    CHECK(simulation.now() == 110);
    CHECK(*stalls == 1);
  }
  SECTION("a timer that comes again and again and changes nothing does not") {
    // At 1, 2, ..., 100000 after the arrival at 0.
    Simulation simulation(scenario_of(platform, tasks_of({{10, 0}})),
                          toy([](Sim& sim, auto&) { sim.timer(1); },
                              [](Sim& sim, std::span<const Event> events, auto&) {
                                for (const Event& event : events)
                                  if (event.kind == EventKind::timer) sim.timer(sim.now() + 1);
                              }));
    simulation.run();
    CHECK(simulation.status() == RunStatus::incomplete);
    CHECK(simulation.now() == 100'000);
    CHECK(simulation.woke_in_vain());
  }
  SECTION("a timer that keeps alive counts as progress") {
    Simulation simulation(scenario_of(platform, tasks_of({{10, 3}})),
                          toy([](Sim& sim, auto&) { sim.timer(100, TimerPhase::due, Keeps::alive); },
                              [](Sim& sim, std::span<const Event> events, auto&) {
                                for (const Event& event : events)
                                  if (event.kind == EventKind::timer) start_all(sim);
                              }));
    simulation.run();
    CHECK(simulation.status() == RunStatus::complete);
    CHECK(simulation.now() == 110);
  }
  SECTION("no work at all: complete at 0") {
    Simulation simulation(scenario_of(platform, tasks_of({})), greedy());
    simulation.run();
    CHECK(simulation.status() == RunStatus::complete);
    CHECK(simulation.now() == 0);
  }
}

TEST_CASE("run_until stops the clock where it was asked to, before the first instant too") {
  Simulation simulation(scenario_of(platform_of({cluster_of({1})}), tasks_of({{10, 5}})), greedy());
  simulation.run_until(3);
  CHECK(simulation.now() == 3);
  CHECK(simulation.view()[WorkId(0)].state == WorkState::future);
  simulation.run_until(5);
  CHECK(simulation.view()[WorkId(0)].state == WorkState::running);
  simulation.run_until(12);
  CHECK(simulation.now() == 12);
  simulation.inject(happening(0, HappeningKind::down, ResourceId::of(HostId(0))));
  simulation.inject(happening(20, HappeningKind::up, ResourceId::of(HostId(0))));
  simulation.run();
  CHECK(simulation.now() == 30);  // lost at 12, again from 20
  CHECK(simulation.status() == RunStatus::complete);
}
