// Functions of a script as values of a scheduler's parameters: switch { when = function(problem) ... end, ...
// }.
#include <fmt/format.h>

#include "interpreter/bindings/schedulers.h"
#include "interpreter/interpreter.h"
#include "runtime/cost/etc.h"

namespace perigee {

using namespace lua;

namespace lua {

// What such a function is asked about. Valid while it runs.
struct ProblemView {
  const MappingProblem* problem = nullptr;
};
template <>
struct TypeName<ProblemView> {
  static constexpr const char* value = "problem";
};

}  // namespace lua

namespace {

class LuaRule final : public Rule {
 public:
  LuaRule(Interpreter& interpreter, std::string text, const Reference& function)
      : interpreter_(&interpreter), text_(std::move(text)), function_(function) {
    surroundings_->add("function", function);
  }

  std::unique_ptr<Rule> clone() const override {
    interpreter_->traces().check_fork(interpreter_->running(), run_, text_, *surroundings_);
    auto copy = std::make_unique<LuaRule>(*this);
    copy->run_ = interpreter_->traces().new_run();
    return copy;
  }

  std::string text() const override { return text_; }

  Answer ask(const MappingProblem& problem) override {
    struct Leave {
      Interpreter& interpreter;
      ~Leave() {
        if (!interpreter.in_run()) interpreter.leave_run();
      }
    } leave{*interpreter_};
    Answer answer;
    try {
      protect(interpreter_->running(), [&](lua_State* L) {
        interpreter_->traces().enter(L, run_, text_, surroundings_);
        function_.push(L);
        ProblemView& view = push_new(L, ProblemView{&problem});
        struct Expire {
          ProblemView& view;
          ~Expire() { view.problem = nullptr; }
        } expire{view};
        lua_pushvalue(L, -1);  // which lives on while the function runs
        lua_insert(L, -3);
        lua_call(L, 1, 1);
        if (const auto name = text_at(L, -1))
          answer = std::string(*name);
        else if (lua_type(L, -1) == LUA_TBOOLEAN)
          answer = lua_toboolean(L, -1) != 0;
        else if (lua_type(L, -1) == LUA_TNUMBER)
          answer = static_cast<double>(lua_tonumber(L, -1));
        else
          fail("bad_answer", "{} must return true or false, a number or a name, got {}", text_, shown(L, -1));
      });
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      Diagnostic diagnostic = error.diagnostic();
      diagnostic.notes.push_back(
          fmt::format("in {} for {} tasks on {} machines", text_, problem.tasks, problem.machines));
      const auto* script = dynamic_cast<const ScriptError*>(&error);
      throw ScriptError(std::move(diagnostic), script ? script->trace() : std::vector<std::string>());
    }
    return answer;
  }

 private:
  Interpreter* interpreter_;
  std::string text_;
  Reference function_;
  std::shared_ptr<Surroundings> surroundings_ = std::make_shared<Surroundings>();
  std::uint64_t run_ = 0;  // 0: a value of a parameter, which is never asked
};

// ---- problem ----

const MappingProblem& problem_at(lua_State* L) {
  const ProblemView& view = check<ProblemView>(L, 1);
  if (view.problem == nullptr) fail("stale", "this problem belongs to a call that is over");
  return *view.problem;
}

std::size_t place_at(lua_State* L, int index, std::string_view what, std::size_t count) {
  return static_cast<std::size_t>(integer_at(L, index, what, 1, static_cast<std::int64_t>(count))) - 1;
}

template <std::size_t MappingProblem::*count>
int count_of(lua_State* L) {
  return guard(L, [&] {
    lua_pushinteger(L, static_cast<lua_Integer>(problem_at(L).*count));
    return 1;
  });
}
int time(lua_State* L) {
  return guard(L, [&] {
    const MappingProblem& problem = problem_at(L);
    const std::size_t task = place_at(L, 2, "task", problem.tasks);
    lua_pushnumber(L, problem.time(task, place_at(L, 3, "machine", problem.machines)));
    return 1;
  });
}
int ready(lua_State* L) {
  return guard(L, [&] {
    const MappingProblem& problem = problem_at(L);
    lua_pushnumber(L, MachineTimes(problem).ready(place_at(L, 2, "machine", problem.machines)));
    return 1;
  });
}
template <auto feature>
int feature_of(lua_State* L) {
  return guard(L, [&] {
    lua_pushnumber(L, feature(problem_at(L)));
    return 1;
  });
}

constexpr auto tasks = count_of<&MappingProblem::tasks>;
constexpr auto machines = count_of<&MappingProblem::machines>;
constexpr auto balance =
    feature_of<[](const MappingProblem& problem) { return load_balance(MachineTimes(problem)); }>;
constexpr auto of_tasks = feature_of<task_heterogeneity>;
constexpr auto of_machines = feature_of<machine_heterogeneity>;

constexpr luaL_Reg kProblem[] = {{"tasks", tasks},
                                 {"machines", machines},
                                 {"time", time},
                                 {"ready", ready},
                                 {"balance", balance},
                                 {"task_heterogeneity", of_tasks},
                                 {"machine_heterogeneity", of_machines},
                                 {nullptr, nullptr}};

}  // namespace

RulePtr lua::rule_at(lua_State* L, int index) {
  lua_Debug place;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">S", &place);
  const char* file = *place.source == '@' ? place.source + 1 : place.short_src;
  return std::make_shared<LuaRule>(
      Interpreter::of(L), fmt::format("function ({}:{})", file, place.linedefined), Reference(L, index));
}

void open_rule(lua_State* L) { new_type<ProblemView>(L, kProblem); }

}  // namespace perigee
