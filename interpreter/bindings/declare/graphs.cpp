// graph.chain { ... } and its like, graph.matrix { ... }; what scripts ask a graph for.
#include "interpreter/bindings/declare/graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/bindings/parts.h"
#include "interpreter/language/fields/graphs.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/graphs.h"
#include "runtime/kernel/error.h"
#include "runtime/model/graph_generators.h"
#include "runtime/model/graph_structures.h"

namespace perigee::bindings {

namespace {

// Calls read(); an Error of what it reads gets the code.
template <class F>
auto with_graph_code(const char* code, F&& read) {
  try {
    return read();
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    diagnostic.code = code;
    throw Error(std::move(diagnostic));
  }
}

int push_checked(lua_State* L, TaskGraph&& graph) {
  check_graph(graph);
  push_new(L, GraphValue(std::make_shared<const TaskGraph>(std::move(graph))));
  return 1;
}

// ---- generators ----

// Pushes the field rng, a random stream.
RandomValue& push_graph_rng(const Fields& fields, const char* what) {
  if (!fields.push(graph_fields::kRng))
    fields.fail(nullptr,
                "'rng' is missing: {} are drawn from a random stream, as in rng = stream.splitmix(1)", what);
  return check<RandomValue>(fields.state(), -1, fields.subject() + ": rng");
}

// A field that is a number or a function of a task, rng and something else, which `push_last` pushes.
class GraphAmount {
 public:
  GraphAmount(const Fields& fields, const FieldRow& field, Dimension dimension, const char* code)
      : fields_(fields), field_(field), dimension_(dimension), code_(code), L_(fields.state()) {
    given_ = fields.push(field);
    value_ = lua_gettop(L_);
    if (given_ && lua_type(L_, value_) != LUA_TFUNCTION) fixed_ = number(field.name);
  }
  bool given() const { return given_; }

  template <class PushLast>
  double of(std::size_t task, PushLast push_last) const {
    if (lua_type(L_, value_) != LUA_TFUNCTION) return fixed_;
    lua_pushvalue(L_, value_);
    lua_pushinteger(L_, static_cast<lua_Integer>(task) + 1);
    if (!fields_.push(graph_fields::kRng)) lua_pushnil(L_);
    push_last();
    lua_call(L_, 3, 1);
    const double value = number(fmt::format("{} of task {}", field_.name, task + 1));
    lua_pop(L_, 1);
    return value;
  }

 private:
  // On top of the stack.
  double number(std::string_view what) const {
    return fields_.inside(field_, [&] {
      return with_graph_code(code_, [&] {
        return number_at(L_, -1, fmt::format("{}: {}", fields_.subject(), what), dimension_, kNotNegative);
      });
    });
  }

