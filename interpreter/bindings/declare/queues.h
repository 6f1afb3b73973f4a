// queue "name" { ... } and qos "name" { ... }, and the tables of them in scenario { }.
#pragma once

#include <memory>

#include "interpreter/host/fields.h"
#include "interpreter/values/declarations.h"

namespace perigee::bindings {

// The queues of scenario { queues = { ... }, qos = { ... } }; null where it declares neither.
std::shared_ptr<const model::Queues> queues_at(const Fields& scenario, const values::PlatformValue& platform);

}  // namespace perigee::bindings
