#pragma once

// Each layer has a namespace of its own, and finds the names of those below it without a prefix. Names of
// layers above it or beside it are written in full, which shows where a layer looks up.
namespace perigee {

namespace kernel {}
namespace math {
using namespace kernel;
}
namespace statistics {
using namespace kernel;
}
namespace space {
using namespace kernel;
}
namespace model {
using namespace kernel;
}
namespace readers {
using namespace model;
}
namespace cost {
using namespace model;
}
namespace engine {
using namespace cost;
using namespace statistics;
}  // namespace engine
namespace schedulers {
using namespace engine;
using namespace space;
}  // namespace schedulers
namespace mapping {
using namespace schedulers;
}
namespace batch {
using namespace schedulers;
}
namespace grid {
using namespace schedulers;
}
namespace sweep {
using namespace schedulers;
}
namespace realtime {
using namespace schedulers;
}
namespace workflow {
using namespace schedulers;
}
namespace search {
using namespace schedulers;
}
namespace results {
using namespace schedulers;
}
namespace validation {
using namespace results;
}
namespace plots {
using namespace results;
}
namespace pages {
using namespace plots;
}

}  // namespace perigee
