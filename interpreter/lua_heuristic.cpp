// heuristic "name" { pick = function(c, task) ... end }: a mapper whose key a script computes.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/bindings/declarations.h"
#include "interpreter/bindings/schedulers.h"
#include "interpreter/interpreter.h"
#include "runtime/cost/greedy.h"

namespace perigee {

using namespace lua;

namespace lua {

// `c`: the greedy mapping as it stands. Valid while pick or place runs.
struct HeuristicView {
  const GreedyView* view = nullptr;
};
template <>
struct TypeName<HeuristicView> {
  static constexpr const char* value = "mapping view";
};

}  // namespace lua

namespace {

struct Heuristic {
  std::string name;
  Reference pick, place;
  std::shared_ptr<Surroundings> surroundings = std::make_shared<Surroundings>();
  bool smallest = false, pure = false;
  std::vector<Parameter> parameters;
};

class LuaMapper final : public Mapper {
 public:
  LuaMapper(Interpreter& interpreter, std::shared_ptr<const Heuristic> heuristic, Reference arguments)
      : interpreter_(&interpreter),
        heuristic_(std::move(heuristic)),
        arguments_(std::move(arguments)),
        run_(interpreter.traces().new_run()) {}

  std::unique_ptr<Mapper> clone() const override {
    interpreter_->traces().check_fork(interpreter_->running(), run_, who(), *heuristic_->surroundings);
    auto copy = std::make_unique<LuaMapper>(*this);
    copy->run_ = interpreter_->traces().new_run();
    return copy;
  }

  void map(const MappingProblem& problem, Mapping& out) override {
    std::size_t task_at_hand = 0;
    const char* function = "pick";
    struct Leave {
      Interpreter& interpreter;
      ~Leave() {
        if (!interpreter.in_run()) interpreter.leave_run();
      }
    } leave{*interpreter_};
    try {
      protect(interpreter_->running(), [&](lua_State* L) {
        interpreter_->traces().enter(L, run_, who(), heuristic_->surroundings);
        HeuristicView& c = push_new(L, HeuristicView{});
        struct Expire {
          HeuristicView& view;
          ~Expire() { view.view = nullptr; }
        } expire{c};
        arguments_.push(L);
        const auto ask = [&](const Reference& callback, const char* name, const GreedyView& view,
                             std::size_t task) {
          task_at_hand = task;
          function = name;
          c.view = &view;
          callback.push(L);
          lua_pushvalue(L, 1);
          lua_pushinteger(L, static_cast<lua_Integer>(task) + 1);
          lua_pushvalue(L, 2);
          lua_call(L, 3, 1);
        };
        const GreedyKey key = [&](const GreedyView& view, std::size_t task) {
          ask(heuristic_->pick, "pick", view, task);
          if (lua_type(L, -1) != LUA_TNUMBER)
            fail("bad_key", "heuristic '{}': pick must return a number, got {}", heuristic_->name,
                 shown(L, -1));
          const double value = lua_tonumber(L, -1);
          lua_pop(L, 1);
          return value;
        };
        GreedyPlace place;
        if (heuristic_->place.valid())
          place = [&](const GreedyView& view, std::size_t task) {
            ask(heuristic_->place, "place", view, task);
            const auto machine =
                integer_at(L, -1, fmt::format("heuristic '{}': what place returns", heuristic_->name), 1,
                           static_cast<std::int64_t>(view.machines()));
            lua_pop(L, 1);
            return static_cast<std::size_t>(machine - 1);
          };
        greedy_by_key(problem, key, !heuristic_->smallest, heuristic_->pure, out, place);
      });
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      Diagnostic diagnostic = error.diagnostic();
      diagnostic.notes.push_back(fmt::format("in heuristic '{}', {} for task {} of {}", heuristic_->name,
                                             function, task_at_hand + 1, problem.tasks));
      const auto* script = dynamic_cast<const ScriptError*>(&error);
      throw ScriptError(std::move(diagnostic), script ? script->trace() : std::vector<std::string>());
    }
  }

 private:
  std::string who() const { return fmt::format("heuristic '{}'", heuristic_->name); }

