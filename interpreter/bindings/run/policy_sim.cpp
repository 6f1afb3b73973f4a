// The methods of `sim` in the callbacks of a policy.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/process.h"
#include "interpreter/callbacks/lua_policy.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "runtime/engine/sim.h"

namespace perigee::bindings {

namespace {

Sim& sim_at(lua_State* L) {
  if (const auto* view = lean<SimView>(L); view != nullptr && view->sim != nullptr) return *view->sim;
  const SimView& view = check<SimView>(L, 1);
  if (view.sim == nullptr)
    fail("stale", "this sim belongs to a callback that is over; use the one that the callback gets");
  return *view.sim;
}
WorkId work_at(lua_State* L, int index, const Sim& sim) {
  const auto count = static_cast<std::int64_t>(sim.view().works().size());
  return WorkId(integer_at(L, index, "work", 1, count) - 1);
}
HostId policy_host_at(lua_State* L, int index, const Sim& sim) {
  std::size_t place = 0;
  if (lean_index(L, index, sim.view().hosts().size(), place)) return HostId(place);
  return host_at(L, index, sim.view().platform());
}
FileId file_at(lua_State* L, int index, const Sim& sim) {
  const auto count = static_cast<std::int64_t>(sim.view().workload().files.size());
  if (count == 0) fail("bad_value", "file: the workload has no files");
  return FileId(integer_at(L, index, "file", 1, count) - 1);
}
// The part of the work that the fields `first` and `size` name; the whole work when they are missing.
Piece piece_of(const Fields& fields, const Sim& sim, WorkId work) {
  if (fields.has("first"))
    return {work, fields.number("first", Dimension::count, std::nullopt, kNotNegative),
            fields.number("size", Dimension::count, std::nullopt, kPositive)};
  if (fields.has("size"))
    return sim.next_piece(work, fields.number("size", Dimension::count, std::nullopt, kPositive));
  return {work, 0, sim.view().workload().size_of(work)};
}
// Checks the part for functions that only ask. Actions check their parts themselves.
void check_part(const Fields& fields, const Piece& piece, double size) {
  if (piece.size <= 0) fields.fail("size", "nobody's part is left; first = says which part is meant");
  if (piece.first + piece.size > size)
    fields.fail(fields.has("first") ? "first" : "size",
                "first = {} and size = {} are not within the {} there are", format_number(piece.first),
                format_number(piece.size), format_number(size));
}
int push_id(lua_State* L, std::uint64_t packed) {
  lua_pushinteger(L, static_cast<lua_Integer>(packed));
  return 1;
}

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
    lua_pushboolean(L, sim.fits(work, policy_host_at(L, 3, sim)) ? 1 : 0);
  });
}
// sim:estimate(work, host [, start or { start =, first =, size = }]) -> the seconds that the work, or that
// part of it, would take from `start` (default: now), as far as can be known; math.huge = the host cannot run
// it.
int estimate(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) {
    Piece piece{work, 0, sim.view().workload().size_of(work)};
    const HostId host = policy_host_at(L, 3, sim);
    const Range later{sim.now(), kAbsurd, false};
    Time start = sim.now();
    if (lua_type(L, 4) == LUA_TTABLE) {
      const Fields fields(L, 4, {"estimate"}, {"start", "first", "size"});
      piece = piece_of(fields, sim, work);
      check_part(fields, piece, sim.view().workload().size_of(work));
      start = fields.number("start", Dimension::seconds, start, later);
    } else if (!lua_isnoneornil(L, 4)) {
      start = number_at(L, 4, "estimate: start", Dimension::seconds, later);
    }
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

int running_on(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { push_activities(L, sim.under_way_on(host)); });
}
int queued_on(lua_State* L) {
  return of_host(L, [&](Sim& sim, HostId host) { push_activities(L, sim.queued_on(ResourceId::of(host))); });
}
// sim:activity(id) -> the facts of it that may be known; nil when it is over.
int activity(lua_State* L) {
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

template <class Id, class At>
std::vector<Id> ids_at(lua_State* L, int index, const Sim& sim, std::string_view what, At&& at) {
  if (lua_type(L, index) != LUA_TTABLE)
    fail("bad_type", "{} must be a list of numbers, got {}", what, shown(L, index));
  std::vector<Id> ids;
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, index));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, index, i);
    ids.push_back(at(L, lua_gettop(L), sim));
    lua_pop(L, 1);
  }
  return ids;
}
// The hosts listed at `index`; when there is no list, the hosts that are up.
std::vector<HostId> hosts_at(lua_State* L, int index, const Sim& sim, std::string_view what) {
  if (!lua_isnoneornil(L, index)) return ids_at<HostId>(L, index, sim, what, policy_host_at);
  std::vector<HostId> up;
  for (std::size_t h = 0; h < sim.view().hosts().size(); ++h)
    if (sim.view().hosts()[h].up) up.emplace_back(h);
  return up;
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

// sim:start(work, host [, { first =, size =, cores = }]) -> activity
int start(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const WorkId work = work_at(L, 2, sim);
    const HostId host = policy_host_at(L, 3, sim);
    Piece piece{work, 0, sim.view().workload().size_of(work)};
    std::int32_t wanted = 0;
    if (!lua_isnoneornil(L, 4)) {
      const Fields fields(L, 4, {"start"}, {"first", "size", "cores"});
      wanted = static_cast<std::int32_t>(fields.integer("cores", 0, 1, 1'000'000'000));
      piece = piece_of(fields, sim, work);
    }
    return push_id(L, sim.start(piece, host, wanted).packed());
  });
}

void when_of(const Fields& fields, Posting& posting) {
  posting.rank = fields.number("rank", Dimension::count, 0, kAnyNumber);
  posting.not_before = fields.number("not_before", Dimension::seconds, 0, kNotNegative);
  if (!fields.push("after")) return;
  posting.after = activity_at(fields.state(), -1);
  lua_pop(fields.state(), 1);
}

void post_file(Sim& sim, ActivityKind direction, FileId file, ClusterId to) {
  Posting transfer;
  transfer.kind = direction;
  transfer.file = file;
  transfer.cluster = to;
  sim.post(transfer);
}

// The input files that the host's cluster lacks.
void post_inputs(Sim& sim, WorkId work, HostId host) {
  const ClusterId to = sim.view()[host].cluster;
  for (const FileId file : sim.view().workload().inputs(work))
    if (!sim.in_store(file, to) && !sim.in_transfer(file, to))
      post_file(sim, ActivityKind::transfer_in, file, to);
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
// sim:transfer_time(file, host [, start]): seconds between the origin and the host's cluster.
int transfer_time(lua_State* L) {
  return of_file_and_host(L, [&](Sim& sim, FileId file, ClusterId cluster) {
    Time start = sim.now();
    if (!lua_isnoneornil(L, 4))
      start = number_at(L, 4, "transfer_time: start", Dimension::seconds, {sim.now(), kAbsurd, false});
    lua_pushnumber(L, sim.estimate().end_of(sim, file, cluster, start) - start);
  });
}
// sim:transfer(file, host [, { rank =, not_before =, after = }]) -> activity: to the store of the host's
// cluster, or home what is at home nowhere else.
int transfer(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    Posting posting;
    posting.file = file_at(L, 2, sim);
    posting.cluster = sim.view()[policy_host_at(L, 3, sim)].cluster;
    posting.kind = sim.at_home(posting.file) ? ActivityKind::transfer_in : ActivityKind::transfer_out;
    if (!lua_isnoneornil(L, 4)) when_of(Fields(L, 4, {"transfer"}, {"rank", "not_before", "after"}), posting);
    return push_id(L, sim.post(posting).packed());
  });
}
int discard(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const FileId file = file_at(L, 2, sim);
    sim.discard(file, sim.view()[policy_host_at(L, 3, sim)].cluster);
    return 0;
  });
}

