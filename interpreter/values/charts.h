// Gantt charts as scripts see them. cost.chart { } makes charts. A heuristic looks at the chart of a planner.
#pragma once

#include <memory>

#include "interpreter/values/mappings.h"
#include "runtime/cost/chart_mapping.h"

namespace perigee::values {

// `chart`, or `c` of a heuristic on a chart.
struct ChartValue {
  MapperCallPtr call;  // a chart that a script has made has a call that never ends
  ChartPlan plan = {};
  std::shared_ptr<const void> data = {};  // the data of a chart that a script has made
  std::unique_ptr<ChartDraft> own = {};   // null: it can only be looked at
  const ChartView* shown = nullptr;       // the chart of a planner
  int busy = 0;                           // > 0 while a mapper fills the chart

  const ChartView& view() const { return own ? std::as_const(*own).view() : *shown; }
};

}  // namespace perigee::values

namespace perigee::host {

template <>
struct TypeName<values::ChartValue> {
  static constexpr const char* value = "gantt chart";
};

}  // namespace perigee::host
