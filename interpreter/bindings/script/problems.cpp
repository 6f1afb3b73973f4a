// Matrices, mapping problems and problems of task graphs as text.
#include <fmt/format.h>

#include <utility>

#include "interpreter/bindings/script/parts.h"
#include "interpreter/language/fields/graph_problems.h"
#include "interpreter/language/fields/problems.h"

namespace perigee::bindings {

namespace {

using namespace language;

// ---- mapping problems ----

std::string places_text(std::size_t count, auto place) {
  std::vector<double> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(static_cast<double>(place(i)));
  return lua_numbers(all);
}

constexpr Said<MappingProblem> kOfProblem[] = {
    {problem_fields::kEtc, [](LuaTable& t, const FieldRow& f,
                              const MappingProblem& of) { t.field(f.name, lua_rows(of.etc, of.machines)); }},
    {problem_fields::kReady,
     [](LuaTable& t, const FieldRow& f, const MappingProblem& of) {
       if (!of.ready.empty()) t.field(f.name, lua_numbers(of.ready));
     }},
    {problem_fields::kCores,
     [](LuaTable& t, const FieldRow& f, const MappingProblem& of) {
       if (of.has_cores())
         t.field(f.name, places_text(of.machines, [&](std::size_t machine) { return of.cores(machine); }));
     }},
    {problem_fields::kWidths,
     [](LuaTable& t, const FieldRow& f, const MappingProblem& of) {
       if (!of.width.empty())
         t.field(f.name, places_text(of.tasks, [&](std::size_t task) { return of.width[task]; }));
     }},
    {problem_fields::kNow,
     [](LuaTable& t, const FieldRow& f, const MappingProblem& of) { t.number(f, of.now); }},
    {problem_fields::kClusters,
     [](LuaTable& t, const FieldRow& f, const MappingProblem& of) {
       if (!of.cluster.empty())
         t.field(f.name,
                 places_text(of.machines, [&](std::size_t machine) { return of.cluster[machine] + 1; }));
     }},
    {problem_fields::kWholeMachine,
     [](LuaTable& t, const FieldRow& f, const MappingProblem& of) { t.flag(f, of.whole_machine); }}};

// ---- problems of task graphs ----

// A column for each of the machines, or of the hosts of a platform.
struct GraphOf {
  const GraphProblem& problem;
  std::size_t columns;
  double time(std::size_t task, std::size_t column) const {
    return columns == problem.machines ? problem.time(task, column) : problem.time_of_kind(task, column);
  }
};

constexpr Said<GraphOf> kOfMatrixGraph[] = {
    {graph_fields::kTimes,
     [](LuaTable& t, const FieldRow& f, const GraphOf& of) {
       std::vector<double> times;
       for (std::size_t task = 0; task < of.problem.tasks(); ++task)
         for (std::size_t column = 0; column < of.columns; ++column) times.push_back(of.time(task, column));
       t.field(f.name, lua_rows(times, of.columns));
     }},
    {graph_fields::kEdges, [](LuaTable& t, const FieldRow& f, const GraphOf& of) {
       LuaTable edges;
       for (std::size_t task = 0; task < of.problem.tasks(); ++task)
         for (const cost::GraphArc& arc : of.problem.arcs.behind(task)) {
           if (arc.largest != arc.bytes)
             fail("not_plain", "several files go from task {} to task {}, which an edge does not say",
                  task + 1, arc.task + 1);
           std::vector<double> edge{static_cast<double>(task + 1), static_cast<double>(arc.task + 1)};
           if (arc.has_data) edge.push_back(arc.bytes);
           edges.item(lua_numbers(edge));
         }
       if (!edges.empty()) t.field(f.name, edges.text());
     }}};

void say_graph_network(LuaTable& t, const FieldRow& f, const GraphProblem& of,
                       double (cost::GraphNetwork::*read)(std::size_t, std::size_t) const, bool by_sender) {
  const cost::GraphNetwork& network = of.network;
  const std::size_t count = of.clusters();
  if (network.is_uniform()) return t.number(f, (network.*read)(0, 0));
  std::vector<double> values;
  for (std::size_t from = 0; from < count; ++from)
    for (std::size_t to = 0; to < (by_sender ? 1 : count); ++to) values.push_back((network.*read)(from, to));
  t.field(f.name, by_sender ? lua_numbers(values) : lua_rows(values, count));
}

constexpr Said<GraphProblem> kOfSurroundings[] = {
    {graph_problem_fields::kBandwidth,
     [](LuaTable& t, const FieldRow& f, const GraphProblem& of) {
       // Where it makes no difference who receives, the bandwidth is one number.
       if (of.network.by_sender())
         t.number(f, of.network.bandwidth(0, 0));
       else
         say_graph_network(t, f, of, &cost::GraphNetwork::bandwidth, false);
     }},
    {graph_problem_fields::kLatency,
     [](LuaTable& t, const FieldRow& f, const GraphProblem& of) {
       say_graph_network(t, f, of, &cost::GraphNetwork::latency, of.network.by_sender());
     }},
    {graph_problem_fields::kReady,
     [](LuaTable& t, const FieldRow& f, const GraphProblem& of) {
       if (!of.ready.empty()) t.field(f.name, lua_numbers(of.ready));
     }},
    {graph_problem_fields::kNow,
     [](LuaTable& t, const FieldRow& f, const GraphProblem& of) { t.number(f, of.now); }}};

}  // namespace

std::string script_of(const EtcMatrix& matrix) { return "etc " + lua_rows(matrix.values, matrix.machines); }

std::string script_of(const MappingProblem& problem) {
  if (problem.has_earliest())
    fail("not_plain",
         "the mapping problem has times before which tasks cannot begin, which cost.problem does not take");
  LuaTable table;
  say_all<MappingProblem>(table, kOfProblem, problem);
  return "cost.problem " + table.text();
}

std::string script_of(const GraphProblemData& data) {
  const GraphProblem& problem = data.problem;
  const auto refuse = [](std::string_view what) {
    fail("not_plain", "the graph problem has {}, which cost.graph does not take", what);
  };
  if (!problem.release.empty()) refuse("inputs that no task makes");
  if (!problem.occupied.empty()) refuse("machines that are occupied for a time");
  LuaTable table;
  if (data.platform) {
    if (!problem.ready.empty() || problem.now > 0) refuse("a platform with ready times");
    const Platform& platform = *data.platform->platform;
    say_all<GraphOf>(table, kOfMatrixGraph, {problem, platform.hosts().size()});
    return fmt::format("cost.graph(graph.matrix {}, {})", table.text(),
                       script_of(platform, data.platform->architectures));
  }
  if (!problem.cluster.is_each_its_own()) refuse("machines that share a cluster without its platform");
  say_all<GraphOf>(table, kOfMatrixGraph, {problem, problem.machines});
  say_all<GraphProblem>(table, kOfSurroundings, problem);
  return "cost.graph " + table.text();
}

void add_problem_words(std::vector<WrittenWord>& words) {
  words.push_back({"cost.problem", problem_fields::kAll, {}});
  add_names(words.back().writes, kOfProblem);
  words.push_back({"cost.graph", graph_problem_fields::kOwn, {}, {"names"}});  // a problem does not know them
  add_names(words.back().writes, kOfMatrixGraph);
  add_names(words.back().writes, kOfSurroundings);
}

}  // namespace perigee::bindings
