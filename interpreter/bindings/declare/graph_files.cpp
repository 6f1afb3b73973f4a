// graph.wfformat(path), graph.stg(path), graph.dot(path); g:wfformat(name), g:stg(name), g:dot(name).
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "interpreter/bindings/declare/graphs.h"
#include "interpreter/bindings/files.h"
#include "interpreter/language/fields/graphs.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/graphs.h"
#include "runtime/model/readers/graph/workflow_files.h"

namespace perigee::bindings {

namespace {

// Pushes the graph of the file at argument 1, which read(path) reads.
template <class Read>
int push_graph_file(lua_State* L, const char* word, Read read) {
  const std::string path = path_at(L, 1, word);
  WorkflowFile file = with_file(L, path, read);
  for (const LogFinding& found : file.findings)
    warn_once(L, fmt::format("{}: {} {}: {}", path, found.count, found.what, found.done));
  push_new(L, GraphValue(std::make_shared<const TaskGraph>(std::move(file.graph))));
  return 1;
}

std::string stem_of(const std::string& name) { return std::filesystem::path(name).stem().string(); }

// Writes the graph, which is argument 1, to the file that argument 2 names, as text(graph, name) has it.
template <class Text>
int write_graph(lua_State* L, const char* method, Text text) {
  return guard(L, [&] {
    const TaskGraph& graph = *check<GraphValue>(L, 1);
    const std::string name = path_at(L, 2, method);
    Interpreter& interpreter = Interpreter::of(L);
    if (interpreter.checking()) return 0;
    const std::string written = text(graph, name);
    if (interpreter.writes()) write_below_out(L, {{name, written}});
    return 0;
  });
}

}  // namespace

// graph.wfformat(path [, { form =, reference =, time =, older = }])
int graph_from_wfformat(lua_State* L) {
  return guard(L, [&] {
    WfFormatOptions options;
    if (!lua_isnoneornil(L, 2)) {
      const Fields fields(L, 2, {"graph.wfformat"}, graph_fields::kWfFormat);
      if (fields.choice(graph_fields::kForm) == 1) options.form = TimeForm::seconds;
      options.reference = fields.number(graph_fields::kReference);
      if (fields.has(graph_fields::kTime)) options.time = fields.number(graph_fields::kTime);
      options.older = fields.flag(graph_fields::kOlder);
      if (options.form == TimeForm::seconds && fields.has(graph_fields::kReference))
        fields.fail(graph_fields::kReference,
                    "reference makes operations of run times, which form = \"time\" keeps");
    }
    return push_graph_file(L, "graph.wfformat",
                           [&](const std::string& real) { return read_wfformat(real, options); });
  });
}

// graph.stg(path [, { dummies = }])
int graph_from_stg(lua_State* L) {
  return guard(L, [&] {
    StgOptions options;
    if (!lua_isnoneornil(L, 2)) {
      const Fields fields(L, 2, {"graph.stg"}, graph_fields::kStg);
      options.drop_dummies = fields.choice(graph_fields::kDummies) == 1;
    }
    return push_graph_file(L, "graph.stg", [&](const std::string& real) { return read_stg(real, options); });
  });
}

// graph.dot(path)
int graph_from_dot(lua_State* L) {
  return guard(L, [&] {
    return push_graph_file(L, "graph.dot", [](const std::string& real) { return read_dot(real); });
  });
}

int write_graph_as_wfformat(lua_State* L) {
  return write_graph(L, "wfformat", [](const TaskGraph& graph, const std::string& name) {
    return write_wfformat(graph, stem_of(name));
  });
}

int write_graph_as_stg(lua_State* L) {
  return write_graph(L, "stg", [](const TaskGraph& graph, const std::string&) { return write_stg(graph); });
}

int write_graph_as_dot(lua_State* L) {
  return write_graph(L, "dot", [&](const TaskGraph& graph, const std::string& name) {
    if (!has_edge_files(graph))
      warn_once(L, fmt::format(
                       "{}: DOT has the bytes of edges, but not which file has them, nor files at either end",
                       name));
    return write_dot(graph, stem_of(name));
  });
}

}  // namespace perigee::bindings
