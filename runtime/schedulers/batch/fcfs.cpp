// First come, first served: work starts in order of arrival. If the first in line fits no host, all wait.
//
// With host = "fastest" it is first + high_gflops of the IRMaSim thesis; with "first" it is the thesis's
// Minimal.
// Cost: O(log T + H) an assignment. Ties: lowest host; arrivals at the same time in order of input.

#include "runtime/schedulers/batch/list_policy.h"
#include "runtime/schedulers/batch/option_checks.h"
#include "runtime/schedulers/batch/power_saving.h"

namespace perigee::batch {

Entry fcfs() {
  Entry entry = list_entry("fcfs", "work starts in order of arrival; the first in line blocks the rest",
                           JobOrder::first, HostChoice::fastest);
  entry.source = "Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2";
  entry.ties = "lowest host, order of input";
  entry.parameters = with_power_parameters({host_parameter(), mold_parameter()});
  entry.check = [](const Arguments& given) { check_keep_on(given, "fcfs"); };
  entry.demands = demands_on_hosts;
  entry.make_policy = [](const Arguments& given) {
    return list_policy(JobOrder::first, host_rule(given), mold_rule(given), power_settings(given));
  };
  return entry;
}

}  // namespace perigee::batch
