// Why a work is where it is; every policy is asked.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runtime/engine/why.h"
#include "runtime/results/explanation.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/every_policy.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"
#include "tests/support/rounds.h"

using namespace perigee;
using namespace perigee::test;

namespace {

struct Asked {
  std::shared_ptr<const Scenario> scenario;
  ConfiguredPolicy policy;
  RunOptions options = {};
  Simulation begin() const { return {scenario, policy.setup(), perfect_estimator(), options}; }
  Decision why(const Simulation& now, std::size_t work) const {
    return perigee::test::why(now, WorkId(work), begin(), [](Simulation& again) { again.step(); });
  }
};

Asked why_with(const std::string& policy, std::shared_ptr<const Scenario> scenario,
               const std::map<std::string, Value>& given = {}) {
  const ConfigPtr config = Catalogue().configure(policy, given);
  return {std::move(scenario), {config->text(), config}};
}

std::string text(const Asked& asked, const Decision& decision) {
  return text_of(decision, *asked.scenario->platform, *asked.scenario->workload);
}

std::string not_on(const Asked& asked, const Decision& decision, std::size_t host) {
  return why_not(decision, HostId(host), *asked.scenario->platform, *asked.scenario->workload);
}

double score_of(const Comparison& comparison, std::size_t index) {
  const auto* found = comparison.find(static_cast<std::uint32_t>(index));
  REQUIRE(found != nullptr);
  return found->score;
}

std::vector<std::uint32_t> indices(const Comparison& comparison) {
  std::vector<std::uint32_t> all;
  for (const auto& each : comparison.candidates) all.push_back(each.index);
  return all;
}

}  // namespace

TEST_CASE("fcfs by hand") {
  // Hosts of speeds 2, 1, 2. Task 1 (8 ops) takes the first of the two fastest, 0 to 4; task 2 (12) the
  // other, to 6; task 3 (9) the slow one, to 9; tasks 4 and 5 wait for 4.
  const Asked asked = why_with(
      "fcfs", scenario_of(platform_of({cluster_of({2, 1, 2})}), tasks_of({{8}, {12}, {9}, {2, 1}, {2, 1}})));
  Simulation run = asked.begin();
  run.run_until(2);
  const Decision first = asked.why(run, 0);
  CHECK(first.kind == Decision::Kind::started);
  CHECK(first.host == HostId(0));
  CHECK(first.time == 0);
  CHECK(score_of(first.hosts, 0) == 2);
  CHECK(score_of(first.hosts, 1) == 1);
  CHECK(score_of(first.hosts, 2) == 2);
  CHECK_THAT(text(asked, first), Catch::Contains("c.1: the largest speed; c.3 has the same: lowest host"));
  CHECK(indices(first.works) == std::vector<std::uint32_t>{0, 1, 2});
  CHECK_THAT(not_on(asked, first, 1),
             Catch::Contains("speed 1 op/s on c.2, 2 op/s on c.1; the largest wins"));
  // Task 3 found only the slow host.
  const Decision third = asked.why(run, 2);
  CHECK(third.host == HostId(1));
  CHECK(third.hosts.find(0)->open == false);
  CHECK(not_on(asked, third, 0) == "c.1 at t = 0 s: 0 of 1 core idle, 1 is needed");
  // Task 5 waits behind task 4.
  const Decision fifth = asked.why(run, 4);
  CHECK(fifth.kind == Decision::Kind::waits);
  CHECK(fifth.time == 2);
  CHECK(indices(fifth.works) == std::vector<std::uint32_t>{3, 4});
  for (std::size_t h = 0; h < 3; ++h) CHECK(fifth.hosts.find(static_cast<std::uint32_t>(h))->open == false);
  // It starts at 5, where task 4 has run from 4 to 5.
  run.run();
  const Decision later = asked.why(run, 4);
  CHECK(later.time == 5);
  CHECK(later.host == HostId(0));
}

TEST_CASE("easy by hand") {
  // One host with 4 cores. Job 1 holds 3 of them until 10. Job 2 needs 4 and is promised 10. Jobs 3 and 4 take
  // one core: job 3 (12 s) would end at 13 > 10, and nothing is left beside job 2; job 4 (5 s) ends at 7.
  const Asked asked = why_with("easy", scenario_of(platform_of({cluster_of({1}, "c", 4)}),
                                                   tasks_of({{10, 0, 3}, {3, 1, 4}, {12, 1}, {5, 2}})));
  Simulation run = asked.begin();
  run.run_until(2);
  const Decision second = asked.why(run, 1);
  CHECK(second.kind == Decision::Kind::waits);
  CHECK(second.works.find(1)->note == "is promised c.1 at 10 s");
  CHECK(not_on(asked, second, 0) == "c.1 at t = 2 s: 0 of 4 cores idle, 4 are needed");
  const Decision fourth = asked.why(run, 3);
  CHECK(fourth.kind == Decision::Kind::started);
  CHECK(fourth.time == 2);
  CHECK(fourth.works.find(1)->note == "is promised c.1 at 10 s");
  CHECK(fourth.works.find(2)->open == false);
  CHECK(fourth.works.find(3)->open);
  run.run_until(7);  // a core is idle again; job 3 would end at 19
  const Decision third = asked.why(run, 2);
  CHECK(third.kind == Decision::Kind::waits);
  CHECK(third.hosts.find(0)->note == "would end at 19 s; from 10 s on 0 of its cores are free beside " +
                                         asked.scenario->workload->name_of(WorkId(1)));
}

