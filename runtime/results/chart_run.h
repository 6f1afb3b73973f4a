// A Gantt chart as the run that it plans, for pictures.
#pragma once

#include "runtime/cost/chart_mapping.h"
#include "runtime/engine/simulation.h"

namespace perigee::results {

// What has been placed on it; hosts are held where something else is drawn. `plan` must outlive the outcome.
Outcome as_run(const ChartView& view, const ChartPlan& plan);

}  // namespace perigee::results
