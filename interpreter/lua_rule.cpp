// Functions of a script as values of a scheduler's parameters: switch { when = function(problem) ... end, ...
// }, amra { runs_in_round = function(round, state) ... end }.
#include <fmt/format.h>

#include <cmath>

#include "interpreter/bindings/mappings.h"
#include "interpreter/bindings/schedulers.h"
#include "interpreter/check_names.h"
#include "interpreter/interpreter.h"
#include "runtime/schedulers/realtime/period_state.h"
#include "runtime/schedulers/sweep/round_state.h"

namespace perigee {

using namespace lua;

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
    struct Shown {
      MapperCallPtr call = std::make_shared<MapperCall>();
      ~Shown() { call->alive = false; }
    } shown_problem;
    return answer(
        [&](lua_State* L) {
          push_new(L, ProblemValue{shown_problem.call, nullptr, Draft(problem), 1});  // to be looked at
          return 1;
        },
        fmt::format("for {} tasks on {} machines", problem.tasks, problem.machines));
  }

  Answer ask_round(double round, const RoundState& state) override { return of_round(round, state); }
  Answer ask_period(double period, const PeriodState& state) override { return of_round(period, state); }

 private:
  // What the function returns, given what `push_arguments` pushes; an error has a note on where that was.
  template <class PushArguments>
  Answer answer(PushArguments push_arguments, const std::string& where) {
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
        lua_call(L, push_arguments(L), 1);
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
      diagnostic.notes.push_back(fmt::format("in {} {}", text_, where));
      const auto* script = dynamic_cast<const ScriptError*>(&error);
      throw ScriptError(std::move(diagnostic), script ? script->trace() : std::vector<std::string>());
    }
    return answer;
  }

  template <class State>
  Answer of_round(double round, const State& state) {
    return answer(
        [&](lua_State* L) {
          lua_pushinteger(L, static_cast<lua_Integer>(round));
          push_state(L, state);
          return 2;
        },
        fmt::format("in round {} at t = {} s", format_number(round), format_number(state.view.now())));
  }

  // A field of the table on top; NaN is left out.
  static void set_number(lua_State* L, const char* name, double value) {
    if (std::isnan(value)) return;
    lua_Integer whole = 0;
    if (lua_numbertointeger(value, &whole) && static_cast<double>(whole) == value)
      lua_pushinteger(L, whole);
    else
      lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
  }

  static void push_state(lua_State* L, const PeriodState& state) {
    luaL_checkstack(L, 3, "a period");
    lua_createtable(L, 0, 8);
    set_number(L, "time", state.view.now());
    set_number(L, "bound", state.bound);
    set_number(L, "miss_ratio", state.miss_ratio);
    set_number(L, "misses", state.misses);
    set_number(L, "resolved", state.resolved);
    set_number(L, "arrived", state.arrived);
    set_number(L, "rejected", state.rejected);
    set_number(L, "utilization", state.utilization);
  }

  // Plain data: of the sweep, and of the host at hand or, where there is none, of all of them by number.
  static void push_state(lua_State* L, const RoundState& state) {
    luaL_checkstack(L, 4, "a round");
    lua_createtable(L, 0, 8);
    const auto number = [&](const char* name, double value) { set_number(L, name, value); };
    const auto list = [&](const char* name, std::span<const double> values) {
      lua_createtable(L, static_cast<int>(values.size()), 0);
      for (std::size_t i = 0; i < values.size(); ++i) {
        lua_pushnumber(L, values[i]);
        lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
      }
      lua_setfield(L, -2, name);
    };
    const Workload& workload = state.view.workload();
    number("time", state.view.now());
    number("runs", state.runs);
    number("dealt", state.dealt);
    number("undealt", state.runs - state.dealt);
    number("trials", workload.extras[workload[state.work].extra].trials);
    number("quota", state.quota);
    if (!state.host.valid()) {
      list("enpr", state.power.enpr());
      list("npp", state.power.npp());
      return;
    }
    const Host& host = state.view.platform()[state.host];
    number("host", state.host.index + 1.0);
    lua::push(L, host.name);
    lua_setfield(L, -2, "name");
    number("cores", host.cores);
    number("slots", host.slots);
    number("enpr", state.power.enpr(state.host));
    number("npp", state.power.npp(state.host));
  }

  Interpreter* interpreter_;
  std::string text_;
  Reference function_;
  std::shared_ptr<Surroundings> surroundings_ = std::make_shared<Surroundings>();
  std::uint64_t run_ = 0;  // 0: a value of a parameter, which is never asked
};

}  // namespace

RulePtr lua::rule_at(lua_State* L, int index) {
  check_methods(L, index, 1, {TypeName<ProblemValue>::value});
  lua_Debug place;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">S", &place);
  const char* file = *place.source == '@' ? place.source + 1 : place.short_src;
  return std::make_shared<LuaRule>(
      Interpreter::of(L), fmt::format("function ({}:{})", file, place.linedefined), Reference(L, index));
}

}  // namespace perigee
