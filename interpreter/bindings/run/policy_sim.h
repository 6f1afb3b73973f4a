// The methods of `sim` in the callbacks of a policy share these functions.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "interpreter/callbacks/lua_policy.h"
#include "interpreter/host/stack.h"
#include "runtime/engine/sim.h"

namespace perigee::bindings {

// The simulation that a callback sees. Error when the callback is over.
Sim& sim_at(lua_State* L);
WorkId work_at(lua_State* L, int index, const Sim& sim);
HostId policy_host_at(lua_State* L, int index, const Sim& sim);
FileId file_at(lua_State* L, int index, const Sim& sim);
// The part of the work that the fields `first` and `size` name; the whole work when they are missing.
Piece piece_of(const Fields& fields, const Sim& sim, WorkId work);
// The list of hosts at `index`, for a work: hosts where its shape says the cores, else { host, cores } each.
std::vector<Share> shares_at(lua_State* L, int index, const Sim& sim, WorkId work);
// The hosts listed at `index`; when there is no list, the hosts that are up.
std::vector<HostId> hosts_at(lua_State* L, int index, const Sim& sim, std::string_view what);

template <class F>
int of_work(lua_State* L, F&& read) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    read(sim, work_at(L, 2, sim));
    return 1;
  });
}
template <class F>
int of_host(lua_State* L, F&& read) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    read(sim, policy_host_at(L, 2, sim));
    return 1;
  });
}

// Calls read() with a file and the cluster of a host.
template <class F>
int of_file_and_host(lua_State* L, F&& read) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const FileId file = file_at(L, 2, sim);
    read(sim, file, sim.view()[policy_host_at(L, 3, sim)].cluster);
    return 1;
  });
}

template <class Id, class At>
std::vector<Id> ids_at(lua_State* L, int index, const Sim& sim, std::string_view what, At&& at) {
  if (lua_type(L, index) != LUA_TTABLE)
    fail("bad_type", "{} must be a list of numbers, got {}", what, shown(L, index));
  std::vector<Id> ids;
  const lua_Integer count = list_length(L, index, what);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, index, i);
    ids.push_back(at(L, lua_gettop(L), sim));
    lua_pop(L, 1);
  }
  return ids;
}

// A method that acts. A function that is a parameter of a policy decides nothing else.
template <lua_CFunction act>
int acting(lua_State* L) {
  const auto* view = lean<SimView>(L);
  if (view == nullptr || view->looks_only)
    guard(L, [&] {
      sim_at(L);
      if (check<SimView>(L, 1).looks_only)
        fail("bad_action",
             "a function that is a parameter only looks; it cannot start, post or change anything");
      return 0;
    });
  return act(L);
}

// The methods that only look; those about jobs over several hosts; those about the power of hosts.
std::span<const luaL_Reg> looks_of_sim();
std::span<const luaL_Reg> plans_of_sim();
std::span<const luaL_Reg> power_of_sim();
std::span<const luaL_Reg> precedence_of_sim();  // about works that wait for others

}  // namespace perigee::bindings
