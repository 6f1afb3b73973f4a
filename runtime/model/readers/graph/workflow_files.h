// Task graphs in files: WfFormat, the Standard Task Graph Set, DOT.
//
// Errors have the codes of check_graph() and those below, and tell file, line and column, WfFormat's the JSON path too.
// Names of another kind than a file's own are never looked at: what a format tells beyond a graph is passed over.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/readers/findings.h"
#include "runtime/model/task_graph.h"

namespace perigee::readers {

inline constexpr std::uintmax_t kLargestWorkflowFile = std::uintmax_t{1} << 30;  // bytes

struct WorkflowFile {
  TaskGraph graph;
  std::string name;                  // that the file has for it; may be empty
  std::vector<LogFinding> findings;  // what was odd, in words; each at most once
};

// The JSON of WfCommons, version 1.5: tasks, the files that they read and make, and run times. A task is called by its
// id, and its `name` is the category. One task is before another if one of them says so (`parents`, `children`), or if
// it makes a file that the other reads; the findings tell of edges on which these disagree. Cores beyond one are left
// out. Versions 1.3 and 1.4 have one list of tasks, with their files, and call tasks by `name`.
//
// Codes: bad_json, out_of_range, wfformat_version, wfformat_field, wfformat_type.
struct WfFormatOptions {
  TimeForm form = TimeForm::operations;  // or seconds
  double reference = 1;                  // op/s, > 0: operations = run time * reference
  std::optional<double> time = {};       // s, >= 0, of tasks of which no run time is told
  bool older = false;                    // versions 1.3 and 1.4 too
};
WorkflowFile read_wfformat(const std::filesystem::path& path, const WfFormatOptions& options);
WorkflowFile parse_wfformat(std::string_view text, std::string_view name, const WfFormatOptions& options);
// How the tasks of a graph were executed, as WfFormat tells it.
struct WfExecution {
  struct Task {
    double seconds = 0;  // of its computation: what is written as its run time
    double start = 0;    // s, since the beginning of the run
    std::string machine;
  };
  struct Machine {
    std::string name;
    std::int32_t cores = 1;
  };
  double makespan = 0;      // s
  std::vector<Task> tasks;  // per task of the graph
  std::vector<Machine> machines;
};
// Reads back, in the same form and with reference 1, as the same graph, but for GraphFile::home. With an execution the
// run times are those, and the beginning of the run counts as that of 1970. Error wfformat_type: the times are by host
// and there is no execution, or a name is no UTF-8.
std::string write_wfformat(const TaskGraph& graph, std::string_view name,
                           const WfExecution* execution = nullptr);

// The number n of tasks, then a line for each of n + 2: number from 0, time, number of predecessors, predecessors. The
// first and the last are dummies, which begin and end the graph. Times are seconds on every host; there are no files.
// Tasks are called by their number.
//
// Codes: stg_line, stg_count, stg_order.
struct StgOptions {
  bool drop_dummies = false;
};
WorkflowFile read_stg(const std::filesystem::path& path, const StgOptions& options);
WorkflowFile parse_stg(std::string_view text, std::string_view name, const StgOptions& options);
// Tasks get the numbers of their topological order. Dummies are added unless the graph has them. Reads back as the same
// graph but for numbers and names, with the dummies dropped if they were added. Operations become seconds. Error
// stg_line: the graph has files, or times by host.
std::string write_stg(const TaskGraph& graph);

// A `digraph`. Attributes of nodes: `size` or `ops` (op), `time` (s), `times` ("1,2,inf", s by host), `priority`,
// `category`; all tasks have times of one kind. Attributes of edges: `size` (B). In quoted names \" is a quotation
// mark and \\ a backslash.
//
// Code: dot_syntax.
WorkflowFile read_dot(const std::filesystem::path& path);
WorkflowFile parse_dot(std::string_view text, std::string_view name);
// Reads back as the same graph if has_edge_files(), otherwise with the same tasks, edges and bytes of edges.
std::string write_dot(const TaskGraph& graph, std::string_view name);

// Each file has one producer and one reader, and is what add_dependencies() makes of the two.
bool has_edge_files(const TaskGraph& graph);

}  // namespace perigee::readers
