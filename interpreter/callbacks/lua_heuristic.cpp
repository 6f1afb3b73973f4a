// heuristic "name" { pick = function(c, task, args) ... end }: a mapper whose key a script computes;
// heuristic "name" { map = function(problem, args) ... end }: one that a script writes as a whole;
// heuristic "name" { choose = function(c, args) ... end }: one that says which task goes where next;
// heuristic "name" { rank = function(c, task, args) ... end }: a scheduler of task graphs, see lua_graph_heuristic.cpp.
#include "interpreter/callbacks/lua_heuristic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "interpreter/callbacks/greedy_loop.h"
#include "interpreter/callbacks/mapper_call.h"
#include "interpreter/callbacks/schedulers.h"
#include "interpreter/language/arguments.h"
#include "interpreter/language/check_names.h"
#include "interpreter/language/fields/policies.h"
#include "interpreter/values/charts.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/graph_problems.h"
#include "interpreter/values/profiles.h"
#include "runtime/cost/explain.h"

namespace perigee::callbacks {

// `c`: the greedy mapping as it stands. Valid while pick or place runs.
struct HeuristicView {
  const GreedyView* view = nullptr;
  MapperCallPtr call = {};
};

}  // namespace perigee::callbacks

namespace perigee::host {

template <>
struct TypeName<callbacks::HeuristicView> {
  static constexpr const char* value = "mapping view";
};

}  // namespace perigee::host

namespace perigee::callbacks {

double key_at(lua_State* L, int index, const std::string& who, std::size_t task, std::string_view function) {
  const double key = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : 0;
  if (lua_type(L, index) != LUA_TNUMBER)
    fail("bad_key", "{}: {} must return a number, got {}", who, function, shown(L, index));
  if (std::isnan(key))
    fail("bad_key", "{}: {} must return a number, got nan for task {}", who, function, task + 1);
  return key;
}

template <class F>
void GreedyLoop::with_functions(lua_State* L, const MapperCallPtr& call, F&& use) {
  luaL_checkstack(L, 10, "heuristic");
  HeuristicView& c = push_bound(L, HeuristicView{nullptr, call});
  const int view_at = lua_gettop(L);
  struct Expire {
    HeuristicView& view;
    ~Expire() { view.view = nullptr; }
  } expire{c};
  // `arguments` are pushed only for a function that has a parameter for them.
  const auto takes_arguments = [&](int callback) {
    if (callback == 0 || arguments == 0) return false;
    lua_Debug debug;
    lua_pushvalue(L, callback);
    lua_getinfo(L, ">u", &debug);
    return debug.isvararg != 0 || debug.nparams > 2;
  };
  const bool pick_takes = takes_arguments(pick), place_takes = takes_arguments(place);
  const auto ask = [&](int callback, std::string_view name, const GreedyView& view, std::size_t at_hand,
                       bool takes, int results) {
    task = at_hand;
    function = name;
    c.view = &view;
    lua_pushvalue(L, callback);
    lua_pushvalue(L, view_at);
    lua_pushinteger(L, static_cast<lua_Integer>(at_hand) + 1);
    if (takes) lua_pushvalue(L, arguments);
    lua_call(L, takes ? 3 : 2, results);
  };
  bool first = true;  // a second result is looked for once: it takes time
  const GreedyKey key = [&](const GreedyView& view, std::size_t at_hand) {
    const int results = std::exchange(first, false) ? 2 : 1;
    ask(pick, "pick", view, at_hand, pick_takes, results);
    double value = lua_type(L, -results) == LUA_TNUMBER ? lua_tonumber(L, -results)
                                                        : std::numeric_limits<double>::quiet_NaN();
    if (std::isnan(value)) value = key_at(L, -results, who, at_hand);  // reads it or raises the error
    if (results == 2 && !lua_isnil(L, -1))
      fail(
          "bad_key",
          "{}: pick returned a second number, which decides between equals on a Gantt chart; of a matrix the "
          "lowest task goes first",
          who);
    lua_pop(L, results);
    return value;
  };
  GreedyPlace to_place;
  if (place != 0)
    to_place = [&](const GreedyView& view, std::size_t at_hand) {
      ask(place, "place", view, at_hand, place_takes, 1);
      const std::size_t machine =
          place_at(L, -1, fmt::format("{}: what place returns", who), view.machines());
      if (!(view.completion(at_hand, machine) < std::numeric_limits<double>::infinity()))
        fail("bad_place", "{}: place chose machine {} for task {}, which cannot run there", who, machine + 1,
             at_hand + 1);
      lua_pop(L, 1);
      return machine;
    };
  use(key, to_place);
  lua_pop(L, 1);
}

void GreedyLoop::run(lua_State* L, const MappingProblem& problem, const MapperCallPtr& call, Mapping& out) {
  with_functions(L, call, [&](const GreedyKey& key, const GreedyPlace& to_place) {
    try {
      greedy_by_key(problem, key, largest, pure, out, to_place);
    } catch (const Error& error) {
      if (error.diagnostic().code != "not_pure") throw;
      Diagnostic diagnostic = error.diagnostic();
      diagnostic.message =
          fmt::format("{}: {}; without `pure = true` it is asked for each choice", who, diagnostic.message);
      throw Error(std::move(diagnostic));
    }
  });
}

void GreedyLoop::explain(lua_State* L, const MappingProblem& problem, const MapperCallPtr& call,
                         const Mapping& answer, std::size_t explained, MappingStep& out) {
  with_functions(L, call, [&](const GreedyKey& key, const GreedyPlace& to_place) {
    explain_greedy(problem, answer, explained, key, largest, "key", out, static_cast<bool>(to_place));
  });
}

HeuristicAtWork::HeuristicAtWork(Interpreter& interpreter, std::shared_ptr<const Heuristic> heuristic,
                                 const Arguments& arguments)
    : HeuristicAtWork(interpreter, std::move(heuristic), Reference()) {
  lua_State* L = interpreter.running();
  push_arguments(L, heuristic_->parameters, arguments);
  arguments_ = Reference(L, -1);
  lua_pop(L, 1);
}

namespace {

class LuaMapper final : public Mapper, public KeyedMapper {
 public:
  explicit LuaMapper(const HeuristicAtWork& work)
      : work_(work), pure_(heuristic().pure), stream_(0, heuristic().name) {}

