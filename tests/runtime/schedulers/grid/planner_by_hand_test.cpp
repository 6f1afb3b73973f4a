// Plans that change under way, each worked out by hand.
#include <fmt/format.h>
#include <algorithm>
#include <catch2/catch.hpp>

#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/grid/plan_drawing.h"
#include "tests/runtime/schedulers/grid/planned.h"
#include "tests/support/grids.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"

using namespace perigee;
using namespace perigee::test;

namespace {

using PlannerTimes = std::vector<std::pair<Time, Time>>;
const auto kPlannerMinMin = std::pair<const std::string, Value>("map", std::string("min_min"));

struct Done {
  Outcome outcome;
  Lines transfers;  // "in 0@c 1 to 2", cut ones "in 0@c 1 cut 2"
  PlannerTimes times() const { return planner_times_of(outcome); }
  std::vector<std::vector<double>> notes(const std::string& name) const {
    std::vector<std::vector<double>> values;
    for (const Note& note : outcome.trace.notes())
      if (note.name == name) values.push_back(note.values);
    return values;
  }
};

Done done(const std::shared_ptr<const Scenario>& scenario, std::map<std::string, Value> given = {}) {
  given.insert(kPlannerMinMin);
  Simulation simulation = planned(scenario, given);
  simulation.run();
  Done out{simulation.outcome(), {}};
  const auto violations = validate(out.outcome);
  INFO((violations.empty() ? std::string() : violations.front()));
  CHECK(violations.empty());
  std::map<std::uint32_t, Time> since;
  for (std::size_t i = 0; i < out.outcome.trace.size(); ++i) {
    const Record& record = out.outcome.trace[i];
    if (!record.file.valid() || record.activity == 0) continue;
    if (record.kind == RecordKind::started) since[record.activity] = record.time;
    const bool over = record.kind == RecordKind::ended || record.kind == RecordKind::lost;
    if (over && since.contains(record.activity))
      out.transfers.push_back(fmt::format(
          "{} {} {:g} {} {:g}", record.what == ActivityKind::transfer_in ? "in" : "out", record.file.index,
          since[record.activity], record.kind == RecordKind::ended ? "to" : "cut", record.time));
  }
  return out;
}

std::shared_ptr<Scenario> on_hosts(std::vector<double> speeds, const std::vector<double>& sizes,
                                   const std::vector<FiledTask>& tasks) {
  return scenario_of(platform_of({with_link(cluster_of(std::move(speeds)), 10)}), filed_tasks(sizes, tasks));
}
void leaves(Scenario& scenario, ResourceId on, Time from, Time to = kNever) {
  scenario.happenings.push_back(happening(from, HappeningKind::leave, on, Cause::membership));
  if (to < kNever) scenario.happenings.push_back(happening(to, HappeningKind::join, on, Cause::membership));
  std::ranges::stable_sort(scenario.happenings, {}, &Happening::at);
}
void slows(Scenario& scenario, std::size_t host, Time at, double factor) {
  Happening change = happening(at, HappeningKind::change, ResourceId::of(HostId(host)), Cause::change);
  change.factor = factor;
  scenario.happenings.push_back(change);
}
const ResourceId kHost1 = ResourceId::of(HostId(0)), kHost2 = ResourceId::of(HostId(1)),
                 kCluster = ResourceId::of(ClusterId(0));

}  // namespace

TEST_CASE("planner: a host that comes, by hand") {
  auto scenario = on_hosts({1, 1}, {10, 10, 10}, {{10, {0}, {}}, {10, {1}, {}}, {10, {2}, {}}});
  leaves(*scenario, kHost2, 0, 5);
  // The first from 1 to 11; at 5 the others are planned again: host 2 takes the second at once.
  CHECK(done(scenario).times() == PlannerTimes{{1, 11}, {5, 15}, {11, 21}});
  // Nobody plans again: all tasks run on host 1.
  CHECK(done(scenario, {{"replan", std::string("none")}}).times() ==
        PlannerTimes{{1, 11}, {11, 21}, {21, 31}});
  CHECK(done(scenario, {{"replan", std::string("remove")}}).times() ==
        PlannerTimes{{1, 11}, {11, 21}, {21, 31}});
  // Idle, host 2 asks for a plan although all tasks are in queues.
  const Done always = done(
      scenario, {{"replan", std::string("none")}, {"idle_replan", std::string("always")}, {"keep", 0.0}});
  CHECK(always.times() == PlannerTimes{{1, 11}, {5, 15}, {11, 21}});
  CHECK(always.notes("plan")[1][0] == 2);
  // Received files are not sent again.
  CHECK(always.transfers == Lines{"in 0 0 to 1", "in 1 1 to 2", "in 2 2 to 3"});
}

