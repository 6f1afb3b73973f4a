// Changes of hosts and links, from the trace and the scenario.
#pragma once

#include <vector>

#include "runtime/engine/simulation.h"

namespace perigee::results {

struct PlatformChange {
  std::size_t record = 0;  // `changed` or `joined`
  ResourceId on;
  const Happening* happening = nullptr;  // null: only the trace knows of it
};
// In order of the trace: joins of hosts and clusters, changes of hosts and links. Valid as long as the
// outcome.
std::vector<PlatformChange> platform_changes(const Outcome& outcome);

}  // namespace perigee::results
