#pragma once

#include "runtime/layers.h"

// The namespaces of the interpreter; see runtime/layers.h.
namespace perigee {

namespace host {
using namespace plots;
using namespace readers;
}  // namespace host
namespace language {
using namespace host;
}
namespace values {
using namespace host;
}
namespace session {
using namespace language;
using namespace values;
}  // namespace session
namespace callbacks {
using namespace session;
}
namespace experiments {
using namespace session;
}
namespace bindings {
using namespace callbacks;
using namespace experiments;
}  // namespace bindings
namespace prompt {
using namespace bindings;
}
namespace notebook {
using namespace prompt;
}
namespace command {
using namespace notebook;
}

}  // namespace perigee
