// A task graph: tasks, the files they make and read, and who waits for whom.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/model/precedence.h"
#include "runtime/model/workload.h"

namespace perigee::model {

struct GraphFile {
  std::string name;
  double size = 0;    // B, >= 0
  bool home = false;  // it goes to the origin, whoever reads it
};

struct GraphTask {
  std::string name;
  std::string category = {};                // what kind of task it is, of formats that say so
  double amount = 0;                        // op or s, by TaskGraph::form; not used where times are by host
  double priority = 0;                      // larger is more important
  std::vector<std::uint32_t> inputs = {};   // in TaskGraph::files, each once
  std::vector<std::uint32_t> outputs = {};  // the same; a file is the output of one task at most
  std::vector<std::uint32_t> after = {};    // tasks that come first, without data
};

// A plain value, what a script calls a graph. A file that no task makes is an input that is at the origin from the start.
struct TaskGraph {
  TimeForm form = TimeForm::operations;  // not by_architecture
  std::size_t hosts = 0;                 // by_host: columns of `times`
  std::vector<double> times = {};        // by_host: a row of seconds for each task; +inf = cannot run there
  std::vector<GraphTask> tasks = {};
  std::vector<GraphFile> files = {};
};

inline constexpr std::size_t kMostGraphTasks = 100'000'000, kMostGraphEdges = 1'000'000'000;

// The data that goes from one task to another.
struct GraphEdge {
  std::uint32_t from = 0, to = 0;
  std::uint32_t files = 0;  // 0 = the one only waits for the other
  double bytes = 0;         // of all these files
  double largest = 0;       // of the largest of them
};

// By (from, to); files and `after` between the same two tasks are one edge.
std::vector<GraphEdge> edges_of(const TaskGraph& graph);
Precedence precedence_of(const TaskGraph& graph);
// The task that makes each file; kNone = nobody.
std::vector<std::uint32_t> makers_of(const TaskGraph& graph);

// Throws Error unless names are unique, numbers are in range and there is no cycle: workflow_empty, workflow_duplicate,
// workflow_reference, workflow_size, workflow_time, workflow_hosts, workflow_cycle.
void check_graph(const TaskGraph& graph);

// An edge as a script or a format states it: one task waits for the other, and gets so many bytes from it.
struct Dependency {
  std::uint32_t from = 0, to = 0;
  std::optional<double> bytes = {};  // none: it only waits
};

// Each with bytes becomes a file of its own, "from>to" by the names of the tasks; files are added by (from, to). The
// same two tasks twice are one edge, with the bytes that one of them says. Error workflow_size: two say different bytes.
void add_dependencies(TaskGraph& graph, std::vector<Dependency> dependencies);

}  // namespace perigee::model
