// map("min_min", etc): a mapping without a simulation; also of the waiting tasks of a heuristic's problem.
// etc { {..}, {..} } and etc.read(path) make matrices.
#include <fmt/format.h>

#include <cmath>
#include <span>

#include "interpreter/bindings/compute/mappings.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/script/script.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/callbacks/lua_heuristic.h"
#include "interpreter/callbacks/mapper_call.h"
#include "interpreter/callbacks/schedulers.h"
#include "interpreter/language/fields/matrices.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/mappings.h"
#include "interpreter/values/runs.h"
#include "runtime/cost/explain.h"
#include "runtime/cost/search_tree.h"
#include "runtime/model/etc_generators.h"
#include "runtime/model/readers/etc_file.h"

namespace perigee::bindings {

namespace {

using EtcValue = std::shared_ptr<const EtcMatrix>;

// Row `t` of a matrix, which is on top of the stack.
std::vector<double> mapping_row_at(lua_State* L, int rows, lua_Integer t) {
  const int row = lua_gettop(L);
  try {
    return numbers_at(L, -1, fmt::format("etc: row {}", t), Dimension::seconds, kTimeOrNever);
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    diagnostic.code = "etc_value";
    if (!diagnostic.where.known())
      diagnostic.where =
          lua_type(L, row) == LUA_TTABLE ? where_table_begins(L, row) : where_entry(L, rows, t);
    throw Error(std::move(diagnostic));
  }
}

}  // namespace

EtcMatrix etc_at(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TTABLE)
    fail("bad_type", "etc: a list of rows is needed, got {}", shown(L, index));
  EtcMatrix etc;
  index = lua_absindex(L, index);
  const lua_Integer rows = list_length(L, index, "etc");
  for (lua_Integer t = 1; t <= rows; ++t) {
    lua_rawgeti(L, index, t);
    const auto row = mapping_row_at(L, index, t);
    lua_pop(L, 1);
    if (t == 1) etc.machines = row.size();
    if (row.size() != etc.machines)
      fail_at(where_entry(L, index, t), "etc_size", "etc: row {} has {} machines, row 1 has {}", t,
              row.size(), etc.machines);
    etc.values.insert(etc.values.end(), row.begin(), row.end());
  }
  etc.tasks = static_cast<std::size_t>(rows);
  if (etc.values.empty())
    fail("etc_size",
         "etc: a matrix has at least one task and one machine; where there is no work, the workload is "
         "workload.tasks {{}}");
  check_etc(etc);
  return etc;
}

