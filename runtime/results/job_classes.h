// The jobs of a run by how wide and how long they are.
#pragma once

#include <string>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/results/job_rows.h"
#include "runtime/results/table.h"

namespace perigee::results {

// The borders of classes, ascending. A job on a border is in the class below it. Without borders there is one class.
struct ClassBorders {
  bool by_nodes = false;                               // widths are hosts, otherwise cores
  std::vector<double> widths = {1, 8, 64};             // >= 1
  std::vector<Seconds> lengths = {600, 3600, 28'800};  // of run times, > 0
};

// One class. Means are over its jobs and tasks that finished, or were killed, at the warm-up or later.
struct ClassRow {
  std::string width, length;  // "1", "2-8", "above 64"; "up to 10 min", "10 min to 1 h", "above 8 h"; "all"
  std::size_t works = 0, killed = 0;  // `works` has the killed ones too
  double core_seconds = 0;            // of what served them and ended well
  // s; slowdowns are ratios
  double mean_wait = 0, mean_response = 0, mean_slowdown = 0, mean_bounded_slowdown = 0;
};
// The classes that have jobs, the narrow ones first and of these the short ones. Activities must have been kept.
std::vector<ClassRow> class_rows(const Outcome& outcome, const ClassBorders& borders = {});
Table classes(const Outcome& outcome, const ClassBorders& borders = {});

}  // namespace perigee::results