  std::unique_ptr<Mapper> clone() const override { return std::make_unique<LuaMapper>(*this); }

  // One of its own below that of its user, so that others who are given the same draw other numbers.
  void reseed(const Stream& stream) override { stream_ = stream.sub(hash_name(heuristic().name)); }

  bool has_key() const override { return heuristic().pick.valid(); }
  bool pure() const override { return pure_; }
  std::unique_ptr<Mapper> as_pure() const override {
    auto copy = std::make_unique<LuaMapper>(work_.afresh());
    copy->pure_ = true;
    return copy;
  }

  void map(const MappingProblem& problem, Mapping& out) override {
    in_script(problem, stream_, [&](lua_State* L, GreedyLoop& loop, const MapperCallPtr& call) {
      if (heuristic().map.valid()) return map_whole(L, problem, call, out);
      if (heuristic().choose.valid()) return map_by_choice(L, problem, call, out);
      loop.run(L, problem, call, out);
    });
  }

  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    Mapper::explain(problem, answer, task, out);
    out.rule = fmt::format("{} has a `{}` of its own, which does not say what it compared", heuristic().who(),
                           heuristic().map.valid() ? "map" : "choose");
    if (!has_key()) return;
    Stream stream = stream_;  // a copy: asking again for an explanation must not draw
    in_script(problem, stream, [&](lua_State* L, GreedyLoop& loop, const MapperCallPtr& call) {
      loop.explain(L, problem, call, answer, task, out);
    });
  }

 private:
  const Heuristic& heuristic() const { return work_.heuristic(); }