  const Fields& fields_;
  const FieldRow& field_;
  Dimension dimension_;
  const char* code_;
  lua_State* L_;
  bool given_ = false;
  int value_ = 0;
  double fixed_ = 0;
};

void draw_graph_costs(const Fields& fields, const FieldRow& size, TaskGraph& graph) {
  for (const FieldRow* field : {&graph_fields::kOps, &size})
    if (fields.has(*field)) fields.fail(*field, "{} is drawn, where hosts are given", field->name);
  const DrawnCosts costs{static_cast<std::size_t>(fields.integer(graph_fields::kHosts)),
                         fields.number(graph_fields::kCcr), fields.number(graph_fields::kBeta),
                         fields.number(graph_fields::kMean)};
  with_generator(push_graph_rng(fields, "times and sizes"),
                 [&](auto& rng) { draw_costs(graph, costs, rng); });
}

void give_graph_amounts(const Fields& fields, const FieldRow& size, TaskGraph& graph) {
  for (const FieldRow* field : {&graph_fields::kCcr, &graph_fields::kBeta, &graph_fields::kMean})
    if (fields.has(*field))
      fields.fail(*field, "{} is of costs that are drawn for hosts, and hosts is missing", field->name);
  lua_State* L = fields.state();
  if (fields.has(graph_fields::kRng)) push_graph_rng(fields, "");
  if (const GraphAmount ops(fields, graph_fields::kOps, Dimension::operations, "workflow_time"); ops.given())
    for (std::size_t t = 0; t < graph.tasks.size(); ++t)
      graph.tasks[t].amount = ops.of(t, [&] { host::push(L, graph.tasks[t].name); });
  if (const GraphAmount bytes(fields, size, Dimension::bytes, "workflow_size"); bytes.given()) {
    std::vector<double> sizes;
    for (const GraphEdge& edge : edges_of(graph))
      sizes.push_back(
          bytes.of(edge.from, [&] { lua_pushinteger(L, static_cast<lua_Integer>(edge.to) + 1); }));
    make_edges_files(graph, sizes);
  }
}

// graph.NAME { ... }, of the shape that make(fields) has.
template <class Make>
int make_graph(lua_State* L, const char* name, std::span<const FieldRow> known, Make make,
               const FieldRow& size = graph_fields::kSize) {
  return guard(L, [&] {
    const Fields fields(L, 1, {name}, known);
    TaskGraph graph = make(fields);
    if (fields.has(graph_fields::kHosts))
      draw_graph_costs(fields, size, graph);
    else
      give_graph_amounts(fields, size, graph);
    return push_checked(L, std::move(graph));
  });
}

std::uint64_t count_at(const Fields& fields, const FieldRow& field) {
  return static_cast<std::uint64_t>(fields.integer(field));
}

int graph_chain(lua_State* L) {
  return make_graph(L, "graph.chain", graph_fields::kChain,
                    [](const Fields& fields) { return chain_structure(count_at(fields, graph_fields::kN)); });
}
int graph_fork_join(lua_State* L) {
  return make_graph(L, "graph.fork_join", graph_fields::kForkJoin, [](const Fields& fields) {
    return fork_join_structure(count_at(fields, graph_fields::kWidth),
                               count_at(fields, graph_fields::kStages));
  });
}
int graph_out_tree(lua_State* L) {
  return make_graph(L, "graph.out_tree", graph_fields::kTree, [](const Fields& fields) {
    return out_tree_structure(count_at(fields, graph_fields::kBranching),
                              count_at(fields, graph_fields::kDepth));
  });
}
int graph_in_tree(lua_State* L) {
  return make_graph(L, "graph.in_tree", graph_fields::kTree, [](const Fields& fields) {
    return in_tree_structure(count_at(fields, graph_fields::kBranching),
                             count_at(fields, graph_fields::kDepth));
  });
}
int graph_stencil(lua_State* L) {
  return make_graph(L, "graph.stencil", graph_fields::kGrid, [](const Fields& fields) {
    return stencil_structure(count_at(fields, graph_fields::kR), count_at(fields, graph_fields::kC));
  });
}
int graph_montage(lua_State* L) {
  return make_graph(L, "graph.montage", graph_fields::kGrid, [](const Fields& fields) {
    return montage_structure(count_at(fields, graph_fields::kR), count_at(fields, graph_fields::kC));
  });
}
int graph_gaussian(lua_State* L) {
  return make_graph(
      L, "graph.gaussian", graph_fields::kGaussian,
      [](const Fields& fields) { return gaussian_structure(count_at(fields, graph_fields::kMatrixSize)); },
      graph_fields::kBytes);
}
int graph_fft(lua_State* L) {
  return make_graph(L, "graph.fft", graph_fields::kFft, [](const Fields& fields) {
    return fft_structure(count_at(fields, graph_fields::kPoints));
  });
}
int graph_cholesky(lua_State* L) {
  return make_graph(L, "graph.cholesky", graph_fields::kTiled, [](const Fields& fields) {
    return cholesky_structure(count_at(fields, graph_fields::kTiles));
  });
}
int graph_lu(lua_State* L) {
  return make_graph(L, "graph.lu", graph_fields::kTiled, [](const Fields& fields) {
    return lu_structure(count_at(fields, graph_fields::kTiles));
  });
}
int graph_layered(lua_State* L) {
  return make_graph(L, "graph.layered", graph_fields::kLayered, [](const Fields& fields) {
    const LayeredShape shape{count_at(fields, graph_fields::kTasks), fields.number(graph_fields::kAlpha),
                             count_at(fields, graph_fields::kDegree)};
    return with_generator(push_graph_rng(fields, "layers and edges"),
                          [&](auto& rng) { return layered_structure(shape, rng); });
  });
}
int graph_levels(lua_State* L) {
  return make_graph(L, "graph.levels", graph_fields::kLevels, [](const Fields& fields) {
    const LevelsShape shape{count_at(fields, graph_fields::kTasks), fields.number(graph_fields::kFat),
                            fields.number(graph_fields::kRegularity), fields.number(graph_fields::kDensity),
                            count_at(fields, graph_fields::kJump)};
    return with_generator(push_graph_rng(fields, "levels and edges"),
                          [&](auto& rng) { return levels_structure(shape, rng); });
  });
}

// ---- graph.matrix ----

class GraphOfMatrix {
 public:
  explicit GraphOfMatrix(lua_State* L) : L_(L), fields_(L, 1, {"graph.matrix"}, graph_fields::kMatrix) {}

