// Minimal: pending_list { job = "first", resource = "first" }. The thesis calls it OLB.
//
// Cost and ties: those of pending_list.

#include "runtime/schedulers/batch/list_policy.h"

namespace perigee::batch {

Entry minimal() {
  return pending_entry("minimal", "pending_list { job = first, resource = first }", JobOrder::first,
                       HostChoice::first);
}

}  // namespace perigee::batch
