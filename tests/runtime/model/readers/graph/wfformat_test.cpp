#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/model/readers/graph/workflow_files.h"
#include "tests/runtime/model/readers/graph/same_graph.h"
#include "tests/support/faults.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// `{"id": "a", "name": "first", ...}` of a file in version 1.5.
std::string wf_file(const std::string& tasks, const std::string& files, const std::string& execution) {
  return R"({"name": "w", "schemaVersion": "1.5", "workflow": {"specification": {"tasks": [)" + tasks +
         "], \"files\": [" + files + "]}" +
         (execution.empty() ? "" : ", \"execution\": {\"tasks\": [" + execution + "]}") + "}}";
}
const std::string kAThenB =
    R"({"id": "a", "name": "first", "children": ["b"], "outputFiles": ["f"]},
       {"id": "b", "name": "b", "parents": ["a"], "inputFiles": ["e", "f"]})";
const std::string kEAndF = R"({"id": "e", "sizeInBytes": 3}, {"id": "f", "sizeInBytes": 5})";
const std::string kOneAndTwo =
    R"({"id": "b", "runtimeInSeconds": 2, "priority": 7}, {"id": "a", "runtimeInSeconds": 1.5})";

WorkflowFile wf(const std::string& text, const WfFormatOptions& options = {}) {
  return parse_wfformat(text, "w.json", options);
}
std::string wf_fault(const std::string& text, const WfFormatOptions& options = {}) {
  return fault_line([&] { wf(text, options); });
}
std::vector<std::string> findings_of(const WorkflowFile& file) {
  std::vector<std::string> all;
  for (const LogFinding& each : file.findings)
    all.push_back(std::to_string(each.count) + " " + each.what + ": " + each.done);
  return all;
}

}  // namespace

TEST_CASE("wfformat: tasks, files and run times") {
  const WorkflowFile file = wf(wf_file(kAThenB, kEAndF, kOneAndTwo), {.reference = 10});
  const TaskGraph& graph = file.graph;
  CHECK(file.name == "w");
  CHECK(file.findings.empty());
  REQUIRE(graph.tasks.size() == 2);
  CHECK(graph.form == TimeForm::operations);
  CHECK(graph.tasks[0].name == "a");
  CHECK(graph.tasks[0].category == "first");
  CHECK(graph.tasks[0].amount == 15);
  CHECK(graph.tasks[1].amount == 20);
  CHECK(graph.tasks[1].category.empty());
  CHECK(graph.tasks[1].priority == 7);
  CHECK(graph.tasks[1].inputs == std::vector<std::uint32_t>{0, 1});
  CHECK(graph.tasks[1].after.empty());
  const auto edges = edges_of(graph);
  REQUIRE(edges.size() == 1);
  CHECK(edges[0].bytes == 5);
  CHECK(wf(wf_file(kAThenB, kEAndF, kOneAndTwo), {.form = TimeForm::seconds}).graph.tasks[0].amount == 1.5);
}

TEST_CASE("wfformat: edges are parents, children and files together; what disagrees is told") {
  const std::string tasks = R"({"id": "a", "children": [], "outputFiles": ["f"]},
      {"id": "b", "parents": ["a"], "children": ["c", "c"]},
      {"id": "c", "parents": ["b"], "inputFiles": ["f"]},
      {"id": "d", "parents": []}, {"id": "e", "parents": ["d", "c"]})";
  const WorkflowFile file =
      wf(wf_file(tasks, R"({"id": "f", "sizeInBytes": 4})", R"({"id": "a", "runtimeInSeconds": 0,
      "coreCount": 4})"),
         {.time = 3});
  CHECK(edges_of(file.graph).size() == 5);
  CHECK(file.graph.tasks[0].amount == 0);
  CHECK(file.graph.tasks[4].amount == 3);
  CHECK(file.graph.tasks[4].after == std::vector<std::uint32_t>{2, 3});
  CHECK(findings_of(file) ==
        std::vector<std::string>{
            "3 edges that one of their two tasks does not list (first 'a' -> 'b'): they are edges",
            "1 edges by files that are in no list of parents or children (first 'a' -> 'c'): they are edges",
            "1 tasks of more than one core: they have one"});
  // Where no task has children at all, parents alone are enough.
  CHECK(wf(wf_file(R"({"id": "a"}, {"id": "b", "parents": ["a"]})", "", ""), {.time = 1}).findings.empty());
}

