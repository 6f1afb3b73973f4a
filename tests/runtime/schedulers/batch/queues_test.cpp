// fcfs, sjf, easy and conservative, and IRMaSim's pending lists, against the same rules followed step by step
// on thousands of random job lists; also statements of Mu'alem and Feitelson (IEEE TPDS 12(6), 2001) on
// backfilling.
#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>

#include "runtime/model/readers/swf.h"
#include "runtime/results/export.h"
#include "runtime/results/job_rows.h"
#include "runtime/results/metrics.h"
#include "runtime/results/table.h"
#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/runtime/schedulers/batch/slow_mapping.h"
#include "tests/runtime/schedulers/batch/slow_queues.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"
#include "tests/support/random_scenario.h"

using namespace perigee;
using namespace perigee::test;

namespace {

enum class Estimates { exact, longer, wrong };

struct QueuesCase {
  std::vector<slow::Job> jobs;
  std::vector<slow::Machine> machines;
};

QueuesCase random_case(std::uint64_t seed, Estimates estimates, bool one_host, bool too_wide = false) {
  Stream random(seed, "queues");
  QueuesCase out;
  int widest = 0;
  for (std::size_t m = one_host ? 1 : 1 + random.below(4); m > 0; --m) {
    const int cores = 1 + static_cast<int>(random.below(8));
    out.machines.push_back({cores, one_host ? 1.0 : static_cast<double>(1 << random.below(3))});
    widest = std::max(widest, cores);
  }
  double submit = 0;
  for (std::size_t j = 1 + random.below(60); j > 0; --j) {
    submit += static_cast<double>(random.below(6) * random.below(3));  // many at the same time
    slow::Job job{submit, static_cast<double>(1 + random.below(40)), 0,
                  1 + static_cast<int>(random.below(static_cast<std::uint64_t>(widest)))};
    job.estimate = job.run;
    if (estimates == Estimates::longer) job.estimate += static_cast<double>(random.below(60));
    if (estimates == Estimates::wrong) job.estimate = static_cast<double>(1 + random.below(60));
    if (too_wide && random.below(10) == 0) job.cores = widest + 1;
    out.jobs.push_back(job);
  }
  return out;
}

std::shared_ptr<Scenario> queues_scenario_of(const QueuesCase& from) {
  PlatformSpec::ClusterSpec cluster = cluster_of(std::vector<double>(from.machines.size(), 1));
  for (std::size_t m = 0; m < from.machines.size(); ++m) {
    cluster.hosts[m].cores = from.machines[m].cores;
    cluster.hosts[m].speed = from.machines[m].speed;
  }
  auto workload = std::make_shared<Workload>();
  for (const slow::Job& job : from.jobs) {
    Work work;
    work.kind = WorkKind::job;
    work.form = TimeForm::operations;
    work.amount = job.run;
    work.estimate = job.estimate;
    work.cores = job.cores;
    work.arrival = job.submit;
    workload->works.push_back(work);
  }
  return test::scenario_of(platform_of({cluster}), workload);
}

struct Answer {
  std::vector<double> starts;
  std::vector<std::size_t> hosts;
  Outcome outcome;
};

Answer run(const QueuesCase& from, const std::string& policy, const std::map<std::string, Value>& given = {},
           std::uint64_t seed = 1) {
  static const Catalogue catalogue;
  const ConfigPtr config = catalogue.configure(policy, given);
  RunOptions options;
  options.seed = seed;
  Simulation simulation(
      queues_scenario_of(from),
      {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants},
      declared_estimator(), options);
  simulation.run();
  Answer answer{{}, {}, simulation.outcome()};
  for (const JobRow& row : job_rows(answer.outcome)) {
    answer.starts.push_back(row.hosts.empty() ? slow::kInf : row.start);
    answer.hosts.push_back(row.hosts.empty() ? from.machines.size() : row.hosts[0].index);
  }
  return answer;
}

slow::Choice choice_of(const std::string& host) {
  return host == "first"     ? slow::Choice::first
         : host == "fastest" ? slow::Choice::fastest
                             : slow::Choice::most_idle;
}

slow::Site expected(const QueuesCase& from, const std::string& policy, slow::Choice choice) {
  if (policy == "easy") return slow::simulate(from.jobs, from.machines, choice, slow::easy_pass());
  if (policy == "conservative")
    return slow::simulate(from.jobs, from.machines, choice, slow::conservative_pass());
  if (policy == "fcfs") return slow::simulate(from.jobs, from.machines, choice, slow::fcfs_pass());
  return slow::simulate(
      from.jobs, from.machines, choice,
      slow::list_pass([](const slow::Site& s, std::size_t j) { return s.jobs[j].estimate; }));
}

}  // namespace

