// Shortest-fastest: pending_list { job = "shortest", resource = "high_gflops" }.
//
// Cost and ties: those of pending_list.

#include "runtime/schedulers/batch/list_policy.h"

namespace perigee::batch {

Entry shortest_fastest() {
  return pending_entry("shortest_fastest", "pending_list { job = shortest, resource = high_gflops }",
                       JobOrder::shortest, HostChoice::fastest);
}

}  // namespace perigee::batch
