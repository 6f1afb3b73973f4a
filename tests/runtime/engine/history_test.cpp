// Going back: a replay from a keyframe finds the earlier state, to the bit.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

#include "runtime/engine/history.h"
#include "runtime/engine/process.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"

using namespace perigee;
using namespace perigee::test;

namespace {

PolicySetup history_setup_of(const ConfigPtr& config) {
  return {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants};
}

// Makes many keyframes even in a short run.
constexpr History::Spacing kDense{.least = 4, .times = 0, .most = 9};

void advance(Simulation& run, History& history, Time until) {
  run.on_progress(1, [&](const Simulation& now) {
    history.keep(now);
    return true;
  });
  run.run_until(until);
  run.on_progress(0, {});
}

// Breaks and mends hosts at times that it draws, slows one down when much waits, and adds work now and then.
class Trouble final : public Process {
 public:
  Trouble(std::uint64_t seed, bool works) : stream_(seed, "trouble"), works_(works) {}
  std::unique_ptr<Process> clone() const override { return std::make_unique<Trouble>(*this); }
  std::string name() const override { return "trouble"; }
  Wait wake(World& world) override {
    const auto hosts = world.view().hosts().size();
    const ResourceId on = ResourceId::of(HostId(stream_.below(hosts)));
    if (step_ == 12) return {};
    if (step_++ > 0) {
      if (down_.valid()) {
        world.happen(happening(0, HappeningKind::up, std::exchange(down_, {})));
      } else if (world.view().works_in(WorkState::waiting) > 3) {
        Happening slower = happening(0, HappeningKind::change, on, Cause::change);
        slower.profile = world.add_profile(Profile(stream_.uniform(0.5, 1)));
        world.happen(slower);
      } else {
        world.happen(happening(0, HappeningKind::down, down_ = on));
      }
      if (works_ && step_ % 4 == 0) {
        auto more = std::make_shared<Workload>(*world.scenario().workload);
        Work work;
        work.kind = world.scenario().workload->works.front().kind;
        if (work.kind == WorkKind::task || work.kind == WorkKind::job) {
          work.amount = work.estimate = stream_.uniform(1, 9);
          work.arrival = world.now() + (step_ % 8 == 0 ? 0 : 2.5);
          more->works.push_back(work);
          world.submit(more);
        }
      }
      if (step_ % 5 == 0) return {.condition = true};
    }
    return {.until = world.now() + stream_.exponential(6)};
  }
  bool holds(World& world) override { return world.view().works_in(WorkState::running) < 2; }

 private:
  Stream stream_;
  bool works_;
  int step_ = 0;
  ResourceId down_;
};

}  // namespace

namespace {

void check_going_back(std::uint64_t count) {
  const Catalogue catalogue;
  for (const auto& entry : catalogue.entries()) {
    if (entry->role != Role::policy) continue;
    INFO(entry->name);
    const ConfigPtr config = catalogue.configure(entry->name);
    std::size_t keyframes = 0;
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
      INFO("seed " << seed);
      const auto scenario = random_scenario(seed, entry->accepts);
      if (seed % 3 != 0) scenario->processes.push_back(std::make_shared<Trouble>(seed, seed % 2 == 0));
      RunOptions options;
      options.seed = seed;
      const auto start = [&] {
        return Simulation(scenario, history_setup_of(config), perfect_estimator(), options);
      };
      Stream random(seed, "changes");
      std::map<Time, History::Change> changes;
      for (Time t = 4.5; t < 60; t += random.uniform(5, 15)) {
        const ResourceId host = ResourceId::of(HostId(random.below(scenario->platform->hosts().size())));
        switch (random.below(4)) {
          case 0:
            changes[t] = [&config](Simulation& s) { s.set_policy(history_setup_of(config)); };
            break;
          case 1:
            changes[t] = [host](Simulation& s) {
              s.inject(happening(s.now() + 3, HappeningKind::down, host));
              s.inject(happening(s.now() + 7, HappeningKind::up, host));
            };
            break;
          default:
            changes[t] = [host, t](Simulation& s) {
              Happening change = happening(0, HappeningKind::change, host, Cause::change);
              change.factor = 1 + t / 100;
              s.inject(change);
            };
        }
      }
      const auto go_on = [&](Simulation& run, History& history, auto& seen) {
        for (Time t = 2; t < 70 && !run.over(); t += 2) {
          for (auto each = changes.upper_bound(run.now()); each != changes.end() && each->first < t; ++each) {
            advance(run, history, each->first);
            if (!run.over()) history.change(run, each->second);
          }
          if (run.now() >= t) continue;
          advance(run, history, t);
          seen[t] = run.outcome().full;
        }
        advance(run, history, kNever);
        seen[kNever] = run.outcome().full;
      };
      History history(start, kDense);
      Simulation run = start();
      std::map<Time, Fingerprint> seen;
      go_on(run, history, seen);
      keyframes = std::max(keyframes, history.keyframes());
      for (const auto& [t, expected] : seen) {
        if (t == kNever) continue;
        INFO("t = " << t);
        Simulation back = history.at(t);
        REQUIRE(back.outcome().full == expected);
        if (static_cast<int>(t) % 6 != 0) continue;
        History other = history;
        other.forget_after(back);
        std::map<Time, Fingerprint> again;
        go_on(back, other, again);
        for (const auto& [when, print] : again) REQUIRE(print == seen.at(when));
      }
    }
    CHECK(keyframes > 5);
    CHECK(keyframes <= kDense.most);
  }
}

}  // namespace

TEST_CASE("every policy goes back to every time and comes to the same end, with changes and processes") {
  check_going_back(5);
}

TEST_CASE("the same of many more scenarios that go back", "[.long]") { check_going_back(50); }

TEST_CASE("before a time: one step leads to where its first instant led") {
  const Catalogue catalogue;
  const ConfigPtr config = catalogue.configure("workqueue");
  const auto scenario = random_scenario(5, config->entry->accepts);
  const auto start = [&] { return Simulation(scenario, history_setup_of(config)); };
  History history(start, kDense);
  Simulation run = start();
  std::vector<Fingerprint> after{run.outcome().full};
  std::vector<Time> times{0};
  while (run.step()) {
    history.keep(run);
    after.push_back(run.outcome().full);
    times.push_back(run.now());
  }
  after.push_back(run.outcome().full);
  times.push_back(run.now());
  REQUIRE(after.size() > 30);
  for (std::uint64_t n = 1; n < after.size(); ++n) {
    const auto first = std::max<std::size_t>(
        1, static_cast<std::size_t>(std::ranges::find(times, times[n]) - times.begin()));
    Simulation back = history.before(times[n]);
    CHECK((back.now() < times[n] || back.position().instant == 0));
    CHECK(back.next_time() == times[n]);
    CHECK(back.position().instant == first - 1);
    CHECK(back.outcome().full == after[first - 1]);
    back.step();
    CHECK(back.outcome().full == after[first]);
  }
}

TEST_CASE("a replay that is no longer wanted stops") {
  const Catalogue catalogue;
  const ConfigPtr config = catalogue.configure("workqueue");
  const auto scenario =
      scenario_of(platform_of({cluster_of({1})}), tasks_of(std::vector<TaskSpec>(500, {1, 0})));
  const auto start = [&] { return Simulation(scenario, history_setup_of(config)); };
  const History history(start);
  std::size_t looks = 0;
  const Simulation back = history.at(400, [&](const Simulation&) { return ++looks < 3; });
  CHECK(looks == 3);
  CHECK(back.now() < 250);
}
