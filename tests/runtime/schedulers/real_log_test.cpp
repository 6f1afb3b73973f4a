// A real log, whole, under every batch policy that takes rigid jobs. Expected values come from a parser and a
// queue in this file alone. The log: NASA Ames iPSC/860, 1993, contributed by Bill Nitzberg; Parallel
// Workloads Archive, NASA-iPSC-1993-3.1-cln (18,239 jobs, 128 nodes).
#include <zlib.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <queue>

#include "runtime/model/readers/swf.h"
#include "runtime/results/job_rows.h"
#include "runtime/results/metrics.h"
#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"
#include "tests/support/rounds.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

const std::filesystem::path kLog = data_file("swf/NASA-iPSC-1993-3.1-cln.swf.gz");
constexpr int kRealLogNodes = 128;

struct RealLogLine {
  long number, submit, wait, run, nodes;
};

std::vector<RealLogLine> lines_of(const std::filesystem::path& path) {
  std::vector<RealLogLine> lines;
  gzFile file = gzopen(path.c_str(), "rb");
  REQUIRE(file != nullptr);
  char text[4096];
  while (gzgets(file, text, sizeof text) != nullptr) {
    RealLogLine line{};
    if (text[0] != ';' && std::sscanf(text, "%ld %ld %ld %ld %ld", &line.number, &line.submit, &line.wait,
                                      &line.run, &line.nodes) == 5)
      lines.push_back(line);
  }
  gzclose(file);
  return lines;
}

// First come, first served on one machine. Each job starts as soon as it is there, its predecessor has
// started and enough nodes are free.
std::vector<long> fcfs_starts(const std::vector<RealLogLine>& jobs) {
  std::vector<long> starts;
  std::priority_queue<std::pair<long, long>, std::vector<std::pair<long, long>>, std::greater<>> ends;
  long now = 0, idle = kRealLogNodes;
  for (const RealLogLine& job : jobs) {
    now = std::max(now, job.submit);
    while (!ends.empty() && (ends.top().first <= now || idle < job.nodes)) {
      now = std::max(now, ends.top().first);
      idle += ends.top().second;
      ends.pop();
    }
    idle -= job.nodes;
    ends.emplace(now + job.run, job.nodes);
    starts.push_back(now);
  }
  return starts;
}

bool is_there() {
  if (std::filesystem::exists(kLog)) return true;
  WARN("skipped: there is no " << kLog.filename() << " beside the project");
  return false;
}

}  // namespace

TEST_CASE("the NASA iPSC log, whole, under every batch policy") {
  if (!thorough() || !is_there()) return;  // it takes seconds
  std::vector<RealLogLine> jobs = lines_of(kLog);
  REQUIRE(jobs.size() == 18239);  // as published
  const long first = jobs.front().submit;
  std::erase_if(jobs, [](const RealLogLine& job) { return job.run <= 0; });  // nothing to run
  double core_seconds = 0, last = 0;
  for (RealLogLine& job : jobs) {
    job.submit -= first;
    core_seconds += static_cast<double>(job.run * job.nodes);
    last = std::max(last, static_cast<double>(job.submit + job.run));
  }

  const SwfLog log = read_swf(kLog);
  REQUIRE(log.max_procs() == kRealLogNodes);
  Host machine;
  machine.name = "machine";
  machine.cores = log.max_procs();
  PlatformSpec spec;
  spec.clusters.push_back({.name = "machine", .hosts = {machine}});
  const auto platform = std::make_shared<const Platform>(spec);
  SwfOptions options;
  options.form = TimeForm::seconds;
  const auto scenario = scenario_of(
      platform, std::make_shared<const Workload>(swf_workload(log, options, platform.get()).workload));
  REQUIRE(scenario->workload->size() == jobs.size());

  const std::vector<long> fcfs = fcfs_starts(jobs);
  const Catalogue catalogue;
  int policies = 0;
  for (const auto& entry : catalogue.entries()) {
    if (entry->role != Role::policy || entry->family != Family::batch || !entry->accepts.jobs ||
        !entry->accepts.several_cores)
      continue;
    INFO(entry->name);
    ++policies;
    const ConfigPtr config = catalogue.configure(entry->name);
    Simulation run(scenario, {config->text(), config->make_policy(), entry->accepts, entry->instants});
    run.run();
    const Outcome outcome = run.outcome();
    CHECK(outcome.status == RunStatus::complete);
    const std::vector<std::string> violations = validate(outcome);
    INFO((violations.empty() ? std::string() : violations.front()));
    CHECK(violations.empty());
    const std::vector<JobRow> rows = job_rows(outcome);
    REQUIRE(rows.size() == jobs.size());
    double done = 0;
    std::size_t wrong = 0, later = 0;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const JobRow& row = rows[j];
      done += row.run * row.cores;
      wrong += row.state != WorkState::finished || row.name != "job" + std::to_string(jobs[j].number) ||
               row.arrival != static_cast<double>(jobs[j].submit) || row.start < row.arrival ||
               row.finish - row.start - row.suspended != static_cast<double>(jobs[j].run) ||
               row.cores != jobs[j].nodes;
      later += row.start != static_cast<double>(fcfs[j]);
    }
    CHECK(wrong == 0);
    CHECK(done == core_seconds);
    const Metrics metrics = measure(outcome);
    CHECK(metrics["makespan"] >= last);
    CHECK(metrics["busy_time"] == core_seconds);
    CHECK(metrics["utilization"] ==
          Approx(core_seconds / (kRealLogNodes * metrics["makespan"])).epsilon(1e-12));
    if (entry->name == "fcfs") CHECK(later == 0);
  }
  CHECK(policies >= 2);
}

TEST_CASE("who waits in the NASA iPSC log, whose submit times are start times") {
  if (!is_there()) return;
  std::vector<RealLogLine> jobs = lines_of(kLog);
  std::erase_if(jobs, [](const RealLogLine& job) { return job.run <= 0; });
  // As the log tells it, every job starts when it is submitted: how many then find too few nodes?
  std::priority_queue<std::pair<long, long>, std::vector<std::pair<long, long>>, std::greater<>> ends;
  long used = 0, over = 0;
  for (const RealLogLine& job : jobs) {
    for (; !ends.empty() && ends.top().first <= job.submit; ends.pop()) used -= ends.top().second;
    used += job.nodes;
    ends.emplace(job.submit + job.run, job.nodes);
    over += used > kRealLogNodes;
  }
  CHECK(over == read_swf(kLog).count(SwfAnomaly::over_capacity).count);
  // No job would wait if there were never too many. This holds for the jobs before the first such job.
  const std::vector<long> starts = fcfs_starts(jobs);
  std::size_t first = 0, waits = 0;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    if (starts[j] > jobs[j].submit && waits++ == 0) first = j;
  }
  CHECK((over > 0) == (waits > 0));
  const auto first_over = read_swf(kLog).count(SwfAnomaly::over_capacity).first_line;
  for (const SwfJob& job : read_swf(kLog).jobs)
    if (job.line == first_over) CHECK(job.number == jobs[first].number);
  WARN(over << " of " << jobs.size() << " jobs start while too few nodes are free; under fcfs " << waits
            << " jobs wait");
}
