// Matrices of expected times to compute (ETC), as values.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "runtime/cost/mapping.h"

namespace perigee {

struct EtcMatrix {
  std::size_t tasks = 0;
  std::size_t machines = 0;
  std::vector<double> values;  // values[task * machines + machine], seconds, >= 0; +inf = cannot run there
  std::vector<std::string> task_names = {};     // empty = unnamed
  std::vector<std::string> machine_names = {};  // empty = unnamed

  double at(std::size_t task, std::size_t machine) const { return values[task * machines + machine]; }
  // A view of the matrix, which must outlive it, with a ready time per machine (none = all 0).
  MatrixProblem problem(std::span<const double> ready = {}) const { return {tasks, machines, values, ready}; }

  friend bool operator==(const EtcMatrix&, const EtcMatrix&) = default;
};

// Throws Error "bad_etc" unless sizes agree, times are >= 0 or +inf, and ready times are >= 0 and finite.
void check_problem(const MatrixProblem& problem);
void check_etc(const EtcMatrix& etc);

// No mapping of the tasks that can run somewhere ends before this: neither before any task's best completion,
// nor before the least possible work is done with all machines busy from their ready times on. Correct up to
// rounding.
double makespan_bound(const MatrixProblem& problem);

}  // namespace perigee
