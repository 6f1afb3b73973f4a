// The interval to the next plan and the margin of plans: constant, or following how much of the latest plan
// came true.
#pragma once

#include <vector>

#include "runtime/schedulers/grid/grid_queues.h"
#include "runtime/schedulers/grid/plan_drawing.h"

namespace perigee::grid {

// A value.
class PlanIntervals {
 public:
  explicit PlanIntervals(const PlannerSettings& settings)
      : settings_(settings), interval_(settings.interval), margin_(settings.margin) {}

  Seconds interval() const { return interval_; }  // to the next plan
  Seconds margin() const {                        // of a plan beyond the next one
    return settings_.margin_policy == PlannerSettings::MarginPolicy::interval ? interval_ : margin_;
  }

  // Notes what the plan predicts to be under way on each resource at the time `at`; +inf: nothing is
  // predicted.
  void predict(const PlanDrawing& plan, const GridQueues& queues, Time at);
  // At the predicted time, measures how much of the prediction is wrong, and adapts interval and margin.
  void measure(Sim& sim, const GridQueues& queues);

 private:
  struct OfServer {
    WorkId predicted = {};
    double weight = 1;  // 0 to 1
  };
  struct OfChannel {
    FileId predicted = {};
    bool home = false;
    double weight = 1;  // 0 to 1
  };

  PlannerSettings settings_;
  Seconds interval_, margin_;
  bool has_prediction_ = false;
  std::vector<OfServer> servers_;
  std::vector<OfChannel> channels_;
};

}  // namespace perigee::grid