// sim:send(work, host): sends them, perhaps again.
int send(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    post_inputs(sim, work_at(L, 2, sim), policy_host_at(L, 3, sim));
    return 0;
  });
}

// sim:post(work, host [, { rank =, not_before =, after =, first =, size =, cores = }]) -> activity: it starts
// by itself when it can; input files that the host's cluster lacks are sent there first.
int post(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    Posting compute;
    compute.kind = ActivityKind::compute;
    const WorkId work = work_at(L, 2, sim);
    compute.piece = {work, 0, sim.view().workload().size_of(work)};
    compute.host = policy_host_at(L, 3, sim);
    if (!lua_isnoneornil(L, 4)) {
      const Fields fields(L, 4, {"post"}, {"rank", "not_before", "after", "first", "size", "cores"});
      compute.piece = piece_of(fields, sim, work);
      compute.cores = static_cast<std::int32_t>(fields.integer("cores", 0, 1, 1'000'000'000));
      when_of(fields, compute);
    }
    const ActivityId id = sim.post(compute);  // first: when it is refused, nothing is sent
    post_inputs(sim, work, compute.host);
    return push_id(L, id.packed());
  });
}

// sim:chunk(work, host [, { first =, size =, rank =, not_before =, after = }]) -> activity: sends that part
// of a load to the host, which is kept meanwhile; a post of the same part `after` it takes the host over.
int chunk(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    Posting posting;
    posting.kind = ActivityKind::chunk;
    const WorkId work = work_at(L, 2, sim);
    posting.host = policy_host_at(L, 3, sim);
    posting.piece = {work, 0, sim.view().workload().size_of(work)};
    if (!lua_isnoneornil(L, 4)) {
      const Fields fields(L, 4, {"chunk"}, {"rank", "not_before", "after", "first", "size"});
      posting.piece = piece_of(fields, sim, work);
      when_of(fields, posting);
    }
    return push_id(L, sim.post(posting).packed());
  });
}

