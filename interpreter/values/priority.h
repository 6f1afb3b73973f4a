#pragma once

#include "interpreter/host/stack.h"
#include "interpreter/layers.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::values {

// multifactor { ... }: a native rule of the priority of works, in place of a function (sim, work).
struct PriorityValue {
  RulePtr rule;
};

}  // namespace perigee::values

namespace perigee::host {

template <>
struct TypeName<values::PriorityValue> {
  static constexpr const char* value = "priority";
};

}  // namespace perigee::host
