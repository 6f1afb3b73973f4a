// The policy around StaggeredPlans, for edf_iit_1 and edf_iit_2.
#pragma once

#include <string>

#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/realtime/staggered_plans.h"

namespace perigee::realtime {

Entry staggered_entry(std::string name, std::string summary, IdleTimes idle_times);

}  // namespace perigee::realtime
