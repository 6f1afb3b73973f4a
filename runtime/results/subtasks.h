// The sub-tasks of a run and their graph, which shows what each one waited for, and the chain of sub-tasks
// that decided the makespan.
//
// Source: Berman et al., LIP RR 1999-46, section 5.4 and Figure 4.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/results/executions.h"
#include "runtime/results/table.h"

namespace perigee::results {

// The longest path, by the time of its sub-tasks and so with the least waiting, of those that end at the last
// computation or output that ended by the makespan. Ties: the predecessor that ended last, then the first to
// start.
struct CriticalChain {
  std::vector<std::uint32_t> path;  // vertices of the graph in subtask_graph.h, by start
  // s; waiting: before the first sub-task (from 0), between two, and after the last. They add up to the
  // makespan; NaN if nothing finished.
  Seconds computation = 0, transfer = 0, waiting = 0;
};
CriticalChain critical_chain(const Outcome& outcome, const Executions& executions);

// A row for each sub-task of the chain: kind, work, file, resource, start, finish, wait and order. The wait
// is since the sub-task before, or since 0. The order tells why it comes after that one.
Table critical_chain_table(const Outcome& outcome);

// The graph in the language of Graphviz: computations are boxes, transfers ellipses, orders on a resource
// dashed, the critical chain bold. Lines end with "\n".
std::string subtask_dot(const Outcome& outcome);

// The components of the bipartite graph of tasks and the files that they need: a row for each connected
// component with a file, in order of their first task. Columns: tasks, input files, files that several tasks
// need, B of both, and B that the tasks need one by one.
Table components(const Workload& workload);

}  // namespace perigee::results
