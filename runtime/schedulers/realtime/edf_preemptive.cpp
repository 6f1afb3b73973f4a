// Jobs in order of deadline, with preemption: the deadline driven scheduling algorithm.
#include "runtime/schedulers/realtime/preemptive.h"

namespace perigee::realtime {

Entry edf_preemptive() {
  Entry entry = preemptive_entry("the job with the earliest deadline runs; what it preempts is suspended",
                                 Urgency::deadline);
  entry.name = "edf_preemptive";
  entry.source = "Liu and Layland, JACM 20(1), 1973, section 7";
  return entry;
}

}  // namespace perigee::realtime
