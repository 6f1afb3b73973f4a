#include "runtime/model/shaken.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "runtime/engine/information.h"
#include "runtime/engine/simulation.h"
#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;
using model::Shake;
using model::shaken;

namespace {

Work job(double seconds, Time arrival) {
  Work work;
  work.kind = WorkKind::job;
  work.amount = work.estimate = seconds;
  work.arrival = arrival;
  return work;
}

Scenario scenario_of(Workload workload) {
  Scenario scenario;
  scenario.platform = platform_of({cluster_of({1, 2}, "a", 1)});
  scenario.workload = std::make_shared<const Workload>(std::move(workload));
  return scenario;
}

Scenario many_jobs(std::size_t count, Time arrival = 1000) {
  Workload workload;
  for (std::size_t w = 0; w < count; ++w) workload.works.push_back(job(10, arrival));
  return scenario_of(std::move(workload));
}

Outcome run(const Scenario& scenario, const Entry& entry, std::uint64_t seed) {
  const Catalogue catalogue;
  const ConfigPtr config = catalogue.configure(entry.name);
  RunOptions options;
  options.seed = seed;
  options.horizon = 5000;
  Simulation simulation(std::make_shared<const Scenario>(scenario),
                        {entry.name, config->make_policy(), entry.accepts, entry.instants},
                        engine::estimator(engine::information_of("declared perfect")), std::move(options));
  simulation.run();
  return simulation.outcome();
}

}  // namespace

TEST_CASE("shaken: factors are uniform around 1, and what is declared stays") {
  constexpr std::size_t n = 100'000;
  constexpr double share = 0.3;
  const Scenario drawn = shaken(many_jobs(n), {.times = share}, 7);
  double sum = 0, squares = 0, least = 2, most = 0;
  for (const Work& work : drawn.workload->works) {
    CHECK(work.estimate == 10);
    const double factor = work.amount / 10;
    sum += factor - 1;
    squares += (factor - 1) * (factor - 1);
    least = std::min(least, factor);
    most = std::max(most, factor);
  }
  // The variance of a uniform number in (-s, s) is s^2 / 3, its fourth moment s^4 / 5.
  const double variance = share * share / 3, error = std::sqrt(variance / n);
  CHECK(std::fabs(sum / n) <= 4 * error);
  CHECK(std::fabs(squares / n - variance) <=
        4 * std::sqrt(share * share * share * share * (1 / 5.0 - 1 / 9.0) / n));
  CHECK(least >= 1 - share);
  CHECK(least < 1 - share + 1e-3);
  CHECK(most <= 1 + share);
  CHECK(most > 1 + share - 1e-3);
}

TEST_CASE("shaken: a work has one factor, on every host and in every size") {
  Workload workload;
  workload.times = {4, kNever, 2, 6};
  for (const std::uint32_t row : {0U, 2U, 0U}) {
    Work work = job(0, 0);
    work.form = TimeForm::by_host;
    work.times = row;
    workload.works.push_back(work);
  }
  workload.works[2].estimates = 2;
  Work moldable = job(8, 0);
  moldable.extra = 0;
  workload.works.push_back(moldable);
  auto sizes = std::make_shared<Sizes>();
  sizes->allowed = {1, 2};
  sizes->amounts = sizes->estimates = {8, 5};
  workload.extras.emplace_back().shape.sizes = sizes;
  const Scenario declared = scenario_of(std::move(workload));
  const Scenario drawn = shaken(declared, {.times = 1}, 3);
  drawn.check();
  const Workload& before = *declared.workload;
  const Workload& after = *drawn.workload;
  const Platform& platform = *declared.platform;
  const auto time = [&](const Workload& of, std::uint32_t work, std::uint32_t host) {
    return model::true_time(of, {WorkId(work), 0, 1}, platform[HostId(host)], HostId(host), 0);
  };
  const auto told = [&](const Workload& of, std::uint32_t work, std::uint32_t host) {
    return model::declared_time(of, {WorkId(work), 0, 1}, platform[HostId(host)], HostId(host), 0);
  };
  std::vector<double> factors;
  for (std::uint32_t w = 0; w < 3; ++w) {
    factors.push_back(time(after, w, 0) / time(before, w, 0));
    for (std::uint32_t host = 0; host < 2; ++host) CHECK(told(after, w, host) == told(before, w, host));
  }
  CHECK(time(after, 0, 1) == kNever);
  CHECK(time(after, 1, 1) / 6 == Approx(factors[1]).epsilon(1e-15));
  CHECK(factors[0] != factors[1]);
  CHECK(factors[0] != factors[2]);  // the same row, but another work
  const Sizes& molded = *after.extras[0].shape.sizes;
  CHECK(molded.amounts[0] / 8 == Approx(molded.amounts[1] / 5).epsilon(1e-15));
  CHECK(molded.amounts[0] / 8 == Approx(after.works[3].amount / 8).epsilon(1e-15));
  CHECK(molded.amounts[0] != 8);
  CHECK(molded.estimates == sizes->estimates);
  CHECK(sizes->amounts == std::vector<double>{8, 5});
}