TEST_CASE("wfformat: versions 1.3 and 1.4") {
  const auto older = [](const std::string& version, const std::string& time, const std::string& size) {
    return R"({"schemaVersion": ")" + version + R"(", "workflow": {"tasks": [
      {"name": "x_1", "id": "1", "category": "x", ")" +
           time + R"(": 4, "cores": 1, "children": ["x_2"],
       "files": [{"link": "output", "name": "f", ")" +
           size + R"(": 9}]},
      {"name": "x_2", "id": "2", ")" +
           time + R"(": 5, "parents": ["1"],
       "files": [{"link": "input", "name": "f", ")" +
           size + R"(": 9}]}]}})";
  };
  for (const auto& text :
       {older("1.3", "runtime", "size"), older("1.4", "runtimeInSeconds", "sizeInBytes")}) {
    const WorkflowFile file = wf(text, {.older = true});
    CHECK(file.findings.empty());
    CHECK(file.graph.tasks[1].name == "x_2");
    CHECK(file.graph.tasks[0].category == "x");
    CHECK(file.graph.tasks[1].amount == 5);
    REQUIRE(edges_of(file.graph).size() == 1);
    CHECK(edges_of(file.graph)[0].bytes == 9);
  }
  CHECK(
      wf_fault(older("1.4", "runtime", "size")) ==
      "wfformat_version w.json:1: column 19: $.schemaVersion: version '1.4' is not read, but 1.5, and 1.3 and 1.4 "
      "with the option 'older'");
  std::string differs = older("1.3", "runtime", "size");
  differs.replace(differs.rfind('9'), 1, "8");
  CHECK(
      wf_fault(differs, {.older = true}) ==
      "workflow_size w.json:5: column 57: $.workflow.tasks[1].files[0].size: file 'f' has 8 bytes here, and 9 before");
}

TEST_CASE("wfformat: errors tell the place") {
  const auto tasks = [](const std::string& text) { return wf_fault(wf_file(text, kEAndF, ""), {.time = 1}); };
  CHECK(wf_fault(R"({"schemaVersion": "2.0", "workflow": {}})") ==
        "wfformat_version w.json:1: column 19: $.schemaVersion: version '2.0' is not read, but 1.5");
  CHECK(wf_fault(R"({"schemaVersion": 1.5})") ==
        "wfformat_type w.json:1: column 19: $.schemaVersion: must be a string, got 1.5");
  CHECK(wf_fault("{\n \"name\": \"w\"}") ==
        "wfformat_field w.json:1: column 1: $: 'schemaVersion' is missing");
  CHECK(tasks("").starts_with(
      "workflow_empty w.json:1: column 79: $.workflow.specification.tasks: there is no task"));
  CHECK(tasks(R"({"id": 3})").ends_with("$.workflow.specification.tasks[0].id: must be a string, got 3"));
  CHECK(tasks(R"({"id": "a", "parents": "b"})").starts_with("wfformat_type"));
  CHECK(
      tasks(R"({"id": "task_1"}, {"id": "b", "parents": ["tsk_1"]})") ==
      "workflow_reference w.json:1: column 122: $.workflow.specification.tasks[1].parents[0]: there is no task "
      "'tsk_1'; did you mean 'task_1'?");
  CHECK(tasks(R"({"id": "a", "inputFiles": ["g"]})").starts_with("workflow_reference"));
  CHECK(tasks(R"({"id": "a"}, {"id": "a"})")
            .ends_with("tasks[1].id: 'a' is already the name of $.workflow.specification.tasks[0]"));
  CHECK(
      tasks(R"({"id": "a", "outputFiles": ["f"]}, {"id": "b", "outputFiles": ["f"]})")
          .ends_with("tasks[1].outputFiles[0]: file 'f' is an output of 'a' already; one task makes a file"));
  CHECK(tasks(R"({"id": "a", "inputFiles": ["f", "f"]})")
            .ends_with("inputFiles[1]: file 'f' stands twice in the inputs of task 'a'"));
  CHECK(tasks(R"({"id": "a", "inputFiles": ["f"], "outputFiles": ["f"]})") ==
        "workflow_cycle w.json: task 'a' waits for itself: file 'f' is both its input and its output");
  CHECK(tasks(R"({"id": "a", "parents": ["b"]}, {"id": "b", "parents": ["a"]})") ==
        "workflow_cycle w.json: 2 tasks wait for one another: 'a' -> 'b' -> 'a'");
  const auto size = [](const std::string& value) {
    return wf_fault(wf_file(R"({"id": "a"})", R"({"id": "e", "sizeInBytes": )" + value + "}", ""),
                    {.time = 1});
  };
  CHECK(size("-1").starts_with("workflow_size"));
  CHECK(size("\"1\"").starts_with("wfformat_type"));
  CHECK(size("1e400").starts_with("out_of_range"));
  CHECK(size("NaN").starts_with("bad_json"));
  CHECK(wf_fault(wf_file(kAThenB, kEAndF, "")).starts_with("wfformat_field"));
  CHECK(wf_fault(wf_file(kAThenB, kEAndF, R"({"id": "a", "runtimeInSeconds": -2})"))
            .starts_with("workflow_time"));
  CHECK(wf_fault(wf_file(kAThenB, kEAndF, kOneAndTwo + "," + kOneAndTwo)).starts_with("workflow_duplicate"));
  CHECK(wf_fault(wf_file(kAThenB, kEAndF, R"({"id": "c", "runtimeInSeconds": 2})"))
            .starts_with("workflow_reference"));
}

