// The jobs of a run in the form of Batsim's PREFIX_jobs.csv, and what its hosts drew in that of PREFIX_consumed_energy.csv,
// which evalys and related tools read.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "runtime/kernel/quantity.h"
#include "runtime/results/energy.h"
#include "runtime/results/executions.h"
#include "runtime/results/export.h"
#include "runtime/results/job_rows.h"
#include "runtime/results/numbers.h"
#include "runtime/results/table.h"

namespace perigee::results {
namespace {

// The cores as intervals, ascending and without overlaps: "0-3 5".
std::string intervals(std::vector<std::int64_t>& cores) {
  std::sort(cores.begin(), cores.end());
  cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
  std::string text;
  for (std::size_t i = 0; i < cores.size();) {
    std::size_t last = i;
    while (last + 1 < cores.size() && cores[last + 1] == cores[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : " ", cores[i]);
    if (last > i) text += fmt::format("-{}", cores[last]);
    i = last + 1;
  }
  return text;
}

// Per work, the cores of the activities that served it and ended well, or are under way.
std::vector<std::vector<std::int64_t>> cores_of_works(const Outcome& outcome) {
  const std::span<const Host> hosts = outcome.scenario->platform->hosts();
  const Executions runs = spells(executions(outcome));
  const std::vector<std::vector<Lane>> host_lanes = lanes(outcome, runs);
  std::vector<std::vector<std::int64_t>> all(outcome.scenario->workload->size());
  std::int64_t first = 0;
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    for (const Lane& lane : host_lanes[h]) {
      const Execution& run = runs.all[lane.execution];
      const bool is_last = run.how == RecordKind::ended || run.how == RecordKind::started ||
                           (run.how == RecordKind::cancelled && run.why == Reason::limit);
      if (!run.work.valid() || run.is_transfer() || !is_last) continue;
      if (lane.core >= 0) {
        all[run.work.index].push_back(first + lane.core);
      } else if (outcome.scenario->workload->works[run.work.index].kind == WorkKind::reservation) {
        for (std::int32_t core = 0; core < hosts[h].cores; ++core)
          all[run.work.index].push_back(first + core);
      }
    }
    first += hosts[h].cores;
  }
  return all;
}

std::string_view final_state(WorkState state, bool started) {
  switch (state) {
    case WorkState::finished:
      return "COMPLETED_SUCCESSFULLY";
    case WorkState::rejected:
      return "REJECTED";
    case WorkState::expired:
      return "COMPLETED_KILLED";
    case WorkState::killed:
      return "COMPLETED_WALLTIME_REACHED";
    default:
      return started ? "RUNNING" : "SUBMITTED";
  }
}

}  // namespace

std::string batsim_jobs_csv(const Outcome& outcome) {
  const Workload& workload = *outcome.scenario->workload;
  const Platform& platform = *outcome.scenario->platform;
  std::vector<std::vector<std::int64_t>> cores = cores_of_works(outcome);
  std::string out =
      "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,"
      "final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,"
      "allocated_resources,consumed_energy,metadata\n";
  std::optional<EnergyMeter> energy;
  if (platform.has_power()) energy = energy_of(outcome);
  for (const JobRow& row : job_rows(outcome)) {
    if (row.state == WorkState::future) continue;
    const Work& work = workload[row.id];
    const bool one_host = work.kind == WorkKind::task || work.kind == WorkKind::job;
    const HostId host = row.hosts.empty() ? HostId(0) : row.hosts.back();
    double requested = workload.limit_of(row.id);
    if (requested == kNever)
      requested =
          one_host ? declared_time(workload, workload.piece_on(row.id, row.allocation), platform[host], host,
                                   platform[host].architecture)
                   : -1;  // -1: none
    out +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},\"\"\n", csv_field(row.name), "workload",
                    name_of(row.kind), exact_or_blank(row.arrival), std::max(row.cores, 1),
                    std::isfinite(requested) ? exact_or_blank(requested) : "-1",
                    row.state == WorkState::finished ? 1 : 0, final_state(row.state, !std::isnan(row.start)),
                    exact_or_blank(row.start), exact_or_blank(row.run), exact_or_blank(row.finish),
                    exact_or_blank(row.wait), exact_or_blank(row.response), exact_or_blank(row.slowdown),
                    intervals(cores[row.id.index]), energy ? exact_or_blank(energy->of_work(row.id)) : "-1");
  }
  return out;
}

std::string batsim_energy_csv(const Outcome& outcome) {
  check_measured(outcome);
  const Scenario& scenario = *outcome.scenario;
  EnergyMeter meter(scenario, 0);
  std::vector<std::uint32_t> computing(scenario.workload->size());  // activities of each work
  // 's', 'e', 'p' or 0
  const auto event_of = [&](const Record& record) {
    if (record.kind == RecordKind::powered) return 'p';
    if (record.what != ActivityKind::compute || !record.work.valid()) return '\0';
    std::uint32_t& count = computing[record.work.index];
    switch (record.kind) {
      case RecordKind::started:
        return count++ == 0 ? 's' : '\0';
      case RecordKind::ended:
      case RecordKind::lost:
      case RecordKind::cancelled:
      case RecordKind::superseded:
        return count > 0 && --count == 0 ? 'e' : '\0';
      default:
        return '\0';
    }
  };
  std::string out = "time,energy,wattmin,epower,event_type\n";
  Time before = kNever;
  double energy_before = 0;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record record = outcome.trace[i];
    meter.take(record, scenario);
    const char event = event_of(record);
    if (event == 0) continue;
    const double energy = meter.so_far();
    out += fmt::format("{},{},{},{},{}\n", exact(record.time), exact(energy), exact(meter.least_power()),
                       record.time > before ? exact((energy - energy_before) / (record.time - before)) : "NA",
                       event);
    before = record.time;
    energy_before = energy;
  }
  return out;
}

}  // namespace perigee::results