namespace {

int make_etc(lua_State* L) {
  return guard(L, [&] {
    push_new(L, EtcValue(std::make_shared<const EtcMatrix>(etc_at(L, 2))));
    return 1;
  });
}

// etc.read(path [, { tasks =, machines = }])
int read(lua_State* L) {
  return guard(L, [&] {
    const auto path = text_at(L, 1);
    if (!path) fail("bad_type", "etc.read: the name of a file is needed, got {}", shown(L, 1));
    std::optional<EtcShape> shape;
    if (!lua_isnoneornil(L, 2)) {
      const Fields fields(L, 2, {"etc.read"}, etc_fields::kRead);
      shape = EtcShape{fields.integer(etc_fields::kTasks), fields.integer(etc_fields::kMachines)};
    }
    push_new(L, EtcValue(std::make_shared<const EtcMatrix>(
                    read_etc(Interpreter::of(L).files().data_file(std::string(*path)), shape))));
    return 1;
  });
}

// The fields that both generators share. `high` and `low` are the two degrees of heterogeneity; a class such
// as "hilo" gives that of tasks, then that of machines.
struct Generated {
  std::size_t tasks = 0, machines = 0;
  Consistency consistency = Consistency::inconsistent;
  double of_tasks = 0, of_machines = 0;
};

struct Degrees {
  const FieldRow &task_field, &machine_field;
  double task_low, task_high, machine_low, machine_high;
};

Generated generated_at(const Fields& fields, const Degrees& degrees) {
  Generated out;
  out.tasks = static_cast<std::size_t>(fields.integer(etc_fields::kTasks));
  out.machines = static_cast<std::size_t>(fields.integer(etc_fields::kMachines));
  out.consistency = static_cast<Consistency>(fields.choice(etc_fields::kConsistency));
  const std::size_t degree = fields.choice(etc_fields::kClass);
  for (const FieldRow* field : {&degrees.task_field, &degrees.machine_field})
    if (fields.has(etc_fields::kClass) && fields.has(*field))
      fields.fail(*field, "{} is what class gives", field->name);
  out.of_tasks = fields.number(degrees.task_field, degree < 2 ? degrees.task_high : degrees.task_low);
  out.of_machines =
      fields.number(degrees.machine_field, degree % 2 == 0 ? degrees.machine_high : degrees.machine_low);
  return out;
}

// Calls draw(generator) with the field rng if it is given, else with a stream of the script's seed.
template <class F>
int push_generated(lua_State* L, const Fields& fields, Consistency consistency, F&& draw) {
  EtcMatrix etc;
  if (fields.push(etc_fields::kRng)) {
    etc = with_generator(check<RandomValue>(L, -1, fields.subject() + ": rng"), draw);
    lua_pop(L, 1);
  } else {
    Stream stream(Interpreter::of(L).cell().seed(), "etc");
    etc = draw(stream);
  }
  make_consistent(etc, consistency);
  push_new(L, EtcValue(std::make_shared<const EtcMatrix>(std::move(etc))));
  return 1;
}

// etc.range_based { tasks =, machines =, class = "hihi" or task_range =, machine_range = }
int range_based(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"etc.range_based"}, etc_fields::kRangeBased);
    const Generated given =
        generated_at(fields, {etc_fields::kTaskRange, etc_fields::kMachineRange, 100, 3000, 10, 1000});
    return push_generated(L, fields, given.consistency, [&](auto& rng) {
      return range_based_etc(given.tasks, given.machines, {given.of_tasks, given.of_machines}, rng);
    });
  });
}

// etc.cv_based { tasks =, machines =, mean =, class = "hihi" or task_cv =, machine_cv = }
int cv_based(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"etc.cv_based"}, etc_fields::kCvBased);
    const Generated given =
        generated_at(fields, {etc_fields::kTaskCv, etc_fields::kMachineCv, 0.1, 0.6, 0.1, 0.6});
    const double mean = fields.number(etc_fields::kMean);
    const auto first = static_cast<DrawFirst>(fields.choice(etc_fields::kFirst));
    const double whole = fields.number(etc_fields::kWhole);
    return push_generated(L, fields, given.consistency, [&](auto& rng) {
      EtcMatrix etc =
          cv_based_etc(given.tasks, given.machines, {mean, given.of_tasks, given.of_machines, first}, rng);
      if (whole > 0) truncate(etc, whole);
      return etc;
    });
  });
}

// etc.gamma { mean = matrix, sd =, cv =, rng = }
int gamma(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"etc.gamma"}, etc_fields::kGamma);
    if (!fields.push(etc_fields::kMeans)) fields.fail(nullptr, "'mean' is missing: an etc matrix");
    const EtcValue means = check<EtcValue>(L, -1, "etc.gamma: mean");
    lua_pop(L, 1);
    const double sd = fields.number(etc_fields::kSd);
    const double cv = fields.number(etc_fields::kCv);
    return push_generated(L, fields, Consistency::inconsistent,
                          [&](auto& rng) { return gamma_etc(*means, sd, cv, rng); });
  });
}