TEST_CASE("planner: a host that goes while an output of it waits for the link, by hand") {
  // The chart has the output from 2 to 3 and then the file of 10 s. The file is sent first, since the output
  // is not there at 0.
  auto scenario = on_hosts({1, 1}, {10, 100}, {{2, {}, {0}}, {10, {1}, {}}});
  leaves(*scenario, kHost1, 5);
  for (const char* replan : {"add", "both"}) {
    const Done run = done(scenario, {{"replan", std::string(replan)}});
    CHECK(run.times() == PlannerTimes{{0, 11}, {10, 20}});
    CHECK(run.transfers == Lines{"in 1 0 to 10", "out 0 10 to 11"});
  }
}

TEST_CASE("planner: files of a host that went are sent until the next plan, by hand") {
  auto scenario = on_hosts({1, 1}, {50, 50}, {{30, {}, {}}, {5, {0}, {}}, {5, {1}, {}}});
  leaves(*scenario, kHost1, 2);
  // The first runs on host 2; the queue of host 1 is lost at 2, and no host is idle until 30.
  const Done kept = done(scenario);
  CHECK(kept.times() == PlannerTimes{{0, 30}, {30, 35}, {35, 40}});
  CHECK(kept.transfers == Lines{"in 0 0 to 5", "in 1 5 to 10"});
  CHECK(kept.notes("plan").size() == 2);
}

TEST_CASE("planner: a cluster that goes while it receives and computes, and comes back, by hand") {
  auto scenario = on_hosts({1}, {10, 20}, {{4, {0}, {}}, {4, {0, 1}, {}}});
  leaves(*scenario, kCluster, 2, 10);
  scenario->happenings.push_back(happening(12, HappeningKind::join, kHost1, Cause::membership));
  // File 0 comes until 1, file 1 would come until 3. Files that had come are there again; hosts join by
  // themselves.
  const Done run = done(scenario);
  CHECK(run.outcome.status == RunStatus::complete);
  CHECK(run.times() == PlannerTimes{{12, 16}, {16, 20}});
  CHECK(run.transfers == Lines{"in 0 0 to 1", "in 1 1 cut 2", "in 1 12 to 14"});
}

TEST_CASE("planner: a cluster that goes while it sends an output, by hand") {
  auto scenario = on_hosts({1}, {10, 20}, {{1, {}, {0, 1}}});
  leaves(*scenario, kCluster, 3, 5);
  scenario->happenings.push_back(happening(6, HappeningKind::join, kHost1, Cause::membership));
  // The task is done again, with both outputs.
  const Done again = done(scenario);
  CHECK(again.times() == PlannerTimes{{6, 10}});
  CHECK(again.transfers == Lines{"out 0 1 to 2", "out 1 2 cut 3", "out 0 7 to 8", "out 1 8 to 10"});
  // Alternatively it waits for its cluster, and needs no host.
  scenario->requeue_stranded = false;
  const Done waits = done(scenario);
  CHECK(waits.times() == PlannerTimes{{0, 7}});
  CHECK(waits.transfers == Lines{"out 0 1 to 2", "out 1 2 cut 3", "out 1 5 to 7"});
}

TEST_CASE("planner: outputs that waited for their cluster go first when it is back, by hand") {
  // The second is computed from 1 to 3, when the output of the first has just begun.
  auto scenario = on_hosts({1}, {30, 30, 50}, {{1, {}, {0}}, {2, {}, {1}}, {4, {2}, {}}});
  scenario->requeue_stranded = false;
  leaves(*scenario, kCluster, 3.5, 10);
  scenario->happenings.push_back(happening(11, HappeningKind::join, kHost1, Cause::membership));
  const Done run = done(scenario);
  CHECK(run.outcome.status == RunStatus::complete);
  // At 0 the chart has the outputs from 1 to 4 and 4 to 7, and then file 2; sent when nothing else is there.
  CHECK(run.transfers == Lines{"in 2 0 cut 3.5", "out 0 10 to 13", "out 1 13 to 16", "in 2 16 to 21"});
  CHECK(run.times() == PlannerTimes{{0, 13}, {1, 16}, {21, 25}});
}

