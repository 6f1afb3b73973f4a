// Jobs in order of a fixed priority, with preemption. The priority of a periodic task is its rate.
#include "runtime/schedulers/realtime/preemptive.h"

namespace perigee::realtime {

Entry rate_monotonic() {
  Entry entry = preemptive_entry(
      "the job with the largest priority runs, which is the rate of its task; what it preempts is suspended",
      Urgency::priority);
  entry.name = "rate_monotonic";
  entry.source = "Liu and Layland, JACM 20(1), 1973, section 4";
  return entry;
}

}  // namespace perigee::realtime