  TaskGraph read() {
    graph_.form = TimeForm::by_host;
    if (!fields_.push(graph_fields::kTimes))
      fields_.fail(nullptr, "'times' is missing: seconds of each task on each host, an etc matrix or rows");
    if (const auto* given = test<std::shared_ptr<const EtcMatrix>>(L_, -1)) {
      graph_.hosts = (*given)->machines;
      graph_.times = (*given)->values;
      graph_.tasks.resize((*given)->tasks);
    } else {
      read_rows(lua_gettop(L_));
    }
    name_tasks();
    if (fields_.push(graph_fields::kEdges)) read_edges(lua_gettop(L_));
    return std::move(graph_);
  }

 private:
  void read_rows(int list) {
    if (lua_type(L_, list) != LUA_TTABLE)
      fields_.fail(graph_fields::kTimes, "times must be an etc matrix or a list of rows, got {}",
                   shown(L_, list));
    const lua_Integer count = list_length(L_, list, "graph.matrix: times");
    if (count == 0)
      fail_at(fields_.where(graph_fields::kTimes.name), "workflow_empty", "graph.matrix: times has no row");
    for (lua_Integer t = 1; t <= count; ++t)
      fields_.inside(graph_fields::kTimes, [&] {
        lua_rawgeti(L_, list, t);
        const std::vector<double> row = with_graph_code("workflow_time", [&] {
          return numbers_at(L_, -1, fmt::format("graph.matrix: times[{}]", t), Dimension::seconds,
                            kTimeOrNever);
        });
        lua_pop(L_, 1);
        if (t == 1) graph_.hosts = row.size();
        if (row.empty() || row.size() != graph_.hosts)
          fail("workflow_hosts", "graph.matrix: times[{}] has {} hosts{}", t, row.size(),
               row.empty() ? "" : fmt::format(", times[1] has {}", graph_.hosts));
        graph_.times.insert(graph_.times.end(), row.begin(), row.end());
      });
    graph_.tasks.resize(static_cast<std::size_t>(count));
  }

  void name_tasks() {
    const bool named = fields_.push(graph_fields::kNames);
    if (named) {
      if (lua_type(L_, -1) != LUA_TTABLE)
        fields_.fail(graph_fields::kNames, "names must be a list of the names of the tasks, got {}",
                     shown(L_, -1));
      if (const lua_Integer count = list_length(L_, -1, "graph.matrix: names");
          count != static_cast<lua_Integer>(graph_.tasks.size()))
        fields_.fail(graph_fields::kNames, "{} names for {} tasks", count, graph_.tasks.size());
    }
    for (std::size_t t = 0; t < graph_.tasks.size(); ++t) {
      std::string& name = graph_.tasks[t].name;
      if (!named) {
        name = fmt::format("task {}", t + 1);
      } else {
        lua_rawgeti(L_, -1, static_cast<lua_Integer>(t) + 1);
        const auto text = text_at(L_, -1);
        if (!text || text->empty())
          fields_.fail(graph_fields::kNames, "names[{}] must be a text, got {}", t + 1, shown(L_, -1));
        name = *text;
        lua_pop(L_, 1);
      }
      numbers_.emplace(name, static_cast<std::uint32_t>(t));
    }
    if (named) lua_pop(L_, 1);
  }

