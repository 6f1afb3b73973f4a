// The workflows of a run.
#pragma once

#include <string>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/results/table.h"

namespace perigee::results {

// Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002, section 5.1, defines slr, speedup and efficiency. Times are the true
// ones on hosts of nominal speed. Numbers that need the finish are NaN where a task has not finished.
struct WorkflowRow {
  std::string name;
  std::size_t tasks = 0, finished = 0;
  Time arrival = 0, finish = 0;  // of the last task
  Seconds response = 0;          // finish - arrival
  Seconds shortest = 0;          // longest path by the least time of each task, without communication
  double slr = 0;                // response / shortest; NaN where that is 0
  double speedup = 0;            // least sum of all times on one host / response; NaN: no host can run all
  double efficiency = 0;         // speedup / cores
  double bound = 0, bound_ratio = 0;  // max(shortest, sum of least times / cores), s; response over it
  double mean_slack = 0;              // s, by which a task could be later; NaN without activities
  double bytes = 0;                   // sent from cluster to cluster of what its tasks made, that came well
  std::size_t transfers = 0;          // as many
  std::size_t recomputed = 0, recovered = 0;  // tasks that were stranded; those of them that were spared
  bool missed = false;                        // a deadline that it has, and that has come, or will without it
};

// In their order. The run must have kept its trace.
std::vector<WorkflowRow> workflow_rows(const Outcome& outcome);
Table workflows(const Outcome& outcome);

}  // namespace perigee::results
