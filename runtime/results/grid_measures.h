// Measures of an application with files on a grid: the bytes sent and how often, the plans made, and the
// share of the hosts' capacity that was used.
//
// Source: Berman et al., LIP RR 1999-46, sections 3, 5 and 8.
#pragma once

#include <array>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/results/executions.h"
#include "runtime/results/table.h"
#include "runtime/schedulers/grid/plan_notes.h"

namespace perigee::results {

// Measures of the whole run, whatever the warm-up. NaN = there is no value.
struct TransferMeasures {
  double bytes_in = 0, bytes_out = 0;  // B, of transfers that ended well; chunks go in
  // B sent in per B of the distinct inputs of computed works; 1 = each input went to one cluster.
  double redundancy = 0;
  // Pairs of an input file and a cluster to which it was sent; `shared_sends` counts files that several works
  // need.
  std::size_t sends = 0, shared_sends = 0;
  std::size_t aborted_transfers = 0;  // lost, cancelled or superseded
  double aborted_bytes = 0;           // B that these were to move
};

// Makes them of executions, which are told in order of start.
class TransferFollower {
 public:
  void add(const Execution& run, std::span<const UsedResource> on, const Workload& workload);
  TransferMeasures measures(const Workload& workload) const;

 private:
  TransferMeasures sums_;
  double files_in_ = 0;             // B
  std::vector<std::uint8_t> used_;  // per file: a work that needs it has been computed
  std::set<std::pair<std::uint32_t, std::uint32_t>> sent_;  // file, gateway
};

// Measures of the whole run, whatever the warm-up. NaN = there is no value, or the trace does not tell.
struct TimeMeasures {
  // The core-seconds of dedicated hosts that works which finished took / the core-seconds that hosts had
  // while they were up, from 0 to the makespan. There is none if a work is a sweep, load or reservation.
  double efficiency = 0;
  // lower_bound, s: no schedule of these works ends earlier, on hosts and links as they came, went and
  // changed. It is the greatest of three times. By the first, the hosts have had the core-seconds of all
  // works at their shortest. The second is an arrival plus that work's shortest time. By the third, the
  // clusters' links could have carried each input and each output once.
  double lower_bound = 0, bound_ratio = 0;  // makespan / lower_bound
  // Run times of all works, each the mean over the hosts, / the time to move each work's files. They move one
  // after another, at the mean long-run bandwidth of the clusters' links (section 8).
  double computation_ratio = 0;
};
TimeMeasures time_measures(const Outcome& outcome, const Executions& executions, Time makespan);

// Measures from the notes of a planner.
struct PlanMeasures {
  std::size_t plans = 0, stolen = 0;
  std::array<std::size_t, grid::kPlanCauses.size()> by_cause = {};
  double assignments = 0;  // per plan, mean
  double deviation = 0;    // mean
};
// Makes them of a run's notes.
class PlanFollower {
 public:
  void take(const Note& note);
  PlanMeasures measures() const;

 private:
  PlanMeasures sums_;
  double placed_ = 0, deviation_ = 0, deviations_ = 0;
};
Table plans(const Outcome& outcome);
Table deviations(const Outcome& outcome);

}  // namespace perigee::results