  void read_edges(int list) {
    if (lua_type(L_, list) != LUA_TTABLE)
      fields_.fail(graph_fields::kEdges, "edges must be a list of {{ from, to, bytes }}, got {}",
                   shown(L_, list));
    const lua_Integer count = list_length(L_, list, "graph.matrix: edges");
    std::vector<Dependency> edges;
    for (lua_Integer e = 1; e <= count; ++e)
      fields_.inside(graph_fields::kEdges, [&] {
        lua_rawgeti(L_, list, e);
        const std::string what = fmt::format("graph.matrix: edges[{}]", e);
        const int edge = lua_gettop(L_);
        const lua_Integer entries = lua_type(L_, edge) == LUA_TTABLE ? list_length(L_, edge, what) : 0;
        if (entries < 2 || entries > 3)
          fail("bad_type", "{} must be {{ from, to, bytes }}, got {}", what, shown(L_, edge));
        for (lua_Integer i = 1; i <= entries; ++i) lua_rawgeti(L_, edge, i);
        Dependency found{task_at(edge + 1, what), task_at(edge + 2, what)};
        if (entries == 3)
          found.bytes = with_graph_code("workflow_size", [&] {
            return number_at(L_, edge + 3, what + ": bytes", Dimension::bytes, kNotNegative);
          });
        edges.push_back(found);
        lua_settop(L_, edge - 1);
      });
    fields_.inside(graph_fields::kEdges, [&] { add_dependencies(graph_, std::move(edges)); });
  }

  // A number of a task, or its name.
  std::uint32_t task_at(int index, const std::string& what) const {
    if (const auto name = text_at(L_, index)) {
      const auto found = numbers_.find(*name);
      if (found != numbers_.end()) return found->second;
      std::vector<std::string_view> names;
      for (const GraphTask& task : graph_.tasks) names.push_back(task.name);
      fail("workflow_reference", "{}: there is no task {}{}", what, shown(L_, index),
           did_you_mean(*name, std::span<const std::string_view>(names)));
    }
    return static_cast<std::uint32_t>(with_graph_code("workflow_reference",
                                                      [&] {
                                                        return integer_at(
                                                            L_, index, what + ": a task", 1,
                                                            static_cast<std::int64_t>(graph_.tasks.size()));
                                                      })) -
           1;
  }