TEST_CASE("wfformat: a text that is cut off anywhere, or has very much of something") {
  const std::string whole = wf_file(kAThenB, kEAndF, kOneAndTwo);
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK(!wf_fault(whole.substr(0, length)).empty());
  CHECK(!wf_fault(std::string(1'000'000, '[')).empty());
  CHECK(wf_fault(std::string(1'000'000, '[') + std::string(1'000'000, ']')).starts_with("wfformat_type"));
  CHECK(wf_fault(R"({"name": "w", "name": "v"})").starts_with("bad_json"));
  std::string tasks, parents;
  constexpr int kMany = 100'000;
  for (int t = 0; t < kMany; ++t) {
    tasks += "{\"id\": \"" + std::to_string(t) + "\"},";
    parents += (t == 0 ? "\"" : ",\"") + std::to_string(t) + "\"";
  }
  const WorkflowFile file =
      wf(wf_file(tasks + R"({"id": "last", "parents": [)" + parents + "]}", "", ""), {.time = 1});
  CHECK(edges_of(file.graph).size() == kMany);
  CHECK(file.findings.empty());
}

TEST_CASE("wfformat: what is written is read as it was") {
  const WorkflowFile file = wf(wf_file(kAThenB, kEAndF, kOneAndTwo));
  const WorkflowFile again = wf(write_wfformat(file.graph, "w \"2\""));
  CHECK(again.name == "w \"2\"");
  CHECK(again.findings.empty());
  check_same(again.graph, file.graph);
  TaskGraph by_host = file.graph;
  by_host.form = TimeForm::by_host;
  CHECK(fault_of([&] { write_wfformat(by_host, "w"); }).code == "wfformat_type");
}

TEST_CASE("wfformat: the files of the shared data") {
  struct Known {
    const char* name;
    std::size_t tasks, edges, files;
    double bytes, seconds;
    std::size_t entries, exits;
    std::size_t findings = 0;
  };
  static constexpr Known kKnown[] = {{"chain-5", 5, 4, 6, 58189655, 229.488, 1, 1},
                                     {"fork-join-10", 10, 16, 11, 130765285, 623.014, 1, 1},
                                     {"gaussian-14", 14, 19, 15, 145678426, 938.991, 1, 1},
                                     {"montage-58", 58, 138, 70, 696510062, 3205.214, 12, 1},
                                     {"fft-39", 39, 62, 40, 430572310, 2113.588, 1, 8},
                                     {"cholesky-120", 120, 252, 121, 1260786564, 2625.892, 1, 1},
                                     {"estee-montage-77", 77, 133, 150, 223765150, 828.786313, 16, 1},
                                     {"estee-cybershake-104", 104, 200, 106, 896660569, 2643.686792, 2, 2},
                                     {"estee-epigenomics-204", 204, 252, 305, 1456873615, 761710.01676, 1, 1},
                                     {"estee-ligo-186", 186, 225, 186, 121337517, 37950.837534, 45, 3},
                                     {"estee-sipht-64", 64, 74, 136, 127211230, 10840.491235, 48, 2},
                                     {"estee-crossv-94", 94, 165, 90, 9143586920, 29096.269592, 1, 8, 1}};
  const std::filesystem::path folder = data_file("workflows/wfformat");
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: there is no " << folder);
    return;
  }
  for (const Known& known : kKnown) {
    INFO(known.name);
    const WorkflowFile file = read_wfformat(folder / (std::string(known.name) + ".json"), {});
    CHECK(file.graph.tasks.size() == known.tasks);
    CHECK(file.graph.files.size() == known.files);
    CHECK(edges_of(file.graph).size() == known.edges);
    double bytes = 0, seconds = 0;
    for (const GraphFile& each : file.graph.files) bytes += each.size;
    for (const GraphTask& each : file.graph.tasks) seconds += each.amount;
    CHECK(bytes == known.bytes);
    CHECK(seconds == Approx(known.seconds).epsilon(1e-12));
    const Precedence precedence = precedence_of(file.graph);
    std::size_t entries = 0, exits = 0;
    for (std::size_t t = 0; t < file.graph.tasks.size(); ++t) {
      entries += precedence.predecessors(t).empty() ? 1 : 0;
      exits += precedence.successors(t).empty() ? 1 : 0;
    }
    CHECK(entries == known.entries);
    CHECK(exits == known.exits);
    CHECK(file.findings.size() == known.findings);
    check_same(wf(write_wfformat(file.graph, "w")).graph, file.graph);
  }
}
