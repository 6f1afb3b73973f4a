// Rounds without a barrier: an idle host gets its share at once. AMRA, SAMRA, SSSE-AMRA and ISSSE-AMRA are
// settings of this policy.
#pragma once

#include "runtime/schedulers/sweep/rounds.h"

namespace perigee::sweep {

struct AsynchronousSettings {
  bool whole = false;   // shares are rounded up, else to multiples of units
  bool probes = false;  // the first package of a host has the size `probe`
  bool capped = false;  // packages are made from quotas rounded down and capped by what is left
  bool redistributes = false, any_idle = false, measured_ends = false;
  PerRound units = {{}, 1.0}, probe = {{}, 1.0}, threshold = {{}, 0.0};
};

std::unique_ptr<Policy> asynchronous(Quota quota, Rounds::Learning learning, AsynchronousSettings settings);

}  // namespace perigee::sweep
