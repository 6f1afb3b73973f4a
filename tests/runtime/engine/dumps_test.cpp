// A policy that asks for dumps and requeues jobs at random, and what it is told of them.
#include <catch2/catch.hpp>

#include "runtime/results/validator.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"
#include "tests/support/rounds.h"
#include "tests/support/shapes.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// The first hosts with room from that one on; empty if there are too few.
std::vector<Share> first_hosts(const Sim& sim, WorkId work, std::size_t from) {
  const Work& declared = sim.view().workload()[work];
  const Shape* shape = sim.view().workload().shape_of(work);
  const std::int32_t nodes = shape == nullptr ? 1 : shape->nodes;
  std::vector<Share> shares;
  std::int32_t left = nodes > 0 ? nodes : declared.cores;
  for (std::size_t h = from; h < sim.view().hosts().size() && left > 0; ++h) {
    const std::int32_t idle = sim.view().hosts()[h].idle;
    if (shape != nullptr && !shape->allows(HostId(h))) continue;
    const std::int32_t cores = nodes > 0 ? declared.cores : std::min({idle, shape->per_node, left});
    if (cores < 1 || idle < cores) continue;
    shares.push_back({HostId(h), cores});
    left -= nodes > 0 ? 1 : cores;
  }
  return left == 0 ? shares : std::vector<Share>{};
}

void start_jobs(Sim& sim) {
  for (std::size_t w = 0; w < sim.view().works().size(); ++w) {
    if (!sim.waits(WorkId(w))) continue;
    if (sim.view().workload()[WorkId(w)].kind == WorkKind::reservation) {
      sim.reject(WorkId(w));
      continue;
    }
    for (std::size_t from = 0; from < sim.view().hosts().size() && sim.waits(WorkId(w)); ++from)
      if (const auto shares = first_hosts(sim, WorkId(w), from);
          !shares.empty() && sim.fits(WorkId(w), shares))
        sim.start(WorkId(w), shares);
  }
}

// Tries one of both on a job that runs, or does nothing.
void act_on_some_job(Sim& sim, std::vector<double>& done) {
  Stream& random = sim.stream("acts");
  done.resize(3);
  const std::vector<ActivityId> running = sim.running_on(HostId(random.below(sim.view().hosts().size())));
  const std::uint64_t what = random.below(12);
  if (running.empty() || what > 4) return;
  const ActivityId id = running[random.below(running.size())];
  try {
    if (what == 0)
      sim.requeue(id);
    else
      sim.checkpoint(id, what == 1);
    ++done[what == 0 ? 0 : 1];
  } catch (const Error& error) {
    REQUIRE(error.diagnostic().code == "bad_action");
  }
}

PolicySetup random_dumps() {
  PolicySetup made = toy(
      [](Sim& sim, auto&) {
        for (int at = 0; at < 100; ++at) sim.timer(at / 2.0);
      },
      [](Sim& sim, std::span<const Event> events, std::vector<double>& done) {
        done.resize(3);
        for (const Event& event : events) done[2] += event.kind == EventKind::saved ? 1 : 0;
        act_on_some_job(sim, done);
        start_jobs(sim);
        act_on_some_job(sim, done);
        sim.note("done", done);
      },
      {.saves = true});
  made.accepts.several_hosts = made.accepts.limits = true;
  return made;
}

}  // namespace

TEST_CASE("dumps and requeues that a policy asks for, at random: the validator finds nothing, forks agree") {
  Accepts accepts;
  accepts.jobs = accepts.several_cores = accepts.several_hosts = true;
  std::vector<double> all(3);
  for (std::uint64_t seed = 1; seed <= rounds(300); ++seed) {
    INFO("seed " << seed);
    auto scenario = with_shapes(*random_scenario(seed, accepts), seed);
    if (seed % 3 != 0) scenario = with_dumps_over_links(*scenario, seed);
    RunOptions options;
    options.seed = seed;
    Simulation run(scenario, random_dumps(), perfect_estimator(), options);
    run.run();
    const Outcome outcome = run.outcome();
    INFO((outcome.waiting.empty() ? std::string() : outcome.waiting.front()));
    REQUIRE(outcome.status == RunStatus::complete);
    const auto violations = results::validate(outcome);
    INFO((violations.empty() ? std::string() : violations.front()));
    REQUIRE(violations.empty());
    if (!outcome.trace.notes().empty())
      for (std::size_t i = 0; i < all.size(); ++i) all[i] += outcome.trace.notes().back().values[i];

    Simulation again(scenario, random_dumps(), perfect_estimator(), options);
    again.run_until(outcome.end * static_cast<double>(seed % 10) / 10);
    Simulation fork(again);
    again.run();
    fork.run();
    REQUIRE(again.outcome().full == outcome.full);
    REQUIRE(fork.outcome().full == outcome.full);
  }
  CHECK(all[0] > rounds(300));  // requeued
  CHECK(all[1] > rounds(300));  // asked to dump
  CHECK(all[2] > rounds(300));  // told of
}

TEST_CASE("only policies that ask for it are told of whole dumps") {
  auto workload = tasks_of({{10}});
  workload->works[0].kind = WorkKind::job;
  workload->works[0].extra = 0;
  WorkExtra extra;
  extra.shape.checkpoints = true;
  extra.checkpoint = {.interval = 4, .cost = 1};
  workload->extras.push_back(extra);
  const auto scenario = scenario_of(platform_of({cluster_of({1})}), workload);
  for (const bool asks : {false, true}) {
    std::vector<double> times;
    PolicySetup policy = toy({},
                             [&](Sim& sim, std::span<const Event> events, auto&) {
                               for (const Event& event : events)
                                 if (event.kind == EventKind::saved) times.push_back(sim.now());
                               start_jobs(sim);
                             },
                             {.saves = asks});
    policy.accepts.several_hosts = true;
    Simulation run(scenario, std::move(policy), perfect_estimator(), {});
    run.run();
    // Dumps from 4 to 5 and from 9 to 10; 2 s are left.
    CHECK(times == (asks ? std::vector<double>{5, 10} : std::vector<double>{}));
    CHECK(run.now() == 12);
  }
}
