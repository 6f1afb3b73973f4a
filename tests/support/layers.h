#pragma once

#include "interpreter/layers.h"

// Tests find the names of every layer; see runtime/layers.h.
namespace perigee {

namespace test {
using namespace plots;
using namespace batch;
using namespace grid;
using namespace mapping;
using namespace realtime;
using namespace sweep;
using namespace host;
using namespace language;
using namespace values;
using namespace session;
using namespace callbacks;
using namespace experiments;
using namespace bindings;
using namespace prompt;
using namespace command;
}  // namespace test
namespace fuzz {
using namespace test;
}

}  // namespace perigee
