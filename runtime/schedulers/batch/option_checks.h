// Options of batch policies that would say nothing, which are refused: beside others, or on a platform.
#pragma once

#include <string_view>

#include "runtime/schedulers/catalogue.h"

namespace perigee::batch {

// For a policy with off_after and keep_on. Error "bad_parameter": hosts are to stay on that nothing switches off.
void check_keep_on(const Arguments& given, std::string_view policy);
// For a policy with preempt. Error "bad_parameter": the other parameters of with_preempt_parameters() are given, and nothing
// preempts.
void check_preemption(const Arguments& given, std::string_view policy);

// The demands on a platform of off_after, and of the rule for hosts that is the value of the parameter `host`, or `rule`;
// null: none.
const engine::Demands* demands_on_hosts(const Arguments& given);
const engine::Demands* demands_on_hosts_by(std::string_view rule, const Arguments& given);

}  // namespace perigee::batch