  // body(L, loop, call), with what it needs of the script at its place on the stack.
  template <class F>
  void in_script(const MappingProblem& problem, Stream& stream, F&& body) {
    GreedyLoop loop{.who = heuristic().who(),
                    .pick = 1,
                    .place = heuristic().place.valid() ? 3 : 0,
                    .arguments = 2,
                    .largest = !heuristic().smallest,
                    .pure = pure_};
    const auto asked = [&]() -> HeuristicAtWork::Asked {
      if (!has_key()) {
        const bool map = heuristic().map.valid();
        const std::string_view name = map ? "map" : "choose";
        return {map ? heuristic().map : heuristic().choose, name,
                fmt::format("in {}, {} of {} tasks to {} machines", loop.who, name, problem.tasks,
                            problem.machines)};
      }
      return {
          loop.function == "pick" ? heuristic().pick : heuristic().place, loop.function,
          fmt::format("in {}, {} for task {} of {}", loop.who, loop.function, loop.task + 1, problem.tasks)};
    };
    work_.in_script(stream, asked, [&](lua_State* L, const MapperCallPtr& call) {
      if (has_key()) {
        heuristic().pick.push(L);
        work_.arguments().push(L);
        if (heuristic().place.valid()) heuristic().place.push(L);
      }
      body(L, loop, call);
    });
  }

  void map_whole(lua_State* L, const MappingProblem& problem, const MapperCallPtr& call, Mapping& out) {
    const std::string who = heuristic().who();
    heuristic().map.push(L);
    const ProblemValue& value = push_new(L, ProblemValue{call, nullptr, Draft(problem)});
    lua_pushvalue(L, -1);
    lua_insert(L, 1);  // kept, for the function's own may be collected
    work_.arguments().push(L);
    lua_call(L, 2, 1);
    const Draft& draft = value.draft;
    std::vector<std::uint32_t> missing;
    if (lua_isnil(L, -1)) {
      out = draft.mapping();
      for (std::size_t task = 0; task < problem.tasks; ++task)
        if (draft.waits(task)) missing.push_back(static_cast<std::uint32_t>(task));
    } else {
      if (lua_type(L, -1) != LUA_TTABLE)
        fail("bad_mapping", "{}: map must return nothing, a list of machines or a mapping, got {}", who,
             shown(L, -1));
      const GivenMapping given = given_mapping_at(L, -1, who, problem, &missing);
      try {
        map_as(problem, given.machine, given.order, out);
      } catch (const Error& error) {
        fail("bad_mapping", "{}: {}", who, error.diagnostic().message);
      }
    }
    check_forgotten(problem, draft, missing,
                    lua_isnil(L, -1) ? "assign it, or say problem:leave_out(task)"
                                     : "give it a machine, or false to leave it out");
  }

  // choose(problem) for each assignment.
  void map_by_choice(lua_State* L, const MappingProblem& problem, const MapperCallPtr& call, Mapping& out) {
    const std::string who = heuristic().who();
    heuristic().choose.push(L);
    work_.arguments().push(L);
    ProblemValue& value = push_new(L, ProblemValue{call, nullptr, Draft(problem)});
    value.busy = 1;  // the script can only read it
    Draft& draft = value.draft;
    for (;;) {
      for (int i = 1; i <= 3; ++i) lua_pushvalue(L, i == 2 ? 3 : i == 3 ? 2 : 1);
      lua_call(L, 2, 2);
      if (lua_isnil(L, -2) && lua_isnil(L, -1)) break;
      const std::size_t task = place_at(L, -2, who + ": the task that choose returns", problem.tasks);
      const std::size_t machine =
          place_at(L, -1, who + ": the machine that choose returns", problem.machines);
      if (!draft.waits(task))
        fail("bad_choice",
             "{}: choose returned task {}, which does not wait; problem:waiting() lists those that do", who,
             task + 1);
      if (!draft.fits(task, machine))
        fail("bad_choice", "{}: choose put task {} on machine {}, where it cannot run", who, task + 1,
             machine + 1);
      draft.assign(task, static_cast<std::uint32_t>(machine));
      lua_pop(L, 2);
    }
    out = draft.mapping();
    std::vector<std::uint32_t> missing;
    for (std::size_t task = 0; task < problem.tasks; ++task)
      if (draft.waits(task)) missing.push_back(static_cast<std::uint32_t>(task));
    check_forgotten(problem, draft, missing, "choose returned nil too early");
  }

  // Tasks that can run nowhere need not be mentioned.
  void check_forgotten(const MappingProblem& problem, const Draft& draft,
                       std::span<const std::uint32_t> missing, std::string_view remedy) const {
    for (const std::uint32_t task : missing)
      for (std::size_t m = 0; m < problem.machines; ++m)
        if (problem.time(task, m) < std::numeric_limits<double>::infinity() &&
            problem.width_of(task) <= problem.cores(m) && draft.fits(task, m))
          fail("bad_mapping", "{}: task {} is forgotten, but fits machine {}; {}", heuristic().who(),
               task + 1, m + 1, remedy);
  }