  Interpreter* interpreter_;
  std::shared_ptr<const Heuristic> heuristic_;
  Reference arguments_;  // a table of parameter values
  std::uint64_t run_;
};

// ---- c ----

const GreedyView& view_at(lua_State* L) {
  const HeuristicView& c = check<HeuristicView>(L, 1);
  if (c.view == nullptr) fail("stale", "this mapping view belongs to a call that is over");
  return *c.view;
}

std::size_t task_at(lua_State* L, const GreedyView& view) {
  return static_cast<std::size_t>(integer_at(L, 2, "task", 1, static_cast<std::int64_t>(view.tasks()))) - 1;
}

std::size_t machine_at(lua_State* L, int index, const GreedyView& view) {
  return static_cast<std::size_t>(
             integer_at(L, index, "machine", 1, static_cast<std::int64_t>(view.machines()))) -
         1;
}

template <class F>
int of_task(lua_State* L, F&& read) {
  return guard(L, [&] {
    const GreedyView& view = view_at(L);
    const std::size_t task = task_at(L, view);
    if (!view.unmapped(task)) fail("bad_call", "task {} is mapped already, or can run nowhere", task + 1);
    lua_pushnumber(L, read(view, task));
    return 1;
  });
}

int best(lua_State* L) {
  return of_task(L, [](const GreedyView& view, std::size_t task) { return view.best(task); });
}
int second(lua_State* L) {
  return of_task(L, [](const GreedyView& view, std::size_t task) { return view.second(task); });
}
// c:time(task [, machine]): on the best machine unless one is named.
int time(lua_State* L) {
  if (lua_isnoneornil(L, 3))
    return of_task(L, [](const GreedyView& view, std::size_t task) { return view.time(task); });
  return guard(L, [&] {
    const GreedyView& view = view_at(L);
    lua_pushnumber(L, view.time(task_at(L, view), machine_at(L, 3, view)));
    return 1;
  });
}
int completion(lua_State* L) {
  return guard(L, [&] {
    const GreedyView& view = view_at(L);
    lua_pushnumber(L, view.completion(task_at(L, view), machine_at(L, 3, view)));
    return 1;
  });
}
int best_machine(lua_State* L) {
  return guard(L, [&] {
    const GreedyView& view = view_at(L);
    const std::size_t task = task_at(L, view);
    if (!view.unmapped(task)) fail("bad_call", "task {} is mapped already, or can run nowhere", task + 1);
    lua_pushinteger(L, static_cast<lua_Integer>(view.best_machine(task)) + 1);
    return 1;
  });
}
int ready(lua_State* L) {
  return guard(L, [&] {
    const GreedyView& view = view_at(L);
    lua_pushnumber(L, view.ready(machine_at(L, 2, view)));
    return 1;
  });
}
int tasks(lua_State* L) {
  return guard(L, [&] {
    lua_pushinteger(L, static_cast<lua_Integer>(view_at(L).tasks()));
    return 1;
  });
}
int machines(lua_State* L) {
  return guard(L, [&] {
    lua_pushinteger(L, static_cast<lua_Integer>(view_at(L).machines()));
    return 1;
  });
}
int waits(lua_State* L) {
  return guard(L, [&] {
    const GreedyView& view = view_at(L);
    lua_pushboolean(L, view.unmapped(task_at(L, view)) ? 1 : 0);
    return 1;
  });
}

constexpr luaL_Reg kView[] = {{"best", best},
                              {"second", second},
                              {"time", time},
                              {"completion", completion},
                              {"best_machine", best_machine},
                              {"ready", ready},
                              {"tasks", tasks},
                              {"machines", machines},
                              {"waits", waits},
                              {nullptr, nullptr}};

// ---- heuristic "name" { } ----

Reference function_of(const Fields& fields, const char* name) {
  if (!fields.push(name)) return {};
  if (lua_type(fields.state(), -1) != LUA_TFUNCTION)
    fields.fail(name, "{} must be a function, got {}", name, shown(fields.state(), -1));
  Reference reference(fields.state(), -1);
  lua_pop(fields.state(), 1);
  return reference;
}

int finish_heuristic(lua_State* L) {
  return guard(L, [&] {
    const std::string name(*text_at(L, lua_upvalueindex(1)));
    const Fields fields(L, 1, {"heuristic", name},
                        {"summary", "source", "pick", "place", "smallest", "pure", "parameters"});
    auto heuristic = std::make_shared<Heuristic>();
    heuristic->name = name;
    heuristic->pick = function_of(fields, "pick");
    heuristic->place = function_of(fields, "place");
    if (!heuristic->pick.valid())
      fields.fail(nullptr, "'pick' is missing: a function(c, task) that returns the key");
    heuristic->surroundings->add("pick", heuristic->pick);
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
    entry.complexity =
        heuristic->pure ? "a call of pick for each change of a task's best" : "O(T^2) calls of pick";
    entry.ties = "lowest task, then lowest machine";
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
