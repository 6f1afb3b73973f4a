// Preemptive scheduling of jobs of one core. At every time the most urgent ones run, and those that have begun and do not
// are suspended. On one host that is exact; a job stays on the host where it has begun.
#pragma once

#include <memory>
#include <string>

#include "runtime/schedulers/catalogue.h"

namespace perigee::realtime {

// The key by which jobs are urgent. Ties: by arrival, then by input, so that what runs is never suspended for its equal.
enum class Urgency : std::uint8_t {
  deadline,  // the earliest first
  priority,  // the largest first; of workload.periodic the rate of the task
};

// An entry without name and source.
Entry preemptive_entry(std::string summary, Urgency urgency);

}  // namespace perigee::realtime
