// The tasks of a run that are left, as a problem of the textbook model.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "runtime/cost/graph_problem.h"
#include "runtime/engine/sim.h"

namespace perigee::workflow {

// Where a task is to run that keeps its place.
struct Promise {
  HostId host;
  Time start = 0, finish = 0;
};

// Tasks that have arrived, and neither run nor are posted.
bool is_left(const View& view, WorkId work);
std::vector<WorkId> left_works(const View& view);

// Tasks are `works`, in this order; machines are the cores of the hosts that are up, those of a host together, the idle
// ones first. By what the policy may know: what runs ends when it is expected to, copies of files are where they are, and
// tasks that are promised keep `kept`, by host and start.
GraphProblem present_graph(Sim& sim, std::span<const WorkId> works,
                           std::span<const std::pair<WorkId, Promise>> kept = {});

}  // namespace perigee::workflow