  HeuristicAtWork work_;
  bool pure_;
  Stream stream_;
};

// ---- c ----

struct OfView {
  static const GreedyView* lean(lua_State* L) {
    const auto* c = lean_bound<HeuristicView>(L);
    return c != nullptr ? c->view : nullptr;
  }
  static const HeuristicView& object(lua_State* L) {
    if (const auto* c = test_bound<HeuristicView>(L, 1)) return *c;
    wrong_type(L, 1, {}, TypeName<HeuristicView>::value);
  }
  static const GreedyView& checked(lua_State* L) {
    const HeuristicView& c = object(L);
    if (c.view == nullptr) fail("stale", "this mapping view belongs to a call that is over");
    return *c.view;
  }
  static std::size_t tasks(const GreedyView& view) { return view.tasks(); }
  static std::size_t machines(const GreedyView& view) { return view.machines(); }
  static bool readable(const GreedyView&, std::size_t) { return true; }
  static void require(const GreedyView&, std::size_t) {}
};
struct OfWaiting : OfView {
  static bool readable(const GreedyView& view, std::size_t task) { return view.unmapped(task); }
  static void require(const GreedyView& view, std::size_t task) {
    if (!view.unmapped(task)) fail("bad_call", "task {} is mapped already, or can run nowhere", task + 1);
  }
};

// c:time(task [, machine]): on the best machine unless one is named.
int heuristic_time(lua_State* L) {
  using View = const GreedyView&;
  if (lua_isnoneornil(L, 3))
    return of_task<OfWaiting, [](View view, std::size_t task) { return view.time(task); }>(L);
  return of_task_and_machine<OfView, [](View view, std::size_t task, std::size_t machine) {
    return view.time(task, machine);
  }>(L);
}

int heuristic_stream(lua_State* L) {
  return guard(L, [&] {
    OfView::checked(L);
    push_stream(L, *OfView::object(L).call);
    return 1;
  });
}

constexpr luaL_Reg kView[] = {
    {"best", of_task<OfWaiting, [](const GreedyView& v, std::size_t t) { return v.best(t); }>},
    {"second", of_task<OfWaiting, [](const GreedyView& v, std::size_t t) { return v.second(t); }>},
    {"time", heuristic_time},
    {"completion", of_task_and_machine<OfView, [](const GreedyView& v, std::size_t t,
                                                  std::size_t m) { return v.completion(t, m); }>},
    {"best_machine",
     of_task<OfWaiting, [](const GreedyView& v, std::size_t t) { return v.best_machine(t); }>},
    {"ready", of_machine<OfView, [](const GreedyView& v, std::size_t m) { return v.ready(m); }>},
    {"tasks", of_all<OfView, [](const GreedyView& v) { return v.tasks(); }>},
    {"machines", of_all<OfView, [](const GreedyView& v) { return v.machines(); }>},
    {"waits", of_task<OfView, [](const GreedyView& v, std::size_t t) { return v.unmapped(t); }>},
    {"stream", heuristic_stream},
    {nullptr, nullptr}};

// ---- heuristic "name" { } ----

// A field that is a function, whose parameter 1 is an object of one of these types.
Reference function_of(const Fields& fields, const FieldRow& field,
                      std::initializer_list<std::string_view> types) {
  if (!fields.push(field)) return {};
  if (lua_type(fields.state(), -1) != LUA_TFUNCTION)
    fields.fail(field, "{} must be a function, got {}", field.name, shown(fields.state(), -1));
  check_methods(fields.state(), -1, 1, types);
  Reference reference(fields.state(), -1);
  lua_pop(fields.state(), 1);
  return reference;
}

// Fields that do not go together.
void refuse_beside(const Fields& fields, const FieldRow& present, std::string_view which,
                   std::initializer_list<const FieldRow*> others) {
  if (!fields.has(present)) return;
  for (const FieldRow* other : others)
    if (fields.has(*other))
      fields.fail(*other, "{} does not go with {}, which {}", other->name, present.name, which);
}

// The fields go together: those of a mapper, or of a scheduler of task graphs.
void check_parts(const Fields& fields, bool of_graphs) {
  using namespace heuristic_fields;
  refuse_beside(fields, kMap, "is the whole mapper", {&kPick, &kPlace, &kSmallest, &kPure});
  refuse_beside(fields, kChoose, "chooses task and machine itself", {&kPick, &kPlace, &kSmallest, &kPure});
  refuse_beside(fields, kSchedule, "places all tasks of a graph itself",
                {&kRank, &kPick, &kPlace, &kMap, &kChoose, &kSmallest, &kPure});
  refuse_beside(fields, kRank, "is asked once about each task of a graph", {&kPick, &kMap, &kChoose, &kPure});
  if (of_graphs)
    return refuse_beside(fields, kGraph, "makes it a scheduler of task graphs", {&kMap, &kChoose, &kPure});
  if (fields.has(kInsertion))
    fields.fail(kInsertion,
                "insertion is of a scheduler of task graphs: one with rank or schedule, or with pick and "
                "graph = true");
}

void describe_graph_entry(const Heuristic& heuristic, Entry& entry) {
  entry.family = Family::workflow;
  entry.role = Role::graph;
  const std::string_view placing = heuristic.place.valid() ? " and of place" : "";
  if (heuristic.schedule.valid()) {
    entry.complexity = "a call of schedule";
    entry.ties = "as schedule decides";
    return;
  }
  entry.complexity = heuristic.rank.valid() ? fmt::format("a call of rank{} for each task", placing)
                                            : fmt::format("O(T^2) calls of pick{}",
                                                          heuristic.place.valid() ? ", T of place" : "");
  entry.ties = heuristic.place.valid() ? "lowest task" : "lowest task, then lowest machine";
}

void describe_mapper_entry(const Heuristic& heuristic, Entry& entry) {
  const bool whole = heuristic.map.valid(), chooses = heuristic.choose.valid();
  entry.complexity = whole            ? "a call of map"
                     : chooses        ? "a call of choose for each task"
                     : heuristic.pure ? "a call of pick for each change of a task's best"
                                      : "O(T^2) calls of pick";
  entry.ties = whole ? "as map decides" : chooses ? "as choose decides" : "lowest task, then lowest machine";
  entry.chooses_ready = heuristic.pick.valid();
}

std::shared_ptr<const Heuristic> heuristic_in(const Fields& fields, const std::string& name, bool of_graphs) {
  auto heuristic = std::make_shared<Heuristic>();
  heuristic->name = name;
  constexpr std::string_view kOfGraph = TypeName<GraphProblemValue>::value;
  const std::initializer_list<std::string_view> view = {TypeName<HeuristicView>::value,
                                                        TypeName<ChartValue>::value};
  const auto asked = [&](const FieldRow& field) {
    return of_graphs ? function_of(fields, field, {kOfGraph}) : function_of(fields, field, view);
  };
  heuristic->pick = asked(heuristic_fields::kPick);
  heuristic->place = asked(heuristic_fields::kPlace);
  heuristic->rank = function_of(fields, heuristic_fields::kRank, {kOfGraph});
  heuristic->schedule = function_of(fields, heuristic_fields::kSchedule, {kOfGraph});
  heuristic->map = function_of(fields, heuristic_fields::kMap, {TypeName<ProblemValue>::value});
  heuristic->choose = function_of(fields, heuristic_fields::kChoose,
                                  {TypeName<ChartValue>::value, TypeName<ProblemValue>::value});
  if (of_graphs && !heuristic->pick.valid() && !heuristic->rank.valid() && !heuristic->schedule.valid())
    fields.fail(
        nullptr,
        "'rank' is missing: a function(c, task) that returns the priority of a task; or 'pick': the same, "
        "asked at each step about the ready tasks; or 'schedule': a function(c) that places all tasks");
  if (!of_graphs && !heuristic->pick.valid() && !heuristic->map.valid() && !heuristic->choose.valid())
    fields.fail(nullptr,
                "'pick' is missing: a function(c, task) that returns the "
                "key; or 'map': a function(problem) that maps all tasks; or "
                "'choose': a function(c) that returns a task and its machine; or, for task graphs, "
                "'rank' or 'schedule'");
  check_parts(fields, of_graphs);
  for (const auto& [field, function] : {std::pair{&heuristic_fields::kPick, &heuristic->pick},
                                        {&heuristic_fields::kMap, &heuristic->map},
                                        {&heuristic_fields::kPlace, &heuristic->place},
                                        {&heuristic_fields::kChoose, &heuristic->choose},
                                        {&heuristic_fields::kRank, &heuristic->rank},
                                        {&heuristic_fields::kSchedule, &heuristic->schedule}})
    if (function->valid()) heuristic->surroundings->add(std::string(field->name), *function);
  heuristic->smallest = fields.flag(heuristic_fields::kSmallest);
  heuristic->pure = fields.flag(heuristic_fields::kPure);
  if (!fields.flag(heuristic_fields::kInsertion)) heuristic->fit = GraphFit::append;
  heuristic->parameters = parameters_of(fields);
  return heuristic;
}

int finish_heuristic(lua_State* L) {
  return guard(L, [&] {
    refuse_second(L, "heuristic");
    const std::string name(*text_at(L, lua_upvalueindex(1)));
    const Fields fields(L, 1, {"heuristic", name}, heuristic_fields::kAll);
    const bool of_graphs = fields.flag(heuristic_fields::kGraph) || fields.has(heuristic_fields::kRank) ||
                           fields.has(heuristic_fields::kSchedule);
    const std::shared_ptr<const Heuristic> heuristic = heuristic_in(fields, name, of_graphs);
    Entry entry;
    entry.name = name;
    entry.family = Family::mapping;
    entry.role = Role::mapper;
    entry.summary = fields.text(heuristic_fields::kSummary);
    entry.source = fields.text(heuristic_fields::kSource);
    entry.parameters = heuristic->parameters;
    Interpreter* interpreter = &Interpreter::of(L);
    if (of_graphs) {
      describe_graph_entry(*heuristic, entry);
      set_graph_maker(*interpreter, heuristic, entry);
    } else {
      describe_mapper_entry(*heuristic, entry);
      entry.make_mapper = [interpreter, heuristic](const Arguments& arguments) -> std::unique_ptr<Mapper> {
        return std::make_unique<LuaMapper>(HeuristicAtWork(*interpreter, heuristic, arguments));
      };
      set_chart_makers(*interpreter, heuristic, entry);
    }
    register_entry(L, std::move(entry));
    return 1;
  });
}

int begin_heuristic(lua_State* L) {
  return guard(L, [&] {
    if (!text_at(L, 1))
      fail("bad_type", "heuristic: a name comes first, as in heuristic \"mine\" {{ }}, got {}", shown(L, 1));
    lua_settop(L, 1);
    lua_pushcclosure(L, finish_heuristic, 1);
    return 1;
  });
}

}  // namespace

