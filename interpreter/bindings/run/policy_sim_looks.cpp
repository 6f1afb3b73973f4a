// The methods of `sim` in the callbacks of a policy that only look.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "interpreter/bindings/run/facts.h"
#include "interpreter/bindings/run/policy_sim.h"
#include "interpreter/callbacks/lua_policy.h"
#include "interpreter/language/fields/policies.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "runtime/engine/sim.h"

namespace perigee::bindings {

namespace {

// Checks the part for functions that only ask. Actions check their parts themselves.
void check_part(const Fields& fields, const Piece& piece, double size) {
  if (piece.size <= 0)
    fields.fail(sim_fields::kSize, "nobody's part is left; first = says which part is meant");
  if (piece.first + piece.size > size)
    fields.fail(fields.has(sim_fields::kFirst) ? sim_fields::kFirst : sim_fields::kSize,
                "first = {} and size = {} are not within the {} there are", format_number(piece.first),
                format_number(piece.size), format_number(size));
}

int now(lua_State* L) {
  return guard(L, [&] {
    lua_pushnumber(L, sim_at(L).now());
    return 1;
  });
}
int host_count(lua_State* L) {
  return guard(L, [&] {
    lua_pushinteger(L, static_cast<lua_Integer>(sim_at(L).view().hosts().size()));
    return 1;
  });
}
int work_count(lua_State* L) {
  return guard(L, [&] {
    lua_pushinteger(L, static_cast<lua_Integer>(sim_at(L).view().works().size()));
    return 1;
  });
}
int unsettled(lua_State* L) {
  return guard(L, [&] {
    lua_pushinteger(L, static_cast<lua_Integer>(sim_at(L).view().unsettled()));
    return 1;
  });
}
// sim:hosts() -> ids of the hosts that are up.
int hosts(lua_State* L) {
  return guard(L, [&] {
    const View& view = sim_at(L).view();
    lua_newtable(L);
    lua_Integer count = 0;
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      if (!view.hosts()[h].up) continue;
      lua_pushinteger(L, static_cast<lua_Integer>(h) + 1);
      lua_rawseti(L, -2, ++count);
    }
    return 1;
  });
}
int policy_is_up(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { lua_pushboolean(L, sim.view()[host].up ? 1 : 0); });
}
int policy_idle_cores(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { lua_pushinteger(L, sim.view()[host].idle); });
}
int policy_speed(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { lua_pushnumber(L, sim.view()[host].speed); });
}
int cluster(lua_State* L) {
  return of_host(
      L, [&](Sim& sim, HostId host) { host::push(L, sim.view().platform()[sim.view()[host].cluster].name); });
}
int host_name(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { host::push(L, sim.view().platform()[host].name); });
}
int work_name(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { host::push(L, sim.view().workload().name_of(work)); });
}
int cores(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushinteger(L, sim.view().workload()[work].cores); });
}
template <double Needs::*value>
int need(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) {
    const double declared = sim.view().workload().needs_of(work).*value;
    if (std::isnan(declared))
      lua_pushnil(L);
    else
      lua_pushnumber(L, declared);
  });
}
int arrival(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushnumber(L, sim.view().workload()[work].arrival); });
}
int deadline(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushnumber(L, sim.view().workload()[work].deadline); });
}
int priority(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushnumber(L, sim.view().workload()[work].priority); });
}
int kind(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { host::push(L, name_of(sim.view().workload()[work].kind)); });
}
int state(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { host::push(L, name_of(sim.view()[work].state)); });
}
int size(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushnumber(L, sim.view().workload().size_of(work)); });
}
int undealt(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushnumber(L, sim.undealt(work)); });
}
int user(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) {
    const UserId id = sim.view().workload()[work].user;
    host::push(L, id.valid() ? std::string_view(sim.view().workload().users[id.at()]) : std::string_view());
  });
}
int fits(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) {
    const bool list = lua_type(L, 3) == LUA_TTABLE;
    lua_pushboolean(
        L, list ? sim.fits(work, shares_at(L, 3, sim, work)) : sim.fits(work, policy_host_at(L, 3, sim)));
  });
}
// sim:estimate(work, host [, start or { start =, first =, size = }]) -> seconds. The work, or that part of
// it, would take so long from `start` (default: now), as far as can be known. math.huge = the host cannot run
// it.
int estimate(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) {
    Piece piece{work, 0, sim.view().workload().size_of(work)};
    const Range later{sim.now(), kAbsurd, false};
    Time start = sim.now();
    if (lua_type(L, 3) == LUA_TTABLE) {
      std::vector<Share> shares = shares_at(L, 3, sim, work);
      std::ranges::sort(shares, {}, &Share::host);
      if (const std::string problem = sim.misfit_of(work, shares); !problem.empty())
        fail("bad_value", "estimate: {}: {}", sim.view().workload().name_of(work), problem);
      if (lua_type(L, 4) == LUA_TTABLE) {
        const Fields fields(L, 4, {"estimate"}, sim_fields::kEstimate);
        for (const FieldRow& part : {sim_fields::kFirst, sim_fields::kSize})
          if (fields.has(part))
            fields.fail(part, "{}: where a work has a list of hosts, it has no parts", part.name);
        FieldRow not_before_now = sim_fields::kStartOfEstimate;
        not_before_now.range = later;
        start = fields.number(not_before_now, start);
      } else if (!lua_isnoneornil(L, 4)) {
        start = number_at(L, 4, "estimate: start", Dimension::seconds, later);
      }
      lua_pushnumber(L, sim.estimate().end_of(sim, work, shares, start) - start);
      return;
    }
    const HostId host = policy_host_at(L, 3, sim);
    if (lua_type(L, 4) == LUA_TTABLE) {
      const Fields fields(L, 4, {"estimate"}, sim_fields::kEstimate);
      piece = piece_of(fields, sim, work);
      check_part(fields, piece, sim.view().workload().size_of(work));
      FieldRow not_before_now = sim_fields::kStartOfEstimate;
      not_before_now.range = later;
      start = fields.number(not_before_now, start);
    } else if (!lua_isnoneornil(L, 4)) {
      start = number_at(L, 4, "estimate: start", Dimension::seconds, later);
    }
    const Workload& workload = sim.view().workload();
    const Shape* shape = workload.shape_of(work);
    const std::vector<Share> alone{{host, workload[work].cores}};
    if (shape != nullptr && !shape->allows(host))
      lua_pushnumber(L, kNever);
    else if (shape != nullptr && shape->nodes == 1 && piece.size == workload.size_of(work) &&
             sim.misfit_of(work, alone).empty())
      lua_pushnumber(L, sim.estimate().end_of(sim, work, alone, start) - start);  // with its dumps
    else
      lua_pushnumber(L, start == sim.now() ? sim.estimate().duration(sim, piece, host)
                                           : sim.estimate().end_of(sim, piece, host, start) - start);
  });
}

