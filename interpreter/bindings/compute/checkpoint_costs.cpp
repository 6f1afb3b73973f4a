// cost: functions about checkpoints (runtime/cost/checkpoint.h).
#include "interpreter/language/fields/checkpoints.h"
#include "interpreter/session/interpreter.h"
#include "runtime/cost/checkpoint.h"

namespace perigee::bindings {

namespace {

// cost.young { cost =, mtbf = }, and so for daly
template <auto interval>
int best_interval(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {interval == young_interval ? "cost.young" : "cost.daly"},
                        checkpoint_fields::kBest);
    lua_pushnumber(
        L, interval(fields.number(checkpoint_fields::kCost), fields.number(checkpoint_fields::kMtbf)));
    return 1;
  });
}

// cost.checkpointed { time =, interval =, mtbf = [, cost =, restart =, mttr =] }
int expected_time(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"cost.checkpointed"}, checkpoint_fields::kExpected);
    lua_pushnumber(L, checkpointed_time({.time = fields.number(checkpoint_fields::kTime),
                                         .interval = fields.number(checkpoint_fields::kInterval),
                                         .dump = fields.number(checkpoint_fields::kAnyCost),
                                         .restart = fields.number(checkpoint_fields::kRestart),
                                         .mtbf = fields.number(checkpoint_fields::kMtbf),
                                         .mttr = fields.number(checkpoint_fields::kMttr)}));
    return 1;
  });
}

constexpr luaL_Reg kCheckpointCosts[] = {{"young", best_interval<young_interval>},
                                         {"daly", best_interval<daly_interval>},
                                         {"checkpointed", expected_time},
                                         {nullptr, nullptr}};

}  // namespace

// Adds the functions to the table on top of the stack.
void add_checkpoint_costs(lua_State* L) { luaL_setfuncs(L, kCheckpointCosts, 0); }

}  // namespace perigee::bindings
