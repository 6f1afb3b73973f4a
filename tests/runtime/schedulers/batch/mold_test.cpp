// Moldable jobs: their sizes and times, and what policies choose.
#include <catch2/catch.hpp>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "runtime/engine/information.h"
#include "runtime/results/job_rows.h"
#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"
#include "tests/support/shapes.h"

using namespace perigee;
using namespace perigee::test;

namespace {

struct MoldedJob {
  Time arrival = 0;
  std::vector<std::int32_t> sizes;
  std::vector<double> times;  // of each size
};

// On equal hosts; a job of one size is an ordinary one.
std::shared_ptr<Scenario> molded_jobs(std::size_t hosts, const std::vector<MoldedJob>& jobs) {
  auto workload = std::make_shared<Workload>();
  for (const MoldedJob& job : jobs) {
    Work work;
    work.kind = WorkKind::job;
    work.arrival = job.arrival;
    work.amount = work.estimate = job.times.front();
    work.extra = static_cast<std::uint32_t>(workload->extras.size());
    Shape& shape = workload->extras.emplace_back().shape;
    shape.nodes = job.sizes.front();
    if (job.sizes.size() > 1)
      shape.sizes =
          std::make_shared<Sizes>(Sizes{.allowed = job.sizes, .amounts = job.times, .estimates = job.times});
    workload->works.push_back(work);
  }
  const auto made =
      scenario_of(platform_of({cluster_of(std::vector<double>(hosts, 1.0), "c")}), std::move(workload));
  made->check();
  return made;
}

using MoldGiven = std::map<std::string, Value>;

Outcome molded_run(const std::shared_ptr<Scenario>& scenario, const std::string& name, MoldGiven given,
                   const std::string& mold, const std::string& information = "perfect",
                   std::uint64_t seed = 1) {
  given["mold"] = mold;
  const ConfigPtr config = Catalogue().configure(name, given);
  RunOptions options;
  options.seed = seed;
  Simulation run(scenario, {name, config->make_policy(), config->entry->accepts, config->entry->instants},
                 estimator(information_of(information)), options);
  run.run();
  return run.outcome();
}

struct Got {
  Time start, finish;
  std::int32_t nodes;
  bool operator==(const Got&) const = default;
};

std::vector<Got> got(const Outcome& outcome) {
  std::vector<Got> all;
  for (const JobRow& row : job_rows(outcome)) all.push_back({row.start, row.finish, row.nodes});
  return all;
}

const std::vector<std::string> kMolding = {"fcfs", "sjf", "pending_list", "easy", "conservative", "backfill"};

}  // namespace

TEST_CASE("a moldable job takes the size that ends first, and waits for one that ends earlier still") {
  // Six hosts, two of which are busy until 30. Amdahl, 60 s, of which 0.1 serial: 60, 33, 19.5 and 15 s.
  const std::vector<std::int32_t> sizes = {1, 2, 4, 6};
  std::vector<double> times;
  for (const std::int32_t n : sizes) times.push_back(60 * (0.1 + 0.9 / n));
  CHECK(times[1] == Approx(33));
  CHECK(times[2] == Approx(19.5));
  CHECK(times[3] == Approx(15));
  const auto scenario = molded_jobs(6, {{0, {2}, {30}}, {1, sizes, times}});
  const auto late = molded_jobs(6, {{0, {2}, {30}}, {20, sizes, times}});
  for (const std::string& policy : kMolding) {
    INFO(policy);
    CHECK(got(molded_run(scenario, policy, {}, "earliest"))[1] == Got{1, 1 + times[2], 4});
    CHECK(got(molded_run(scenario, policy, {}, "least"))[1] == Got{1, 1 + times[0], 1});
    CHECK(got(molded_run(scenario, policy, {}, "most"))[1] == Got{30, 30 + times[3], 6});
    // At 20 four hosts end at 39.5, six at 45. With 10 s on six hosts, it waits for them: 40 < 41.
    CHECK(got(molded_run(late, policy, {}, "earliest"))[1] == Got{20, 20 + times[2], 4});
    const auto quick = molded_jobs(6, {{0, {2}, {30}}, {20, {4, 6}, {21, 10}}});
    CHECK(got(molded_run(quick, policy, {}, "earliest"))[1] == Got{30, 40, 6});
    const auto equal = molded_jobs(6, {{0, {2}, {30}}, {20, {4, 6}, {20, 10}}});
    CHECK(got(molded_run(equal, policy, {}, "earliest"))[1] == Got{20, 40, 4});
  }
}

