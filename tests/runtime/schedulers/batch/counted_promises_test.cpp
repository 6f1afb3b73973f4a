// conservative { promise = "count" } against the textbook's conservative backfilling on one pool of processors, and the
// duties of every policy where jobs take whole hosts.
#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/rounds.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

PolicySetup counting() {
  const ConfigPtr config = Catalogue().configure("conservative", {{"promise", std::string("count")}});
  return {"conservative", config->make_policy(), config->entry->accepts, config->entry->instants};
}

// The textbook: a pool of processors. At each event the profile of what will be free is made anew; in order of arrival
// each job is given the earliest time at which enough are free for its whole estimate. It starts if that is now. Each
// job takes its processors from the lowest on; which ones it takes does not matter to the rule.
class OnePool final : public PolicyOf<OnePool> {
 public:
  void begin(Sim& sim) override {
    waiting_.clear();
    running_.clear();
    for (std::size_t w = 0; w < sim.view().works().size(); ++w)
      if (sim.waits(WorkId(w))) waiting_.push_back(WorkId(w));
    decide(sim);
  }
  void react(Sim& sim, std::span<const Event> events) override {
    for (const Event& event : events) {
      if (event.kind == EventKind::arrived) waiting_.push_back(event.work);
      if (event.kind == EventKind::ended)
        std::erase_if(running_, [&](const Taken& each) { return each.work == event.work; });
    }
    decide(sim);
  }

 private:
  struct Taken {
    WorkId work;
    Time from, to;
    std::int64_t count;
  };

  static std::int64_t width(const View& view, WorkId work) {
    const Shape* shape = view.workload().shape_of(work);
    if (shape == nullptr) return 1;
    return shape->nodes > 0 ? shape->nodes : view.workload()[work].cores;
  }

  void decide(Sim& sim) {
    const View& view = sim.view();
    const auto processors = static_cast<std::int64_t>(view.hosts().size());
    std::vector<Taken> taken = running_;
    for (Taken& each : taken) each.to = std::max(each.to, view.now());  // it should have ended: it ends now
    std::vector<WorkId> still;
    for (const WorkId work : waiting_) {
      const Seconds length = view.workload()[work].estimate;
      const std::int64_t count = width(view, work);
      std::vector<Time> times = {view.now()};
      for (const Taken& each : taken)
        if (each.to > view.now()) times.push_back(each.to);
      std::ranges::sort(times);
      const auto used_at = [&](Time at) {
        std::int64_t used = 0;
        for (const Taken& each : taken)
          if (each.from <= at && at < each.to) used += each.count;
        return used;
      };
      const auto fits = [&](Time at) {
        if (used_at(at) + count > processors) return false;
        return std::ranges::all_of(taken, [&](const Taken& each) {
          return each.from <= at || each.from >= at + length || used_at(each.from) + count <= processors;
        });
      };
      const Time at = *std::ranges::find_if(times, fits);
      taken.push_back({work, at, at + length, count});
      std::vector<Share> idle;
      for (std::size_t h = 0; h < view.hosts().size() && std::ssize(idle) < count; ++h)
        if (view.hosts()[h].idle > 0) idle.push_back({HostId(h), 1});
      if (at > view.now() || std::ssize(idle) < count) {
        still.push_back(work);
        continue;
      }
      running_.push_back(taken.back());
      if (view.workload().shape_of(work) != nullptr)
        sim.start(work, idle);
      else
        sim.start(work, idle[0].host);
    }
    waiting_ = std::move(still);
  }

  std::vector<WorkId> waiting_;  // in order of arrival
  std::vector<Taken> running_;
};

void give_shape(Workload& workload, Work& work, Shape shape) {
  work.extra = static_cast<std::uint32_t>(workload.extras.size());
  workload.extras.emplace_back().shape = std::move(shape);
}

// Jobs on one-core hosts, some of which take longer than they declare.
std::shared_ptr<Scenario> pool_scenario(std::uint64_t seed) {
  Stream random(seed, "pool");
  const std::size_t hosts = 1 + random.below(12);
  auto workload = std::make_shared<Workload>();
  const std::size_t works = 5 + random.below(60);
  std::vector<Time> arrivals(works);
  for (Time& arrival : arrivals) arrival = static_cast<double>(random.below(80));
  std::ranges::sort(arrivals);
  for (std::size_t w = 0; w < works; ++w) {
    Work work;
    work.kind = WorkKind::job;
    work.form = TimeForm::seconds;
    work.amount = static_cast<double>(1 + random.below(30));
    work.estimate = work.amount;
    const auto off = random.below(3);
    if (off == 1) work.estimate += static_cast<double>(random.below(20));
    if (off == 2 && seed % 2 == 0) work.estimate = static_cast<double>(1 + random.below(30));
    work.arrival = arrivals[w];
    const auto width = static_cast<std::int32_t>(1 + random.below(hosts));
    const auto form = random.below(3);
    if (form == 0) give_shape(*workload, work, {.nodes = width});
    if (form == 1) {
      work.cores = width;
      give_shape(*workload, work, {.nodes = 0});
    }
    workload->works.push_back(work);
  }
  return scenario_of(platform_of({cluster_of(std::vector<double>(hosts, 1.0))}), workload);
}