TEST_CASE("shaken: files and what loads are sent") {
  Workload workload;
  workload.files = {{"f", 100, 120}, {"g", 100, 100}};
  for (int i = 0; i < 2; ++i) {
    Work work = job(1, 0);
    work.kind = WorkKind::load;
    work.extra = static_cast<std::uint32_t>(i);
    workload.works.push_back(work);
    workload.extras.push_back({.size = 5, .bytes = 10});
  }
  workload.extras[1].bytes_estimate = 7;
  const Scenario declared = scenario_of(std::move(workload));
  const Workload after = *shaken(declared, {.sizes = 0.5}, 1).workload;
  CHECK(after.files[0].estimate == 120);
  CHECK(after.files[0].size != 100);
  CHECK(std::fabs(after.files[0].size - 100) <= 50);
  CHECK(after.files[1].size != after.files[0].size);
  CHECK(after.declared_bytes(WorkId(0)) == 10);
  CHECK(after.declared_bytes(WorkId(1)) == 7);
  CHECK(after.extras[0].bytes != 10);
  CHECK(std::fabs(after.extras[1].bytes - 10) <= 5);
  CHECK(after.works[0].amount == 1);
}

TEST_CASE("shaken: arrivals are cut at 0, deadlines go with them, workflows stay together") {
  Workload workload;
  for (int i = 0; i < 2000; ++i) workload.works.push_back(job(1, 30));
  for (int i = 0; i < 3; ++i) workload.works.push_back(job(1, 5));
  for (std::size_t w = 0; w < workload.works.size(); w += 2) workload.works[w].deadline = 90;
  workload.workflows = {{.name = "w", .first = WorkId(2000), .tasks = 3, .arrival = 5, .deadline = 50}};
  Work reserved = job(0, 7);
  reserved.kind = WorkKind::reservation;
  reserved.extra = 0;
  workload.works.push_back(reserved);
  workload.extras.push_back({.hosts = 1, .from = 10, .to = 20});
  const Scenario declared = scenario_of(std::move(workload));
  const Workload after = *shaken(declared, {.arrivals = 60}, 5).workload;
  std::size_t at_0 = 0;
  for (std::size_t w = 0; w < 2000; ++w) {
    const Work& work = after.works[w];
    CHECK(work.arrival >= 0);
    CHECK(work.arrival < 90);
    at_0 += work.arrival == 0 ? 1 : 0;
    if (w % 2 == 0) CHECK(work.deadline - work.arrival == Approx(60).epsilon(1e-12));
    if (w % 2 != 0) CHECK(work.deadline == kNever);
  }
  // A quarter is drawn below 0: binomial with sd sqrt(2000 * 3 / 16).
  CHECK(std::fabs(static_cast<double>(at_0) - 500) <= 4 * std::sqrt(2000 * 3 / 16.0));
  for (std::size_t w = 2000; w < 2003; ++w) CHECK(after.works[w].arrival == after.workflows[0].arrival);
  CHECK(after.workflows[0].deadline - after.workflows[0].arrival == Approx(45).epsilon(1e-12));
  CHECK(after.works[2003].arrival == 7);
}

