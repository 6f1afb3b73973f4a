// Longest-fastest: pending_list { job = "longest", resource = "high_gflops" }.
//
// Cost and ties: those of pending_list.

#include "runtime/schedulers/batch/list_policy.h"

namespace perigee::batch {

Entry longest_fastest() {
  return pending_entry("longest_fastest", "pending_list { job = longest, resource = high_gflops }",
                       JobOrder::longest, HostChoice::fastest);
}

}  // namespace perigee::batch