TEST_CASE(
    "pending_list: what ends at an instant leaves its cores to those that waited, then comes what arrives") {
  // One core: 4 s at 0; 9 s at 1; 1 s at 4, when the first ends. The second starts then (IRMaSim thesis,
  // section 2.3), though the third is shorter.
  const QueuesCase from{{{0, 4, 4, 1}, {1, 9, 9, 1}, {4, 1, 1, 1}}, {{1, 1.0}}};
  CHECK(run(from, "shortest_fastest").starts == std::vector<double>{0, 4, 13});
  CHECK(run(from, "sjf").starts == std::vector<double>{0, 5, 4});
}

namespace {

void check_random_cases(std::uint64_t count) {
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const auto estimates = static_cast<Estimates>(seed % 3);
    const QueuesCase from = random_case(seed, estimates, seed % 2 == 0, seed % 5 == 0);
    const std::string host = std::vector<std::string>{"fastest", "first", "most_idle"}[seed / 6 % 3];
    for (const std::string policy : {"fcfs", "sjf", "easy", "conservative"}) {
      INFO(policy << " host = " << host << ", seed " << seed);
      const slow::Site site = expected(from, policy, choice_of(host));
      std::map<std::string, Value> given{{"host", host}};
      if (policy == "conservative") given.clear();
      const Answer answer = run(from, policy, given);
      REQUIRE(answer.starts == site.starts);
      REQUIRE(answer.hosts == site.machine_of);
      if (seed % 10 == 0) REQUIRE(validate(answer.outcome) == std::vector<std::string>());
    }
  }
}

}  // namespace

TEST_CASE("fcfs, sjf, easy and conservative do what their rules say, on one host and on several") {
  check_random_cases(200);
}

TEST_CASE("the same in many more cases", "[.long]") { check_random_cases(3000); }

TEST_CASE("the same on the beginning of a real log, pressed into two thirds of its time") {
  // NASA Ames iPSC/860, 1993, contributed by Bill Nitzberg; Parallel Workloads Archive. It has no requested
  // times: jobs declare once to five times what they run.
  const std::filesystem::path path = data_file("swf/NASA-iPSC-1993-3.1-cln.swf.gz");
  if (!std::filesystem::exists(path)) {
    WARN("skipped: there is no " << path.filename() << " beside the project");
    return;
  }
  QueuesCase from{{}, {{128, 1}}};
  for (const SwfJob& job : read_swf(path).jobs) {
    if (job.run <= 0 || from.jobs.size() == 3000) continue;
    from.jobs.push_back({std::floor(job.submit * 2 / 3), job.run,
                         job.run * static_cast<double>(1 + job.number % 5), job.cores()});
  }
  std::ranges::stable_sort(from.jobs, {}, &slow::Job::submit);
  std::vector<double> waits;
  for (const std::string policy : {"fcfs", "sjf", "easy", "conservative"}) {
    INFO(policy);
    const slow::Site site = expected(from, policy, slow::Choice::first);
    REQUIRE(run(from, policy).starts == site.starts);
    double& wait = waits.emplace_back(0);
    for (std::size_t j = 0; j < from.jobs.size(); ++j) wait += site.starts[j] - from.jobs[j].submit;
  }
  CHECK(waits[2] < waits[0]);
  CHECK(waits[3] < waits[0]);
}