  lua_State* L_;
  Fields fields_;
  TaskGraph graph_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

}  // namespace

int graph_matrix(lua_State* L) {
  return guard(L, [&] {
    TaskGraph graph = GraphOfMatrix(L).read();
    return push_checked(L, std::move(graph));
  });
}

namespace {

// ---- methods ----

const TaskGraph& graph_at(lua_State* L) { return *check<GraphValue>(L, 1); }

int graph_length(lua_State* L) {
  return guard(L, [&] {
    lua_pushinteger(L, static_cast<lua_Integer>(graph_at(L).tasks.size()));
    return 1;
  });
}

int graph_text(lua_State* L) {
  return guard(L, [&] {
    const TaskGraph& graph = graph_at(L);
    const std::size_t edges = edges_of(graph).size();
    host::push(L, fmt::format("task graph of {} task{} and {} edge{}", graph.tasks.size(),
                              graph.tasks.size() == 1 ? "" : "s", edges, edges == 1 ? "" : "s"));
    return 1;
  });
}

// g:names()
int graph_names(lua_State* L) {
  return guard(L, [&] {
    const TaskGraph& graph = graph_at(L);
    lua_newtable(L);
    for (std::size_t t = 0; t < graph.tasks.size(); ++t) {
      host::push(L, graph.tasks[t].name);
      lua_rawseti(L, -2, static_cast<lua_Integer>(t) + 1);
    }
    return 1;
  });
}

// g:edges() -> { { from, to, bytes }, ... }; without bytes where the one waits only.
int graph_edges(lua_State* L) {
  return guard(L, [&] {
    lua_newtable(L);
    lua_Integer count = 0;
    for (const GraphEdge& edge : edges_of(graph_at(L))) {
      lua_createtable(L, 3, 0);
      lua_pushinteger(L, static_cast<lua_Integer>(edge.from) + 1);
      lua_rawseti(L, -2, 1);
      lua_pushinteger(L, static_cast<lua_Integer>(edge.to) + 1);
      lua_rawseti(L, -2, 2);
      if (edge.files > 0) {
        lua_pushnumber(L, edge.bytes);
        lua_rawseti(L, -2, 3);
      }
      lua_rawseti(L, -2, ++count);
    }
    return 1;
  });
}

// Tasks without a neighbour on that side.
template <auto neighbours>
int graph_ends(lua_State* L) {
  return guard(L, [&] {
    const Precedence precedence = precedence_of(graph_at(L));
    lua_newtable(L);
    lua_Integer count = 0;
    for (std::size_t t = 0; t < precedence.tasks(); ++t) {
      if (!(precedence.*neighbours)(t).empty()) continue;
      lua_pushinteger(L, static_cast<lua_Integer>(t) + 1);
      lua_rawseti(L, -2, ++count);
    }
    return 1;
  });
}

// Tasks on the way that has most.
std::size_t depth_of(const Precedence& precedence) {
  std::vector<std::size_t> depth(precedence.tasks());
  std::size_t deepest = 0;
  for (const std::uint32_t task : precedence.order()) {
    for (const std::uint32_t before : precedence.predecessors(task))
      depth[task] = std::max(depth[task], depth[before]);
    deepest = std::max(deepest, ++depth[task]);
  }
  return deepest;
}

// g:summary()
int graph_summary(lua_State* L) {
  return guard(L, [&] {
    const TaskGraph& graph = graph_at(L);
    const Precedence precedence = precedence_of(graph);
    std::size_t entries = 0, exits = 0;
    for (std::size_t t = 0; t < precedence.tasks(); ++t) {
      entries += precedence.predecessors(t).empty() ? 1 : 0;
      exits += precedence.successors(t).empty() ? 1 : 0;
    }
    double bytes = 0, amount = 0;
    for (const GraphFile& file : graph.files) bytes += file.size;
    if (graph.form == TimeForm::by_host)
      for (const double time : graph.times) amount += std::isfinite(time) ? time : 0;
    else
      for (const GraphTask& task : graph.tasks) amount += task.amount;
    lua_createtable(L, 0, 9);
    const auto count = [&](const char* name, std::size_t value) {
      lua_pushinteger(L, static_cast<lua_Integer>(value));
      lua_setfield(L, -2, name);
    };
    const auto number = [&](const char* name, double value) {
      lua_pushnumber(L, value);
      lua_setfield(L, -2, name);
    };
    count("tasks", graph.tasks.size());
    count("edges", precedence.edges());
    count("files", graph.files.size());
    count("entries", entries);
    count("exits", exits);
    count("levels", depth_of(precedence));
    if (graph.form == TimeForm::by_host) count("hosts", graph.hosts);
    number("bytes", bytes);
    number(graph.form == TimeForm::operations ? "ops" : "time", amount);
    return 1;
  });
}

constexpr luaL_Reg kGraphWords[] = {{"matrix", graph_matrix},
                                    {"chain", graph_chain},
                                    {"fork_join", graph_fork_join},
                                    {"out_tree", graph_out_tree},
                                    {"in_tree", graph_in_tree},
                                    {"stencil", graph_stencil},
                                    {"gaussian", graph_gaussian},
                                    {"fft", graph_fft},
                                    {"cholesky", graph_cholesky},
                                    {"lu", graph_lu},
                                    {"montage", graph_montage},
                                    {"layered", graph_layered},
                                    {"levels", graph_levels},
                                    {"wfformat", graph_from_wfformat},
                                    {"stg", graph_from_stg},
                                    {"dot", graph_from_dot},
                                    {nullptr, nullptr}};
constexpr luaL_Reg kGraphMethods[] = {{"names", graph_names},
                                      {"edges", graph_edges},
                                      {"entries", graph_ends<&Precedence::predecessors>},
                                      {"exits", graph_ends<&Precedence::successors>},
                                      {"summary", graph_summary},
                                      {"wfformat", write_graph_as_wfformat},
                                      {"stg", write_graph_as_stg},
                                      {"dot", write_graph_as_dot},
                                      {nullptr, nullptr}};
constexpr luaL_Reg kGraphMeta[] = {{"__len", graph_length}, {"__tostring", graph_text}, {nullptr, nullptr}};

}  // namespace

void open_graphs(lua_State* L) {
  new_type<GraphValue>(L, kGraphMethods, kGraphMeta);
  push_module(L, "graph", kGraphWords);
  define(L, "graph");
}

}  // namespace perigee::bindings
