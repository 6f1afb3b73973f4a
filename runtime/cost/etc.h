// Checks and bounds of matrices of expected times to compute.
#pragma once

#include <span>

#include "runtime/cost/mapping.h"
#include "runtime/model/etc.h"

namespace perigee {

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

}  // namespace perigee
