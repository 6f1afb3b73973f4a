// Waiting of works: runs of the scheduling advisor by hand, and Little's law on random runs of every policy.
#include "runtime/results/queues.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "runtime/results/job_rows.h"
#include "runtime/results/metrics.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"
#include "tests/support/rounds.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

struct QueuesJob {
  Time arrival;
  std::vector<double> times;  // per machine
};

Outcome queues_run(const std::vector<QueuesJob>& jobs, std::map<std::string, Value> given,
                   const RunOptions& options = {}) {
  auto workload = std::make_shared<Workload>();
  for (const QueuesJob& job : jobs) {
    Work work;
    work.form = TimeForm::by_host;
    work.arrival = job.arrival;
    work.times = static_cast<std::uint32_t>(workload->times.size());
    workload->times.insert(workload->times.end(), job.times.begin(), job.times.end());
    workload->works.push_back(work);
  }
  auto scenario =
      scenario_of(platform_of({cluster_of(std::vector<double>(jobs.front().times.size(), 1))}), workload);
  const ConfigPtr config = Catalogue().configure("grouped", given);
  Simulation simulation(
      scenario, {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants},
      perfect_estimator(), options);
  simulation.run();
  return simulation.outcome();
}

// Groups of two are made at 10, 40 and 100; the last job is left. Released at once.
const std::vector<QueuesJob> kSeven{{0, {40, 50}},  {10, {30, 20}},  {15, {10, 60}}, {40, {25, 26}},
                                    {41, {45, 44}}, {100, {12, 13}}, {130, {33, 31}}};
const std::map<std::string, Value> kTwos{
    {"size", 2.0}, {"map", std::string("max_min")}, {"ready", std::string("zero")}, {"flush", false}};

const std::string kQueuesMinMin = "min_min";

}  // namespace

TEST_CASE("queues of the advisor and of its machines, by hand") {
  const Outcome outcome = queues_run(kSeven, kTwos);
  REQUIRE(outcome.end == 144);
  const std::vector<QueueRow> rows = queue_rows(outcome);
  REQUIRE(rows.size() == 4);

  // The advisor: waits 10, 0, 25, 0, 59, 0, and the last job from 130 on.
  CHECK(rows[0].name == "scheduler");
  CHECK(rows[0].arrivals == 7);
  CHECK(rows[0].wait.count() == 6);
  CHECK(rows[0].wait.mean() == Approx(94.0 / 6));
  CHECK(rows[0].wait.max() == 59);
  CHECK(rows[0].length.mean() == Approx(108.0 / 144));
  CHECK(rows[0].length.max() == 2);  // for an instant
  CHECK(rows[0].length.value() == 1);
  CHECK(rows[0].time.mean() == rows[0].wait.mean());
  CHECK(rows[0].utilization == 0);
  CHECK(rows[0].littles_law() == Approx(14.0 / 108));

  // The first machine: jobs 1, 3, 4 and 6, of which the third waits 10 and the fourth 20; they are there for
  // 40, 20, 45 and 12, and take 40, 10, 25 and 12.
  CHECK(rows[1].arrivals == 4);
  CHECK(rows[1].wait.mean() == 7.5);
  CHECK(rows[1].wait.sd() == Approx(std::sqrt((2 * 7.5 * 7.5 + 2.5 * 2.5 + 12.5 * 12.5) / 3)));
  CHECK(rows[1].length.mean() == Approx(30.0 / 144));
  CHECK(rows[1].number.mean() == Approx(117.0 / 144));
  CHECK(rows[1].time.mean() == Approx(117.0 / 4));
  CHECK(rows[1].utilization == Approx(87.0 / 144));
  CHECK(rows[1].littles_law() == Approx(0).margin(1e-12));
  CHECK(rows[2].arrivals == 2);
  CHECK(rows[2].wait.mean() == 0);
  CHECK(rows[2].utilization == Approx(64.0 / 144));

  // All: times in system 50, 20, 45, 45, 103, 12, and 14 of the job that is left.
  CHECK(rows[3].arrivals == 7);
  CHECK(rows[3].time.count() == 6);
  CHECK(rows[3].time.mean() == Approx(275.0 / 6));
  CHECK(rows[3].number.mean() == Approx(289.0 / 144));

  const std::vector<JobRow> jobs = job_rows(outcome);
  CHECK(jobs[3].release == 40);
  CHECK(jobs[3].scheduler_wait == 0);
  CHECK(jobs[3].queue_wait == 20);
  CHECK(jobs[4].scheduler_wait == 59);
  CHECK(jobs[6].scheduler_wait == 14);  // so far
  CHECK(std::isnan(jobs[6].release));
  const Metrics metrics = measure(outcome);
  CHECK(metrics["mean_scheduler_wait"] == Approx(94.0 / 6));
  CHECK(metrics["max_scheduler_wait"] == 59);
  CHECK(metrics["mean_queue_wait"] == 5);
  CHECK(metrics["max_queue_wait"] == 20);
}

TEST_CASE("queues as a table") {
  const Table table = queues(queues_run(kSeven, kTwos));
  const std::vector<std::vector<std::string>> lines = parse_csv(table.csv());
  CHECK(lines[0] == table.columns);
  CHECK(table.units.size() == table.columns.size());
  const auto cell = [&](std::size_t row, const std::string& column) {
    const auto at = std::ranges::find(table.columns, column);
    REQUIRE(at != table.columns.end());
    return lines[row + 1][static_cast<std::size_t>(at - table.columns.begin())];
  };
  CHECK(cell(0, "queue") == "scheduler");
  CHECK(cell(0, "waits") == "6");
  CHECK(cell(0, "min_wait") == "0");
  CHECK(cell(0, "max_wait") == "59");
  CHECK(cell(0, "max_length") == "2");
  CHECK(cell(1, "mean_wait") == "7.5");
  CHECK(cell(1, "departures") == "4");
  CHECK(cell(1, "max_time") == "45");
  CHECK(cell(1, "max_number") == "3");  // from 40 to 50
  CHECK(cell(3, "queue") == "all");
  CHECK(cell(3, "mean_wait").empty());
  CHECK(cell(3, "min_time") == "12");
}

