// A run's works and users, one by one.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/results/executions.h"
#include "runtime/results/table.h"

namespace perigee::results {

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
  std::vector<HostId> hosts;  // hosts that served it, in order of first use
  std::int32_t cores = 0;
  double core_seconds = 0;  // of the activities that served it and ended well
  Time deadline = kNever;
  Seconds requested = 0;  // declared time on the host of the platform where it is longest
  Time release = 0;  // when it was posted to the host where it started, or started there without being posted
  Seconds scheduler_wait = 0;    // time before it was taken up: runtime/results/queues.h
  Seconds queue_wait = 0;        // start - release
  double quality = 0;            // of service, as the workload states it for the host that served it
  double size = 0;               // runs of a sweep, units of a load; NaN of other work
  Reason reason = Reason::none;  // why it was rejected or given up
};
std::vector<JobRow> job_rows(const Outcome& outcome);
std::vector<JobRow> job_rows(const Outcome& outcome, const Executions& executions);
Table jobs(const Outcome& outcome);

// The works of one user. Means are over those that finished at `warmup` or later; NaN if there are none.
struct UserRow {
  std::string user;
  std::size_t works = 0, finished = 0;
  double core_seconds = 0;  // of those that finished
  // s; slowdowns are ratios
  double mean_wait = 0, mean_response = 0, mean_slowdown = 0, mean_bounded_slowdown = 0;
};
// In the order in which the workload names its users.
std::vector<UserRow> user_rows(const Outcome& outcome);
std::vector<UserRow> user_rows(const Outcome& outcome, const std::vector<JobRow>& rows);
Table users(const Outcome& outcome);

}  // namespace perigee::results
