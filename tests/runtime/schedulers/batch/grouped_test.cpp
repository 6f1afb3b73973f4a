// Runs of the scheduling advisor worked out by hand (Breitinger 1999, chapter IV): groups by size and by age,
// scheduling time, readiness, rescheduling, priorities.
#include <catch2/catch.hpp>

#include "runtime/results/job_rows.h"
#include "runtime/results/metrics.h"
#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

struct GroupedJob {
  Time arrival;
  std::vector<double> times;  // per machine
  double priority = 0;
  std::vector<double> declared = {};
  std::vector<double> quality = {};  // per machine
};

std::shared_ptr<Scenario> scenario_of_jobs(const std::vector<GroupedJob>& jobs) {
  auto workload = std::make_shared<Workload>();
  const auto add_row = [&](const std::vector<double>& row) {
    const auto first = static_cast<std::uint32_t>(workload->times.size());
    workload->times.insert(workload->times.end(), row.begin(), row.end());
    return first;
  };
  for (const GroupedJob& job : jobs) {
    Work work;
    work.form = TimeForm::by_host;
    work.arrival = job.arrival;
    work.priority = job.priority;
    work.times = add_row(job.times);
    if (!job.declared.empty()) work.estimates = add_row(job.declared);
    if (!job.quality.empty()) workload->qualities.push_back(add_row(job.quality));
    workload->works.push_back(work);
  }
  auto scenario = std::make_shared<Scenario>();
  scenario->platform = platform_of({cluster_of(std::vector<double>(jobs.front().times.size(), 1))});
  scenario->workload = std::move(workload);
  return scenario;
}

Outcome grouped_run(const std::vector<GroupedJob>& jobs, std::map<std::string, Value> given,
                    bool declared = false) {
  given.try_emplace("flush", false);
  const ConfigPtr config = Catalogue().configure("grouped", given);
  Simulation simulation(
      scenario_of_jobs(jobs),
      {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants},
      declared ? declared_estimator() : perfect_estimator());
  simulation.run();
  const Outcome outcome = simulation.outcome();
  CHECK(validate(outcome).empty());
  return outcome;
}

// Host, start and end of each job; host -1 where it never started.
struct Went {
  int host;
  double start, finish;
  bool operator==(const Went&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Went& went) {
  return out << went.host << " " << went.start << " " << went.finish;
}
std::vector<Went> went(const Outcome& outcome) {
  std::vector<Went> out;
  for (const JobRow& row : job_rows(outcome))
    out.push_back(row.hosts.empty() ? Went{-1, 0, 0}
                                    : Went{static_cast<int>(row.hosts.front().index), row.start, row.finish});
  return out;
}

std::vector<std::vector<double>> groups(const Outcome& outcome) {
  std::vector<std::vector<double>> out;
  for (const Note& note : outcome.trace.notes())
    if (note.name == "group") out.push_back(note.values);
  return out;
}

const std::string kZero = "zero", kAware = "aware", kMct = "mct";
constexpr int kNever_ = -1;

}  // namespace

TEST_CASE("grouped: groups of two queue in the order of the pool, whatever the mapper's was") {
  const std::vector<GroupedJob> jobs{{0, {40, 50}},  {10, {30, 20}},  {15, {10, 60}}, {40, {25, 26}},
                                     {41, {45, 44}}, {100, {12, 13}}, {130, {33, 31}}};
  const Outcome outcome = grouped_run(jobs, {{"size", 2.0}, {"map", "max_min"}, {"ready", kZero}});
  CHECK(
      went(outcome) ==
      std::vector<Went>{
          {0, 10, 50}, {1, 10, 30}, {0, 50, 60}, {0, 60, 85}, {1, 100, 144}, {0, 100, 112}, {kNever_, 0, 0}});
  CHECK(outcome.status == RunStatus::incomplete);
  std::vector<double> response;
  for (const JobRow& row : job_rows(outcome))
    if (row.state == WorkState::finished) response.push_back(row.response);
  CHECK(response == std::vector<double>{50, 20, 45, 45, 103, 12});

  const Outcome flushed =
      grouped_run(jobs, {{"size", 2.0}, {"map", "max_min"}, {"ready", kZero}, {"flush", true}});
  CHECK(went(flushed).back() == Went{1, 144, 175});
  CHECK(flushed.status == RunStatus::complete);
}

