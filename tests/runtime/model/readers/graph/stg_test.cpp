#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/model/graph_structures.h"
#include "runtime/model/readers/graph/workflow_files.h"
#include "tests/runtime/model/readers/graph/same_graph.h"
#include "tests/support/faults.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"

using namespace perigee;
using namespace perigee::test;

namespace {

const std::string kTwoTasks = "  2\n# a remark\n0 0 0\n1 3 1 0\n\n2 4.5 1 1\n3 0 1 2\n# the end\n";

TaskGraph stg(const std::string& text, const StgOptions& options = {}) {
  return parse_stg(text, "a.stg", options).graph;
}
std::string stg_fault(const std::string& text, const StgOptions& options = {}) {
  return fault_line([&] { stg(text, options); });
}

double critical_path(const TaskGraph& graph) {
  std::vector<double> end(graph.tasks.size());
  for (std::size_t t = 0; t < end.size(); ++t) {  // a task is behind its predecessors in the file
    for (const std::uint32_t before : graph.tasks[t].after) end[t] = std::max(end[t], end[before]);
    end[t] += graph.tasks[t].amount;
  }
  return *std::ranges::max_element(end);
}

}  // namespace

TEST_CASE("stg: tasks with and without the dummies") {
  const TaskGraph graph = stg(kTwoTasks);
  REQUIRE(graph.tasks.size() == 4);
  CHECK(graph.form == TimeForm::seconds);
  CHECK(graph.tasks[2].name == "2");
  CHECK(graph.tasks[2].amount == 4.5);
  CHECK(graph.tasks[2].after == std::vector<std::uint32_t>{1});
  CHECK(edges_of(graph).size() == 3);
  const TaskGraph dropped = stg(kTwoTasks, {.drop_dummies = true});
  REQUIRE(dropped.tasks.size() == 2);
  CHECK(dropped.tasks[0].name == "1");
  CHECK(dropped.tasks[0].after.empty());
  CHECK(dropped.tasks[1].after == std::vector<std::uint32_t>{0});
}

TEST_CASE("stg: errors tell the line and the column") {
  CHECK(stg_fault("") == "stg_line a.stg: there is no number of tasks");
  CHECK(stg_fault("two\n") == "stg_line a.stg:1: column 1: the number of tasks must be a number, got 'two'");
  CHECK(
      stg_fault("1e300\n") ==
      "stg_line a.stg:1: column 1: the number of tasks must be a whole number from 0 to 100000000, got '1e300'");
  CHECK(stg_fault("1 2\n").starts_with("stg_count a.stg:1:"));
  CHECK(stg_fault("1\n0 0 0\n1 x 0\n") ==
        "stg_line a.stg:3: column 3: the time of the task must be a number, got 'x'");
  CHECK(stg_fault("1\n0 0\n").starts_with("stg_line a.stg:2:"));
  CHECK(stg_fault("1\n0 0 0\n1 -1 1 0\n") ==
        "workflow_time a.stg:3: column 3: the time of task 1 must be >= 0, got -1");
  CHECK(stg_fault("1\n0 0 0\n1 1e400 1 0\n").starts_with("stg_line a.stg:3: column 3"));
  CHECK(stg_fault("1\n0 0 0\n1 1 2 0\n") ==
        "stg_count a.stg:3: column 7: task 1 says 2 predecessors, and the line has 1");
  CHECK(stg_fault("1\n0 0 0\n1 1 0 0\n") ==
        "stg_count a.stg:3: column 7: task 1 says 0 predecessors, and the line has more");
  CHECK(stg_fault("1\n0 0 0\n2 1 0\n") == "stg_order a.stg:3: column 1: task 1 is to come here, got 2");
  CHECK(stg_fault("1\n0 0 0\n1 1 1 1\n") ==
        "stg_order a.stg:3: column 7: a predecessor of task 1 must be less than it, got 1");
  CHECK(stg_fault("99999999\n0 0 0\n") ==
        "stg_count a.stg: the file says 99999999 tasks and 2 dummies, and has 1 lines for them");
  CHECK(stg_fault("0\n0 0 0\n1 0 1 0\n2 0 0\n") ==
        "stg_count a.stg:4: column 1: the file says 0 tasks and 2 dummies, and has more lines");
  CHECK(stg_fault("0\n0 0 0\n1 0 1 0\n", {.drop_dummies = true}).starts_with("workflow_empty a.stg"));
  CHECK(stg_fault("1\n0 5 0\n1 1 1 0\n2 0 1 1\n", {.drop_dummies = true}) ==
        "workflow_time a.stg: task 0 is no dummy to be dropped: it takes 5 s");
}

