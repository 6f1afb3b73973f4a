// Checks and bounds of matrices of expected times to compute.
#pragma once

#include <span>

#include "runtime/cost/machine_times.h"
#include "runtime/cost/mapping.h"
#include "runtime/model/etc.h"

namespace perigee::cost {

// A view of the matrix with a ready time per machine (none = all 0). The matrix must outlive it.
inline MappingProblem problem_of(const EtcMatrix& etc, std::span<const double> ready = {}) {
  return {etc.tasks, etc.machines, etc.values, ready};
}

// Throws Error "etc_size" or "etc_value" unless each task has a time >= 0 or +inf on each machine. Throws
// "bad_etc" unless the rest has sizes to match and ready times are finite and >= 0.
void check_problem(const MappingProblem& problem);
void check_etc(const EtcMatrix& etc);

// A lower bound of the makespan of the tasks that can run somewhere. Every task needs its best completion.
// The least possible work needs all machines to be busy from their ready times on. Correct up to rounding.
double makespan_bound(const MappingProblem& problem);

// The earliest ready time of a machine over the latest, from 0 to 1; 0 before there is any load (Maheswaran
// et al., JPDC 59(2), 1999).
double load_balance(const MachineTimes& times);

// How much times differ, by coefficient of variation (Ali et al., HCW 2000). Task heterogeneity is that of
// one machine's times, as a mean over the machines. Machine heterogeneity is that of one task's times, as a
// mean over the tasks. Only machines where a task can run count; 0 if there are none.
double task_heterogeneity(const MappingProblem& problem);
double machine_heterogeneity(const MappingProblem& problem);

}  // namespace perigee::cost