// m:summary() -> mean, task_cv, machine_cv, consistent
int mapping_summary(lua_State* L) {
  return guard(L, [&] {
    const EtcSummary found = summary_of(*check<EtcValue>(L, 1));
    lua_createtable(L, 0, 4);
    const auto set = [&](const char* name, double value) {
      lua_pushnumber(L, value);
      lua_setfield(L, -2, name);
    };
    set("mean", found.mean);
    if (!std::isnan(found.task_cv)) set("task_cv", found.task_cv);
    if (!std::isnan(found.machine_cv)) set("machine_cv", found.machine_cv);
    lua_pushboolean(L, found.consistent ? 1 : 0);
    lua_setfield(L, -2, "consistent");
    return 1;
  });
}

int etc_text(lua_State* L) {
  return guard(L, [&] {
    const EtcMatrix& etc = *check<EtcValue>(L, 1);
    host::push(L, fmt::format("etc of {} tasks on {} machines", etc.tasks, etc.machines));
    return 1;
  });
}

bool etc_property(lua_State* L, int index, std::string_view name) {
  const EtcMatrix& etc = *check<EtcValue>(L, index);
  if (name == "tasks")
    lua_pushinteger(L, static_cast<lua_Integer>(etc.tasks));
  else if (name == "machines")
    lua_pushinteger(L, static_cast<lua_Integer>(etc.machines));
  else
    return false;
  return true;
}

// etc:time(task, machine)
int mapping_time(lua_State* L) {
  return guard(L, [&] {
    const EtcMatrix& etc = *check<EtcValue>(L, 1);
    const auto task = integer_at(L, 2, "task", 1, static_cast<std::int64_t>(etc.tasks));
    const auto machine = integer_at(L, 3, "machine", 1, static_cast<std::int64_t>(etc.machines));
    lua_pushnumber(L, etc.at(static_cast<std::size_t>(task - 1), static_cast<std::size_t>(machine - 1)));
    return 1;
  });
}

int bound(lua_State* L) {
  return guard(L, [&] {
    lua_pushnumber(L, makespan_bound(problem_of(*check<EtcValue>(L, 1))));
    return 1;
  });
}

