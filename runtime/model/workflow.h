// Works that wait for other works: for the files that these make, or only for their ends.
#pragma once

#include <span>
#include <vector>

#include "runtime/model/workload.h"

namespace perigee::model {

// Sets Workload::precedence, from the files that one work makes and another reads and from `after`, and File::home of
// all outputs: one that some work reads stays where it was made, unless its `home` is set already. To be called once for
// the works from `first` on, which wait for none before them. Error workflow_duplicate, naming both, where two works make
// one file; workflow_cycle, with the shortest cycle through the lowest work.
void connect(Workload& workload, WorkId first, std::span<const Precedence::Edge> after);

}  // namespace perigee::model
