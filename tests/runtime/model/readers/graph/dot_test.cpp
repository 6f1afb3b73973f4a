#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/model/graph_generators.h"
#include "runtime/model/graph_structures.h"
#include "runtime/model/readers/graph/workflow_files.h"
#include "tests/runtime/model/readers/graph/same_graph.h"
#include "tests/support/faults.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"

using namespace perigee;
using namespace perigee::test;

namespace {

TaskGraph dot(const std::string& text) { return parse_dot(text, "a.dot").graph; }
std::string dot_fault(const std::string& text) {
  return fault_line([&] { dot(text); });
}
std::vector<std::string> names_of(const TaskGraph& graph) {
  std::vector<std::string> names;
  for (const GraphTask& task : graph.tasks) names.push_back(task.name);
  return names;
}

}  // namespace

TEST_CASE("dot: nodes, edges, defaults and remarks") {
  const WorkflowFile file = parse_dot(R"(# a remark
strict digraph "my graph" {
  rankdir = LR; graph [size="7,5"]
  node [size=5, shape=box]   // holds from here on
  a; b [label="not looked at" ops="1e3"; priority=2, category=kind]
  /* edges
     in a row */
  edge [size=7]
  a -> "b c" -> b
  a -> b [size=0, color="red"];
  edge [size=1]
  d -> b
}
)",
                                      "a.dot");
  const TaskGraph& graph = file.graph;
  CHECK(file.name == "my graph");
  CHECK(graph.form == TimeForm::operations);
  CHECK(names_of(graph) == std::vector<std::string>{"a", "b", "b c", "d"});
  CHECK(graph.tasks[0].amount == 5);
  CHECK(graph.tasks[1].amount == 1000);
  CHECK(graph.tasks[1].priority == 2);
  CHECK(graph.tasks[1].category == "kind");
  CHECK(graph.tasks[2].amount == 5);
  REQUIRE(graph.files.size() == 4);
  CHECK(graph.files[0].name == "a>b");
  CHECK(graph.files[0].size == 0);
  CHECK(graph.files[1].name == "a>b c");
  CHECK(graph.files[1].size == 7);
  CHECK(graph.files[3].size == 1);
  CHECK(file.findings.empty());
  const WorkflowFile without = parse_dot("digraph { a [size=3]; a -> b -> c }", "b.dot");
  REQUIRE(without.findings.size() == 1);
  CHECK(without.findings[0].anomaly == "no_time");
  CHECK(without.findings[0].count == 2);
}

TEST_CASE("dot: names and times of every kind") {
  CHECK(names_of(dot("digraph{-1.5->.5->_x9->\xC3\xA4 \"q\\\"\\\\\\n\"}")) ==
        std::vector<std::string>{"-1.5", ".5", "_x9", "\xC3\xA4", "q\"\\\\n"});
  CHECK(names_of(dot("DiGraph { \"node\" -> \"go\\\non\" }")) == std::vector<std::string>{"node", "goon"});
  const TaskGraph seconds = dot("digraph { a [time=3]; b; a -> b }");
  CHECK(seconds.form == TimeForm::seconds);
  CHECK(seconds.tasks[1].amount == 0);
  CHECK(seconds.files.empty());
  const TaskGraph by_host = dot("digraph { a [times=\"1, 2.5 ,inf\"]; b }");
  CHECK(by_host.form == TimeForm::by_host);
  CHECK(by_host.hosts == 3);
  CHECK(by_host.times == std::vector<double>{1, 2.5, HUGE_VAL, 0, 0, 0});
}

TEST_CASE("dot: errors tell line and column") {
  CHECK(dot_fault("") == "dot_syntax a.dot:1: column 1: 'digraph' is expected, and the file ends");
  CHECK(dot_fault("graph { a -- b }") ==
        "dot_syntax a.dot:1: column 1: a 'graph' has no directions; 'digraph' is needed");
  CHECK(dot_fault("digraph {\n a -- b }") ==
        "dot_syntax a.dot:2: column 4: '--' joins the nodes of a graph without directions; '->' is needed");
  CHECK(dot_fault("digraph {\n subgraph x { a } }") ==
        "dot_syntax a.dot:2: column 2: a 'subgraph' is not read: every node stands in the graph");
  CHECK(dot_fault("digraph { a -> { b c } }").starts_with("dot_syntax a.dot:1: column 16: a 'subgraph'"));
  CHECK(dot_fault("digraph { a:n -> b }") == "dot_syntax a.dot:1: column 12: ports of nodes are not read");
  CHECK(dot_fault("digraph {\n a\n \"b c\n}") ==
        "dot_syntax a.dot:3: column 2: the quotation mark is not closed");
  CHECK(dot_fault("digraph { a /* b }") ==
        "dot_syntax a.dot:1: column 13: the comment is not closed by '*/'");
  CHECK(dot_fault("digraph { a [size=] }") == "dot_syntax a.dot:1: column 19: a value is expected, got ']'");
  CHECK(dot_fault("digraph { a [size=1 }")
            .starts_with("dot_syntax a.dot:1: column 21: an attribute or ']' is expected"));
  CHECK(dot_fault("digraph { a } b")
            .starts_with("dot_syntax a.dot:1: column 15: the end of the file is expected"));
  CHECK(dot_fault("digraph { a -> ; }")
            .starts_with("dot_syntax a.dot:1: column 16: a node is expected, got ';'"));
  CHECK(dot_fault("digraph { a") == "dot_syntax a.dot:1: column 12: a node is expected, and the file ends");
  CHECK(dot_fault("digraph { a [label=<b>] }").find("HTML") != std::string::npos);
  CHECK(dot_fault("digraph { a [size=1e9] }") ==
        "dot_syntax a.dot:1: column 19: a name that begins as a number needs quotation marks, as in \"1e9\"");
  CHECK(dot_fault("digraph { }") == "workflow_empty a.dot: a graph has at least one task");
  CHECK(dot_fault("digraph { a [size=-1] }") ==
        "workflow_time a.dot:1: column 19: 'size' of a node must be a number >= 0, got '-1'");
  CHECK(dot_fault("digraph { a -> b [size=nan] }") ==
        "workflow_size a.dot:1: column 24: the size of an edge must be a number >= 0, got 'nan'");
  CHECK(dot_fault("digraph { a [size=\"1e400\"] }").starts_with("workflow_time a.dot:1: column 19"));
  CHECK(dot_fault("digraph { a [size=1]; b [time=1] }") ==
        "workflow_time a.dot:1: column 31: 'time' here, and 'size' before: all nodes have times of one kind");
  CHECK(dot_fault("digraph { a [times=\"1,2\"]; b [times=\"1\"] }") ==
        "workflow_hosts a.dot:1: column 37: 1 times by host, where another node has 2");
  CHECK(dot_fault("digraph { a [times=\"1,,2\"] }").starts_with("workflow_time a.dot:1: column 20"));
  CHECK(dot_fault("digraph { a -> b [size=1]; a -> b [size=2] }") ==
        "workflow_size a.dot: two edges from 'a' to 'b' say different sizes: 1 and 2 bytes");
  CHECK(dot_fault("digraph { a -> b -> a }") ==
        "workflow_cycle a.dot: 2 tasks wait for one another: 'a' -> 'b' -> 'a'");
}