void push_places(lua_State* L, const std::vector<std::uint32_t>& values) {
  lua_createtable(L, static_cast<int>(values.size()), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    push_answer(L, values[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}

// Pushes a list of numbers; NaN becomes false.
void push_mapping_numbers(lua_State* L, const std::vector<double>& values) {
  lua_createtable(L, static_cast<int>(values.size()), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i]))
      lua_pushboolean(L, 0);
    else
      lua_pushnumber(L, values[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}

}  // namespace

void push_mapping(lua_State* L, const Mapping& mapping) {
  luaL_checkstack(L, 6, "mappings");
  lua_createtable(L, 0, 4);
  if (!mapping.search.curve.empty()) {
    lua_createtable(L, static_cast<int>(mapping.search.curve.size()), 0);
    for (std::size_t i = 0; i < mapping.search.curve.size(); ++i) {
      lua_pushnumber(L, mapping.search.curve[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    lua_setfield(L, -2, "curve");
  }
  for (const auto& [name, count] : mapping.search.counts) {
    host::push(L, name);
    push_cell(L, count);
    lua_rawset(L, -3);
  }
  push_places(L, mapping.machine);
  lua_setfield(L, -2, "machine");
  push_places(L, mapping.order);
  lua_setfield(L, -2, "order");
  push_mapping_numbers(L, mapping.completion);
  lua_setfield(L, -2, "completion");
  lua_pushnumber(L, mapping.makespan);
  lua_setfield(L, -2, "makespan");
}

namespace {

constexpr double kMostVertices = 100'000;

// The tree of a search: a row for each vertex, in the order in which they were made.
Table tree_table(const std::vector<TreeVertex>& vertices) {
  Table table{{"vertex", "parent", "task", "machine", "g", "h1", "h2", "f", "expanded", "fate"},
              {},
              {"", "", "", "", "s", "s", "s", "s", "", ""}};
  const bool restarted = !vertices.empty() && vertices.back().attempt > 1;
  if (restarted)
    table.columns.insert(table.columns.begin(), "attempt"), table.units.insert(table.units.begin(), "");
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const TreeVertex& v = vertices[i];
    std::vector<Cell> row;
    if (restarted) row.emplace_back(static_cast<double>(v.attempt));
    row.emplace_back(static_cast<double>(i + 1));
    row.emplace_back(v.parent == kUnmapped ? 0.0 : v.parent + 1.0);
    row.emplace_back(v.task + 1.0);
    row.push_back(v.machine == kUnmapped ? Cell{} : Cell{v.machine + 1.0});
    for (const double value : {v.g, v.h1, v.h2, v.f}) row.emplace_back(value);
    row.push_back(v.expanded == 0 ? Cell{} : Cell{static_cast<double>(v.expanded)});
    row.push_back(v.taken ? Cell{"answer"} : v.dropped ? Cell{"dropped"} : Cell{});
    table.rows.push_back(std::move(row));
  }
  return table;
}

// The third argument of map(), nil or { ready =, tasks =, seed =, values =, tree = }.
struct MapOptions {
  std::optional<Fields> fields;
  std::optional<std::vector<std::uint32_t>> tasks;
  std::vector<double> ready;
  std::optional<std::uint64_t> seed;
  bool values = false, tree = false;
};

MapOptions map_options(lua_State* L) {
  MapOptions options;
  if (lua_isnil(L, 3)) return options;
  const bool is_problem = test<ProblemValue>(L, 2) != nullptr;
  const Fields& fields = options.fields.emplace(L, 3, Subject{"map"}, std::span(map_fields::kMap));
  options.values = fields.flag(map_fields::kValues);
  options.tree = fields.flag(map_fields::kTree);
  if (fields.has(map_fields::kSeed))
    options.seed = static_cast<std::uint64_t>(fields.integer(map_fields::kSeed));
  if (fields.has(map_fields::kTasks) && !is_problem)
    fields.fail(map_fields::kTasks, "tasks goes with a mapping problem; a matrix is mapped as a whole");
  if (fields.has(map_fields::kReady) && is_problem)
    fields.fail(map_fields::kReady, "ready goes with a matrix; a mapping problem has ready times of its own");
  if (fields.push(map_fields::kTasks)) {
    const auto& problem = check<ProblemValue>(L, 2);
    if (!problem.call->alive) fail("stale", "this mapping problem belongs to a call that is over");
    options.tasks = places_at(L, -1, "map: tasks", problem.draft.problem().tasks);
    for (const std::uint32_t task : *options.tasks)
      if (!problem.draft.waits(task))
        fields.fail(map_fields::kTasks, "task {} is {} already", task + 1,
                    problem.draft.left_out(task) ? "left out" : "assigned");
    lua_pop(L, 1);
  }
  if (fields.push(map_fields::kReady)) {
    options.ready = fields.numbers(map_fields::kReady, "map: ready");
    lua_pop(L, 1);
  }
  return options;
}

// A mapper of this configuration that draws from a stream of its own. In a heuristic, where `outer` is not
// null, each call draws other numbers.
std::unique_ptr<Mapper> seeded_mapper(Interpreter& interpreter, const Config& config,
                                      const std::optional<std::uint64_t>& seed, Stream* outer) {
  std::unique_ptr<Mapper> mapper = config.make_mapper();
  if (seed) interpreter.cell().note_seed(*seed);
  if (seed || outer == nullptr)
    mapper->reseed(Stream(seed.value_or(interpreter.cell().seed()), "map"));
  else
    mapper->reseed(Stream((*outer)(), "map"));
  return mapper;
}

// The tree by which `again`, which draws as the mapper did, comes to the mapping.
std::vector<TreeVertex> tree_of(Interpreter& interpreter, Mapper& again, const MappingProblem& problem,
                                const Mapping& mapping, const Fields& fields, const std::string& who) {
  for (const auto& [name, count] : mapping.search.counts)
    if (name == "created" && count > kMostVertices)
      fields.fail(map_fields::kTree, "the tree has {:.0f} vertices; up to {:.0f} are listed", count,
                  kMostVertices);
  auto* const grows = dynamic_cast<GrowsTree*>(&again);
  if (grows == nullptr) fields.fail(map_fields::kTree, "{} grows no tree; a_star does", who);
  std::vector<TreeVertex> tree = grows->tree(problem);
  interpreter.count(tree.size() * problem.tasks);
  return tree;
}

// map(mapper, etc [, { ready = {...}, seed = n }]), map(mapper, problem [, { tasks = {...}, seed = n }])
// -> { machine, order, completion, makespan }. A task that can run nowhere has false. A mapper that searches
// also gives `curve` and its counts. With values = true there is also `value`, the number by which each task
// was chosen; with tree = true also the tree that the search grew.
int map(lua_State* L) {
  return guard(L, [&] {
    lua_settop(L, 3);
    Interpreter& interpreter = Interpreter::of(L);
    const ConfigPtr config = scheduler_at(L, 1, "map: the mapper", Role::mapper);
    MapOptions options = map_options(L);
    ProblemArgument given(L, 2, "map: the second argument", options.tasks);
    const MappingProblem& problem = given.problem();
    if (options.fields && options.fields->has(map_fields::kReady)) {
      if (options.ready.size() != problem.machines)
        options.fields->fail(map_fields::kReady, "{} ready times for {} machines", options.ready.size(),
                             problem.machines);
      given.set_ready(std::move(options.ready));
    }
    Stream* const outer = given.value() != nullptr ? given.value()->call->stream : nullptr;
    const std::unique_ptr<Mapper> mapper = seeded_mapper(interpreter, *config, options.seed, outer);
    const std::unique_ptr<Mapper> again = options.tree ? mapper->clone() : nullptr;  // draws the same numbers
    Mapping mapping;
    mapper->map(problem, mapping);
    std::vector<TreeVertex> tree;
    if (options.tree) tree = tree_of(interpreter, *again, problem, mapping, *options.fields, config->text());
    std::vector<double> values;
    if (options.values) {
      interpreter.count(mapping.order.size() * mapping.order.size() / 16);
      values = decision_values(*mapper, problem, mapping);
    }
    push_mapping(L, given.join(std::move(mapping)));
    if (options.values) {
      push_mapping_numbers(L, values);
      lua_setfield(L, -2, "value");
    }
    if (options.tree) {
      push_table(L, tree_table(tree));
      lua_setfield(L, -2, "tree");
    }
    return 1;
  });
}

constexpr luaL_Reg kMappingMethods[] = {{"time", mapping_time},
                                        {"makespan_bound", bound},
                                        {"summary", mapping_summary},
                                        {"script", write_matrix},
                                        {nullptr, nullptr}};
constexpr luaL_Reg kMappingMeta[] = {{"__tostring", etc_text}, {nullptr, nullptr}};

}  // namespace

void open_mapping(lua_State* L) {
  new_type<EtcValue>(L, kMappingMethods, kMappingMeta, etc_property, {"tasks", "machines"});
  lua_newtable(L);
  lua_pushcfunction(L, read);
  lua_setfield(L, -2, "read");
  lua_pushcfunction(L, range_based);
  lua_setfield(L, -2, "range_based");
  lua_pushcfunction(L, cv_based);
  lua_setfield(L, -2, "cv_based");
  lua_pushcfunction(L, gamma);
  lua_setfield(L, -2, "gamma");
  freeze(L, "etc");
  lua_getmetatable(L, -1);
  lua_pushcfunction(L, make_etc);
  lua_setfield(L, -2, "__call");
  lua_pop(L, 1);
  define(L, "etc");
  define(L, "map", map);
  open_heuristic(L);
  open_problem(L);
}

}  // namespace perigee::bindings
