// What an application with files took on a grid: what was sent and how often, what was planned, and how much
// of what the hosts had to give was used.
//
// Source: Berman et al., LIP RR 1999-46, sections 3, 5 and 8.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "runtime/results/executions.h"
#include "runtime/results/table.h"
#include "runtime/schedulers/grid/plan_notes.h"

namespace perigee::results {

// Of the whole run, whatever the warm-up. NaN = there is none, or the trace does not tell.
struct GridMeasures {
  double bytes_in = 0, bytes_out = 0;  // B, of transfers that ended well; chunks go in
  // B sent in for each B of the distinct inputs of works that were computed: 1 = each went to one cluster.
  double redundancy = 0;
  // Pairs of an input file and a cluster to which it was sent; those of files that several works need.
  std::size_t sends = 0, shared_sends = 0;
  std::size_t aborted_transfers = 0;  // lost, cancelled or superseded
  double aborted_bytes = 0;           // B that these were to move
  // Of works that finished, none of them sweeps, loads or reservations: core-seconds of dedicated hosts that
  // they took / those that the hosts had while they were up, from 0 to the makespan.
  double efficiency = 0;
  // s; no schedule of these works ends before, on hosts and links as they came, went and changed. The
  // greatest of: until when the hosts have had the core-seconds of all at their shortest; an arrival and the
  // work's shortest time; until when the clusters' links could have carried each input and each output once.
  double lower_bound = 0, bound_ratio = 0;  // makespan / lower_bound
  // Run times of all works, each the mean over the hosts, / time to move the files that each needs, one after
  // the other, at the mean bandwidth of the clusters' links in the long run (section 8).
  double computation_ratio = 0;
};
GridMeasures grid_measures(const Outcome& outcome, const Executions& executions, Time makespan);

// From what a planner noted.
struct PlanMeasures {
  std::size_t plans = 0, stolen = 0;
  std::array<std::size_t, grid::kPlanCauses.size()> by_cause = {};
  double assignments = 0;  // per plan, mean
  double deviation = 0;    // mean
};
PlanMeasures plan_measures(const Outcome& outcome);
Table plans(const Outcome& outcome);
Table deviations(const Outcome& outcome);

}  // namespace perigee::results
