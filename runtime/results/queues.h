// Where work waits: at the scheduler, until it is given to a host, and at that host, until it starts there.
// From the trace alone, for any policy; needs the trace's level `full`.
#pragma once

#include <string>
#include <vector>

#include "runtime/results/executions.h"
#include "runtime/results/table.h"
#include "runtime/statistics/accumulators.h"

namespace perigee::results {

// Scheduler: a work waits from its arrival, or from when all of it was given back, until the first of it is
// posted or started, or until the thinking began that ended in that instant; so long it is in service. What
// is given back and taken up again in one instant has not waited. Host: what is posted there waits until it
// starts or is withdrawn; what starts without being posted waits 0 s.
struct QueueRow {
  ResourceId id;  // the scheduler or a host; none: all works, from arrival to settlement
  std::string name;
  std::size_t arrivals = 0;  // at `warmup` or later
  Observations wait, time;   // s, of those that left then: waiting, and all that they were there
  // How many are there over [max(first arrival, warmup), end]: waiting, and all.
  TimeWeighted length, number;
  double utilization = 0;  // share of that time spent thinking; of a host busy core-seconds over all

  // Off Little's law by so much, |rate * time - number| / number: the larger of that for those that wait and
  // that for all. 0 up to rounding over a run that begins and ends empty; else the works at both ends of it.
  double littles_law() const;
};
// The scheduler, the hosts in order of the platform, all; of the last nothing is said of waiting.
std::vector<QueueRow> queue_rows(const Outcome& outcome);
Table queues(const Outcome& outcome);

// Per work, how long it has waited at the scheduler; NaN of what has not arrived.
std::vector<Seconds> scheduler_waits(const Outcome& outcome);

}  // namespace perigee::results
