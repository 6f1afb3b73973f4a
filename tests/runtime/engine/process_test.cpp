// Processes: when they wake, their actions and view, and what they keep alive.
#include <catch2/catch.hpp>

#include "runtime/engine/process.h"
#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// A list of steps: wait, then act. State that must survive a fork belongs in `memory`.
struct ProcessStep {
  Seconds wait;  // < 0: for the condition
  std::function<void(World&)> act;
  std::function<bool(World&)> condition = {};
};

class Steps final : public Process {
 public:
  explicit Steps(std::vector<ProcessStep> steps, bool keeps_alive = false)
      : steps_(std::move(steps)), keeps_alive_(keeps_alive) {}
  std::unique_ptr<Process> clone() const override { return std::make_unique<Steps>(*this); }
  std::string name() const override { return "steps"; }
  bool keeps_alive() const override { return keeps_alive_; }
  Wait wake(World& world) override {
    if (at_ > 0 && steps_[at_ - 1].act) steps_[at_ - 1].act(world);
    if (at_ == steps_.size()) return {};
    const ProcessStep& next = steps_[at_++];
    return next.wait < 0 ? Wait{.condition = true} : Wait{.until = world.now() + next.wait};
  }
  bool holds(World& world) override { return steps_[at_ - 1].condition(world); }

 private:
  std::vector<ProcessStep> steps_;
  bool keeps_alive_;
  std::size_t at_ = 0;
};

const ResourceId kFirst = ResourceId::of(HostId(0)), kSecond = ResourceId::of(HostId(1));

auto happens(HappeningKind kind, ResourceId on, double factor = 1) {
  return [=](World& world) {
    Happening event = happening(0, kind, on, kind == HappeningKind::change ? Cause::change : Cause::outage);
    if (kind == HappeningKind::change) event.factor = factor;
    world.happen(event);
  };
}

PolicySetup workqueue() {
  static const Catalogue catalogue;
  const ConfigPtr config = catalogue.configure("workqueue");
  return {"workqueue", config->make_policy(), config->entry->accepts, config->entry->instants};
}

std::vector<std::string> lines(const Outcome& outcome, ResourceId on) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i)
    if (const Record& record = outcome.trace[i]; record.on == on)
      all.push_back(fmt::format("{} {}", record.time, name_of(record.kind)));
  return all;
}

}  // namespace

TEST_CASE("a process breaks a host, mends it and slows it down") {
  auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{30, 0}}));
  scenario->processes.push_back(std::make_shared<Steps>(std::vector<ProcessStep>{
      {10, happens(HappeningKind::down, kFirst)},
      {5, happens(HappeningKind::up, kFirst)},
      {10, happens(HappeningKind::change, kFirst, 0.5)},
  }));
  Simulation run(scenario, workqueue());
  run.run();
  const Outcome outcome = run.outcome();
  // Lost at 10, begun anew at 15; 10 of its 30 s are done at 25, the other 20 take 40.
  CHECK(lines(outcome, kFirst) == std::vector<std::string>{"0 started", "10 down", "10 lost", "15 up",
                                                           "15 started", "25 changed", "65 ended"});
  CHECK(outcome.status == RunStatus::complete);
  CHECK(outcome.injected.size() == 3);
  CHECK(validate(outcome).empty());
}

TEST_CASE("in an instant: what is listed, interventions, processes in order, each before arrivals") {
  auto scenario = scenario_of(platform_of({cluster_of({1, 1})}), tasks_of({{100, 0}, {1, 20}}));
  const auto factor = [](double value) { return happens(HappeningKind::change, kSecond, value); };
  scenario->processes = {std::make_shared<Steps>(std::vector<ProcessStep>{{20, factor(4)}}),
                         std::make_shared<Steps>(std::vector<ProcessStep>{{5, nullptr}, {15, factor(8)}})};
  Happening listed = happening(20, HappeningKind::change, kSecond, Cause::change);
  listed.factor = 2;
  scenario->happenings = {listed};
  Simulation run(scenario, workqueue());
  run.run_until(7);
  listed.factor = 3;
  run.inject(listed);
  run.run();
  const Outcome outcome = run.outcome();
  // The last one counts: 1 s at speed 8.
  CHECK(lines(outcome, kSecond) == std::vector<std::string>{"20 changed", "20 changed", "20 changed",
                                                            "20 changed", "20 started", "20.125 ended"});
  REQUIRE(outcome.injected.size() == 3);
  CHECK(outcome.injected[0].factor == 3);
  CHECK(outcome.injected[1].factor == 4);
  CHECK(outcome.injected[2].factor == 8);
  CHECK(validate(outcome).empty());
}

TEST_CASE("a condition is looked at after each instant; who waited for it goes on at once") {
  auto scenario =
      scenario_of(platform_of({cluster_of({1, 1})}), tasks_of({{50, 0}, {8, 0}, {9, 3}, {9, 4}, {9, 6}}));
  std::vector<Time> woke;
  scenario->processes = {std::make_shared<Steps>(
      std::vector<ProcessStep>{{-1, [&](World& world) { woke.push_back(world.now()); },
                                [](World& world) { return world.view().works_in(WorkState::waiting) >= 2; }},
                               {-1, [&](World& world) { woke.push_back(world.now()); },
                                [](World& world) { return world.view().works_in(WorkState::finished) == 3; }},
                               {-1, nullptr, [](World&) { return false; }}})};
  Simulation run(scenario, workqueue());
  run.run();
  // Two hosts are taken from 0 on; the third and fourth task wait from 3 and 4. The second host ends its task
  // at 8, then the waiting ones at 17, 26 and 35.
  CHECK(woke == std::vector<Time>{4, 26});
  CHECK(run.status() == RunStatus::complete);  // waiting for ever keeps no run alive
}

