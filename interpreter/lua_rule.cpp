// Functions of a script as values of a scheduler's parameters: switch { when = function(problem) ... end, ...
// }.
#include <fmt/format.h>

#include "interpreter/bindings/mappings.h"
#include "interpreter/bindings/schedulers.h"
#include "interpreter/check_names.h"
#include "interpreter/interpreter.h"

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
        struct Shown {
          MapperCallPtr call = std::make_shared<MapperCall>();
          ~Shown() { call->alive = false; }
        } shown_problem;
        push_new(L, ProblemValue{shown_problem.call, nullptr, Draft(problem), 1});  // to be looked at
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

}  // namespace

RulePtr lua::rule_at(lua_State* L, int index) {
  check_methods(L, index, 1, TypeName<ProblemValue>::value);
  lua_Debug place;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">S", &place);
  const char* file = *place.source == '@' ? place.source + 1 : place.short_src;
  return std::make_shared<LuaRule>(
      Interpreter::of(L), fmt::format("function ({}:{})", file, place.linedefined), Reference(L, index));
}

}  // namespace perigee
