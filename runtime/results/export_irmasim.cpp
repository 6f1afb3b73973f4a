// A run as IRMaSim's files: its inputs, and logs of its jobs and its states.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/kernel/quantity.h"
#include "runtime/model/readers/irmasim.h"
#include "runtime/results/executions.h"
#include "runtime/results/export.h"
#include "runtime/results/job_rows.h"
#include "runtime/results/numbers.h"
#include "runtime/results/table.h"

namespace perigee::results {
using namespace readers;
namespace {

// Sum, mean, largest and smallest of the added values.
struct Summary {
  double sum = 0, most = 0, least = 0;
  std::size_t count = 0;
  void add(double x) {
    if (std::isnan(x)) return;
    most = count == 0 ? x : std::max(most, x);
    least = count == 0 ? x : std::min(least, x);
    sum += x;
    ++count;
  }
  std::string text() const {
    if (count == 0) return ",0,0,,";
    return fmt::format(",{},{},{},{}", exact_or_blank(sum), exact_or_blank(sum / static_cast<double>(count)),
                       exact_or_blank(most), exact_or_blank(least));
  }
};

}  // namespace

std::string irmasim_platform_json(const Outcome& outcome) {
  return write_irmasim(irmasim_platform(*outcome.scenario->platform, "platform"));
}

std::string irmasim_workload_json(const Outcome& outcome) {
  return write_irmasim(irmasim_jobs(*outcome.scenario->workload, *outcome.scenario->platform));
}

std::string irmasim_options_json(const Outcome& outcome) {
  IrmasimOptions options;
  options.seed = outcome.seed;
  options.workload_file = "workload.json";
  options.platform_file = "platform.json";
  options.platform_name = "platform";
  options.output_dir = ".";
  return write_irmasim(options);
}

std::vector<std::string> irmasim_lost(const Outcome& outcome) {
  std::vector<std::string> lost;
  irmasim_platform(*outcome.scenario->platform, "platform", &lost);
  irmasim_jobs(*outcome.scenario->workload, *outcome.scenario->platform, &lost);
  if (!outcome.scenario->happenings.empty() || !outcome.scenario->processes.empty())
    lost.emplace_back("events");
  return lost;
}

std::string irmasim_jobs_csv(const Outcome& outcome) {
  const Platform& platform = *outcome.scenario->platform;
  const std::vector<IrmasimJob> jobs = irmasim_jobs(*outcome.scenario->workload, platform);
  std::string out =
      "id,req_time,ntasks,mem,submit_time,start_time,finish_time,execution_time,operations,mem_vol,profile,"
      "resources\n";
  for (const JobRow& row : job_rows(outcome)) {
    if (std::isnan(row.finish)) continue;
    const IrmasimJob& job = jobs[row.id.index];
    std::string hosts;
    for (const HostId host : row.hosts) hosts += (hosts.empty() ? "" : " ") + platform[host].name;
    const Needs needs = outcome.scenario->workload->needs_of(row.id);
    out += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(job.id), exact_or_blank(job.req_time), row.cores,
        exact_or_blank(needs.memory), exact_or_blank(row.arrival), exact_or_blank(row.start),
        exact_or_blank(row.finish), exact_or_blank(row.run),
        exact_or_blank(job.req_ops.value_or(outcome.scenario->workload->works[row.id.index].amount)),
        exact_or_blank(needs.memory_traffic), csv_field(job.profile), csv_field(hosts));
  }
  return out;
}

// A line for each instant at which a job was submitted, started or finished, with the state after it.
std::string irmasim_states_csv(const Outcome& outcome) {
  struct Change {
    Time time;
    int kind;  // 0 = finished, 1 = submitted, 2 = started
    const JobRow* row;
  };
  const std::vector<JobRow> rows = job_rows(outcome);
  std::vector<Change> changes;
  for (const JobRow& row : rows) {
    if (row.state == WorkState::future) continue;
    changes.push_back({row.arrival, 1, &row});
    if (!std::isnan(row.start)) changes.push_back({row.start, 2, &row});
    if (!std::isnan(row.finish)) changes.push_back({row.finish, 0, &row});
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.time < b.time; });
  double all_cores = 0;
  for (const Host& host : outcome.scenario->platform->hosts()) all_cores += host.cores;

  std::string out =
      "time,energy,future_jobs,pending_jobs,running_jobs,finished_jobs,utilisation,exploitation";
  constexpr std::array<std::string_view, 5> kMeasures = {"slowdown", "bounded_slowdown", "user_slowdown",
                                                         "waiting_time", "relative_execution_time"};
  for (const std::string_view measure : kMeasures)
    out += fmt::format(",{0}_total,{0}_avg,{0}_max,{0}_min", measure);
  out += '\n';
  std::size_t submitted = 0, started = 0, finished = 0;
  double busy = 0;
  std::array<Summary, 5> of;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const JobRow& row = *changes[i].row;
    if (changes[i].kind == 1) {
      ++submitted;
    } else if (changes[i].kind == 2) {
      ++started;
      busy += row.cores;
    } else {
      ++finished;
      busy -= row.cores;
      of[0].add(row.slowdown);
      of[1].add(row.bounded_slowdown);
      of[2].add(row.response / row.requested);
      of[3].add(row.wait);
      of[4].add(row.run / row.requested);
    }
    if (i + 1 < changes.size() && changes[i + 1].time == changes[i].time) continue;
    out += fmt::format("{},,{},{},{},{},{},", exact_or_blank(changes[i].time), rows.size() - submitted,
                       submitted - started, started - finished, finished, exact_or_blank(busy / all_cores));
    for (const Summary& each : of) out += each.text();
    out += '\n';
  }
  return out;
}

}  // namespace perigee::results
