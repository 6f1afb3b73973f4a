// A Gantt chart turned into the run that it plans, for pictures.
#pragma once

#include "runtime/cost/chart_mapping.h"
#include "runtime/engine/simulation.h"

namespace perigee::results {

// The tasks that were placed on the chart run. Hosts are held where the chart has anything else. `plan` must
// outlive the outcome.
Outcome as_run(const ChartView& view, const ChartPlan& plan);

}  // namespace perigee::results