// sim:hold { hosts = { 1, 2 }, to =, work =, from =, io_until =, rank = } -> activity: whole hosts from
// `from` (now) to `to`; their link too until `io_until`. The end of a reservation's hold finishes it.
int hold(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const Fields fields(L, 2, {"hold"}, {"hosts", "work", "from", "to", "io_until", "rank"});
    Posting posting;
    posting.kind = ActivityKind::hold;
    posting.not_before = fields.number("from", Dimension::seconds, sim.now(), kNotNegative);
    posting.to = fields.number("to", Dimension::seconds, std::nullopt, kNotNegative);
    posting.with_link = fields.has("io_until");
    posting.io_until = fields.number("io_until", Dimension::seconds, 0, kNotNegative);
    posting.rank = fields.number("rank", Dimension::count, 0, kAnyNumber);
    if (posting.io_until > posting.to)
      fields.fail("io_until", "io_until must be at most to = {} s, got {}", format_number(posting.to),
                  format_number(posting.io_until));
    if (fields.push("work")) {
      posting.piece.work = work_at(L, lua_gettop(L), sim);
      lua_pop(L, 1);
    }
    if (!fields.push("hosts")) fields.fail(nullptr, "'hosts' is missing");
    if (lua_type(L, -1) != LUA_TTABLE)
      fields.fail("hosts", "hosts must be a list of hosts, got {}", shown(L, -1));
    posting.hosts = ids_at<HostId>(L, lua_gettop(L), sim, "hold: hosts", policy_host_at);
    return push_id(L, sim.post(posting).packed());
  });
}

// sim:fetch(work, host): sends its outputs home from the host's cluster.
int fetch(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const WorkId work = work_at(L, 2, sim);
    const ClusterId from = sim.view()[policy_host_at(L, 3, sim)].cluster;
    for (const FileId file : sim.view().workload().outputs(work))
      if (!sim.at_home(file) && !sim.in_transfer_home(file, from))
        post_file(sim, ActivityKind::transfer_out, file, from);
    return 0;
  });
}

