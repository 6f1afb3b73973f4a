// cost: functions about power (runtime/cost/power.h).
#include "interpreter/bindings/declare/power.h"
#include "interpreter/session/interpreter.h"
#include "runtime/cost/power.h"

namespace perigee::bindings {

namespace {

// cost.break_even { idle =, busy =, off =, boot =, shutdown = }: the table `power` of a host
int break_even_time(lua_State* L) {
  return guard(L, [&] {
    if (lua_type(L, 1) != LUA_TTABLE)
      fail("bad_type", "cost.break_even: the table power of a host is needed, got {}", shown(L, 1));
    lua_settop(L, 1);
    lua_pushnumber(L, break_even(read_power(L, "cost.break_even")));
    return 1;
  });
}

constexpr luaL_Reg kPowerCosts[] = {{"break_even", break_even_time}, {nullptr, nullptr}};

}  // namespace

// Adds the functions to the table on top of the stack.
void add_power_costs(lua_State* L) { luaL_setfuncs(L, kPowerCosts, 0); }

}  // namespace perigee::bindings
