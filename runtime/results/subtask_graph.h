// The graph of a run's sub-tasks, for those who walk it. Its results are in subtasks.h, without Boost.
//
// Source: Berman et al., LIP RR 1999-46, section 5.4 and Figure 4.
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstdint>

#include "runtime/results/subtasks.h"

namespace perigee::results {

// A computation, transfer or chunk that ended well.
struct SubTask {
  ActivityKind kind = ActivityKind::none;
  WorkId work;    // none: an input, which may be shared
  FileId file;    // of a transfer
  ResourceId on;  // the host, or the link of the cluster
  Time start = 0, end = 0;
  std::uint32_t execution = 0;  // in Executions::all

  Seconds duration() const { return end - start; }
  bool computes() const { return kind == ActivityKind::compute; }
};

enum class SubTaskOrder : std::uint8_t {
  dependency,  // input or chunk before the computation, that before its outputs
  resource,    // the next on the same core or exclusive link
};

// Vertices are in order of start. Edges lead to sub-tasks that started after the edge's tail had ended. Lost
// or cancelled activities are no sub-tasks: their time counts as waiting. A computation takes the cores of
// its host that have been free for longest.
using SubTaskGraph = boost::compressed_sparse_row_graph<boost::directedS, SubTask, SubTaskOrder>;
SubTaskGraph subtask_graph(const Outcome& outcome, const Executions& executions);

// Error "internal" if the graph has a cycle.
CriticalChain critical_chain(const SubTaskGraph& graph, Time makespan);

}  // namespace perigee::results
