// edf_iit_1, edf_iit_2 and fast_edf_iit in the engine: the promises of their tests are kept.
#include <cmath>
#include <random>

#include "runtime/results/job_rows.h"
#include "runtime/schedulers/realtime/fast_admission.h"
#include "runtime/schedulers/realtime/hybrid_admission.h"
#include "runtime/schedulers/realtime/staggered_plans.h"
#include "tests/runtime/schedulers/realtime/loads.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

std::vector<Load> random_loads(const Head& head, std::mt19937_64& rng) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const DivisibleCosts costs(head.costs, Partition::optimal);
  std::vector<Load> loads(60);
  double now = 0;
  const double pace = 0.3 + uniform(rng), laxity = rng() % 2 == 0 ? 3 : 30;
  for (Load& load : loads) {
    load.size = 1 + 20 * uniform(rng);
    const double together = costs.time(load.size, head.nodes);
    now += -std::log(1 - uniform(rng)) * together * pace;
    load.arrival = now;
    load.within = together * (1 + laxity * uniform(rng));
  }
  return loads;
}

// The decisions of the test itself, without an engine.
template <class Test, class Send>
std::vector<bool> admitted_by(Test test, const std::vector<Load>& loads, Send&& send) {
  std::vector<bool> out;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    send(test, loads[i].arrival);
    const auto id = static_cast<std::uint32_t>(i);
    const Time deadline = loads[i].arrival + loads[i].within;
    if constexpr (!std::is_same_v<Test, StaggeredPlans>)
      out.push_back(test.arrive(id, loads[i].arrival, loads[i].size, deadline) == Reason::none);
    else
      out.push_back(test.arrive(id, loads[i].arrival, loads[i].size, deadline));
  }
  return out;
}

}  // namespace

TEST_CASE("in the engine the same loads are admitted as by the test alone, and none is late") {
  std::mt19937_64 rng(64);
  std::size_t admitted = 0, loads_seen = 0;
  for (int round = 0; round < 150; ++round) {
    const Head head{1 + rng() % 16, {1, std::pow(10, std::uniform_real_distribution<double>(-1, 2)(rng))}};
    const std::vector<Load> loads = random_loads(head, rng);
    const auto plans = [&](IdleTimes idle_times) {
      return admitted_by(StaggeredPlans(head.costs, head.nodes, idle_times, 1e-9), loads,
                         [](StaggeredPlans& test, Time now) {
                           while (test.next_start() <= now) test.send();
                         });
    };
    const auto fast = [&](HeadStart start) {
      return admitted_by(FastAdmission(head.costs, head.nodes, start, 1e-9), loads,
                         [](FastAdmission& test, Time now) {
                           while (test.next_dispatch() <= now) test.dispatch();
                         });
    };
    const std::vector<bool> hybrid = admitted_by(HybridAdmission(head.costs, head.nodes, 2, 1e-9), loads,
                                                 [](HybridAdmission& test, Time now) {
                                                   while (test.next_dispatch() <= now)
                                                     test.dispatch([](const HybridAdmission::Chunk&) {});
                                                 });
    struct Expected {
      std::string policy;
      std::map<std::string, Value> given;
      std::vector<bool> admits;
    };
    const std::vector<Expected> expected = {{"edf_iit_1", {}, plans(IdleTimes::as_heterogeneity)},
                                            {"edf_iit_2", {}, plans(IdleTimes::exact)},
                                            {"fast_edf_iit", {}, fast(HeadStart::safe)},
                                            {"fast_edf_iit", {{"start", "exact"}}, fast(HeadStart::exact)},
                                            {"hybrid", {{"threshold", 2.0}}, hybrid}};
    for (const auto& [policy, given, admits] : expected) {
      CAPTURE(round, policy, head.nodes, head.costs.computation);
      const Outcome outcome = run(head, loads, policy, given);
      CHECK(accepted(outcome) == admits);
      for (const JobRow& row : job_rows(outcome)) {
        ++loads_seen;
        if (row.state != WorkState::finished) continue;
        ++admitted;
        CHECK(at_most(row.finish, row.deadline));
      }
    }
  }
  CHECK(admitted > loads_seen / 10);
  CHECK(loads_seen - admitted > loads_seen / 10);
}

