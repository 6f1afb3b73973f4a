// EDF-IIT-2: divisible loads with deadlines. Each is planned on the fewest nodes that suffice, as these
// become free, so that all of its nodes end together.
#include "runtime/schedulers/realtime/staggered_policy.h"

namespace perigee::realtime {

Entry edf_iit_2() {
  Entry entry = staggered_entry(
      "edf_iit_2", "divisible loads planned on nodes as they become free, all of a load ending together",
      IdleTimes::exact);
  entry.source = "Mamat, 2011, section 6.4 (EDF-IIT-2); Chuprat and Baruah, RTCSA 2008";
  entry.complexity = "O(W N) an arrival, with W loads that wait for N nodes";
  return entry;
}

}  // namespace perigee::realtime