// ---- of sweeps ----

// Pushes the number of simulations that a host does at a time.
int slots(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { lua_pushinteger(L, sim.view().platform()[host].slots); });
}
const WorkExtra& sweep_of(const Sim& sim, WorkId work, const char* word) {
  const Workload& workload = sim.view().workload();
  if (workload[work].kind != WorkKind::sweep)
    fail("bad_value", "{}: {} is no sweep but a {}", word, workload.name_of(work),
         name_of(workload[work].kind));
  return workload.extras[workload[work].extra];
}
int trials(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushinteger(L, sweep_of(sim, work, "trials").trials); });
}
// sim:weight(work, run): the factor of the times of the run's simulations; runs count from 0.
int weight(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) {
    const WorkExtra& sweep = sweep_of(sim, work, "weight");
    const std::int64_t run = integer_at(L, 3, "weight: run", 0, static_cast<std::int64_t>(sweep.size) - 1);
    lua_pushnumber(L, sweep.weights == kNone
                          ? 1
                          : sim.view().workload().times[sweep.weights + static_cast<std::size_t>(run)]);
  });
}

int host_cores(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { lua_pushinteger(L, sim.view()[host].cores); });
}
int waits(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushboolean(L, sim.waits(work) ? 1 : 0); });
}
int done(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) { lua_pushnumber(L, sim.view()[work].done); });
}

int policy_running_on(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { push_activities(L, sim.under_way_on(host)); });
}
int policy_queued_on(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { push_activities(L, sim.queued_on(ResourceId::of(host))); });
}
int suspended(lua_State* L) {
  return guard(L, [&] {
    push_activities(L, sim_at(L).suspended());
    return 1;
  });
}
int can_resume(lua_State* L) {
  return guard(L, [&] {
    lua_pushboolean(L, sim_at(L).obstacle_of_resume(activity_at(L, 2)).empty() ? 1 : 0);
    return 1;
  });
}
// sim:activity(id) -> the facts of it that may be known; nil when it is over.
int policy_activity(lua_State* L) {
  return guard(L, [&] {
    push_activity(L, sim_at(L).activity(activity_at(L, 2)));
    return 1;
  });
}
// sim:end_of(activity) -> when it will end, as far as can be known; now of one that is posted.
int end_of(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const ActivityId id = activity_at(L, 2);
    if (!sim.activity(id)) fail("bad_value", "end_of: this activity is over");
    lua_pushnumber(L, sim.estimate().end_of(sim, id));
    return 1;
  });
}

// sim:etc(works [, hosts]) -> the matrix of the times of each work on each host from now.
int etc_of(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const std::vector<WorkId> works = ids_at<WorkId>(L, 2, sim, "etc: the works", work_at);
    const std::vector<HostId> hosts = hosts_at(L, 3, sim, "etc: the hosts");
    if (works.empty() || hosts.empty())
      fail("bad_etc", "etc: {} works on {} hosts make no matrix", works.size(), hosts.size());
    EtcMatrix etc;
    etc.tasks = works.size();
    etc.machines = hosts.size();
    etc.values.resize(works.size() * hosts.size());
    sim.estimate().matrix(sim, works, hosts, etc.values);
    push_new(L, std::make_shared<const EtcMatrix>(std::move(etc)));
    return 1;
  });
}