// Jobs that take whole hosts of two kinds, with outages, some of them known beforehand.
std::shared_ptr<Scenario> whole_hosts(std::uint64_t seed) {
  Stream random(seed, "whole hosts");
  const std::size_t fast = 1 + random.below(4), slow = 1 + random.below(4);
  const auto platform = platform_of({cluster_of(std::vector<double>(fast, 2.0), "f", 4),
                                     cluster_of(std::vector<double>(slow, 1.0), "s", 4)});
  auto workload = std::make_shared<Workload>();
  const std::size_t works = 5 + random.below(40);
  for (std::size_t w = 0; w < works; ++w) {
    Work work;
    work.kind = WorkKind::job;
    work.form = random.below(2) == 0 ? TimeForm::seconds : TimeForm::operations;
    work.amount = static_cast<double>(1 + random.below(30));
    work.estimate = work.amount * (random.below(2) == 0 ? 1 : 1.5);
    work.arrival = static_cast<double>(random.below(60));
    Shape shape;
    shape.exclusive = random.below(2) == 0;
    const bool by_processes = shape.exclusive && random.below(2) == 0;
    const auto most = static_cast<std::uint64_t>(std::max(fast, slow));
    const auto nodes = static_cast<std::int32_t>(1 + random.below(most));
    shape.nodes = by_processes ? 0 : nodes;
    work.cores = by_processes ? nodes * 3 : shape.exclusive ? 2 : 4;
    if (random.below(4) == 0) shape.same = Together::cluster;
    if (random.below(5) == 0) {
      auto only = std::make_shared<std::vector<std::uint8_t>>(fast + slow, 1);
      (*only)[random.below(fast + slow)] = 0;
      shape.only = std::move(only);
      shape.same = Together::anywhere;
    }
    give_shape(*workload, work, std::move(shape));
    workload->works.push_back(work);
  }
  const auto scenario = scenario_of(platform, workload);
  for (std::uint64_t i = 0; i < random.below(4); ++i) {
    const ResourceId host = ResourceId::of(HostId(random.below(fast + slow)));
    const auto from = static_cast<double>(random.below(60) + 100 * i);
    Happening down = happening(from, HappeningKind::down, host);
    if (random.below(2) == 0) down.known = 0;
    scenario->happenings.push_back(down);
    scenario->happenings.push_back(
        happening(from + static_cast<double>(1 + random.below(30)), HappeningKind::up, host));
  }
  scenario->check();
  return scenario;
}

Outcome outcome_of(const std::shared_ptr<Scenario>& scenario, PolicySetup setup, bool perfect) {
  Simulation run(scenario, std::move(setup), perfect ? perfect_estimator() : declared_estimator());
  run.run();
  return run.outcome();
}

}  // namespace

TEST_CASE("conservative by count on hosts of one core is the textbook's on one pool, with overruns too") {
  std::size_t records = 0;
  for (std::uint64_t seed = 1; seed <= rounds(500); ++seed) {
    INFO("seed " << seed);
    const auto scenario = pool_scenario(seed);
    PolicySetup textbook = counting();
    textbook.policy = std::make_unique<OnePool>();
    const Outcome mine = outcome_of(scenario, counting(), false);
    REQUIRE(mine.status == RunStatus::complete);
    REQUIRE(mine.physical == outcome_of(scenario, textbook, false).physical);
    records += mine.trace.size();
  }
  CHECK(records > rounds(50000));
}

TEST_CASE("conservative by count: the validator finds nothing, forks and repeats agree") {
  for (std::uint64_t seed = 1; seed <= rounds(200); ++seed) {
    INFO("seed " << seed);
    const auto scenario = whole_hosts(seed);
    for (const bool perfect : {true, false}) {
      const Outcome whole = outcome_of(scenario, counting(), perfect);
      INFO((whole.waiting.empty() ? std::string() : whole.waiting.front()));
      REQUIRE(whole.status == RunStatus::complete);
      const auto violations = validate(whole);
      INFO((violations.empty() ? std::string() : violations.front()));
      REQUIRE(violations.empty());
      Simulation run(scenario, counting(), perfect ? perfect_estimator() : declared_estimator());
      run.run_until(whole.end / 2);
      Simulation fork(run);
      fork.run();
      run.run();
      REQUIRE(fork.outcome().full == whole.full);
      REQUIRE(run.outcome().full == whole.full);
    }
  }
}

TEST_CASE("conservative by count refuses jobs that share hosts") {
  const auto platform = platform_of({cluster_of({1, 1}, "c", 4)});
  auto workload = std::make_shared<Workload>(*tasks_of({{5, 0, 4}, {5, 3, 2}}));
  CHECK_THROWS_WITH(outcome_of(scenario_of(platform, workload), counting(), true),
                    Catch::Contains("job 2 takes 2 of the 4 cores of c.1"));
}
