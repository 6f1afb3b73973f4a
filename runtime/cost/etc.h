// Checks and bounds of matrices of expected times to compute.
#pragma once

#include <span>

#include "runtime/cost/machine_times.h"
#include "runtime/cost/mapping.h"
#include "runtime/model/etc.h"

namespace perigee::cost {

// A view of the matrix, which must outlive it, with a ready time per machine (none = all 0).
inline MappingProblem problem_of(const EtcMatrix& etc, std::span<const double> ready = {}) {
  return {etc.tasks, etc.machines, etc.values, ready};
}

// Throws Error "etc_size" or "etc_value" unless there is a time >= 0 or +inf for each task on each machine,
// "bad_etc" unless the rest agrees with them and ready times are >= 0 and finite.
void check_problem(const MappingProblem& problem);
void check_etc(const EtcMatrix& etc);

// No mapping of the tasks that can run somewhere ends before this: neither before any task's best completion,
// nor before the least possible work is done with all machines busy from their ready times on. Correct up to
// rounding.
double makespan_bound(const MappingProblem& problem);

// The earliest time that a machine is ready over the latest: from 0, also before there is any load, to 1
// (Maheswaran et al., JPDC 59(2), 1999).
double load_balance(const MachineTimes& times);

// How much times differ, by coefficient of variation (Ali et al., HCW 2000): of one machine's times for the
// tasks, as a mean over the machines; of one task's times on the machines, as a mean over the tasks. Only of
// tasks on machines where they can run; 0 where there are none.
double task_heterogeneity(const MappingProblem& problem);
double machine_heterogeneity(const MappingProblem& problem);

}  // namespace perigee::cost