TEST_CASE("exact estimates: easy keeps its promise to the head, conservative delays nobody beyond fcfs") {
  int promises = 0, earlier = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    INFO("seed " << seed);
    const QueuesCase from = random_case(seed, Estimates::exact, true);
    std::vector<double> shadows(from.jobs.size(), slow::kInf);
    slow::simulate(from.jobs, from.machines, slow::Choice::first, slow::easy_pass(&shadows));
    const Answer easy = run(from, "easy"), conservative = run(from, "conservative"), fcfs = run(from, "fcfs");
    for (std::size_t j = 0; j < from.jobs.size(); ++j) {
      promises += shadows[j] < slow::kInf;
      REQUIRE(easy.starts[j] <= shadows[j]);
      REQUIRE(conservative.starts[j] <= fcfs.starts[j]);
      earlier += conservative.starts[j] < fcfs.starts[j];
    }
  }
  CHECK(promises > 1000);
  CHECK(earlier > 1000);
}

TEST_CASE("backfilling by hand") {
  // Four cores. Job 1 has three of them until 10; job 2 wants all, and is promised 10. Job 3 of one core and
  // 10 s ends just then, job 4 would end at 11. When job 1 ends early at 6, only job 3 is in the way of
  // job 2.
  const std::vector<slow::Machine> host{{4, 1}};
  QueuesCase from{{{0, 10, 10, 3}, {0, 5, 5, 4}, {0, 10, 10, 1}, {0, 11, 11, 1}}, host};
  CHECK(run(from, "fcfs").starts == std::vector<double>{0, 10, 15, 15});
  CHECK(run(from, "easy").starts == std::vector<double>{0, 10, 0, 15});
  CHECK(run(from, "conservative").starts == std::vector<double>{0, 10, 0, 15});
  CHECK(run(from, "sjf").starts == std::vector<double>{5, 0, 5, 15});
  from.jobs[0].run = 6;
  CHECK(run(from, "easy").starts == std::vector<double>{0, 10, 0, 15});
  // Job 2 wants three cores: at 10 one is left over, which job 3 may keep for as long as it likes. Easy has
  // promised nothing to job 4 of two cores, so that job 5 starts before it; conservative has.
  from = {{{0, 10, 10, 3}, {0, 5, 5, 3}, {0, 20, 20, 1}}, host};
  CHECK(run(from, "easy").starts == std::vector<double>{0, 10, 0});
  from = {{{0, 10, 10, 2}, {0, 5, 5, 4}, {0, 10, 10, 4}, {0, 22, 22, 1}, {0, 10, 10, 1}}, host};
  CHECK(run(from, "easy").starts == std::vector<double>{0, 10, 15, 25, 0});
  // The estimate was too short: job 1 is expected to end at any moment. Only jobs that need no time, or cores
  // that are left over, may start.
  from = {{{0, 20, 5, 3}, {0, 5, 5, 4}, {6, 1, 1, 1}}, host};
  CHECK(run(from, "easy").starts == std::vector<double>{0, 20, 25});
  CHECK(run(from, "conservative").starts == std::vector<double>{0, 20, 25});
}

TEST_CASE("easy promises the host where the head can start first, and fills the others freely") {
  // Host 1 is free at 8, host 2 at 6. Job 3 of two cores is promised host 2; job 4 may take the idle core of
  // host 1 for as long as it likes, and the one of host 2 for 6 s.
  const QueuesCase from{{{0, 8, 8, 1}, {0, 6, 6, 1}, {0, 4, 4, 2}, {0, 9, 9, 1}, {0, 7, 7, 1}, {0, 6, 6, 1}},
                        {{2, 1}, {2, 1}}};
  const Answer answer = run(from, "easy", {{"host", std::string("most_idle")}});
  CHECK(answer.starts == std::vector<double>{0, 0, 6, 0, 8, 0});
  CHECK(answer.hosts == std::vector<std::size_t>{0, 1, 1, 0, 0, 1});
}

