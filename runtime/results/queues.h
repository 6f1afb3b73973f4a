// The queues of works: first at the scheduler, until they are given to a host; then at that host, until they
// start there. Computed only from the trace, for any policy; needs the trace's level `full`.
#pragma once

#include <string>
#include <vector>

#include "runtime/results/executions.h"
#include "runtime/results/table.h"
#include "runtime/statistics/accumulators.h"

namespace perigee::results {

// At the scheduler, a work waits from its arrival, or from when all of it was given back. It waits until the
// first of it is posted or started, or until the beginning of the thinking that ended in that instant; the
// thinking is its service. A work that is given back and taken up again in one instant has not waited. At a
// host, an activity waits from its posting until it starts or is withdrawn. An activity that starts without
// being posted waits 0 s.
struct QueueRow {
  ResourceId id;  // the scheduler or a host; none: all works, from arrival to settlement
  std::string name;
  std::size_t arrivals = 0;  // at `warmup` or later
  Observations wait, time;   // s, of those that left then: waiting, and all that they were there
  // The number present over [max(first arrival, warmup), end]: the waiting ones, and all.
  TimeWeighted length, number;
  double utilization = 0;  // share of that time spent thinking; of a host busy core-seconds over all

  // The deviation from Little's law, |rate * time - number| / number; the larger of the one for waiting works
  // and the one for all. It is 0 up to rounding over a run that begins and ends empty. Otherwise the works at
  // both ends of the run cause it.
  double littles_law() const;
};
// Rows for the scheduler, the hosts in order of the platform, and all works. The last one has no numbers on
// waiting.
std::vector<QueueRow> queue_rows(const Outcome& outcome);
Table queues(const Outcome& outcome);

// Per work, the time that it has waited at the scheduler; NaN if it has not arrived.
std::vector<Seconds> scheduler_waits(const Outcome& outcome);

}  // namespace perigee::results
