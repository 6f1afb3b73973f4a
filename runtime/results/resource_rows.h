// The use of each host and link of a run.
#pragma once

#include <string>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/results/executions.h"
#include "runtime/results/table.h"

namespace perigee::results {

// One host or declared link. Core-seconds on hosts; seconds with at least one transfer on links.
struct ResourceRow {
  ResourceId id;
  std::string name;
  double busy = 0;         // computing, receiving a load's chunk, or reserved work; not while away
  double held = 0;         // the same and cores kept by holds
  double useful = 0;       // part of `busy` that ended well
  double lost = 0;         // part of `busy` that was lost, cancelled or superseded
  Seconds down = 0;        // away
  double utilization = 0;  // busy / (cores * span)
  std::size_t activities = 0;
  double bytes = 0;          // of the transfers that ended well
  double bytes_out = 0;      // part of `bytes` that went to the origin
  std::size_t computed = 0;  // computations that ended well
  std::size_t aborted = 0;   // activities lost, cancelled or superseded
  double aborted_bytes = 0;  // B that transfers among these were to move
};
std::vector<ResourceRow> resource_rows(const Outcome& outcome);
// Rows for the time from `from` to the end.
std::vector<ResourceRow> resource_rows(const Outcome& outcome, const Executions& executions, Time from);
Table resources(const Outcome& outcome);

}  // namespace perigee::results