TEST_CASE("a job too wide for every host is rejected when it arrives, under every policy, and the run ends") {
  const Catalogue catalogue;
  const QueuesCase from{{{0, 10, 10, 9}, {0, 10, 10, 1}, {1, 10, 10, 2}, {3, 1, 1, 3}}, {{2, 1}}};
  int policies = 0;
  for (const auto& entry : catalogue.entries()) {
    if (entry->role != Role::policy || entry->family != Family::batch) continue;
    INFO(entry->name);
    ++policies;
    const bool collects = entry->name == "grouped";  // unless told not to
    const Answer answer =
        run(from, entry->name,
            collects ? std::map<std::string, Value>{{"size", 1.0}} : std::map<std::string, Value>{});
    CHECK(answer.starts == std::vector<double>{slow::kInf, 0, 10, slow::kInf});
    CHECK(answer.outcome.status == RunStatus::complete);
    CHECK(answer.outcome.works == std::vector<WorkState>{WorkState::rejected, WorkState::finished,
                                                         WorkState::finished, WorkState::rejected});
    CHECK(validate(answer.outcome) == std::vector<std::string>());
    const Metrics metrics = measure(answer.outcome);
    CHECK(metrics["rejected"] == 2);
    CHECK(metrics["queued"] == 2);
    CHECK(metrics["finished"] == 2);
    CHECK(metrics["future"] + metrics["executing"] == 0);
    CHECK(metrics["total_time"] == 20);
    const auto states = parse_csv(irmasim_states_csv(answer.outcome));
    CHECK(std::vector<std::string>(states.back().begin() + 2, states.back().begin() + 6) ==
          std::vector<std::string>{"0", "2", "0", "2"});  // future, pending, running, finished
    std::vector<double> times;
    for (std::size_t i = 0; i < answer.outcome.trace.size(); ++i)
      if (const Record& record = answer.outcome.trace[i]; record.kind == RecordKind::rejected) {
        CHECK(record.why == Reason::infeasible);
        times.push_back(record.time);
      }
    CHECK(times == std::vector<double>{0, 3});
  }
  CHECK(policies >= 10);
}

TEST_CASE("a job that can run on no host for its times is rejected as well; one whose host is away waits") {
  // Times by host: nowhere; only on host 2, which has one core and is needed with two; on host 1.
  auto workload = std::make_shared<Workload>();
  workload->times = {kNever, kNever, kNever, 5, 5, kNever};
  for (std::uint32_t w = 0; w < 3; ++w) {
    Work work;
    work.kind = WorkKind::job;
    work.form = TimeForm::by_host;
    work.cores = w == 1 ? 2 : 1;
    work.times = 2 * w;
    workload->works.push_back(work);
  }
  PlatformSpec::ClusterSpec cluster = cluster_of({1, 1});
  cluster.hosts[0].cores = 2;
  auto scenario = test::scenario_of(platform_of({cluster}), workload);
  scenario->happenings.push_back(happening(0, HappeningKind::down, ResourceId::of(HostId(0))));
  const ConfigPtr config = Catalogue().configure("fcfs");
  Simulation run(scenario, {"fcfs", config->make_policy(), config->entry->accepts, config->entry->instants});
  run.run();
  CHECK(run.status() == RunStatus::incomplete);
  CHECK(run.outcome().works ==
        std::vector<WorkState>{WorkState::rejected, WorkState::rejected, WorkState::waiting});
}

