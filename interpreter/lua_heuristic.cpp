// heuristic "name" { pick = function(c, task, args) ... end }: a mapper whose key a script computes;
// heuristic "name" { map = function(problem, args) ... end }: one that a script writes as a whole.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "interpreter/bindings/declarations.h"
#include "interpreter/bindings/mappings.h"
#include "interpreter/bindings/profiles.h"
#include "interpreter/bindings/schedulers.h"
#include "interpreter/check_names.h"
#include "interpreter/interpreter.h"
#include "runtime/cost/explain.h"

namespace perigee {

using namespace lua;

namespace lua {

// `c`: the greedy mapping as it stands. Valid while pick or place runs.
struct HeuristicView {
  const GreedyView* view = nullptr;
  MapperCallPtr call = {};
};
template <>
struct TypeName<HeuristicView> {
  static constexpr const char* value = "mapping view";
};

}  // namespace lua

template <class F>
void GreedyLoop::with_functions(lua_State* L, const MapperCallPtr& call, F&& use) {
  luaL_checkstack(L, 10, "heuristic");
  HeuristicView& c = push_bound(L, HeuristicView{nullptr, call});
  const int view_at = lua_gettop(L);
  struct Expire {
    HeuristicView& view;
    ~Expire() { view.view = nullptr; }
  } expire{c};
  const auto ask = [&](int callback, std::string_view name, const GreedyView& view, std::size_t at_hand) {
    task = at_hand;
    function = name;
    c.view = &view;
    lua_pushvalue(L, callback);
    lua_pushvalue(L, view_at);
    lua_pushinteger(L, static_cast<lua_Integer>(at_hand) + 1);
    if (arguments != 0) lua_pushvalue(L, arguments);
    lua_call(L, arguments != 0 ? 3 : 2, 1);
  };
  const GreedyKey key = [&](const GreedyView& view, std::size_t at_hand) {
    ask(pick, "pick", view, at_hand);
    if (lua_type(L, -1) != LUA_TNUMBER)
      fail("bad_key", "{}: pick must return a number, got {}", who, shown(L, -1));
    const double value = lua_tonumber(L, -1);
    if (std::isnan(value))
      fail("bad_key", "{}: pick must return a number, got nan for task {}", who, at_hand + 1);
    lua_pop(L, 1);
    return value;
  };
  GreedyPlace to_place;
  if (place != 0)
    to_place = [&](const GreedyView& view, std::size_t at_hand) {
      ask(place, "place", view, at_hand);
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

namespace {

struct Heuristic {
  std::string name;
  Reference pick, place;  // or
  Reference map;
  std::shared_ptr<Surroundings> surroundings = std::make_shared<Surroundings>();
  bool smallest = false, pure = false;
  std::vector<Parameter> parameters;

  std::string who() const { return fmt::format("heuristic '{}'", name); }
};

// Where a function of the script begins.
SourceLocation place_of(lua_State* L, const Reference& function) {
  const Balanced balanced(L);
  luaL_checkstack(L, 2, "functions");
  lua_Debug debug;
  function.push(L);
  lua_getinfo(L, ">S", &debug);
  return debug.source[0] == '@' ? SourceLocation{debug.source + 1, debug.linedefined} : SourceLocation{};
}

class LuaMapper final : public Mapper, public KeyedMapper {
 public:
  LuaMapper(Interpreter& interpreter, std::shared_ptr<const Heuristic> heuristic, Reference arguments)
      : interpreter_(&interpreter),
        heuristic_(std::move(heuristic)),
        pure_(heuristic_->pure),
        arguments_(std::move(arguments)),
        run_(interpreter.traces().new_run()) {}

  std::unique_ptr<Mapper> clone() const override {
    interpreter_->traces().check_fork(interpreter_->running(), run_, heuristic_->who(),
                                      *heuristic_->surroundings);
    auto copy = std::make_unique<LuaMapper>(*this);
    copy->run_ = interpreter_->traces().new_run();
    return copy;
  }

  // One of its own below that of its user, so that others who are given the same draw other numbers.
  void reseed(const Stream& stream) override { stream_ = stream.sub(hash_name(heuristic_->name)); }

  bool has_key() const override { return heuristic_->pick.valid(); }
  bool pure() const override { return pure_; }
  std::unique_ptr<Mapper> as_pure() const override {
    auto copy = std::make_unique<LuaMapper>(*interpreter_, heuristic_, arguments_);
    copy->pure_ = true;
    return copy;
  }

  void map(const MappingProblem& problem, Mapping& out) override {
    in_script(problem, stream_, [&](lua_State* L, GreedyLoop& loop, const MapperCallPtr& call) {
      if (heuristic_->map.valid()) return map_whole(L, problem, call, out);
      loop.run(L, problem, call, out);
    });
  }

  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    Mapper::explain(problem, answer, task, out);
    out.rule =
        fmt::format("{} has a `map` of its own, which does not say what it compared", heuristic_->who());
    if (!has_key()) return;
    Stream stream = stream_;  // what is asked again for an explanation draws nothing
    in_script(problem, stream, [&](lua_State* L, GreedyLoop& loop, const MapperCallPtr& call) {
      loop.explain(L, problem, call, answer, task, out);
    });
  }

 private:
  // body(L, loop, call), with what it needs of the script at its place on the stack.
  template <class F>
  void in_script(const MappingProblem& problem, Stream& stream, F&& body) {
    GreedyLoop loop{.who = heuristic_->who(),
                    .pick = 1,
                    .place = heuristic_->place.valid() ? 3 : 0,
                    .arguments = 2,
                    .largest = !heuristic_->smallest,
                    .pure = pure_};
    const Interpreter::InRun in_run(*interpreter_);
    try {
      protect(interpreter_->running(), [&](lua_State* L) {
        interpreter_->traces().enter(L, run_, heuristic_->who(), heuristic_->surroundings);
        const InMapperCall call(L, stream);
        if (has_key()) {
          heuristic_->pick.push(L);
          arguments_.push(L);
          if (heuristic_->place.valid()) heuristic_->place.push(L);
        }
        body(L, loop, call.call());
      });
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      Diagnostic diagnostic = error.diagnostic();
      const bool whole = heuristic_->map.valid();
      if (!diagnostic.where.known())
        diagnostic.where = place_of(interpreter_->running(), whole                     ? heuristic_->map
                                                             : loop.function == "pick" ? heuristic_->pick
                                                                                       : heuristic_->place);
      diagnostic.notes.push_back(whole ? fmt::format("in {}, map of {} tasks to {} machines", loop.who,
                                                     problem.tasks, problem.machines)
                                       : fmt::format("in {}, {} for task {} of {}", loop.who, loop.function,
                                                     loop.task + 1, problem.tasks));
      const auto* script = dynamic_cast<const ScriptError*>(&error);
      throw ScriptError(std::move(diagnostic), script ? script->trace() : std::vector<std::string>());
    }
  }

  void map_whole(lua_State* L, const MappingProblem& problem, const MapperCallPtr& call, Mapping& out) {
    const std::string who = heuristic_->who();
    heuristic_->map.push(L);
    const ProblemValue& value = push_new(L, ProblemValue{call, nullptr, Draft(problem)});
    lua_pushvalue(L, -1);
    lua_insert(L, 1);  // kept, for the function's own may be collected
    arguments_.push(L);
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
    // What can run nowhere need not be mentioned.
    for (const std::uint32_t task : missing)
      for (std::size_t m = 0; m < problem.machines; ++m)
        if (problem.time(task, m) < std::numeric_limits<double>::infinity() &&
            problem.width_of(task) <= problem.cores(m) && draft.fits(task, m))
          fail("bad_mapping", "{}: task {} is forgotten, but fits machine {}; {}", who, task + 1, m + 1,
               lua_isnil(L, -1) ? "assign it, or say problem:leave_out(task)"
                                : "give it a machine, or false to leave it out");
  }

  Interpreter* interpreter_;
  std::shared_ptr<const Heuristic> heuristic_;
  bool pure_;
  Reference arguments_;  // a table of parameter values
  std::uint64_t run_;
  Stream stream_{0, heuristic_->name};
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
int time(lua_State* L) {
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
    {"time", time},
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

// A field that is a function, whose parameter 1 is an object of this type.
Reference function_of(const Fields& fields, const char* name, std::string_view type) {
  if (!fields.push(name)) return {};
  if (lua_type(fields.state(), -1) != LUA_TFUNCTION)
    fields.fail(name, "{} must be a function, got {}", name, shown(fields.state(), -1));
  check_methods(fields.state(), -1, 1, type);
  Reference reference(fields.state(), -1);
  lua_pop(fields.state(), 1);
  return reference;
}

int finish_heuristic(lua_State* L) {
  return guard(L, [&] {
    const std::string name(*text_at(L, lua_upvalueindex(1)));
    const Fields fields(L, 1, {"heuristic", name},
                        {"summary", "source", "pick", "place", "smallest", "pure", "map", "parameters"});
    auto heuristic = std::make_shared<Heuristic>();
    heuristic->name = name;
    heuristic->pick = function_of(fields, "pick", TypeName<HeuristicView>::value);
    heuristic->place = function_of(fields, "place", TypeName<HeuristicView>::value);
    heuristic->map = function_of(fields, "map", TypeName<ProblemValue>::value);
    if (!heuristic->pick.valid() && !heuristic->map.valid())
      fields.fail(nullptr,
                  "'pick' is missing: a function(c, task) that returns the key; or 'map': a "
                  "function(problem) that maps all tasks");
    if (heuristic->map.valid())
      for (const char* field : {"pick", "place", "smallest", "pure"})
        if (fields.has(field))
          fields.fail(field, "{} does not go with map, which is the whole mapper", field);
    if (heuristic->pick.valid()) heuristic->surroundings->add("pick", heuristic->pick);
    if (heuristic->map.valid()) heuristic->surroundings->add("map", heuristic->map);
    if (heuristic->place.valid()) heuristic->surroundings->add("place", heuristic->place);
    heuristic->smallest = fields.flag("smallest", false);
    heuristic->pure = fields.flag("pure", false);
    heuristic->parameters = parameters_of(fields);
    Entry entry;
    entry.name = name;
    entry.family = Family::mapping;
    entry.role = Role::mapper;
    entry.summary = fields.text("summary", "a heuristic of the script");
    entry.source = fields.text("source", "");
    entry.complexity = heuristic->map.valid() ? "a call of map"
                       : heuristic->pure      ? "a call of pick for each change of a task's best"
                                              : "O(T^2) calls of pick";
    entry.ties = heuristic->map.valid() ? "as map decides" : "lowest task, then lowest machine";
    entry.parameters = heuristic->parameters;
    Interpreter* interpreter = &Interpreter::of(L);
    entry.make_mapper = [interpreter, heuristic](const Arguments& arguments) -> std::unique_ptr<Mapper> {
      lua_State* state = interpreter->running();
      push_arguments(state, heuristic->parameters, arguments);
      Reference values(state, -1);
      lua_pop(state, 1);
      return std::make_unique<LuaMapper>(*interpreter, heuristic, std::move(values));
    };
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

void lua::register_entry(lua_State* L, Entry entry) {
  const std::string name = entry.name;
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  lua::push(L, name);
  const bool taken = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 2);
  Interpreter& interpreter = Interpreter::of(L);
  if (interpreter.in_cell())
    fail("bad_call", "'{}' cannot be declared in an experiment's cell, which others share; declare it before",
         name);
  Catalogue& catalogue = interpreter.catalogue();
  if (taken && catalogue.find(name) == nullptr)
    fail("duplicate_name", "'{}' is a word of perigee already", name);
  if (catalogue.add(std::move(entry), interpreter.redefines())) interpreter.note_redefined();
  push_constructor(L, catalogue.find(name));
  lua_pushvalue(L, -1);
  define(L, name.c_str());
}

void open_heuristic(lua_State* L) {
  new_type<HeuristicView>(L, kView);
  define(L, "heuristic", begin_heuristic);
}

}  // namespace perigee
