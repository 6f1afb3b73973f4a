// experiment "name" { factors =, replications =, run =, measure = }
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/experiment/carried_out.h"
#include "interpreter/bindings/run/experiment/check.h"
#include "interpreter/bindings/run/experiment/declaration.h"
#include "interpreter/bindings/run/experiment/results.h"
#include "interpreter/language/arguments.h"
#include "interpreter/session/interpreter.h"

namespace perigee::bindings {

namespace {

int finish_experiment(lua_State* L) {
  return guard(L, [&] {
    refuse_second(L, "experiment");
    refuse_inside(L, "an experiment");
    Declaration declaration = declaration_at(L, 1, std::string(*text_at(L, lua_upvalueindex(1))));
    Interpreter& interpreter = Interpreter::of(L);
    interpreter.spend(kStepsOfExperiment);
    if (interpreter.checking()) {
      push_checked_experiment(L, declaration);
      return 1;
    }
    push_new(L, carried_out(L, declaration));
    return 1;
  });
}

int begin_experiment(lua_State* L) {
  return guard(L, [&] {
    const auto name = text_at(L, 1);
    if (!name || name->empty())
      fail("bad_type", "experiment: a name comes first, as in experiment \"mine\" {{ }}, got {}",
           shown(L, 1));
    lua_settop(L, 1);
    lua_pushcclosure(L, finish_experiment, 1);
    return 1;
  });
}

}  // namespace

void open_experiment(lua_State* L) {
  open_results_of_experiments(L);
  open_check(L);
  define(L, "experiment", begin_experiment);
  open_module_of_experiments(L);
}

}  // namespace perigee::bindings