TEST_CASE("pending lists by declared memory and memory traffic") {
  // One core; memory 3, none, 2, 3, and traffic 1, 4, 4, none. Jobs that declare none come first.
  auto workload = tasks_of({{1}, {1}, {1}, {1}});
  workload->needs.resize(4);
  workload->needs[0] = {3, 1};
  workload->needs[1].memory_traffic = 4;
  workload->needs[2] = {2, 4};
  workload->needs[3].memory = 3;
  const auto starts = [&](const std::string& job) {
    const ConfigPtr config = Catalogue().configure("pending_list", {{"job", job}});
    Simulation run(test::scenario_of(platform_of({cluster_of({1})}), workload),
                   {job, config->make_policy(), config->entry->accepts, config->entry->instants});
    run.run();
    std::vector<double> out;
    for (const JobRow& row : job_rows(run.outcome())) out.push_back(row.start);
    return out;
  };
  CHECK(starts("low_mem") == std::vector<double>{2, 0, 1, 3});
  CHECK(starts("low_mem_bw") == std::vector<double>{1, 2, 3, 0});
  CHECK(starts("low_mem_ops") == starts("low_mem_bw"));
}

TEST_CASE("backfilling goes on when a host is away") {
  // The wide host is away from 1 to 50: the head that needs it is promised nothing, the others do not wait.
  const QueuesCase from{{{2, 10, 10, 4}, {2, 10, 10, 2}, {3, 10, 10, 2}}, {{4, 1}, {2, 1}}};
  for (const std::string policy : {"easy", "conservative"}) {
    auto scenario = queues_scenario_of(from);
    scenario->happenings.push_back(happening(1, HappeningKind::down, ResourceId::of(HostId(0))));
    scenario->happenings.push_back(happening(50, HappeningKind::up, ResourceId::of(HostId(0))));
    const ConfigPtr config = Catalogue().configure(policy);
    Simulation run(scenario,
                   {policy, config->make_policy(), config->entry->accepts, config->entry->instants});
    run.run();
    CHECK(lines(run, {RecordKind::started}) ==
          test::Lines{"started 2@c.2 2", "started 3@c.2 12", "started 1@c.1 50"});
  }
}

TEST_CASE("pending lists do what Table 1 of the IRMaSim thesis says") {
  const std::vector<std::pair<std::string, slow::Key>> jobs{
      {"first", [](const slow::Site&, std::size_t) { return 0; }},
      {"shortest", [](const slow::Site& s, std::size_t j) { return s.jobs[j].estimate; }},
      {"longest", [](const slow::Site& s, std::size_t j) { return -s.jobs[j].estimate; }},
      {"smallest", [](const slow::Site& s, std::size_t j) { return s.jobs[j].cores; }}};
  const std::vector<std::pair<std::string, slow::Choice>> hosts{{"first", slow::Choice::first},
                                                                {"high_gflops", slow::Choice::fastest},
                                                                {"high_cores", slow::Choice::most_idle},
                                                                {"low_cores", slow::Choice::least_idle}};
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const QueuesCase from = random_case(seed, Estimates::longer, false, seed % 4 == 0);
    for (const auto& [job, key] : jobs)
      for (const auto& [host, choice] : hosts) {
        INFO(job << ", " << host << ", seed " << seed);
        const slow::Site site = slow::simulate(from.jobs, from.machines, choice, slow::list_pass(key), true);
        const Answer answer = run(from, "pending_list", {{"job", job}, {"resource", host}});
        REQUIRE(answer.starts == site.starts);
        REQUIRE(answer.hosts == site.machine_of);
      }
    for (const auto& [alias, job, host] :
         {std::tuple{"minimal", "first", "first"}, std::tuple{"shortest_fastest", "shortest", "high_gflops"},
          std::tuple{"longest_fastest", "longest", "high_gflops"},
          std::tuple{"full_random", "random", "random"}})
      REQUIRE(run(from, alias).outcome.physical ==
              run(from, "pending_list", {{"job", std::string(job)}, {"resource", std::string(host)}})
                  .outcome.physical);
    REQUIRE(run(from, "fcfs", {{"host", std::string("first")}}).outcome.physical ==
            run(from, "minimal").outcome.physical);
  }
}