TEST_CASE("grouped: a group is made when its oldest work is old enough") {
  const std::vector<GroupedJob> jobs{{0, {10, 10}}, {5, {10, 10}}, {30, {10, 10}}};
  std::map<std::string, Value> given{{"size", 3.0}, {"timeout", 20.0}, {"map", kMct}, {"ready", kZero}};
  CHECK(went(grouped_run(jobs, given)) == std::vector<Went>{{0, 20, 30}, {1, 20, 30}, {0, 50, 60}});
  given["cost"] = 10.0;
  CHECK(went(grouped_run(jobs, given)) == std::vector<Went>{{0, 30, 40}, {1, 30, 40}, {0, 60, 70}});
  // The third is old enough at 42, while the scheduler is busy until 45.
  given["cost"] = 25.0;
  CHECK(went(grouped_run({jobs[0], jobs[1], {22, {10, 10}}}, given)) ==
        std::vector<Went>{{0, 45, 55}, {1, 45, 55}, {0, 70, 80}});
  // The oldest job is old enough when a host has ended something and another work arrives. Both leave
  // together.
  given["cost"] = 0.0;
  given["size"] = 2.0;
  given["timeout"] = 5.0;
  const std::vector<GroupedJob> meeting{{0, {20, 20}}, {0, {20, 20}}, {15, {20, 20}}, {20, {20, 20}}};
  CHECK(groups(grouped_run(meeting, given)) == std::vector<std::vector<double>>{{2, 0, 0}, {2, 0, 0}});
  given["size"] = 3.0;
  given["timeout"] = 20.0;
  given["cost"] = 25.0;
  // 0 = every work leaves at once, as soon as the scheduler is idle.
  given["timeout"] = 0.0;
  CHECK(groups(grouped_run(jobs, given)) ==
        std::vector<std::vector<double>>{{1, 0, 25}, {1, 0, 25}, {1, 0, 25}});
}

TEST_CASE("grouped: what collects while the scheduler is busy leaves in groups of the full size") {
  const std::vector<GroupedJob> jobs{{0, {1, 1}}, {0, {1, 1}}, {1, {1, 1}}, {2, {1, 1}}, {3, {1, 1}}};
  std::map<std::string, Value> given{{"size", 2.0}, {"cost", 10.0}, {"map", kMct}, {"ready", kZero}};
  CHECK(went(grouped_run(jobs, given)) ==
        std::vector<Went>{{0, 10, 11}, {1, 10, 11}, {0, 20, 21}, {1, 20, 21}, {kNever_, 0, 0}});
  given["flush"] = true;
  CHECK(went(grouped_run(jobs, given)).back() == Went{0, 30, 31});
  // Seven at once form 3, 3 and a remainder of 1, although scheduling takes no time.
  CHECK(groups(grouped_run(std::vector<GroupedJob>(7, {5, {1, 1}}), {{"size", 3.0}, {"flush", true}})) ==
        std::vector<std::vector<double>>{{3, 0, 0}, {3, 0, 0}, {1, 0, 0}});
}

TEST_CASE("grouped: an aware mapper knows what is expected of the hosts, not what is true") {
  const std::vector<double> row{10, 12};
  std::map<std::string, Value> given{{"size", 1.0}, {"map", kMct}, {"ready", kZero}};
  const std::vector<GroupedJob> jobs{{0, row}, {1, row}, {2, row}};
  CHECK(went(grouped_run(jobs, given)) == std::vector<Went>{{0, 0, 10}, {0, 10, 20}, {0, 20, 30}});
  given["ready"] = kAware;
  CHECK(went(grouped_run(jobs, given)) == std::vector<Went>{{0, 0, 10}, {1, 1, 13}, {0, 10, 20}});
  // The first takes 30 and was declared to take 10. At 20 it is expected to end now, and the third is queued
  // behind it: 20 on the first machine, 12 on the second.
  CHECK(went(grouped_run({{0, {30, 12}, 0, row}, {1, row}, {2, row}, {20, row}}, given, true)) ==
        std::vector<Went>{{0, 0, 30}, {1, 1, 13}, {0, 30, 40}, {1, 20, 32}});
  // At 5 the first has just started and is expected to end at 15, 5 after the next release.
  given["cost"] = 5.0;
  CHECK(went(grouped_run({jobs[0], jobs[1]}, given)) == std::vector<Went>{{0, 5, 15}, {1, 10, 22}});
}

TEST_CASE("grouped: queued work is mapped again with each group where that is asked for") {
  const std::vector<GroupedJob> jobs{{0, {10, 30}}, {1, {10, 20}}, {2, {4, 30}}};
  std::map<std::string, Value> given{{"size", 1.0}, {"map", "min_min"}};
  CHECK(went(grouped_run(jobs, given)) == std::vector<Went>{{0, 0, 10}, {0, 10, 20}, {0, 20, 24}});
  given["reschedule"] = true;
  const Outcome outcome = grouped_run(jobs, given);
  CHECK(went(outcome) == std::vector<Went>{{0, 0, 10}, {1, 2, 22}, {0, 10, 14}});
  CHECK(groups(outcome) == std::vector<std::vector<double>>{{1, 0, 0}, {1, 0, 0}, {1, 1, 0}});
}

