// Schedulers as scripts see them, and schedulers that scripts write.
#pragma once

#include <memory>
#include <optional>

#include "interpreter/host/stack.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::values {

// The value of the global name of a scheduler.
struct Constructor {
  std::shared_ptr<const Entry> entry;
};

}  // namespace perigee::values

namespace perigee::host {

template <>
struct TypeName<values::Constructor> {
  static constexpr const char* value = "constructor";
};

}  // namespace perigee::host

namespace perigee::values {

// Metatables of the arrays that a policy's callbacks get: during the call, and after it.
inline constexpr const char *kLent = "array of a callback", *kReturned = "array of a callback that is over";

}  // namespace perigee::values
