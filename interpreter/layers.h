#pragma once

#include "runtime/layers.h"

// The namespaces of the interpreter; see runtime/layers.h.
namespace perigee {

namespace interpreter {
using namespace results;
using namespace readers;
}  // namespace interpreter
namespace experiments {
using namespace interpreter;
}

}  // namespace perigee
