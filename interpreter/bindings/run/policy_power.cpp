// The methods of `sim` about the power of hosts.
#include "interpreter/bindings/run/policy_sim.h"

namespace perigee::bindings {

namespace {

// sim:power(host) -> its power, the number of its state of speed, when it could be on
int power_of_host(lua_State* L) {
  return guard(L, [&] {
    const Sim& sim = sim_at(L);
    const HostId host = policy_host_at(L, 2, sim);
    const HostView& view = sim.view()[host];
    host::push(L, name_of(view.power));
    lua_pushinteger(L, view.state + 1);
    lua_pushnumber(L, sim.on_from(host));
    return 3;
  });
}

template <void (Sim::*act)(HostId)>
int act_on_host(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    (sim.*act)(policy_host_at(L, 2, sim));
    return 0;
  });
}

// sim:set_state(host, number)
int set_state(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const HostId host = policy_host_at(L, 2, sim);
    constexpr std::int64_t kMost = 1'000'000;
    sim.set_state(host, static_cast<std::size_t>(integer_at(L, 3, "set_state: the number", 1, kMost) - 1));
    return 0;
  });
}

constexpr luaL_Reg kPower[] = {{"power", power_of_host},
                               {"power_off", acting<act_on_host<&Sim::power_off>>},
                               {"power_on", acting<act_on_host<&Sim::power_on>>},
                               {"set_state", acting<set_state>}};

}  // namespace

std::span<const luaL_Reg> power_of_sim() { return kPower; }

}  // namespace perigee::bindings