TEST_CASE("stg: what is written is read as it was") {
  check_same(stg(write_stg(stg(kTwoTasks))), stg(kTwoTasks));
  const TaskGraph dropped = stg(kTwoTasks, {.drop_dummies = true});
  check_same(stg(write_stg(dropped), {.drop_dummies = true}), dropped);
  // Tasks get other numbers where a successor stood first: 2 before 1.
  TaskGraph backwards;
  backwards.tasks = {{.name = "last", .amount = 7, .after = {1}}, {.name = "first", .amount = 3}};
  CHECK(write_stg(backwards) == "2\n0 0 0\n1 3 1 0\n2 7 1 1\n3 0 1 2\n");
  TaskGraph cholesky = cholesky_structure(4);
  for (GraphTask& task : cholesky.tasks) task.amount = 0.1;
  const TaskGraph again = stg(write_stg(cholesky), {.drop_dummies = true});
  REQUIRE(again.tasks.size() == cholesky.tasks.size());
  for (std::size_t t = 0; t < again.tasks.size(); ++t) CHECK(again.tasks[t].after == cholesky.tasks[t].after);
  CHECK(again.tasks[3].amount == 0.1);
  add_dependencies(backwards, {{1, 0, 5.0}});
  CHECK(fault_line([&] { write_stg(backwards); }) ==
        "stg_line STG has no files, and this graph has 'first>last'");
}

TEST_CASE("stg: a task of a hundred thousand predecessors") {
  constexpr int kMany = 100'000;
  std::string text = std::to_string(kMany) + "\n0 0 0\n",
              last = std::to_string(kMany + 1) + " 0 " + std::to_string(kMany);
  for (int t = 1; t <= kMany; ++t) {
    text += std::to_string(t) + " 1 1 0\n";
    last += " " + std::to_string(t);
  }
  CHECK(edges_of(stg(text + last)).size() == 2 * kMany);
}

TEST_CASE("stg: the files of the shared data") {
  struct Known {
    const char* name;
    std::size_t tasks, edges;
    double work, critical_path;
  };
  static constexpr Known kKnown[] = {{"layered-50-1", 52, 116, 276, 65},
                                     {"layered-50-2", 52, 101, 257, 107},
                                     {"layered-100-1", 102, 302, 544, 66}};
  const std::filesystem::path folder = data_file("workflows/stg");
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: there is no " << folder);
    return;
  }
  for (const Known& known : kKnown) {
    INFO(known.name);
    const std::filesystem::path path = folder / (std::string(known.name) + ".stg");
    const TaskGraph graph = read_stg(path, {}).graph;
    CHECK(graph.tasks.size() == known.tasks);
    CHECK(edges_of(graph).size() == known.edges);
    double work = 0;
    for (const GraphTask& task : graph.tasks) work += task.amount;
    CHECK(work == known.work);
    CHECK(critical_path(graph) == known.critical_path);
    const TaskGraph dropped = read_stg(path, {.drop_dummies = true}).graph;
    CHECK(dropped.tasks.size() == known.tasks - 2);
    check_same(stg(write_stg(graph)), graph);
    check_same(stg(write_stg(dropped), {.drop_dummies = true}), dropped);
  }
}