TEST_CASE("a waiting process keeps a run alive as an event does: while work is left") {
  const auto run = [](std::vector<TaskSpec> tasks, std::shared_ptr<const Process> process) {
    auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of(tasks));
    scenario->happenings = {happening(1, HappeningKind::down, kFirst)};
    scenario->processes = {std::move(process)};
    Simulation simulation(scenario, workqueue());
    simulation.run();
    return simulation.outcome();
  };
  const std::vector<ProcessStep> mends = {{100, happens(HappeningKind::up, kFirst)}};
  const Outcome mended = run({{5, 0}}, std::make_shared<Steps>(mends));
  CHECK(mended.status == RunStatus::complete);
  CHECK(mended.end == 105);
  const Outcome settled = run({{0.5, 0}}, std::make_shared<Steps>(mends));
  CHECK(settled.end == 0.5);
  const Outcome left = run({{5, 0}}, std::make_shared<Steps>(std::vector<ProcessStep>{{40, nullptr}}));
  CHECK(left.status == RunStatus::incomplete);
  CHECK(left.end == 40);
}

TEST_CASE("a process that keeps a run alive submits work after all is settled") {
  const auto steps = [](Time later) {
    return std::vector<ProcessStep>{{20, [later](World& world) {
                                       auto more = std::make_shared<Workload>(*world.scenario().workload);
                                       Work work;
                                       work.kind = WorkKind::task;
                                       work.amount = work.estimate = 4;
                                       work.arrival = world.now() + later;
                                       more->works.push_back(work);
                                       world.submit(more);
                                     }}};
  };
  for (const bool keeps : {false, true})
    for (const Time later : {0.0, 3.0}) {
      auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{5, 0}}));
      scenario->processes = {std::make_shared<Steps>(steps(later), keeps)};
      Simulation simulation(scenario, workqueue());
      simulation.run();
      const Outcome outcome = simulation.outcome();
      CHECK(outcome.status == RunStatus::complete);
      CHECK(outcome.end == (keeps ? 24 + later : 5));
      CHECK(validate(outcome).empty());
    }
  auto nothing = scenario_of(platform_of({cluster_of({1})}), tasks_of({}));
  nothing->processes = {std::make_shared<Steps>(steps(0), true)};
  Simulation simulation(nothing, workqueue());
  simulation.run();
  CHECK(simulation.outcome().end == 24);
}

TEST_CASE("marks and notes of a process are in the trace, marks reach the policy") {
  auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{5, 0}}));
  scenario->processes = {
      std::make_shared<Steps>(std::vector<ProcessStep>{{2, [](World& world) {
                                                          Happening noon;
                                                          noon.name = "noon";
                                                          world.happen(noon);
                                                          world.note("heat", std::vector<double>{7});
                                                        }}})};
  std::vector<std::string> heard;
  Simulation run(scenario, toy({}, [&](Sim& sim, std::span<const Event> events, auto&) {
                   for (const Event& event : events)
                     if (event.kind == EventKind::mark)
                       heard.push_back(fmt::format("{} {}", sim.mark_name(event), event.at));
                   start_all(sim);
                 }));
  run.run();
  CHECK(heard == std::vector<std::string>{"noon 2"});
  REQUIRE(run.trace().notes().size() == 2);
  CHECK(run.trace().notes()[1].name == "heat");
}

TEST_CASE("a fork goes on with processes of its own") {
  auto scenario =
      scenario_of(platform_of({cluster_of({1, 2, 1})}), tasks_of(std::vector<TaskSpec>(30, {7, 0})));
  scenario->processes = {std::make_shared<Steps>(
      std::vector<ProcessStep>{{3, happens(HappeningKind::down, kFirst)},
                               {-1, happens(HappeningKind::up, kFirst),
                                [](World& world) { return world.view().works_in(WorkState::finished) > 6; }},
                               {9, happens(HappeningKind::change, kSecond, 0.25)}})};
  Simulation whole(scenario, workqueue());
  whole.run();
  Simulation stepped(scenario, workqueue());
  do {
    Simulation fork(stepped);
    fork.run();
    CHECK(fork.outcome().full == whole.outcome().full);
  } while (stepped.step());
  CHECK(stepped.outcome().full == whole.outcome().full);
}

TEST_CASE("processes that keep time from moving are found out") {
  for (const ProcessStep& step :
       {ProcessStep{0, nullptr}, ProcessStep{-1, nullptr, [](World&) { return true; }}}) {
    auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{5, 0}}));
    scenario->processes = {std::make_shared<Steps>(std::vector<ProcessStep>(200'000, step))};
    Simulation run(scenario, workqueue());
    CHECK_THROWS_WITH(run.run(), Catch::Contains("steps: time does not move"));
  }
}
