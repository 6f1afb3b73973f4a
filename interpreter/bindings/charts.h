// Gantt charts as scripts see them: those that cost.chart { } makes, and that of a planner, which a heuristic
// looks at.
#pragma once

#include <memory>

#include "interpreter/bindings/mappings.h"
#include "runtime/cost/chart_mapping.h"

namespace perigee::interpreter::lua {

// `chart`, or `c` of a heuristic on a chart.
struct ChartValue {
  MapperCallPtr call;  // of a chart that a script has made: one that never ends
  ChartPlan plan = {};
  std::shared_ptr<const void> data = {};  // of such a one: what the chart looks at
  std::unique_ptr<ChartDraft> own = {};   // null: it can only be looked at
  const ChartView* shown = nullptr;       // of such a one
  int busy = 0;                           // a mapper fills it

  const ChartView& view() const { return own ? std::as_const(*own).view() : *shown; }
};
template <>
struct TypeName<ChartValue> {
  static constexpr const char* value = "gantt chart";
};

// sim:chart([planner]): as it would begin now.
int chart_of_simulation(lua_State* L);

}  // namespace perigee::interpreter::lua
