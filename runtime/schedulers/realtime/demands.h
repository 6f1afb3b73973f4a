// The demands of heads on a scenario, besides the kinds of work that they accept.
#pragma once

#include "runtime/engine/policy.h"

namespace perigee::realtime {

// All of them: one cluster behind a link that never changes, and loads that say how large a unit is. Then:
extern const Demands kAnyLoads;
extern const Demands kPlainLoads;  // loads that are sent, without set-ups, with deadlines
extern const Demands kAlikeLoads;  // the same, and one cost of a unit

}  // namespace perigee::realtime