TEST_CASE("planner: hosts that go, and come back, while it plans, by hand") {
  auto scenario = on_hosts({1, 1}, {}, {{10, {}, {}}, {10, {}, {}}, {10, {}, {}}, {10, {}, {}}});
  leaves(*scenario, kHost2, 1, 1.5);
  const std::map<std::string, Value> slow = {kPlannerMinMin, {"planning_time", 2.0}};
  // At 2, tasks planned for host 2 are in no queue, although it is back. A plan was asked for at 1.5.
  const Done back = done(scenario, slow);
  CHECK(back.times() == PlannerTimes{{2, 12}, {4, 14}, {12, 22}, {14, 24}});
  REQUIRE(back.notes("plan").size() == 2);
  CHECK(back.notes("plan")[1] == std::vector<double>{3, 3, kNever});  // hosts came; three tasks

  // Forks in the middle of the plan have the same future.
  Simulation simulation = planned(scenario, slow);
  simulation.run_until(1);
  CHECK(simulation.view().thinking());
  Simulation fork = simulation;
  fork.run();
  simulation.run_until(1.7);
  Simulation later = simulation;
  simulation.run();
  later.run();
  CHECK(fork.outcome().full == back.outcome.full);
  CHECK(later.outcome().full == back.outcome.full);
  CHECK(simulation.outcome().full == back.outcome.full);

  auto gone = on_hosts({1, 1}, {}, {{10, {}, {}}, {10, {}, {}}, {10, {}, {}}, {10, {}, {}}});
  leaves(*gone, kHost2, 1);
  // Nobody asks before host 1 has an empty queue, at 22.
  CHECK(done(gone, slow).times() == PlannerTimes{{2, 12}, {24, 34}, {12, 22}, {34, 44}});
  // Asked at 1, planned from 2 to 4.
  CHECK(done(gone, {{"planning_time", 2.0}, {"replan", std::string("both")}}).times() ==
        PlannerTimes{{2, 12}, {12, 22}, {22, 32}, {32, 42}});
}

TEST_CASE("planner: a file that a plan counts on is cut while it plans, by hand") {
  auto scenario = on_hosts({1}, {50}, {{5, {0}, {}}, {5, {}, {}, 3}});
  const ResourceId link = ResourceId::of(scenario->platform->clusters()[0].link);
  scenario->happenings = {happening(4, HappeningKind::down, link), happening(4.5, HappeningKind::up, link)};
  // Sent from 2 on, and planned for from 3 to 5; cut at 4, while it is in no queue. Then it is sent again.
  const Done run = done(scenario, {{"planning_time", 2.0}, {"idle_replan", std::string("never")}});
  CHECK(run.times() == PlannerTimes{{10, 15}, {5, 10}});
  CHECK(run.transfers == Lines{"in 0 2 cut 4", "in 0 5 to 10"});
}

TEST_CASE("planner: a cut transfer of a kept task is first in its queue again, by hand") {
  auto scenario = on_hosts({1}, {50, 20}, {{5, {0}, {}}, {5, {1}, {}}});
  const ResourceId link = ResourceId::of(scenario->platform->clusters()[0].link);
  scenario->happenings = {happening(4, HappeningKind::down, link), happening(6, HappeningKind::up, link)};
  // The second comes first: file 1 until 2, computed until 7. File 0 is sent from 2 to 4, and from 6 to 11.
  const Done run = done(scenario);
  CHECK(run.transfers == Lines{"in 1 0 to 2", "in 0 2 cut 4", "in 0 6 to 11"});
  CHECK(run.times() == PlannerTimes{{11, 16}, {2, 7}});
}

TEST_CASE("planner: behaviours that change under way, by hand") {
  auto platform = platform_of({with_link(cluster_of({1}), 10, 2)});
  auto scenario = scenario_of(platform, filed_tasks({20}, {{10, {0}, {}}}));
  scenario->profiles = {Profile(5), Profile(10)};
  Happening link =
      happening(1, HappeningKind::change, ResourceId::of(platform->clusters()[0].link), Cause::change);
  link.profile = 0;
  link.latency = 1;
  scenario->happenings.push_back(link);
  slows(*scenario, 0, 8, 0.5);
  // The latency ends at 2 as it began; 20 B then take 4 s. Two seconds of work are done at 8, and 8 take 16
  // s.
  const Done run = done(scenario);
  CHECK(run.transfers == Lines{"in 0 0 to 6"});
  CHECK(run.times() == PlannerTimes{{6, 24}});
}

TEST_CASE("planner: when nothing moves, a plan is made at once, by hand") {
  auto scenario = on_hosts({1, 1}, {}, {{10, {}, {}}});
  leaves(*scenario, kHost1, 5);
  const Done run = done(scenario, {{"idle_replan", std::string("never")}});
  CHECK(run.times() == PlannerTimes{{5, 15}});
  REQUIRE(run.notes("plan").size() == 2);
  CHECK(run.notes("plan")[1][0] == 6);
  // Without any host left, the run ends.
  leaves(*scenario, kHost2, 7);
  CHECK(done(scenario).outcome.status == RunStatus::incomplete);
}

