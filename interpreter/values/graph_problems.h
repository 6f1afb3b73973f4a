// Problems of task graphs as scripts see them: in a heuristic, in schedule() and in cost.graph.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/host/objects.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/mappings.h"
#include "runtime/cost/graph_costs.h"
#include "runtime/cost/graph_schedule.h"

namespace perigee::values {

// A problem that a script keeps, and what it stands for.
struct GraphProblemData {
  explicit GraphProblemData(GraphProblem made, std::optional<PlatformValue> of = {})
      : problem(std::move(made)), costs(problem), platform(std::move(of)) {}
  const GraphProblem problem;
  const GraphCosts costs;
  const std::optional<PlatformValue> platform;  // of which cost.graph made it
};

// `c` of a heuristic for task graphs, and what cost.graph and sim:graph make: a problem, and a schedule of it that is
// complete or not.
struct GraphProblemValue {
  MapperCallPtr call;  // a problem that the script has made has a call that never ends
  std::shared_ptr<const GraphProblemData>
      data;  // null: the problem is another's and lasts as long as the call
  const GraphCosts* costs;
  std::unique_ptr<GraphSchedule> own;    // null: the schedule is only shown to a function and must not change
  const GraphSchedule* shown = nullptr;  // in place of `own`

  const GraphProblem& problem() const { return costs->problem(); }
  const GraphSchedule& schedule() const { return own != nullptr ? *own : *shown; }

  // A problem of the script's own.
  static GraphProblemValue of(std::shared_ptr<const GraphProblemData> data) {
    const GraphCosts& costs = data->costs;
    return {std::make_shared<MapperCall>(), std::move(data), &costs,
            std::make_unique<GraphSchedule>(costs.problem())};
  }
};

}  // namespace perigee::values

namespace perigee::host {

template <>
struct TypeName<values::GraphProblemValue> {
  static constexpr const char* value = "graph problem";
};

}  // namespace perigee::host