TEST_CASE("dot: very much of something") {
  std::string text = "digraph { a [";
  for (int i = 0; i < 100'000; ++i) text += "x" + std::to_string(i) + "=1,";
  text += "size=4] [";
  for (int i = 0; i < 100'000; ++i) text += "size=3 ";
  CHECK(dot(text + "] }").tasks[0].amount == 3);
  text = "digraph { edge [size=1] ";
  for (int i = 0; i < 100'000; ++i) text += "p" + std::to_string(i) + " -> last ";
  CHECK(edges_of(dot(text + "}")).size() == 100'000);
  // A long default is not copied into every node, and a long name not into every edge.
  text = "digraph { node [category=\"" + std::string(1'000'000, 'x') + "\"] }";
  CHECK(dot_fault(text) == "dot_syntax a.dot:1: column 26: 'category' has at most 1000 bytes, got 1000000");
  CHECK(dot_fault("digraph { " + std::string(1'000'000, 'x') + " }").starts_with("dot_syntax"));
  text = "digraph { node [times=\"" + std::string(1'000'000, ',') + "\"] ";
  for (int i = 0; i < 100'000; ++i) text += "p" + std::to_string(i) + " ";
  CHECK(dot_fault(text + "}").starts_with("workflow_hosts a.dot: a graph has at most"));
}

TEST_CASE("dot: what is written is read as it was") {
  SplitMix64 rng(5);
  TaskGraph graph = montage_structure(3, 3);
  draw_costs(graph, {3, 1, 1}, rng);
  graph.times[4] = HUGE_VAL;
  graph.tasks[1].priority = 2.5;
  graph.tasks[2].name = "a \"quoted\" \\ name\nof two lines\\";
  CHECK(!has_edge_files(graph));  // files have the names of their tasks
  TaskGraph renamed = graph;
  for (GraphTask& task : renamed.tasks) task.inputs.clear(), task.outputs.clear();
  renamed.files.clear();
  std::vector<Dependency> edges;
  for (const GraphEdge& edge : edges_of(graph)) edges.push_back({edge.from, edge.to, edge.bytes});
  edges[3].bytes.reset();
  add_dependencies(renamed, edges);
  CHECK(has_edge_files(renamed));
  const WorkflowFile again = parse_dot(write_dot(renamed, "a \"b\""), "a.dot");
  CHECK(again.name == "a \"b\"");
  check_same(again.graph, renamed);
  TaskGraph lu = lu_structure(3);
  check_same(dot(write_dot(lu, "")), lu);
  lu.form = TimeForm::seconds;
  lu.tasks[0].amount = 1e-300;
  check_same(dot(write_dot(lu, "lu")), lu);
}

TEST_CASE("dot: the files of the shared data") {
  struct Known {
    const char* name;
    std::size_t tasks, edges;
    double operations, bytes;
  };
  static constexpr Known kKnown[] = {{"daggen-100-0.25-0.9-0.3-2", 102, 130, 5.395889e13, 5.258939e11},
                                     {"daggen-100-0.75-0.9-0.03-2", 102, 159, 5.395889e13, 3.868718e11},
                                     {"topcuoglu", 10, 15, 0, 241}};
  const std::filesystem::path folder = data_file("workflows/dot");
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: there is no " << folder);
    return;
  }
  for (const Known& known : kKnown) {
    INFO(known.name);
    const TaskGraph graph = read_dot(folder / (std::string(known.name) + ".dot")).graph;
    CHECK(graph.tasks.size() == known.tasks);
    const auto edges = edges_of(graph);
    CHECK(edges.size() == known.edges);
    double operations = 0, bytes = 0;
    for (const GraphTask& task : graph.tasks) operations += task.amount;
    for (const GraphEdge& edge : edges) bytes += edge.bytes;
    CHECK(operations == Approx(known.operations).epsilon(1e-6));
    CHECK(bytes == Approx(known.bytes).epsilon(1e-6));
    check_same(dot(write_dot(graph, "g")), graph);
  }
  const TaskGraph ten = read_dot(folder / "topcuoglu.dot").graph;
  CHECK(ten.hosts == 3);
  CHECK(ten.times[3 * 3 + 2] == 17);  // of the fourth task on the third host
}
