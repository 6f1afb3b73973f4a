// Idle cores while jobs wait.
#pragma once

#include "runtime/engine/simulation.h"

namespace perigee::results {

// Core-seconds from a given time to the end of the run.
struct IdleCapacity {
  double lost = 0;  // cores that are idle on hosts that are up and open, at most as many as are asked for
  double fragmented = 0;  // the same, while the first in line asks for no more cores than are idle
};
// Jobs and tasks wait from their arrival until a computation of theirs begins, and again when it is lost. Their line
// is that of their arrivals. A host is closed by a hold, by an activity that it serves alone, and by an exclusive
// job. The trace must have been kept.
IdleCapacity idle_capacity(const Outcome& outcome, Time from);

}  // namespace perigee::results