TEST_CASE("shaken: failures and repairs have other means") {
  Scenario scenario = many_jobs(1);
  scenario.failures.push_back({.hosts = {HostId(0)}, .mtbf = 100, .mttr = 10});
  const Scenario drawn = shaken(scenario, {.failures = 4, .repairs = 2}, 1);
  CHECK(drawn.failures[0].mtbf == 25);
  CHECK(drawn.failures[0].mttr == 5);
  CHECK(drawn.workload == scenario.workload);  // nothing else is drawn
}

TEST_CASE("shaken: it depends on the seed, and one draw on no other") {
  const Scenario scenario = many_jobs(20);
  const Workload times = *shaken(scenario, {.times = 0.1}, 1).workload,
                 both = *shaken(scenario, {.times = 0.1, .arrivals = 50}, 1).workload,
                 other = *shaken(scenario, {.times = 0.1}, 2).workload;
  for (std::size_t w = 0; w < 20; ++w) {
    CHECK(times.works[w].amount == both.works[w].amount);
    CHECK(times.works[w].amount != other.works[w].amount);
  }
}

TEST_CASE("shaken: what is there to be shaken") {
  Workload workload;
  workload.works.push_back(job(0, 0));
  workload.works[0].kind = WorkKind::task;
  Scenario scenario = scenario_of(workload);
  CHECK_FALSE(model::shakeable(scenario).times);
  CHECK_FALSE(model::shakeable(scenario).sizes);
  CHECK_FALSE(model::shakeable(scenario).failures);
  CHECK(model::shakeable(scenario).arrivals);
  workload.works[0].amount = 1;
  workload.files = {{"f", 1, 1}};
  scenario = scenario_of(workload);
  scenario.failures.push_back({.hosts = {HostId(0)}, .mtbf = 1, .mttr = 1});
  CHECK(model::shakeable(scenario).times);
  CHECK(model::shakeable(scenario).sizes);
  CHECK(model::shakeable(scenario).failures);
}

TEST_CASE("shaken: values out of range are refused") {
  Scenario scenario = many_jobs(1);
  CHECK_THROWS_WITH(shaken(scenario, {.times = -0.1}, 1),
                    Contains("times must be a share from 0 to 1, got -0.1"));
  CHECK_THROWS_WITH(shaken(scenario, {.sizes = 1.5}, 1),
                    Contains("sizes must be a share from 0 to 1, got 1.5"));
  CHECK_THROWS_WITH(shaken(scenario, {.arrivals = -1}, 1),
                    Contains("arrivals must be finite and >= 0 s, got -1"));
  CHECK_THROWS_WITH(shaken(scenario, {.failures = 0}, 1), Contains("failures must be finite and > 0, got 0"));
  scenario.failures.push_back({.hosts = {HostId(0)}, .mtbf = 1, .mttr = 10});
  CHECK_THROWS_WITH(shaken(scenario, {.failures = 1e7}, 1), Contains("a mean time of 1 s to one of 1e-07 s"));
}

TEST_CASE("shaken: no shake is the plain run to the bit, and shaken runs of every policy are valid") {
  const Catalogue catalogue;
  const Shake everything{.times = 0.5, .sizes = 0.5, .arrivals = 20, .failures = 2, .repairs = 1.5},
      but_costs{.arrivals = 20, .failures = 2, .repairs = 1.5};
  std::size_t compared = 0, differ = 0;
  for (const auto& entry : catalogue.entries()) {
    if (entry->role != Role::policy) continue;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      INFO(entry->name << ", seed " << seed);
      const Scenario declared = *random_scenario(seed, entry->accepts);
      const Outcome plain = run(declared, *entry, seed),
                    still = run(shaken(declared, {}, seed), *entry, seed);
      CHECK(plain.full == still.full);
      // These policies accept loads of one true cost alone.
      const bool alike = entry->accepts.demands == &realtime::kAlikeLoads;
      const Scenario drawn = shaken(declared, alike ? but_costs : everything, seed);
      drawn.check();
      const Outcome moved = run(drawn, *entry, seed);
      const auto problems = validate(moved);
      CHECK(problems == std::vector<std::string>{});
      differ += moved.full != plain.full ? 1 : 0;
      ++compared;
    }
  }
  CHECK(compared > 100);
  CHECK(differ > compared * 9 / 10);
}