TEST_CASE("grouped: what is recalled cannot start while the scheduler works") {
  // The second queues behind the first, is recalled at 10 and could start at 14.
  const std::vector<GroupedJob> jobs{{0, {9}}, {1, {1}}, {9, {1}}};
  std::map<std::string, Value> given{{"size", 1.0}, {"cost", 5.0}, {"map", kMct}};
  CHECK(went(grouped_run(jobs, given)) == std::vector<Went>{{0, 5, 14}, {0, 14, 15}, {0, 15, 16}});
  given["reschedule"] = true;
  const Outcome outcome = grouped_run(jobs, given);
  CHECK(went(outcome) == std::vector<Went>{{0, 5, 14}, {0, 15, 16}, {0, 16, 17}});
  CHECK(groups(outcome) == std::vector<std::vector<double>>{{1, 0, 5}, {1, 0, 5}, {1, 1, 5}});
}

TEST_CASE("grouped: groups of one and equal machines are one common queue, job by job") {
  // If each job joins the least remaining work, it starts when and after the same job as with a single queue.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    Stream random(seed, "common queue");
    std::vector<GroupedJob> jobs;
    Time t = 0;
    for (int i = 0; i < 300; ++i) {
      t += random.exponential(1 / 2.8);
      jobs.push_back({t, std::vector<double>(3, random.exponential(1))});
    }
    const auto starts = [&](const std::string& policy, const std::map<std::string, Value>& given) {
      const ConfigPtr config = Catalogue().configure(policy, given);
      Simulation simulation(scenario_of_jobs(jobs), {config->text(), config->make_policy(),
                                                     config->entry->accepts, config->entry->instants});
      simulation.run();
      std::vector<double> out;
      for (const JobRow& row : job_rows(simulation.outcome())) out.push_back(row.start);
      return out;
    };
    const std::vector<double> common = starts("fcfs", {});
    for (const char* map : {"mct", "max_min"}) {
      const std::vector<double> advisor = starts("grouped", {{"size", 1.0}, {"map", std::string(map)}});
      for (std::size_t i = 0; i < jobs.size(); ++i) REQUIRE(advisor[i] == Approx(common[i]).epsilon(1e-12));
    }
  }
}

TEST_CASE("grouped: priorities count in the pool, in the queues of hosts, in both or nowhere") {
  const std::vector<GroupedJob> jobs{{0, {25}}, {0, {10}}, {1, {10}}, {2, {10}, 5}, {3, {10}, 9}};
  const auto order = [&](const char* where) {
    const Outcome outcome = grouped_run(
        jobs,
        {{"size", 2.0}, {"cost", 10.0}, {"flush", true}, {"map", kMct}, {"priority", std::string(where)}});
    std::vector<double> starts;
    for (const Went& each : went(outcome)) starts.push_back(each.start);
    return starts;
  };
  CHECK(order("both") == std::vector<double>{10, 55, 65, 45, 35});
  CHECK(order("pool") == std::vector<double>{10, 35, 65, 55, 45});
  CHECK(order("queues") == std::vector<double>{10, 55, 65, 45, 35});
  CHECK(order("none") == std::vector<double>{10, 35, 45, 55, 65});
}

TEST_CASE("grouped: the published scheduling time, 0 where the polynomial is negative") {
  const auto cost = [](std::size_t size) {
    const Outcome outcome = grouped_run(std::vector<GroupedJob>(size, {0, std::vector<double>(15, 1.0)}),
                                        {{"size", static_cast<double>(size)}, {"cost_law", "published"}});
    return groups(outcome).at(0).at(2) * 1000;
  };
  CHECK(cost(1) == 0);
  CHECK(cost(15) == 0);
  CHECK(cost(26) == 0);
  CHECK(cost(27) == Approx(0.296).margin(0.0005));
  CHECK(cost(51) == Approx(24.557).margin(0.0005));
}