TEST_CASE("a later job of easy takes, of the sizes that may start now, that which ends first") {
  // Hosts 1 to 3 of six are busy until 10; the head needs five from 10 on, which leaves one. At 2 a job may have one
  // host for 20 s, two for 8 s, or three for 7 s: all may start now, for two and three are over by 10.
  const std::vector<MoldedJob> before = {{0, {3}, {10}}, {1, {5}, {5}}};
  const auto with = [&](std::vector<std::int32_t> sizes, std::vector<double> times) {
    std::vector<MoldedJob> jobs = before;
    jobs.push_back({2, std::move(sizes), std::move(times)});
    return got(molded_run(molded_jobs(6, jobs), "easy", {}, "earliest"));
  };
  CHECK(with({1, 2, 3}, {20, 8, 7})[2] == Got{2, 9, 3});
  CHECK(with({1, 2, 3}, {20, 8, 8.5})[2] == Got{2, 10, 2});  // three would delay the head
  CHECK(with({1, 2, 3}, {20, 11, 8.5})[2] == Got{2, 22, 1});
  CHECK(with({1, 2, 3}, {20, 11, 8.5})[1] == Got{10, 15, 5});
  CHECK(with({2, 3}, {11, 8.5})[2] == Got{15, 23.5, 3});  // behind the head, which began at 10
}

TEST_CASE(
    "a size that the platform never has is not chosen, and the least one decides whether there is any") {
  const auto scenario = molded_jobs(4, {{0, {2, 4, 8}, {20, 12, 1}}, {0, {5, 6}, {1, 1}}});
  for (const std::string& policy : kMolding) {
    INFO(policy);
    for (const char* mold : {"most", "earliest"}) {
      const Outcome outcome = molded_run(scenario, policy, {}, mold);
      CHECK(got(outcome)[0] == Got{0, 12, 4});
      CHECK(outcome.works[1] == WorkState::rejected);
    }
    CHECK(got(molded_run(scenario, policy, {}, "least"))[0] == Got{0, 20, 2});
  }
  CHECK(model::why_never(*scenario->workload, *scenario->platform, WorkId(1)) ==
        "it takes at least 5 hosts with 1 core, there are 4");
}

TEST_CASE("a lost job may go on in another size, from the share that it has saved") {
  // On four hosts 40 s, on two 80 s. Dumps of no cost each 10 s. At 25 two hosts go away: half is saved at 20.
  const auto scenario = molded_jobs(4, {{0, {2, 4}, {80, 40}}});
  auto workload = std::make_shared<Workload>(*scenario->workload);
  workload->extras[0].shape.checkpoints = true;
  workload->extras[0].checkpoint.interval = 10;
  scenario->workload = workload;
  for (const std::size_t host : {2U, 3U})
    scenario->happenings.push_back(happening(25, HappeningKind::down, ResourceId::of(HostId(host))));
  scenario->check();
  for (const std::string& policy : kMolding) {
    INFO(policy);
    const Outcome outcome = molded_run(scenario, policy, {}, "earliest");
    CHECK(validate(outcome).empty());
    const JobRow row = job_rows(outcome)[0];
    CHECK(row.nodes == 2);
    CHECK(row.finish == Approx(25 + 40));  // the other half of 80 s
  }
}

TEST_CASE("the validator finds sizes that are not allowed, and times of another size") {
  const auto scenario = molded_jobs(4, {{0, {2, 4}, {80, 40}}});
  Outcome outcome = molded_run(scenario, "easy", {}, "least");
  REQUIRE(validate(outcome).empty());
  const auto told = [&](std::vector<std::int32_t> sizes, std::vector<double> times) {
    outcome.scenario = molded_jobs(4, {{0, std::move(sizes), std::move(times)}});
    const auto violations = validate(outcome);
    return violations.empty() ? std::string() : violations.front();
  };
  CHECK_THAT(told({1, 4}, {80, 40}), Catch::Contains("2 hosts, which is none of its sizes"));
  CHECK_THAT(told({1, 2}, {80, 40}), Catch::Contains("80"));
  CHECK(told({1, 2}, {100, 80}).empty());
}

