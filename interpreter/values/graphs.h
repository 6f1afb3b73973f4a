// Task graphs as scripts hold them.
#pragma once

#include <memory>

#include "interpreter/host/objects.h"
#include "interpreter/layers.h"
#include "runtime/model/task_graph.h"

namespace perigee::values {

// Checked, and never changed.
using GraphValue = std::shared_ptr<const model::TaskGraph>;

}  // namespace perigee::values

namespace perigee::host {

template <>
struct TypeName<values::GraphValue> {
  static constexpr const char* value = "task graph";
};

}  // namespace perigee::host
