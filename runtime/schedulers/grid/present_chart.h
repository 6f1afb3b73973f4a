// The Gantt chart with which a planner would take over a run now.
#pragma once

#include <memory>

#include "runtime/cost/chart_mapping.h"
#include "runtime/engine/simulation.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::grid {

// What is under way is drawn, all other tasks that have come wait; of a run that has not begun those of its
// first instant.
class PresentChart {
 public:
  // A copy of the run; `planner` is the configuration of one. Error when the run is over, or a planner does
  // not accept its work.
  PresentChart(Simulation run, const Config& planner);

  // Valid as long as this is, as is what is made of them.
  const Chart& chart() const;
  const ChartPlan& plan() const;

 private:
  struct Drawn;
  Simulation run_;
  std::shared_ptr<Drawn> drawn_;
};

}  // namespace perigee::grid