TEST_CASE("least and most decide as with jobs of one size") {
  std::size_t moldable = 0, records = 0;
  for (const std::string& name : kMolding)
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      INFO(name << ", seed " << seed);
      const Accepts accepts = Catalogue().require(name)->accepts;
      const auto scenario = with_molds(*with_shapes(*random_scenario(seed, accepts), seed), seed);
      for (std::size_t w = 0; w < scenario->workload->size(); ++w)
        moldable += scenario->workload->sizes_of(WorkId(w)) != nullptr ? 1 : 0;
      for (const bool most : {false, true}) {
        const std::string information = seed % 2 == 0 ? "perfect" : "declared";
        const MoldGiven given =
            name == "backfill" && seed % 3 == 0 ? MoldGiven{{"preset", std::string("slurm")}} : MoldGiven{};
        const Outcome molded = molded_run(scenario, name, given, most ? "most" : "least", information, seed);
        const Outcome plain =
            molded_run(in_one_size(*scenario, most), name, given, "earliest", information, seed);
        REQUIRE(molded.physical == plain.physical);
        records += molded.trace.size();
      }
    }
  CHECK(moldable > 500);
  CHECK(records > 5000);
}

TEST_CASE("backfill with one promise treats moldable jobs as easy does, where no job overruns") {
  std::size_t moldable = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    Stream random(seed, "moldable jobs");
    std::vector<MoldedJob> jobs;
    const auto hosts = static_cast<std::int32_t>(2 + random.below(8));
    for (std::size_t j = 5 + random.below(30); j > 0; --j) {
      MoldedJob job{.arrival = static_cast<double>(random.below(60))};
      std::int32_t size = 1 + static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(hosts)));
      const auto time = static_cast<double>(1 + random.below(40));
      do {
        job.times.push_back(time * std::pow(static_cast<double>(size), -1.2 * random.unit()));
        job.sizes.push_back(size);
        size += 1 + static_cast<std::int32_t>(random.below(3));
      } while (random.below(3) > 0);
      moldable += job.sizes.size() > 1 ? 1 : 0;
      jobs.push_back(std::move(job));
    }
    const auto scenario = molded_jobs(static_cast<std::size_t>(hosts), jobs);
    const Outcome easy = molded_run(scenario, "easy", {}, "earliest");
    REQUIRE(validate(easy).empty());
    REQUIRE(easy.physical == molded_run(scenario, "backfill", {{"reserve", 1.0}}, "earliest").physical);
  }
  CHECK(moldable > 1000);
}

TEST_CASE("conservative counts no moldable jobs") {
  const auto scenario = molded_jobs(4, {{0, {2, 4}, {80, 40}}});
  const ConfigPtr config = Catalogue().configure("conservative", {{"promise", std::string("count")}});
  Simulation run(scenario,
                 {"conservative", config->make_policy(), config->entry->accepts, config->entry->instants});
  CHECK_THROWS_WITH(run.run(), Catch::Contains("job 1 is moldable"));
}

TEST_CASE("a workload refuses sizes that are none") {
  const auto refused = [](Sizes sizes) {
    const auto scenario = molded_jobs(4, {{0, {2, 4}, {80, 40}}});
    auto workload = std::make_shared<Workload>(*scenario->workload);
    workload->extras[0].shape.sizes = std::make_shared<Sizes>(std::move(sizes));
    try {
      workload->check(*scenario->platform);
    } catch (const Error& error) {
      return error.diagnostic().message;
    }
    return std::string();
  };
  CHECK_THAT(refused({.allowed = {2}}), Catch::Contains("two at least"));
  CHECK_THAT(refused({.allowed = {3, 4}}), Catch::Contains("2 at least"));
  CHECK_THAT(refused({.allowed = {2, 4, 4}}), Catch::Contains("must ascend"));
  CHECK_THAT(refused({.allowed = {2, 4}, .amounts = {1}}), Catch::Contains("each of its 2 sizes"));
  CHECK_THAT(refused({.allowed = {2, 4}, .amounts = {1, -1}}), Catch::Contains("time of a size"));
  CHECK(refused({.allowed = {2, 4}}).empty());
}