void register_entry(lua_State* L, Entry entry) {
  constexpr std::uint64_t kStepsOfEntry = 500;
  const std::string name = entry.name;
  const int top = lua_gettop(L);
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  host::push(L, name);
  const bool taken = lua_rawget(L, -2) != LUA_TNIL;
  lua_settop(L, top);
  Interpreter& interpreter = Interpreter::of(L);
  if (interpreter.cell().under_way())
    fail("bad_call", "'{}' cannot be declared in an experiment's cell, which others share; declare it before",
         name);
  const bool word = !name.empty() && std::ranges::all_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
  if (word && luaL_loadstring(L, ("local " + name).c_str()) != LUA_OK)
    fail("bad_name", "'{}' is a word of Lua, and cannot be the name of a scheduler", name);
  lua_settop(L, top);
  Catalogue& catalogue = interpreter.catalogue();
  interpreter.count(kStepsOfEntry + catalogue.entries().size());  // names are looked up one after the other
  if (taken && catalogue.find(name) == nullptr)
    fail("duplicate_name", "'{}' is a word of perigee already", name);
  if (catalogue.add(std::move(entry), interpreter.redefinitions().allowed))
    ++interpreter.redefinitions().count;
  push_constructor(L, catalogue.find(name));
  lua_pushvalue(L, -1);
  define(L, name.c_str());
}

void open_heuristic(lua_State* L) {
  new_type<HeuristicView>(L, kView);
  define(L, "heuristic", begin_heuristic);
}

}  // namespace perigee::callbacks
