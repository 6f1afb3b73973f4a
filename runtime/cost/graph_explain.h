// Why a task of a graph is where a graph scheduler has put it, found from the problem and the answer alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/cost/explain.h"
#include "runtime/cost/graph_problem.h"
#include "runtime/cost/graph_schedule.h"

namespace perigee::cost {

// The step at which a task was placed: `tasks` are those that were ready then, `machines` what it could choose among.
struct GraphStep : MappingStep {
  // A task that it waited for.
  struct Input {
    std::uint32_t task = 0, machine = 0;
    double finish = 0, arrival = 0;  // s; of the task, and of its data on the machine that was chosen
  };
  double start = 0, finish = 0;    // s
  std::vector<Input> inputs = {};  // by task
};

// The schedule as it was before the task was placed. Sets all of the step but `rule`, `tasks` and `machines`.
GraphSchedule before_graph_step(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
                                GraphFit fit, GraphStep& out);
// The ready tasks, by a number for each.
void compare_ready(const GraphSchedule& before, std::span<const double> priority, std::string_view score,
                   GraphStep& out);
// The machines; those that cannot run the task are marked.
void compare_graph_machines(const GraphSchedule& before, std::size_t task, std::string_view score,
                            Prefer better, const std::function<double(std::size_t machine)>& score_of,
                            GraphStep& out);
void compare_finishes(const GraphSchedule& before, std::size_t task, GraphStep& out);
// The finishes as numbers alone: something else decided, and the rule says what.
void show_finishes(const GraphSchedule& before, std::size_t task, GraphStep& out);
void compare_starts(const GraphSchedule& before, std::size_t task, GraphStep& out);

}  // namespace perigee::cost