TEST_CASE("planner by hand") {
  // Hosts of speeds 2 and 1; tasks of 8, 12 and 2 op. min_min plans task 3 on the fast host (to 1), task 1
  // behind it (1 to 5; 8 on the slow one), then task 2 there (5 to 11; 12 on the slow one).
  const Asked asked =
      why_with("planner", scenario_of(platform_of({cluster_of({2, 1})}), tasks_of({{8}, {12}, {2}})),
               {{"map", Catalogue().configure("min_min")}});
  Simulation run = asked.begin();
  run.run_until(2);
  const Decision second = asked.why(run, 1);
  CHECK(second.kind == Decision::Kind::planned);
  CHECK(second.host == HostId(0));
  CHECK(second.time == 0);
  CHECK(score_of(second.hosts, 0) == 11);
  CHECK(score_of(second.hosts, 1) == 12);
  CHECK(indices(second.works) == std::vector<std::uint32_t>{1});
  const Decision first = asked.why(run, 0);
  CHECK(first.kind == Decision::Kind::started);
  CHECK(first.time == 0);
  CHECK(first.started == 1);
  CHECK(score_of(first.hosts, 0) == 5);
  CHECK(score_of(first.hosts, 1) == 8);
  CHECK(score_of(first.works, 0) == 5);
  CHECK(score_of(first.works, 1) == 7);  // behind task 3
  CHECK(first.works.find(2) == nullptr);
  CHECK_THAT(text(asked, first),
             Catch::Contains("the waiting task with the smallest best completion goes to the host"));
  CHECK_THAT(not_on(asked, first, 1),
             Catch::Contains("completion 8 s on c.2, 5 s on c.1; the smallest wins"));
}

TEST_CASE("mapped by min_min and sufferage by hand") {
  // ETC rows 4 6, 3 9, 5 5. min_min: task 2 on host 1 (3), task 3 on host 2 (5), task 1 would come next on
  // host 1 (7) and waits. sufferage: 2, 6, 0: task 2 first; then task 1 suffers 1, task 3 suffers 3.
  auto workload = std::make_shared<Workload>();
  for (const std::vector<double>& row : {std::vector<double>{4, 6}, {3, 9}, {5, 5}}) {
    Work work;
    work.form = TimeForm::by_host;
    work.times = static_cast<std::uint32_t>(workload->times.size());
    work.estimates = work.times;
    workload->times.insert(workload->times.end(), row.begin(), row.end());
    workload->works.push_back(work);
  }
  const auto scenario = scenario_of(platform_of({cluster_of({1, 1})}), workload);
  const Asked asked = why_with("mapped", scenario, {{"map", std::string("min_min")}});
  Simulation run = asked.begin();
  run.run_until(1);
  const Decision third = asked.why(run, 2);
  CHECK(third.host == HostId(1));
  CHECK(third.hosts.score == "completion, s from now");
  CHECK(score_of(third.hosts, 0) == 8);
  CHECK(score_of(third.hosts, 1) == 5);
  CHECK(score_of(third.works, 0) == 6);
  CHECK(score_of(third.works, 2) == 5);
  CHECK_THAT(not_on(asked, third, 0),
             Catch::Contains("completion 8 s from now on c.1, 5 s from now on c.2; the smallest wins"));
  // At 1 task 1 waits: host 1 is free in 2 s, host 2 in 4 s, so it would end 2 + 4 or 4 + 6 s from now.
  const Decision first = asked.why(run, 0);
  CHECK(first.kind == Decision::Kind::waits);
  CHECK(score_of(first.hosts, 0) == 6);
  CHECK(score_of(first.hosts, 1) == 10);
  const Asked suffers = why_with("mapped", scenario, {{"map", std::string("sufferage")}});
  Simulation other = suffers.begin();
  other.run_until(1);
  const Decision again = suffers.why(other, 2);
  CHECK(again.works.score == "sufferage, s");
  CHECK(score_of(again.works, 0) == 1);
  CHECK(score_of(again.works, 2) == 3);
  // Planned once, task 1 has its place in the queue of host 1 from the beginning, and starts there at 3.
  const Asked planned = why_with("planned", scenario, {{"scope", std::string("task")}});
  Simulation plan = planned.begin();
  plan.run();
  const Decision queued = planned.why(plan, 0);
  CHECK(queued.kind == Decision::Kind::started);
  CHECK(queued.time == 0);
  CHECK(queued.started == 3);
  CHECK(score_of(queued.hosts, 0) == 7);
  CHECK(score_of(queued.hosts, 1) == 11);
}