TEST_CASE("planned does what the IRMaSim thesis says, with right and wrong estimates") {
  const Catalogue catalogue;
  const std::vector<std::pair<std::string, slow::Key>> mappers{
      {"mct", [](const slow::Site&, std::size_t) { return 0; }},
      {"min_min", [](const slow::Site& s, std::size_t j) { return s.jobs[j].estimate; }},
      {"max_min", [](const slow::Site& s, std::size_t j) { return -s.jobs[j].estimate; }}};
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const QueuesCase from = random_case(seed, static_cast<Estimates>(seed % 3), false, seed % 4 == 0);
    for (const auto& [name, key] : mappers)
      for (const bool whole : {true, false})
        for (const bool overtake : {false, true}) {
          INFO(name << (whole ? "" : ", task") << (overtake ? ", overtake" : "") << ", seed " << seed);
          const slow::Site site = slow::simulate(from.jobs, from.machines, slow::Choice::first,
                                                 slow::planned_pass(key, whole, overtake));
          std::map<std::string, Value> form;
          if (name != "mct") form["form"] = std::string("sorted");
          const Answer answer = run(from, "planned",
                                    {{"map", catalogue.configure(name, form)},
                                     {"scope", std::string(whole ? "machine" : "task")},
                                     {"overtake", overtake}});
          REQUIRE(answer.starts == site.starts);
          REQUIRE(answer.hosts == site.machine_of);
        }
  }
}

namespace {

void check_mappers_in_queues(std::uint64_t count) {
  const Catalogue catalogue;
  struct Row {
    std::string name;
    std::map<std::string, Value> given;
    slow::Map map;
  };
  const std::vector<Row> rows{
      {"met", {}, textbook::met},
      {"olb", {}, textbook::olb},
      {"mct", {}, textbook::mct},
      {"kpb", {{"k", 50.0}}, [](const auto& p) { return textbook::kpb(p, 50); }},
      {"switching", {}, [](const auto& p) { return textbook::switching(p, 0.6, 0.9); }},
      {"min_min", {}, textbook::min_min},
      {"max_min", {}, textbook::max_min},
      {"duplex", {}, textbook::duplex},
      {"sufferage", {}, textbook::sufferage},
      {"sufferage", {{"form", std::string("passes")}}, textbook::sufferage_passes},
      {"pairing", {{"job", std::string("first")}}, slow::pairing},
      {"a_star", {{"max_tree_nodes", 16.0}, {"max_expansions", 4.0}}, slow::a_star}};
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    QueuesCase from = random_case(seed, static_cast<Estimates>(seed % 3), false, seed % 5 == 0);
    for (slow::Job& job : from.jobs) {
      if (seed % 4 == 0) job.cores = 1;
      job.submit *= 0.7, job.run *= 0.1, job.estimate *= 0.1;
    }
    for (const Row& row : rows) {
      INFO(row.name << ", seed " << seed);
      const ConfigPtr map = catalogue.configure(row.name, row.given);
      for (const bool whole : {true, false}) {
        const slow::Site site =
            slow::simulate(from.jobs, from.machines, slow::Choice::first, slow::planned_by(row.map, whole));
        const Answer answer =
            run(from, "planned", {{"map", map}, {"scope", std::string(whole ? "machine" : "task")}});
        REQUIRE(answer.starts == site.starts);
        REQUIRE(answer.hosts == site.machine_of);
      }
      const slow::Site site =
          slow::simulate(from.jobs, from.machines, slow::Choice::first, slow::mapped_by(row.map));
      const Answer answer = run(from, "mapped", {{"map", map}});
      REQUIRE(answer.starts == site.starts);
      REQUIRE(answer.hosts == site.machine_of);
    }
  }
}

}  // namespace

TEST_CASE(
    "planned and mapped do what each mapper's paper says, to the bit, with times that have no exact sums") {
  check_mappers_in_queues(100);
}

TEST_CASE("planned and mapped do so in many more cases", "[.long]") { check_mappers_in_queues(1000); }