TEST_CASE("grouped: the mapper may see a quality of service; time goes on in seconds") {
  // On the first machine both end first. By quality the first is better there or here, the second elsewhere.
  const std::vector<GroupedJob> jobs{{0, {10, 30}, 0, {}, {5, 1}}, {0, {10, 30}, 0, {}, {1, 5}}};
  std::map<std::string, Value> given{{"size", 2.0}, {"map", std::string("met")}, {"ready", kZero}};
  const auto by = [&](const char* what) {
    given["by"] = std::string(what);
    return grouped_run(jobs, given);
  };
  CHECK(went(by("time")) == std::vector<Went>{{0, 0, 10}, {0, 10, 20}});
  CHECK(went(by("least_quality")) == std::vector<Went>{{1, 0, 30}, {0, 0, 10}});
  CHECK(went(by("most_quality")) == std::vector<Went>{{0, 0, 10}, {1, 0, 30}});
  CHECK(measure(by("time"))["mean_quality"] == 3);
  CHECK(measure(by("least_quality"))["mean_quality"] == 1);
  CHECK(measure(by("most_quality"))["mean_quality"] == 5);

  // Ready times are expected seconds. The first machine has 10 when the second group is made: 10 + 2 against
  // 0 + 11 by quality, where completions are 20 and 30.
  const std::vector<GroupedJob> aware{{0, {10, 30}, 0, {}, {2, 11}}, {0, {10, 30}, 0, {}, {2, 11}}};
  CHECK(went(grouped_run(aware, {{"size", 1.0}, {"map", kMct}, {"by", std::string("least_quality")}})) ==
        std::vector<Went>{{0, 0, 10}, {1, 0, 30}});
  CHECK(went(grouped_run(aware, {{"size", 1.0}, {"map", kMct}})) ==
        std::vector<Went>{{0, 0, 10}, {0, 10, 20}});

  // Quality does not help where a work cannot run, nor does a host without a quality.
  const std::vector<GroupedJob> barred{{0, {kNever, 30}, 0, {}, {1, 9}}, {0, {10, 30}, 0, {}, {kNever, 9}}};
  given["by"] = std::string("least_quality");
  CHECK(went(grouped_run(barred, given)) == std::vector<Went>{{1, 0, 30}, {1, 30, 60}});
  given["by"] = std::string("most_quality");
  CHECK(went(grouped_run(barred, given)) == std::vector<Went>{{1, 0, 30}, {1, 30, 60}});
  CHECK_THROWS_WITH(grouped_run({{0, {1}}}, given), Catch::Contains("task 1 states no quality of service"));
}

TEST_CASE("grouped: of works that collected in any order the first leave by priority, the oldest by age") {
  // The third has waited for 20 at 22, but two of larger priority leave first; then the pool has it alone.
  const std::vector<GroupedJob> jobs{{0, {1}, 5}, {0, {1}, 5}, {2, {1}}, {3, {1}, 9}, {4, {1}, 9}};
  const Outcome outcome =
      grouped_run(jobs, {{"size", 2.0}, {"timeout", 20.0}, {"cost", 12.0}, {"map", kMct}, {"ready", kZero}});
  // Both first at 0, the next two at 12, the last at 24.
  CHECK(went(outcome) == std::vector<Went>{{0, 12, 13}, {0, 13, 14}, {0, 36, 37}, {0, 24, 25}, {0, 25, 26}});
}

TEST_CASE("grouped: a fork in the middle of scheduling, a host that fails, a policy that takes over") {
  std::vector<GroupedJob> jobs;
  Stream random(3, "grouped");
  for (int i = 0; i < 60; ++i)
    jobs.push_back({3.0 * i, {random.uniform(5, 9), random.uniform(5, 9)}, static_cast<double>(i % 3)});
  auto scenario = scenario_of_jobs(jobs);
  for (const auto& [at, kind] : {std::pair{50.0, HappeningKind::down}, std::pair{90.0, HappeningKind::up}}) {
    Happening happening;
    happening.at = at;
    happening.kind = kind;
    happening.on = ResourceId::of(HostId(1u));
    scenario->happenings.push_back(happening);
  }
  const ConfigPtr config = Catalogue().configure(
      "grouped", {{"size", 4.0}, {"timeout", 10.0}, {"cost", 1.5}, {"reschedule", true}});
  const auto setup = [&] {
    return PolicySetup{config->text(), config->make_policy(), config->entry->accepts,
                       config->entry->instants};
  };
  Simulation simulation(scenario, setup());
  std::vector<Simulation> forks;
  while (simulation.step()) forks.push_back(simulation);
  const Outcome whole = simulation.outcome();
  CHECK(whole.status == RunStatus::complete);
  CHECK(validate(whole).empty());
  for (Simulation& fork : forks) {
    fork.run();
    CHECK(fork.outcome().full == whole.full);
  }
  Simulation other(scenario, setup());
  other.run_until(60);
  other.set_policy(setup());
  other.run();
  CHECK(other.status() == RunStatus::complete);
  CHECK(validate(other.outcome()).empty());
}