TEST_CASE("queues after a warm-up: what leaves then counts with its full wait") {
  // At 40, before anything else of that time, the third job is in the pool and the first runs.
  const std::vector<QueueRow> rows = queue_rows(queues_run(kSeven, kTwos, {.warmup = 40}));
  CHECK(rows[0].arrivals == 4);
  CHECK(rows[0].wait.count() == 4);
  CHECK(rows[0].wait.mean() == 21);  // 25, 0, 59, 0
  CHECK(rows[0].length.period() == 104);
  CHECK(rows[0].length.mean() == Approx(73.0 / 104));
  CHECK(rows[0].length.min() == 0);
  CHECK(rows[1].arrivals == 3);
  CHECK(rows[1].time.count() == 4);
  CHECK(rows[1].number.mean() == Approx((10 + 20 + 45 + 12) / 104.0));
  CHECK(rows[1].utilization == Approx((10 + 10 + 25 + 12) / 104.0));
}

TEST_CASE("work in the scheduler's hands does not wait there") {
  // Groups at 10, 40 and 100 again, released 5 later.
  std::map<std::string, Value> given = kTwos;
  given["cost"] = 5.0;
  const Outcome outcome = queues_run(kSeven, given);
  const std::vector<QueueRow> rows = queue_rows(outcome);
  REQUIRE(outcome.end == 149);
  CHECK(rows[0].wait.mean() == Approx(94.0 / 6));
  CHECK(rows[0].time.mean() == Approx(94.0 / 6 + 5));
  CHECK(rows[0].utilization == Approx(15.0 / 149));
  CHECK(measure(outcome)["scheduler_utilization"] == Approx(15.0 / 149));
  const std::vector<JobRow> jobs = job_rows(outcome);
  CHECK(jobs[0].release == 15);
  for (const JobRow& job : jobs)
    if (job.state == WorkState::finished)
      CHECK(job.response == job.scheduler_wait + 5 + job.queue_wait + job.run);
}

TEST_CASE("work that is recalled from a queue waits there and is taken up at once") {
  const Outcome outcome = queues_run({{0, {10, 30}}, {1, {10, 20}}, {2, {4, 30}}},
                                     {{"size", 1.0}, {"map", kQueuesMinMin}, {"reschedule", true}});
  const std::vector<QueueRow> rows = queue_rows(outcome);
  CHECK(rows[0].wait.count() == 3);
  CHECK(rows[0].wait.max() == 0);
  // The first machine: the first job, the second from 1 to its recall at 2, the third from 2 to 10.
  CHECK(rows[1].wait.count() == 3);
  CHECK(rows[1].wait.mean() == 3);
  CHECK(rows[1].length.mean() == Approx(9.0 / 22));
  const JobRow recalled = job_rows(outcome)[1];
  CHECK(recalled.release == 2);
  CHECK(recalled.scheduler_wait == 0);
  CHECK(recalled.queue_wait == 0);
}

TEST_CASE("Little's law holds at each queue, whatever the policy, failures and priorities") {
  const Catalogue catalogue;
  std::vector<ConfigPtr> policies;
  for (const auto& entry : catalogue.entries())
    if (entry->role == Role::policy) policies.push_back(catalogue.configure(entry->name));
  for (const char* priority : {"both", "pool", "queues", "none"})
    for (const bool reschedule : {false, true})
      policies.push_back(catalogue.configure("grouped", {{"size", 3.0},
                                                         {"cost", 1.5},
                                                         {"timeout", 4.0},
                                                         {"priority", std::string(priority)},
                                                         {"reschedule", reschedule}}));
  for (const ConfigPtr& config : policies)
    for (std::uint64_t seed = 1; seed <= rounds(60); ++seed) {
      INFO(config->text() << ", seed " << seed);
      const auto scenario = random_scenario(seed, config->entry->accepts, seed % 2 == 0);
      auto workload = std::make_shared<Workload>(*scenario->workload);
      Stream random(seed, "priorities");
      for (Work& work : workload->works) work.priority = static_cast<double>(random.below(3));
      scenario->workload = workload;
      Simulation simulation(
          scenario, {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants},
          perfect_estimator(), {.seed = seed});
      simulation.run();
      const Outcome outcome = simulation.outcome();
      REQUIRE(outcome.status == RunStatus::complete);
      const std::vector<QueueRow> rows = queue_rows(outcome);
      double waited = 0, responses = 0;
      for (const JobRow& job : job_rows(outcome)) {
        if (!std::isnan(job.scheduler_wait)) waited += job.scheduler_wait;
        if (!std::isnan(job.response)) responses += job.response;
      }
      const double span = rows[0].length.period();
      if (span == 0) continue;
      CHECK(rows[0].length.mean() * span == Approx(waited).margin(1e-9));
      for (const QueueRow& row : rows) {
        INFO(row.name);
        CHECK(row.length.value() == 0);
        CHECK(row.number.value() == 0);
        CHECK(row.littles_law() < 1e-9);
      }
      if (measure(outcome)["rejected"] == 0 && measure(outcome)["expired"] == 0)
        CHECK(rows.back().number.mean() * span == Approx(responses).epsilon(1e-9));
    }
}
