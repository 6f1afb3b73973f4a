// Full random: pending_list { job = "random", resource = "random" }.
//
// Cost and ties: those of pending_list.

#include "runtime/schedulers/batch/list_policy.h"

namespace perigee::batch {

Entry full_random() {
  return pending_entry("full_random", "pending_list { job = random, resource = random }", JobOrder::random,
                       HostChoice::random);
}

}  // namespace perigee::batch
