// Shortest job first: as fcfs, but the queue is in order of predicted time.
//
// The time of a job is its longest predicted time on any host. Cost: O(log T + H) an assignment. Ties:
// order of arrival, then of input; lowest host.

#include "runtime/schedulers/batch/list_policy.h"
#include "runtime/schedulers/batch/option_checks.h"
#include "runtime/schedulers/batch/power_saving.h"

namespace perigee::batch {

Entry sjf() {
  Entry entry = list_entry("sjf", "the shortest job by estimate first; while it fits no host, all wait",
                           JobOrder::shortest, HostChoice::fastest);
  entry.source = "the queue of Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2, sorted by estimate";
  entry.parameters = with_power_parameters({host_parameter(), mold_parameter()});
  entry.check = [](const Arguments& given) { check_keep_on(given, "sjf"); };
  entry.demands = demands_on_hosts;
  entry.make_policy = [](const Arguments& given) {
    return list_policy(JobOrder::shortest, host_rule(given), mold_rule(given), power_settings(given));
  };
  return entry;
}

}  // namespace perigee::batch
