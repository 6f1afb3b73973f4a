// Conservative backfilling that makes every promise at once, and all promises anew whenever something did not
// go as expected. `conservative` must decide the same.
#pragma once

#include <memory>

#include "runtime/engine/simulation.h"
#include "tests/support/layers.h"

namespace perigee::test {

std::unique_ptr<Policy> eager_conservative();

}  // namespace perigee::test
