// Quotes of more work, compared with runs in which nothing else comes, and worked out by hand.
#include "runtime/results/quote.h"
#include "runtime/results/job_rows.h"

#include <catch2/catch.hpp>

#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

PolicySetup quote_setup_of(const Entry& entry) {
  const ConfigPtr config = Catalogue().configure(entry.name);
  return {entry.name, config->make_policy(), entry.accepts, entry.instants};
}

std::vector<Quote> asked(const Simulation& now, std::shared_ptr<const Workload> workload) {
  const std::size_t first = now.scenario().workload->size();
  Simulation future = to_quote(now, std::move(workload));
  while (is_open(future, first)) future.step();
  return quotes(future, first);
}

// The workload with one more task of so many seconds.
std::shared_ptr<const Workload> quote_longer(const Workload& workload, double seconds, Time arrival,
                                             Time deadline = kNever) {
  auto more = std::make_shared<Workload>(workload);
  Work work;
  work.form = TimeForm::seconds;
  work.amount = work.estimate = seconds;
  work.arrival = arrival;
  work.deadline = deadline;
  more->works.push_back(work);
  return more;
}

}  // namespace

TEST_CASE("a quote is what becomes of the work in a run in which nothing comes later") {
  const Catalogue catalogue;
  std::size_t compared = 0, rejected = 0;
  for (const auto& entry : catalogue.entries()) {
    if (entry->role != Role::policy || entry->name == "full_random") continue;  // it draws by the index
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const auto scenario = random_scenario(seed, entry->accepts, false);
      auto all = std::make_shared<Workload>(*scenario->workload);
      if (all->size() < 4) continue;
      std::stable_sort(all->works.begin(), all->works.end(),
                       [](const Work& a, const Work& b) { return a.arrival < b.arrival; });
      scenario->workload = all;
      const Time at = 7.37 + 0.6 * static_cast<double>(seed);  // nothing else happens then
      Simulation now(scenario, quote_setup_of(*entry));
      now.run_until(at);
      if (now.over() || now.view().works().back().state != WorkState::future) continue;
      Work work = all->works.back();
      work.deadline += at - work.arrival;
      work.arrival = at;
      work.output_count = 0;  // only one work may make a file
      auto more = std::make_shared<Workload>(*all);
      more->works.push_back(work);
      if (!more->qualities.empty()) more->qualities.push_back(more->qualities.back());
      Simulation untouched = now;
      const Quote quote = asked(now, more).at(0);

      auto few = std::make_shared<Workload>(*all);
      few->works = {};
      for (const Work& each : all->works)
        if (each.arrival <= at) few->works.push_back(each);
      few->works.push_back(work);
      if (!few->qualities.empty()) {
        few->qualities.resize(few->works.size());
        few->qualities.back() = more->qualities.back();
      }
      auto alone = std::make_shared<Scenario>(*scenario);
      alone->workload = few;
      Simulation declared(alone, quote_setup_of(*entry));
      declared.run();
      const JobRow expected = job_rows(declared.outcome()).back();
      INFO(entry->name << ", seed " << seed);
      CHECK(quote.job.state == expected.state);
      CHECK(quote.admitted == (expected.state != WorkState::rejected));
      if (expected.state == WorkState::finished) {
        CHECK(quote.job.start == expected.start);
        CHECK(quote.job.finish == expected.finish);
        CHECK(quote.job.hosts == expected.hosts);
      }
      rejected += quote.admitted ? 0 : 1;
      ++compared;

      now.run();  // and nothing has changed
      untouched.run();
      CHECK(now.outcome().full == untouched.outcome().full);
    }
  }
  CHECK(compared > 200);
  CHECK(rejected > 10);
}

TEST_CASE("a quote knows the end of the outages there are, and nothing that is to come") {
  const auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{10, 0}, {100, 5}}));
  const ResourceId host = ResourceId::of(HostId(0));
  // The outages [3, 8) and, nested in it, [7, 30), of which nobody knows at 4, and another one.
  for (const auto& [from, to] : {std::pair{3, 8}, {7, 30}, {20, 40}}) {
    scenario->happenings.push_back(happening(from, HappeningKind::down, host));
    scenario->happenings.push_back(happening(to, HappeningKind::up, host));
  }
  Simulation now(scenario, greedy());
  now.run_until(4);
  const Quote quote = asked(now, quote_longer(*scenario->workload, 5, 4, 20)).at(0);
  CHECK(quote.admitted);
  CHECK(quote.job.start == 18);  // the first task begins again at 8; the second one never arrives
  CHECK(quote.job.finish == 23);
  CHECK(quote.job.missed);
  CHECK(text_of(quote, now.view().platform()) ==
        "task 3 would be admitted: from 18 s to 23 s on c.1, 3 s after its deadline");
  now.run_until(7.5);  // both are known now
  CHECK(asked(now, quote_longer(*scenario->workload, 5, 7.5)).at(0).job.start == 30 + 10 + 100);
}

TEST_CASE("a quote knows when a host that failed will be back, and of no other failure") {
  const auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{1000, 0}}));
  scenario->compute_rule = OnFailure::resumed;
  FailureModel model;
  model.hosts = {HostId(0)};
  model.mtbf = 50;
  model.mttr = 10;
  scenario->failures.push_back(model);
  Simulation now(scenario, greedy());
  while (now.view().hosts()[0].up) now.step();
  const Time down = now.now();
  Simulation later = now;
  while (!later.view().hosts()[0].up) later.step();
  const Quote quote = asked(now, quote_longer(*scenario->workload, 5, down)).at(0);
  CHECK(quote.job.start == Approx(later.now() + 1000 - down).epsilon(1e-12));
}

TEST_CASE("a quote of what can never run says so") {
  const auto scenario = scenario_of(platform_of({cluster_of({1})}), tasks_of({{10, 0}}));
  const ResourceId host = ResourceId::of(HostId(0));
  Simulation now(scenario, greedy());
  now.run_until(4);
  auto wide = std::make_shared<Workload>(*quote_longer(*scenario->workload, 5, 4));
  wide->works.back().cores = 2;
  PolicySetup any = greedy();
  any.accepts.several_cores = true;
  Simulation other(scenario, any);
  other.run_until(4);
  const Quote refused = asked(other, wide).at(0);
  CHECK_FALSE(refused.admitted);
  CHECK(refused.reason == Reason::infeasible);
  CHECK_THAT(text_of(refused, now.view().platform()), Contains("would be rejected (infeasible): no host"));
  now.inject(happening(4, HappeningKind::down, host));
  const Quote stuck = asked(now, quote_longer(*scenario->workload, 5, 4)).at(0);
  CHECK(stuck.admitted);
  CHECK(stuck.job.state == WorkState::waiting);
  CHECK_FALSE(stuck.waiting.empty());
  CHECK_THAT(text_of(stuck, now.view().platform()), Contains("and never finish"));
}