TEST_CASE("hybrid notes when it goes over to the other test, and when it may not") {
  // The same as by hand in the test of HybridAdmission: the third load finds one waiting. The fourth finds
  // none.
  const Head head{2, {1, 3}};
  const auto notes = [&](Seconds within) {
    const Outcome outcome =
        run(head, {{0, 7, 20}, {1, 7, within}, {2, 7, 59}, {200, 7, 30}}, "hybrid", {{"threshold", 1.0}});
    CHECK(accepted(outcome) == std::vector<bool>(4, true));
    std::vector<std::tuple<std::string, Time, double>> out;
    for (const Note& note : outcome.trace.notes()) out.emplace_back(note.name, note.time, note.values.at(0));
    return out;
  };
  using Notes = std::vector<std::tuple<std::string, Time, double>>;
  CHECK(notes(58) == Notes{{"fast", 2, 1}, {"exact", 200, 0}});
  CHECK(notes(38) == Notes{{"refused_fast", 2, 1}});
}

TEST_CASE("with a threshold that is never reached hybrid does all as edf_iit_2") {
  std::mt19937_64 rng(617);
  for (int round = 0; round < 20; ++round) {
    const Head head{16, {1, 100}};
    const std::vector<Load> loads = random_loads(head, rng);
    CHECK(run(head, loads, "hybrid").physical == run(head, loads, "edf_iit_2").physical);
  }
}

TEST_CASE("read literally Algorithm 6 admits a load that expires") {
  const Head head{4, {1, 4}};
  const std::vector<Load> loads = {{0, 8, 16}, {1, 1, 4}};
  const auto literal = job_rows(run(head, loads, "fast_edf_iit", {{"start", "literal"}}));
  CHECK(literal[0].state == WorkState::finished);
  CHECK(literal[1].state == WorkState::expired);
  const auto safe = job_rows(run(head, loads, "fast_edf_iit"));
  CHECK(safe[0].state == WorkState::finished);
  CHECK(safe[1].state == WorkState::rejected);
}

TEST_CASE("loads and platforms that the tests do not know are refused before the run") {
  for (const char* policy : {"edf_iit_1", "edf_iit_2", "fast_edf_iit", "hybrid"}) {
    const ConfigPtr config = Catalogue().configure(policy);
    const auto refusal = [&](std::shared_ptr<Scenario> scenario) {
      Simulation simulation(scenario,
                            {policy, config->make_policy(), config->entry->accepts, config->entry->instants},
                            perfect_estimator(), {});
    };
    const std::vector<Load> loads = {{0, 1, 50}, {1, 2, 50}};
    REQUIRE_THROWS_WITH(refusal(scenario_of_loads({2, {1, 4, 1, 0}}, loads)), Contains("'latency' = 1"));
    REQUIRE_THROWS_WITH(refusal(scenario_of_loads({2, {1, 4, 0, 2}}, loads)), Contains("'setup' = 2"));
    const auto change = [&](auto&& how) {
      auto scenario = scenario_of_loads({2, {1, 4}}, loads);
      auto workload = std::make_shared<Workload>(*scenario->workload);
      how(*workload);
      scenario->workload = workload;
      return scenario;
    };
    REQUIRE_THROWS_WITH(refusal(change([](Workload& w) { w.works[1].amount = 5; })),
                        Contains("another time of a unit than load 1, which load 2 has"));
    REQUIRE_THROWS_WITH(refusal(change([](Workload& w) { w.extras[1].bytes = 3; })),
                        Contains("'bytes' = 3 where load 1 has 1, which load 2 has"));
    REQUIRE_THROWS_WITH(refusal(change([](Workload& w) { w.extras[1].bytes_estimate = 3; })),
                        Contains("'bytes_estimate' = 3 where load 1 has 1, which load 2 has"));
    REQUIRE_THROWS_WITH(refusal(change([](Workload& w) { w.works[1].deadline = kNever; })),
                        Contains("no deadline, which load 2 has"));
  }
}
