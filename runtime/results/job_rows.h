// A run's works and users, one by one.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/results/executions.h"
#include "runtime/results/table.h"

namespace perigee::results {

// How a work went. NaN = not known or did not happen.
struct Service {
  Time arrival = std::numeric_limits<Time>::quiet_NaN();
  Time start = arrival, finish = arrival;  // start: of the first activity that served it in the end
  Time release = arrival;   // when it was posted to the host where it started, or started there unposted
  double core_seconds = 0;  // of the activities that served it and ended well
  Seconds held = 0;         // by all that served it, where it went on from dumps
  Seconds suspended = 0;    // of all that served it
  bool resumes = false;     // it went on from a dump, or could have
  HostId first_host;        // that served it
  std::int32_t hosts_held = 0, cores_held = 0;  // by the last that served it
  std::uint32_t stranded = 0;  // activities that began before this record did not count in the end

  bool is_served_by(const Execution& execution, WorkKind kind) const;
  // The row tells of activities that ended well, or if there are none, of one under way.
  void add(const Execution& execution, std::span<const UsedResource> on, const Platform& platform);
  // Its outputs, or its dumps, are lost: all that served it is to be done again.
  void strand(std::size_t record);
};

// The times that follow, in seconds; NaN as there.
struct ServiceTimes {
  // start - arrival, finish - arrival, finish - start without the time that it was suspended, or where it went on from dumps the time of all its attempts
  // that served it.
  Seconds wait, response, run;
  double slowdown;          // response / run; NaN when run = 0
  double bounded_slowdown;  // max(response / max(run, 10 s), 1)
  Seconds queue_wait;       // start - release
  double quality;           // of service, as the workload states it for the host that served it
};
ServiceTimes times_of(const Service& service, const Scenario& scenario, WorkId work);

// The declared time of each work on the host where it takes longest; NaN if there is none, or none that is
// finite. The whole size of sweeps and loads counts.
class RequestedTimes {
 public:
  explicit RequestedTimes(const Platform& platform);
  Seconds of(const Scenario& scenario, WorkId work) const;
  Seconds of(const Scenario& scenario, WorkId work, const Service& service) const;  // in the size that it had

 private:
  Seconds in_size(const Scenario& scenario, WorkId work, std::int32_t mold) const;

  HostId slowest_ = HostId(0);
};

// One work, as submitted and as it went. NaN = not known or did not happen.
struct JobRow : Service, ServiceTimes {
  WorkId id;
  std::string name, user;
  WorkKind kind = WorkKind::task;
  WorkState state = WorkState::future;
  bool missed = false;        // finished after its deadline
  std::vector<HostId> hosts;  // hosts that served it, in order of first use
  std::int32_t cores = 0;
  Time deadline = kNever;
  Seconds requested = 0;          // declared time on the host of the platform where it is longest
  Seconds scheduler_wait = 0;     // time before it was taken up: runtime/results/queues.h
  double size = 0;                // runs of a sweep, units of a load; NaN of other work
  std::vector<Share> allocation;  // of the last computation that served it, or of the one under way
  std::int32_t nodes = 0;         // hosts at a time: as it asks, or as it had of `processes`; 0 = it had none
  std::size_t attempts = 0;       // computations that began
  Seconds limit = kNever;         // requested time of each
  Reason reason = Reason::none;   // why it was rejected or given up
};
// Error "not_measured" if works of a stream have been forgotten.
void check_all_works_are_kept(const Outcome& outcome);
std::vector<JobRow> job_rows(const Outcome& outcome);  // all works must have been kept
std::vector<JobRow> job_rows(const Outcome& outcome, const Executions& executions);
Table jobs(const Outcome& outcome);
// A row for each computation that began, in order of start: a work that is lost has another attempt.
Table attempts(const Outcome& outcome);

enum class GroupBy : std::uint8_t { user, queue, qos, account };
std::string_view name_of(GroupBy by);

// The works of one user, queue, quality of service or account. Means are over those that finished at `warmup` or later; NaN
// if there are none.
struct GroupRow {
  std::string name;
  std::size_t works = 0, finished = 0;
  double core_seconds = 0;  // of those that finished
  // s; slowdowns are ratios
  double mean_wait = 0, mean_response = 0, mean_slowdown = 0, mean_bounded_slowdown = 0;
};
// In the order in which the workload names its users and accounts, and the scenario its queues. Works that name none are
// left out.
std::vector<GroupRow> group_rows(const Outcome& outcome, GroupBy by);
std::vector<GroupRow> group_rows(const Outcome& outcome, GroupBy by, const std::vector<JobRow>& rows);
Table groups(const Outcome& outcome, GroupBy by);
Table users(const Outcome& outcome);

}  // namespace perigee::results
