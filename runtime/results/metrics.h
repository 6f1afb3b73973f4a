// Numbers about a run, from its trace only: a stored trace and a live run give the same.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/results/table.h"

namespace perigee {

enum class Better : std::uint8_t { neither, lower, higher };

// What a metric is, whether or not a run has it.
struct MetricInfo {
  std::string_view name, unit, what;
  Better better = Better::neither;
};
std::span<const MetricInfo> metric_infos();
// Error "unknown_metric" with the nearest name.
const MetricInfo& metric_info(std::string_view name);

struct Metric {
  std::string name;
  double value = 0;  // NaN = there is none, as the largest of nothing; sums and means of nothing are 0
  std::string unit, what;
};

struct Metrics {
  std::vector<Metric> all;  // in the order of metric_infos()

  // NaN when the trace's level does not tell it; Error "unknown_metric" when there is no such metric at all.
  double operator[](std::string_view name) const;
  bool has(std::string_view name) const;  // measured, be it NaN
};

// Averages are over the works that finished at `warmup` or later, each with its full times; counts are of
// works and activities that were settled then; shares of time are over [max(first arrival, warmup), end]. At
// trace level `work` what needs activities is left out, at `none` all but the counts of works.
Metrics measure(const Outcome& outcome);

// One work, as submitted and as it went. NaN = not known or did not happen.
struct JobRow {
  WorkId id;
  std::string name, user;
  WorkKind kind = WorkKind::task;
  Time arrival = 0, start = 0, finish = 0;  // start: of the first activity that served it in the end
  Seconds wait = 0, response = 0, run = 0;  // start - arrival, finish - arrival, finish - start
  double slowdown = 0;                      // response / run; NaN when run = 0
  double bounded_slowdown = 0;              // max(response / max(run, 10 s), 1)
  WorkState state = WorkState::future;
  bool missed = false;        // finished after its deadline
  std::vector<HostId> hosts;  // that served it, in order of first use
  std::int32_t cores = 0;
  Time deadline = kNever;
  Seconds requested = 0;  // what is declared, on the host of the platform where that takes longest
  Time release = 0;  // when it was posted to the host where it started, or started there without being posted
  Seconds scheduler_wait = 0;  // that nobody had taken it up: runtime/results/queues.h
  Seconds queue_wait = 0;      // start - release
  double quality = 0;          // of service, as the workload states it for the host that served it
};
std::vector<JobRow> job_rows(const Outcome& outcome);
Table jobs(const Outcome& outcome);

// The works of one user; means over those that finished at `warmup` or later, NaN of none.
struct UserRow {
  std::string user;
  std::size_t works = 0, finished = 0;
  double core_seconds = 0;  // (finish - start) * cores of those that finished
  double mean_wait = 0, mean_response = 0, mean_slowdown = 0, mean_bounded_slowdown = 0;
};
// In the order in which the workload names its users.
std::vector<UserRow> user_rows(const Outcome& outcome);
Table users(const Outcome& outcome);

// One host or declared link. Core-seconds on hosts; seconds with at least one transfer on links.
struct ResourceRow {
  ResourceId id;
  std::string name;
  double busy = 0;         // computing, receiving a load's chunk, or reserved work
  double held = 0;         // the same and cores kept by holds
  double useful = 0;       // part of `busy` that ended well
  double lost = 0;         // part of `busy` that was lost, cancelled or superseded
  Seconds down = 0;        // away
  double utilization = 0;  // busy / (cores * span)
  std::size_t activities = 0;
  double bytes = 0;          // of the transfers that ended well
  double bytes_out = 0;      // part of `bytes` that went to the origin
  std::size_t computed = 0;  // computations that ended well
  std::size_t aborted = 0;   // activities lost, cancelled or superseded
  double aborted_bytes = 0;  // that transfers of these were to move
};
std::vector<ResourceRow> resource_rows(const Outcome& outcome);
Table resources(const Outcome& outcome);

}  // namespace perigee
