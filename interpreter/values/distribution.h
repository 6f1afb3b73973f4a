#pragma once

#include "interpreter/host/stack.h"
#include "runtime/statistics/distribution.h"

namespace perigee::host {

template <>
struct TypeName<statistics::Distribution> {
  static constexpr const char* value = "probability distribution";
};

}  // namespace perigee::host