TEST_CASE("one policy takes over from another in the middle, with failures and wrong estimates") {
  const Catalogue catalogue;
  const std::vector<std::string> names{"fcfs",         "sjf",    "easy",    "conservative",
                                       "pending_list", "mapped", "planned", "workqueue"};
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto setup = [&](std::size_t i) {
      const ConfigPtr config = catalogue.configure(names[i % names.size()]);
      return PolicySetup{config->text(), config->make_policy(), config->entry->accepts,
                         config->entry->instants};
    };
    INFO("seed " << seed << ": " << setup(seed).name << ", then " << setup(seed / names.size()).name);
    const auto scenario =
        random_scenario(seed, {.tasks = true, .jobs = true, .several_cores = true}, seed % 3 != 0);
    Simulation run(scenario, setup(seed), declared_estimator());
    run.run_until(static_cast<double>(seed % 50));
    if (!run.over()) run.set_policy(setup(seed / names.size()));
    run.run();
    REQUIRE(run.status() == RunStatus::complete);
    REQUIRE(validate(run.outcome()) == std::vector<std::string>());
  }
}

TEST_CASE("a random list: each job has its number from the start, and every order is as likely") {
  // One core, all jobs there at 0, in two runs that differ in later arrivals.
  const auto order = [](std::size_t jobs, std::uint64_t seed) {
    QueuesCase from{{}, {{1, 1}}};
    for (std::size_t j = 0; j < jobs; ++j) from.jobs.push_back({0, 1, 1, 1});
    return run(from, "pending_list", {{"job", std::string("random")}}, seed).starts;
  };
  const std::vector<double> few = order(20, 7), many = order(40, 7);
  for (std::size_t i = 0; i < few.size(); ++i)
    for (std::size_t k = 0; k < few.size(); ++k) CHECK((few[i] < few[k]) == (many[i] < many[k]));
  CHECK(order(20, 8) != few);
  std::map<std::vector<double>, int> seen;
  for (std::uint64_t seed = 1; seed <= 1200; ++seed) ++seen[order(3, seed)];
  CHECK(seen.size() == 6);
  double chi_squared = 0;  // of 5 degrees of freedom: above 20.52 once in a thousand
  for (const auto& [each, count] : seen) chi_squared += (count - 200.0) * (count - 200.0) / 200;
  CHECK(chi_squared < 20.52);
}

TEST_CASE("random hosts: every host that fits is as likely") {
  std::map<std::size_t, int> seen;
  const QueuesCase from{{{0, 1, 1, 2}}, {{2, 1}, {1, 1}, {3, 1}, {2, 1}}};
  for (std::uint64_t seed = 1; seed <= 900; ++seed)
    ++seen[run(from, "pending_list", {{"resource", std::string("random")}}, seed).hosts[0]];
  CHECK(seen.size() == 3);
  CHECK(!seen.contains(1));
  double chi_squared = 0;  // of 2 degrees of freedom: above 13.82 once in a thousand
  for (const auto& [host, count] : seen) chi_squared += (count - 300.0) * (count - 300.0) / 300;
  CHECK(chi_squared < 13.82);
}

TEST_CASE("a selection that needs the memory bandwidth of hosts is known, and says so") {
  const Catalogue catalogue;
  CHECK_THROWS_WITH(
      catalogue.configure("pending_list", {{"resource", std::string("high_mem_bw")}}),
      "pending_list: resource = \"high_mem_bw\" needs the memory bandwidth of hosts, which is not modelled; there "
      "are \"first\", \"high_gflops\", \"high_cores\", \"high_core\", \"low_cores\", \"high_mem\", \"low_power\", "
      "\"least_energy\" or \"random\"");
  CHECK_THROWS_WITH(catalogue.configure("pending_list", {{"resource", std::string("high_cors")}}),
                    Catch::Contains("did you mean 'high_cores'"));
  for (const std::uint64_t seed : {1, 2, 3}) {
    const QueuesCase from = random_case(seed, Estimates::exact, false);
    CHECK(run(from, "pending_list", {{"resource", std::string("high_core")}}).starts ==
          run(from, "pending_list", {{"resource", std::string("high_cores")}}).starts);
  }
}

