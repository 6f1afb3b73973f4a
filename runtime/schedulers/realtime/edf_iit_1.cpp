// EDF-IIT-1: divisible loads with deadlines. Each is planned on the fewest nodes that suffice, as these
// become free. The idle time of a node that is free earlier counts as speed.
#include "runtime/schedulers/realtime/staggered_policy.h"

namespace perigee::realtime {

Entry edf_iit_1() {
  Entry entry = staggered_entry(
      "edf_iit_1", "divisible loads planned on nodes as they become free, the earlier ones as faster nodes",
      IdleTimes::as_heterogeneity);
  entry.source = "Mamat, 2011, section 6.4 (EDF-IIT-1); Lin et al., ICPP 2007";
  entry.complexity = "O(W N^2) an arrival at worst, with W loads that wait for N nodes";
  return entry;
}

}  // namespace perigee::realtime
