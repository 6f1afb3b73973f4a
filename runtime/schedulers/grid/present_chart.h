// The Gantt chart with which a planner would take over a run now.
#pragma once

#include <memory>

#include "runtime/cost/chart_mapping.h"
#include "runtime/engine/simulation.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::grid {

// Activities under way are drawn; all other tasks that have arrived wait. If the run has not begun, the tasks
// of its first instant wait.
class PresentChart {
 public:
  // `run` is a copy; `planner` is the configuration of a planner. Error if the run is over, or if a planner
  // does not accept its work.
  PresentChart(Simulation run, const Config& planner);

  // Valid as long as this object, as is everything made of them.
  const Chart& chart() const;
  const ChartPlan& plan() const;

 private:
  struct Drawn;
  Simulation run_;
  std::shared_ptr<Drawn> drawn_;
};

}  // namespace perigee::grid