TEST_CASE("how much worse a queue is than another at most, of all days of four jobs on three cores") {
  // Jobs arrive at 0, 1, 2 and 3 and take 1 to 3 cores for 1 to 4 s, as they declare. Mean response, then makespan; found
  // by two other programs, which agree.
  const std::vector<std::string> names = {"fcfs", "sjf", "easy", "conservative"};
  const std::vector<std::vector<std::string>> expected = {{"1, 1", "25/13, 11/7", "25/13, 3/2", "25/13, 3/2"},
                                                          {"5/4, 4/3", "1, 1", "8/5, 3/2", "8/5, 3/2"},
                                                          {"1, 1", "21/13, 11/7", "1, 1", "1, 1"},
                                                          {"1, 1", "21/13, 11/7", "14/11, 11/8", "1, 1"}};
  const Catalogue catalogue;
  const std::shared_ptr<const Platform> platform = platform_of({cluster_of({1}, "c", 3)});
  std::vector<PolicySetup> setups;
  for (const std::string& name : names) {
    const ConfigPtr config = catalogue.configure(name);
    setups.push_back({name, config->make_policy(), config->entry->accepts, config->entry->instants});
  }
  RunOptions options;
  options.level = TraceLevel::work;
  struct Measured {
    int response, makespan;  // of all jobs together; s
  };
  struct Ratio {
    int above = 0, below = 1;
    void meet(int a, int b) {
      if (a * below > above * b) *this = {a, b};
    }
    std::string text() const {
      const int common = std::gcd(above, below);
      return std::to_string(above / common) + (below == common ? "" : "/" + std::to_string(below / common));
    }
  };
  std::vector<std::vector<std::pair<Ratio, Ratio>>> worst(4, std::vector<std::pair<Ratio, Ratio>>(4));
  std::vector<Measured> measured(4);
  std::vector<TaskSpec> jobs(4);
  for (int number = 0; number < 12 * 12 * 12 * 12; ++number) {
    for (int i = 0, rest = number; i < 4; ++i, rest /= 12)
      jobs[static_cast<std::size_t>(i)] = {1.0 + rest % 4, static_cast<Time>(i), 1 + rest % 12 / 4};
    const std::shared_ptr<Workload> workload = tasks_of(jobs);
    const std::shared_ptr<Scenario> scenario = test::scenario_of(platform, workload);
    for (std::size_t p = 0; p < 4; ++p) {
      Simulation simulation(scenario, setups[p], declared_estimator(), options);
      simulation.run();
      const Metrics metrics = measure(simulation.outcome());
      measured[p] = {static_cast<int>(std::lround(4 * metrics["mean_response"])),
                     static_cast<int>(std::lround(metrics["makespan"]))};
    }
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < 4; ++b) {
        worst[a][b].first.meet(measured[a].response, measured[b].response);
        worst[a][b].second.meet(measured[a].makespan, measured[b].makespan);
      }
  }
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = 0; b < 4; ++b) {
      INFO(names[a] << " against " << names[b]);
      CHECK(worst[a][b].first.text() + ", " + worst[a][b].second.text() == expected[a][b]);
    }
  // Two jobs of one core at 0, the long one first: (2 P + 1) / (P + 2). By hand.
  const std::shared_ptr<const Platform> core = platform_of({cluster_of({1})});
  for (const double longest : {2.0, 10.0, 1000.0}) {
    double response[2];
    for (std::size_t p = 0; p < 2; ++p) {
      Simulation simulation(test::scenario_of(core, tasks_of({{longest}, {1}})), setups[p],
                            declared_estimator(), options);
      simulation.run();
      response[p] = measure(simulation.outcome())["mean_response"];
    }
    CHECK(response[0] / response[1] == Approx((2 * longest + 1) / (longest + 2)).epsilon(1e-12));
  }
}