int copy(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    return push_id(L, sim.copy(activity_at(L, 2), policy_host_at(L, 3, sim)).packed());
  });
}
int cancel(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const ActivityId id = activity_at(L, 2);
    const auto activity = sim.activity(id);
    if (activity && activity->posted)
      sim.withdraw(id);
    else
      sim.cancel(id);
    return 0;
  });
}
// sim:consider(work, host [, score [, reason]]): notes a candidate for sim:why; without effect unless
// somebody asks why.
int consider(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const WorkId work = work_at(L, 2, sim);
    const HostId host = policy_host_at(L, 3, sim);
    if (lua_type(L, 4) == LUA_TNUMBER && std::isnan(lua_tonumber(L, 4)))
      fail("bad_value", "consider: score must be a number, got nan; nil stands for no score");
    if (sim.recorder() == nullptr) return 0;
    const double score = lua_isnoneornil(L, 4) ? std::numeric_limits<double>::quiet_NaN()
                                               : number_at(L, 4, "consider: score", Dimension::count,
                                                           {-std::numeric_limits<double>::infinity(),
                                                            std::numeric_limits<double>::infinity(), false});
    const auto reason = text_at(L, 5);
    if (!reason && !lua_isnoneornil(L, 5))
      fail("bad_type", "consider: the reason must be a text, got {}", shown(L, 5));
    check<SimView>(L, 1).owner->consider({work, host, score, std::string(reason.value_or(""))});
    return 0;
  });
}
int settle(lua_State* L) {
  return guard(L, [&] {
    sim_at(L).settle();
    return 0;
  });
}
int accept(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    sim.accept(work_at(L, 2, sim));
    return 0;
  });
}
int reject(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    sim.reject(work_at(L, 2, sim));
    return 0;
  });
}
int expire(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    sim.expire(work_at(L, 2, sim));
    return 0;
  });
}
// sim:timer(time [, { phase = "due" | "sample" | "late", keeps_alive = false, idle = false }]) -> id
int timer(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const Time at = number_at(L, 2, "timer: time", Dimension::seconds, kNotNegative);
    TimerPhase phase = TimerPhase::due;
    Keeps keeps = Keeps::run;
    if (!lua_isnoneornil(L, 3)) {
      const Fields fields(L, 3, {"timer"}, {"phase", "keeps_alive", "idle"});
      phase = static_cast<TimerPhase>(fields.choice("phase", 0, {"due", "sample", "late"}));
      const bool idle = fields.flag("idle", false);
      if (fields.flag("keeps_alive", false)) {
        if (idle) fields.fail("idle", "a timer with keeps_alive = true is not idle");
        keeps = Keeps::alive;
      } else if (idle) {
        keeps = Keeps::nothing;
      }
    }
    return push_id(L, sim.timer(at, phase, keeps).packed());
  });
}
// sim:cancel_timer(id): nothing happens when it is over.
int cancel_timer(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const auto id = TimerId::from_packed(static_cast<std::uint64_t>(integer_at(
        L, 2, "timer", std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max())));
    if (!id.valid()) fail("bad_value", "timer must be what sim:timer returned, got {}", shown(L, 2));
    sim.cancel(id);
    return 0;
  });
}
int think(lua_State* L) {
  return guard(L, [&] {
    return push_id(
        L, sim_at(L).think(number_at(L, 2, "think: seconds", Dimension::seconds, kNotNegative)).packed());
  });
}
// sim:note(name, number ...)
int policy_note(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const auto name = text_at(L, 2);
    if (!name) fail("bad_type", "note: a name is needed, got {}", shown(L, 2));
    std::vector<double> values;
    for (int i = 3; i <= lua_gettop(L); ++i)
      values.push_back(
          number_at(L, i, fmt::format("note '{}': value {}", *name, i - 2), Dimension::count, kAnyNumber));
    sim.note(*name, values);
    return 0;
  });
}
// sim:stream(name) -> the run's own stream of that name; valid while the callback runs.
int stream(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const auto name = text_at(L, 2);
    if (!name) fail("bad_type", "stream: a name is needed, got {}", shown(L, 2));
    SimOwner& policy = *check<SimView>(L, 1).owner;
    Reference& known = policy.stream(std::string(*name));
    if (!known.valid()) {
      RandomValue value;
      value.is_view = true;
      value.borrowed = &sim.stream("policy/" + std::string(*name));
      push_new(L, value);
      known = Reference(L, -1);
    } else {
      known.push(L);
    }
    return 1;
  });
}

constexpr luaL_Reg kSim[] = {
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
    {"running_on", running_on},
    {"queued_on", queued_on},
    {"activity", activity},
    {"end_of", end_of},
    {"etc", etc_of},
    {"ready", policy_ready},
    {"start", start},
    {"post", post},
    {"chunk", chunk},
    {"hold", hold},
    {"inputs", policy_files_of<[](const Workload& all, WorkId work) { return all.inputs(work); }>},
    {"outputs", policy_files_of<[](const Workload& all, WorkId work) { return all.outputs(work); }>},
    {"file_count", file_count},
    {"file_name", policy_file_name},
    {"file_size", file_size},
    {"at_home", at_home},
    {"in_store", in_store},
    {"in_transfer", in_transfer},
    {"transfer_time", transfer_time},
    {"transfer", transfer},
    {"discard", discard},
    {"send", send},
    {"fetch", fetch},
    {"copy", copy},
    {"cancel", cancel},
    {"settle", settle},
    {"consider", consider},
    {"accept", accept},
    {"reject", reject},
    {"expire", expire},
    {"timer", timer},
    {"cancel_timer", cancel_timer},
    {"think", think},
    {"note", policy_note},
    {"stream", stream},
    {nullptr, nullptr}};

}  // namespace

void open_policy_sim(lua_State* L) { new_type<SimView>(L, kSim); }

}  // namespace perigee::bindings