TEST_CASE("planner: while no host is there nothing is planned because nothing moves, by hand") {
  auto scenario = on_hosts({1}, {}, {{10, {}, {}}});
  leaves(*scenario, kHost1, 3, 4);
  // Planned until 2, lost at 3; the plan of the return takes from 4 to 6.
  const Done run = done(scenario, {{"planning_time", 2.0}});
  CHECK(run.times() == PlannerTimes{{6, 16}});
  CHECK(run.notes("plan").size() == 2);
}

TEST_CASE("planner: links that wait for outputs, by hand") {
  const auto scenario = on_hosts({1, 1}, {10, 100}, {{2, {}, {0}}, {10, {1}, {}}});
  const auto transfers = [&](const char* links, double patience) {
    return done(scenario, {{"links", std::string(links)}, {"patience", patience}}).transfers;
  };
  const Lines waited = {"out 0 2 to 3", "in 1 3 to 13"}, passed = {"in 1 0 to 10", "out 0 10 to 11"};
  CHECK(transfers("greedy", 10) == passed);
  CHECK(transfers("strict", 0) == waited);
  CHECK(transfers("hybrid", 2) == waited);
  CHECK(transfers("hybrid", 1) == passed);
}

TEST_CASE("planner: complete when it has been computed, by hand") {
  const auto scenario = on_hosts({1}, {100, 10}, {{2, {}, {0}}, {4, {1}, {}}});
  // The first is computed at 2, its output at home at 12; the second has its file at 1 and is computed at 5.
  CHECK(done(scenario).times() == PlannerTimes{{5, 17}, {1, 5}});
  CHECK(done(scenario, {{"completion", std::string("compute")}}).times() == PlannerTimes{{0, 12}, {2, 6}});
}

TEST_CASE("planner: an idle host steals from the longest queue, by hand") {
  auto scenario = on_hosts({1, 1, 1}, {}, std::vector<FiledTask>(8, {10, {}, {}}));
  slows(*scenario, 0, 1, 0.1);
  slows(*scenario, 1, 1, 0.1);
  // Hosts 1 and 2 need until 91 for their first; host 3 is idle at 20.
  const Done run = done(scenario, {{"steal", true}});
  CHECK(run.times() ==
        PlannerTimes{{0, 91}, {0, 91}, {0, 10}, {20, 30}, {30, 40}, {10, 20}, {40, 50}, {50, 60}});
  CHECK(run.notes("steal") == std::vector<std::vector<double>>{{2, 0, 3}, {2, 1, 4}, {2, 0, 6}, {2, 1, 7}});
  CHECK(done(scenario).times()[3] == std::pair<Time, Time>{91, 191});
}

TEST_CASE("planner: kept tasks and new ones in the order of their planned starts, by hand") {
  auto scenario = on_hosts({1}, {200}, {{5, {}, {}}, {5, {0}, {}}, {3, {}, {}, 1}});
  // The second waits for its file until 20; the third comes at 1 and goes in between.
  CHECK(done(scenario, {{"keep", 1.0}}).times() == PlannerTimes{{0, 5}, {20, 25}, {5, 8}});
  auto four = on_hosts({1}, {}, {{10, {}, {}}, {10, {}, {}}, {10, {}, {}}, {2, {}, {}, 5}});
  // Planned again from 5 to 6: the second stays where it is, or all of them go behind the short one.
  CHECK(done(four, {{"keep", 1.0}, {"planning_time", 1.0}}).times() ==
        PlannerTimes{{1, 11}, {11, 21}, {23, 33}, {21, 23}});
  CHECK(done(four, {{"planning_time", 1.0}}).times() == PlannerTimes{{1, 11}, {13, 23}, {23, 33}, {11, 13}});
}

