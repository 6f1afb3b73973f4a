// What a run was made of, and what each part had to wait for: sub-tasks and their graph, and the chain of
// them that decided the makespan.
//
// Source: Berman et al., LIP RR 1999-46, section 5.4 and Figure 4.
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/results/executions.h"
#include "runtime/results/table.h"

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

// Vertices in order of start, edges to what started after their tail had ended. What was lost or cancelled is
// none of them: its time is waited. A computation takes the cores of its host that have been free for
// longest.
using SubTaskGraph = boost::compressed_sparse_row_graph<boost::directedS, SubTask, SubTaskOrder>;
SubTaskGraph subtask_graph(const Outcome& outcome, const Executions& executions);

// The longest path by the time of its sub-tasks, which waits least, of those that end at the last
// computation or output that ended by the makespan. Ties: the predecessor that ended last, then the first to
// start.
struct CriticalChain {
  std::vector<std::uint32_t> path;  // vertices, by start
  // s; waiting: before the first (from 0), between two, and after the last. They add up to the makespan; NaN
  // when nothing finished.
  Seconds computation = 0, transfer = 0, waiting = 0;
};
// An Error "internal" when the graph has a cycle.
CriticalChain critical_chain(const SubTaskGraph& graph, Time makespan);
CriticalChain critical_chain(const Outcome& outcome, const Executions& executions);

// A row for each sub-task of the chain: kind, work, file, resource, start, finish, wait since the one before
// (or 0), and by which order it comes after that one.
Table critical_chain_table(const Outcome& outcome);

// In the language of Graphviz: computations are boxes, transfers ellipses, orders on a resource dashed, the
// critical chain bold. Lines ended by "\n".
std::string subtask_dot(const Outcome& outcome);

// Of the bipartite graph of tasks and the files that they need: a row for each connected component in which
// there is a file, in order of their first task. Tasks, input files, those that several tasks need, B of
// both, and B that the tasks need one by one.
Table components(const Workload& workload);

}  // namespace perigee::results