// sim:ready([hosts]) -> for each the seconds from now until it has an idle core, 0 when it has one, 1/0 when
// it is down or held.
int policy_ready(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const std::vector<HostId> hosts = hosts_at(L, 2, sim, "ready: the hosts");
    lua_createtable(L, static_cast<int>(hosts.size()), 0);
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      Time at = sim.view()[hosts[i]].idle > 0 ? sim.now() : kNever;
      if (at == kNever && sim.view()[hosts[i]].up)
        for (const ActivityId id : sim.running_on(hosts[i]))
          at = std::min(at, sim.estimate().end_of(sim, id));
      lua_pushnumber(L, std::max(0.0, at - sim.now()));
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    return 1;
  });
}

// ---- files, by number ----

template <auto list>
int policy_files_of(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) {
    const auto files = list(sim.view().workload(), work);
    lua_createtable(L, static_cast<int>(files.size()), 0);
    for (std::size_t i = 0; i < files.size(); ++i) {
      lua_pushinteger(L, static_cast<lua_Integer>(files[i].index) + 1);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
  });
}
int file_count(lua_State* L) {
  return guard(L, [&] {
    lua_pushinteger(L, static_cast<lua_Integer>(sim_at(L).view().workload().files.size()));
    return 1;
  });
}
int policy_file_name(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    host::push(L, sim.view().workload().files[file_at(L, 2, sim).index].name);
    return 1;
  });
}
int file_size(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    lua_pushnumber(L, sim.view().workload().files[file_at(L, 2, sim).index].estimate);
    return 1;
  });
}
int at_home(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    lua_pushboolean(L, sim.at_home(file_at(L, 2, sim)) ? 1 : 0);
    return 1;
  });
}
int in_store(lua_State* L) {
  return of_file_and_host(L, [&](Sim& sim, FileId file, ClusterId cluster) {
    lua_pushboolean(L, sim.in_store(file, cluster) ? 1 : 0);
  });
}
int in_transfer(lua_State* L) {
  return of_file_and_host(L, [&](Sim& sim, FileId file, ClusterId cluster) {
    lua_pushboolean(L, sim.in_transfer(file, cluster) || sim.in_transfer_home(file, cluster) ? 1 : 0);
  });
}
// sim:room(host): B that are free in the store of its cluster.
int room(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    lua_pushnumber(L, sim.room_in(sim.view()[policy_host_at(L, 2, sim)].cluster));
    return 1;
  });
}
// sim:transfer_time(file, host [, start]): seconds between the origin and the host's cluster.
int transfer_time(lua_State* L) {
  return of_file_and_host(L, [&](Sim& sim, FileId file, ClusterId cluster) {
    Time start = sim.now();
    if (!lua_isnoneornil(L, 4))
      start = number_at(L, 4, "transfer_time: start", Dimension::seconds, {sim.now(), kAbsurd, false});
    lua_pushnumber(L, sim.estimate().end_of(sim, file, cluster, start) - start);
  });
}

constexpr luaL_Reg kLooks[] = {
    {"now", now},
    {"host_count", host_count},
    {"work_count", work_count},
    {"unsettled", unsettled},
    {"hosts", hosts},
    {"is_up", policy_is_up},
    {"idle_cores", policy_idle_cores},
    {"speed", policy_speed},
    {"cluster", cluster},
    {"host_name", host_name},
    {"work_name", work_name},
    {"cores", cores},
    {"memory", need<&Needs::memory>},
    {"memory_traffic", need<&Needs::memory_traffic>},
    {"arrival", arrival},
    {"deadline", deadline},
    {"priority", priority},
    {"kind", kind},
    {"state", state},
    {"size", size},
    {"undealt", undealt},
    {"user", user},
    {"fits", fits},
    {"estimate", estimate},
    {"slots", slots},
    {"trials", trials},
    {"weight", weight},
    {"host_cores", host_cores},
    {"waits", waits},
    {"done", done},
    {"running_on", policy_running_on},
    {"queued_on", policy_queued_on},
    {"suspended", suspended},
    {"can_resume", can_resume},
    {"activity", policy_activity},
    {"end_of", end_of},
    {"etc", etc_of},
    {"ready", policy_ready},
    {"inputs", policy_files_of<[](const Workload& all, WorkId work) { return all.inputs(work); }>},
    {"outputs", policy_files_of<[](const Workload& all, WorkId work) { return all.outputs(work); }>},
    {"file_count", file_count},
    {"file_name", policy_file_name},
    {"file_size", file_size},
    {"at_home", at_home},
    {"in_store", in_store},
    {"in_transfer", in_transfer},
    {"room", room},
    {"transfer_time", transfer_time}};

}  // namespace

std::span<const luaL_Reg> looks_of_sim() { return kLooks; }

}  // namespace perigee::bindings