TEST_CASE("planner: intervals and margins by how much of a plan came true, by hand") {
  // Host 1 is away for a second before the plans of 10, 15 and 26.55, and does not get its task back before
  // them.
  auto scenario = on_hosts({1, 1}, {}, {{100, {}, {}}, {100, {}, {}}});
  for (const Time from : {5, 12, 22}) leaves(*scenario, kHost1, from, from + 1);
  const auto deviations = [&](const char* strategy, std::map<std::string, Value> given) {
    given.insert({{"strategy", std::string(strategy)},
                  {"interval", 10.0},
                  {"threshold", 0.4},
                  {"margin", 2.0},
                  {"margin_policy", std::string("adaptive")},
                  {"stop", std::string("never")},
                  {"replan", std::string("none")},
                  {"idle_replan", std::string("never")}});
    auto notes = done(scenario, given).notes("deviation");
    notes.resize(4);
    return notes;
  };
  const auto check = [&](const char* strategy, std::vector<std::vector<double>> expected,
                         const std::map<std::string, Value>& given = {}) {
    INFO(strategy);
    const auto found = deviations(strategy, given);
    for (std::size_t i = 0; i < expected.size(); ++i)
      for (std::size_t v = 0; v < 3; ++v) CHECK(found[i][v] == Approx(expected[i][v]).epsilon(1e-12));
  };
  // One of two is wrong: 5 s is the least, then (15) again, then at 20 both are right, and at 25.5.
  check("deviation", {{0.5, 5, 4}, {0.5, 5, 8}, {0, 5.5, 7.2}, {0.5, 5, 14.4}});
  // Host 1 weighs 1, then 0.5, then 0.25, then (right) 0.35.
  check("weighted", {{0.5, 5, 4}, {0.5 / 1.5, 5.5, 3.6}, {0, 6.05, 3.24}, {0.35 / 1.35, 6.655, 2.916}});
  // With other factors: host 1 weighs 1, then 0.3 twice, then 0.5.
  check("weighted", {{0.5, 5, 6}, {0.3 / 1.3, 5.5, 3}, {0, 6.05, 1.5}, {0.5 / 1.5, 6.655, 0.75}},
        {{"weight_gain", 0.2},
         {"weight_shrink", 0.2},
         {"min_weight", 0.3},
         {"margin_grow", 3.0},
         {"margin_shrink", 0.5}});
}

TEST_CASE("planner: intervals in which nothing happens are an error, and so are contradictory ones") {
  using Catch::Matchers::Contains;
  const auto scenario = on_hosts({1}, {}, {{10, {}, {}}});
  CHECK_THROWS_WITH(done(scenario, {{"interval", 1e-300}}), Contains("100000 plans within a second"));
  CHECK(done(scenario, {{"interval", 3e-3}}).notes("plan").size() == 3334);    // the last one at 9.999
  CHECK(done(scenario, {{"interval", 9e-5}}).notes("plan").size() > 100'000);  // but not within a second
  const auto configure = [](double first, double least, double most) {
    return Catalogue().configure("planner", {{"strategy", std::string("deviation")},
                                             {"interval", first},
                                             {"min_interval", least},
                                             {"max_interval", most}});
  };
  CHECK_NOTHROW(configure(5, 5, 5));
  CHECK_THROWS_WITH(configure(7, 8, 6), Contains("min_interval must be at most max_interval = 6 s, got 8 s"));
  CHECK_THROWS_WITH(configure(3, 5, 6), Contains("must begin between min_interval = 5 s and max_interval"));
  CHECK_THROWS_WITH(configure(7, 5, 6), Contains("got 7 s"));
}

TEST_CASE("workqueue sends an output behind what its link's queue has when it is computed, by hand") {
  const ConfigPtr config = Catalogue().configure("workqueue");
  const auto scenario = on_hosts({1, 1}, {10, 10, 50}, {{2, {0}, {1}}, {1, {2}, {}}});
  Simulation simulation(
      scenario, {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants});
  simulation.run();
  CHECK(planner_times_of(simulation.outcome()) == PlannerTimes{{1, 7}, {6, 7}});
}

TEST_CASE("workqueue gives what waits for its files on a host that goes to another, by hand") {
  const ConfigPtr config = Catalogue().configure("workqueue");
  const auto times = [&](double second, Time back) {
    auto scenario = on_hosts({1, 1, 1}, {100}, {{5, {0}, {}}, {second, {}, {}}, {30, {}, {}}});
    leaves(*scenario, kHost1, 5, back);
    Simulation simulation(
        scenario, {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants});
    simulation.run();
    return planner_times_of(simulation.outcome());
  };
  // The file of the first task comes until 10. Host 1 goes at 5: host 2 is idle, or host 1 is again at 7, or
  // host 2 is at 12, while host 3 computes.
  CHECK(times(2, kNever) == PlannerTimes{{10, 15}, {0, 2}, {0, 30}});
  CHECK(times(12, 7) == PlannerTimes{{10, 15}, {0, 12}, {0, 30}});
  CHECK(times(12, kNever) == PlannerTimes{{12, 17}, {0, 12}, {0, 30}});
}