TEST_CASE("what has not arrived") {
  const Asked asked = why_with("fcfs", scenario_of(platform_of({cluster_of({1})}), tasks_of({{1}, {1, 50}})));
  Simulation run = asked.begin();
  run.run_until(20);
  const Decision decision = asked.why(run, 1);
  CHECK(decision.kind == Decision::Kind::none);
  CHECK_THAT(text(asked, decision), Catch::EndsWith("arrives at t = 50 s\n"));
}

namespace {

void check_explanations(std::uint64_t count) {
  std::set<std::string> compared;
  for (const ConfiguredPolicy& policy : every_policy()) {
    INFO(policy.text);
    const ConfigPtr& config = policy.config;
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
      INFO("seed " << seed);
      Asked asked{random_scenario(seed, config->entry->accepts), policy};
      asked.options.seed = seed;
      Simulation half = asked.begin();
      half.run_until(25);
      Simulation run = asked.begin();
      run.run();
      const Fingerprint before = run.outcome().full;
      std::map<std::uint32_t, std::pair<HostId, Time>> last;  // start of each work, by the trace
      for (std::size_t i = 0; i < run.trace().size(); ++i) {
        const Record& record = run.trace()[i];
        if (record.kind == RecordKind::started && record.what == ActivityKind::compute && record.copy == 0)
          last[record.work.index] = {record.on.host(), record.time};
      }
      for (std::size_t w = 0; w < asked.scenario->workload->size(); w += 3) {
        INFO("work " << w);
        const Decision decision = asked.why(run, w);
        REQUIRE_FALSE(decision.rule.empty());
        if (decision.kind == Decision::Kind::rejected || decision.kind == Decision::Kind::expired) {
          REQUIRE(config->entry->family == Family::realtime);  // no other family refuses work
          continue;
        }
        if (asked.scenario->workload->works[w].kind == WorkKind::reservation) continue;  // it is held
        const auto [host, time] = last.at(static_cast<std::uint32_t>(w));
        REQUIRE(decision.kind != Decision::Kind::none);
        REQUIRE(decision.kind != Decision::Kind::waits);
        REQUIRE(decision.host == host);
        REQUIRE(decision.started == time);
        REQUIRE(decision.hosts.candidates.size() == asked.scenario->platform->hosts().size());
        const Comparison::Candidate* chosen = decision.hosts.find(host.index);
        REQUIRE(chosen->open);
        REQUIRE_FALSE(decision.rule.empty());
        if (decision.hosts.better != Prefer::neither) {
          compared.insert(config->entry->name);
          for (const auto& each : decision.hosts.candidates)
            if (each.open && !std::isnan(each.score))
              REQUIRE((decision.hosts.better == Prefer::smallest ? each.score >= chosen->score
                                                                 : each.score <= chosen->score));
          // The chosen host could run the work: the obstacle and the choice do not contradict each other.
          REQUIRE_FALSE(std::isnan(chosen->score));
        }
        if (decision.works.better != Prefer::neither && !decision.works.candidates.empty()) {
          const Comparison::Candidate* first = decision.works.find(static_cast<std::uint32_t>(w));
          REQUIRE(first != nullptr);
          for (const auto& each : decision.works.candidates)
            if (each.open)
              REQUIRE((decision.works.better == Prefer::smallest ? each.score >= first->score
                                                                 : each.score <= first->score));
        }
        REQUIRE_FALSE(text(asked, decision).empty());
        // In the middle of the run, the answer is about that time.
        const Decision then = asked.why(half, w);
        const WorkState state = half.view()[WorkId(w)].state;
        REQUIRE((then.kind == Decision::Kind::none) == (state == WorkState::future));
        REQUIRE(then.time <= std::max(half.now(), asked.scenario->workload->works[w].arrival));
        for (std::size_t h = 0; h < asked.scenario->platform->hosts().size(); ++h)
          REQUIRE_FALSE(not_on(asked, then, h).empty());
      }
      REQUIRE(run.outcome().full == before);
    }
  }
  CHECK(compared.contains("mapped"));
  CHECK(compared.contains("planned"));
  CHECK(compared.contains("planner"));
  CHECK(compared.contains("workqueue"));
  CHECK(compared.contains("conservative"));
}

}  // namespace

TEST_CASE("every policy explains every work of a random scenario, and the chosen host is where it ran") {
  check_explanations(rounds(4));
}

TEST_CASE("the same of many more scenarios that are explained", "[.long]") { check_explanations(rounds(24)); }
