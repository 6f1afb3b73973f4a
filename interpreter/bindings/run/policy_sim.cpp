// The methods of `sim` in the callbacks of a policy that act.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/facts.h"
#include "interpreter/bindings/run/policy_sim.h"
#include "interpreter/callbacks/lua_policy.h"
#include "interpreter/language/fields/policies.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "runtime/engine/sim.h"
#include "runtime/schedulers/files.h"

namespace perigee::bindings {

Sim& sim_at(lua_State* L) {
  if (const auto* view = lean<SimView>(L); view != nullptr && view->sim != nullptr) return *view->sim;
  const SimView& view = check<SimView>(L, 1);
  if (view.sim == nullptr)
    fail("stale", "this sim belongs to a callback that is over; use the one that the callback gets");
  return *view.sim;
}
WorkId work_at(lua_State* L, int index, const Sim& sim) {
  const auto count = static_cast<std::int64_t>(sim.view().works().size());
  const WorkId work(integer_at(L, index, "work", 1, count) - 1);
  if (sim.view().works().has(work.index)) return work;
  fail("forgotten",
       "work {} is forgotten: of a stream, a run that keeps no trace remembers works until they are "
       "settled",
       work.index + 1);
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
Piece piece_of(const Fields& fields, const Sim& sim, WorkId work) {
  if (fields.has(sim_fields::kFirst))
    return {work, fields.number(sim_fields::kFirst), fields.number(sim_fields::kSize)};
  const WorkKind kind = sim.view().workload()[work].kind;
  const bool divisible = kind == WorkKind::sweep || kind == WorkKind::load;
  if (fields.has(sim_fields::kSize) && divisible)
    return sim.next_piece(work, fields.number(sim_fields::kSize));
  if (fields.has(sim_fields::kSize)) return {work, 0, fields.number(sim_fields::kSize)};
  return {work, 0, sim.view().workload().size_of(work)};
}

std::vector<Share> shares_at(lua_State* L, int index, const Sim& sim, WorkId work) {
  const Workload& workload = sim.view().workload();
  const Shape* shape = workload.shape_of(work);
  const bool known = shape == nullptr || shape->nodes > 0;
  const Work& declared = workload[work];
  std::vector<Share> shares;
  const lua_Integer count = list_length(L, index, "the list of hosts");
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, index, i);
    const int each = lua_gettop(L);
    if (lua_type(L, each) == LUA_TTABLE) {
      if (lua_rawlen(L, each) != 2)
        fail("bad_value", "a host with its cores is {{ host, cores }}; got a list of {} values",
             lua_rawlen(L, each));
      lua_rawgeti(L, each, 1);
      const HostId host = policy_host_at(L, -1, sim);
      lua_rawgeti(L, each, 2);
      shares.push_back(
          {host, static_cast<std::int32_t>(integer_at(L, -1, "cores of a host", 1, Shape::kMost))});
    } else if (known) {
      shares.push_back({policy_host_at(L, each, sim), declared.cores});
    } else {
      fail(
          "bad_value",
          "{} takes its cores on any hosts, so its list has the cores of each, as in {{ {{ host, cores }} }}; got {}",
          workload.name_of(work), shown(L, each));
    }
    lua_settop(L, each - 1);
  }
  return shares;
}

std::vector<HostId> hosts_at(lua_State* L, int index, const Sim& sim, std::string_view what) {
  if (!lua_isnoneornil(L, index)) return ids_at<HostId>(L, index, sim, what, policy_host_at);
  std::vector<HostId> up;
  for (std::size_t h = 0; h < sim.view().hosts().size(); ++h)
    if (sim.view().hosts()[h].up) up.emplace_back(h);
  return up;
}

namespace {

int push_id(lua_State* L, std::uint64_t packed) {
  lua_pushinteger(L, static_cast<lua_Integer>(packed));
  return 1;
}

// sim:start(work, host [, { first =, size =, cores = }]) -> activity; sim:start(work, hosts) -> activity
int start(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const WorkId work = work_at(L, 2, sim);
    if (lua_type(L, 3) == LUA_TTABLE) {
      if (!lua_isnoneornil(L, 4))
        fail("bad_type", "start: a list of hosts says all; got {} behind it", shown(L, 4));
      return push_id(L, sim.start(work, shares_at(L, 3, sim, work)).packed());
    }
    const HostId host = policy_host_at(L, 3, sim);
    Piece piece{work, 0, sim.view().workload().size_of(work)};
    std::int32_t wanted = 0;
    if (!lua_isnoneornil(L, 4)) {
      const Fields fields(L, 4, {"start"}, sim_fields::kStart);
      wanted = static_cast<std::int32_t>(fields.integer(sim_fields::kCores));
      piece = piece_of(fields, sim, work);
    }
    return push_id(L, sim.start(piece, host, wanted).packed());
  });
}

void when_of(const Fields& fields, Posting& posting) {
  posting.rank = fields.number(sim_fields::kRank);
  posting.not_before = fields.number(sim_fields::kNotBefore);
  if (!fields.push(sim_fields::kAfter)) return;
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

// sim:transfer(file, host [, { rank =, not_before =, after = }]) -> activity: to the store of the host's
// cluster, or home what is at home nowhere else.
int transfer(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    Posting posting;
    posting.file = file_at(L, 2, sim);
    posting.cluster = sim.view()[policy_host_at(L, 3, sim)].cluster;
    const bool stays = !sim.comes_home(posting.file) && !sim.in_store(posting.file, posting.cluster);
    posting.kind =
        sim.at_home(posting.file) || stays ? ActivityKind::transfer_in : ActivityKind::transfer_out;
    if (!lua_isnoneornil(L, 4)) {
      const Fields fields(L, 4, {"transfer"}, sim_fields::kTransfer);
      when_of(fields, posting);
      if (fields.push(sim_fields::kFromHost)) {
        posting.from = sim.view()[policy_host_at(L, lua_gettop(L), sim)].cluster;
        posting.kind = ActivityKind::transfer_in;
        lua_pop(L, 1);
      }
    }
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

// sim:post(work, host [, { rank =, not_before =, after =, first =, size =, cores = }]) -> activity. It starts
// by itself when it can. Input files that the host's cluster lacks are sent there first.
int post(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    Posting compute;
    compute.kind = ActivityKind::compute;
    const WorkId work = work_at(L, 2, sim);
    compute.piece = {work, 0, sim.view().workload().size_of(work)};
    if (lua_type(L, 3) == LUA_TTABLE) {
      compute.shares = shares_at(L, 3, sim, work);
      if (compute.shares.empty()) fail("bad_value", "post: the list of hosts is empty");
      compute.host = std::ranges::min(compute.shares, {}, &Share::host).host;
    } else {
      compute.host = policy_host_at(L, 3, sim);
    }
    if (!lua_isnoneornil(L, 4)) {
      const Fields fields(L, 4, {"post"}, sim_fields::kPost);
      compute.piece = piece_of(fields, sim, work);
      compute.cores = static_cast<std::int32_t>(fields.integer(sim_fields::kCores));
      when_of(fields, compute);
    }
    const ActivityId id = sim.post(compute);  // first: when it is refused, nothing is sent
    post_inputs(sim, work, compute.host);
    return push_id(L, id.packed());
  });
}

// sim:chunk(work, host [, { first =, size =, rank =, not_before =, after = }]) -> activity. It sends that
// part of a load to the host, which is kept meanwhile. A post of the same part `after` it takes the host
// over.
int chunk(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    Posting posting;
    posting.kind = ActivityKind::chunk;
    const WorkId work = work_at(L, 2, sim);
    posting.host = policy_host_at(L, 3, sim);
    posting.piece = {work, 0, sim.view().workload().size_of(work)};
    if (!lua_isnoneornil(L, 4)) {
      const Fields fields(L, 4, {"chunk"}, sim_fields::kChunk);
      posting.piece = piece_of(fields, sim, work);
      when_of(fields, posting);
    }
    return push_id(L, sim.post(posting).packed());
  });
}

// sim:hold { hosts = { 1, 2 }, to =, work =, from =, io_until =, rank = } -> activity. It keeps whole hosts
// from `from` (now) to `to`, and their link too until `io_until`. The end of a reservation's hold finishes
// it.
int hold(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const Fields fields(L, 2, {"hold"}, sim_fields::kHold);
    Posting posting;
    posting.kind = ActivityKind::hold;
    posting.not_before = fields.number(sim_fields::kHeldFrom, sim.now());
    posting.to = fields.number(sim_fields::kHeldTo);
    posting.with_link = fields.has(sim_fields::kIoUntil);
    posting.io_until = fields.number(sim_fields::kIoUntil, 0);
    posting.rank = fields.number(sim_fields::kRank);
    if (posting.io_until > posting.to)
      fields.fail(sim_fields::kIoUntil, "io_until must be at most to = {} s, got {}",
                  format_number(posting.to), format_number(posting.io_until));
    if (fields.push(sim_fields::kWork)) {
      posting.piece.work = work_at(L, lua_gettop(L), sim);
      lua_pop(L, 1);
    }
    if (!fields.push(sim_fields::kHosts)) fields.fail(nullptr, "'hosts' is missing");
    if (lua_type(L, -1) != LUA_TTABLE)
      fields.fail(sim_fields::kHosts, "hosts must be a list of hosts, got {}", shown(L, -1));
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
      if (!sim.at_home(file) && sim.comes_home(file) && !schedulers::is_going_home(sim, file))
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
// sim:checkpoint(activity [, { requeue = true }])
int checkpoint(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const ActivityId id = activity_at(L, 2);
    bool requeue = false;
    if (!lua_isnoneornil(L, 3))
      requeue = Fields(L, 3, {"checkpoint"}, sim_fields::kCheckpoint).flag(sim_fields::kRequeue);
    sim.checkpoint(id, requeue);
    return 0;
  });
}
int requeue(lua_State* L) {
  return guard(L, [&] {
    sim_at(L).requeue(activity_at(L, 2));
    return 0;
  });
}
int suspend(lua_State* L) {
  return guard(L, [&] {
    sim_at(L).suspend(activity_at(L, 2));
    return 0;
  });
}
int resume(lua_State* L) {
  return guard(L, [&] {
    sim_at(L).resume(activity_at(L, 2));
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
    const double score = lua_isnoneornil(L, 4) ? std::numeric_limits<double>::quiet_NaN()
                                               : number_at(L, 4, "consider: score", Dimension::count,
                                                           {-std::numeric_limits<double>::infinity(),
                                                            std::numeric_limits<double>::infinity(), false});
    const auto reason = text_at(L, 5);
    if (!reason && !lua_isnoneornil(L, 5))
      fail("bad_type", "consider: the reason must be a text, got {}", shown(L, 5));
    if (sim.recorder() == nullptr) return 0;
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
      const Fields fields(L, 3, {"timer"}, sim_fields::kTimer);
      phase = static_cast<TimerPhase>(fields.choice(sim_fields::kPhase));
      const bool idle = fields.flag(sim_fields::kIdle);
      if (fields.flag(sim_fields::kKeepsAlive)) {
        if (idle) fields.fail(sim_fields::kIdle, "a timer with keeps_alive = true is not idle");
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

constexpr luaL_Reg kActs[] = {{"start", acting<start>},
                              {"post", acting<post>},
                              {"chunk", acting<chunk>},
                              {"hold", acting<hold>},
                              {"transfer", acting<transfer>},
                              {"discard", acting<discard>},
                              {"send", acting<send>},
                              {"fetch", acting<fetch>},
                              {"copy", acting<copy>},
                              {"cancel", acting<cancel>},
                              {"checkpoint", acting<checkpoint>},
                              {"requeue", acting<requeue>},
                              {"suspend", acting<suspend>},
                              {"resume", acting<resume>},
                              {"settle", acting<settle>},
                              {"consider", consider},
                              {"accept", acting<accept>},
                              {"reject", acting<reject>},
                              {"expire", acting<expire>},
                              {"timer", acting<timer>},
                              {"cancel_timer", acting<cancel_timer>},
                              {"think", acting<think>},
                              {"note", acting<policy_note>},
                              {"stream", stream}};

}  // namespace

void open_policy_sim(lua_State* L) {
  const std::span<const luaL_Reg> looks = looks_of_sim();
  std::vector<luaL_Reg> methods(looks.begin(), looks.end());
  const std::span<const luaL_Reg> plans = plans_of_sim();
  methods.insert(methods.end(), plans.begin(), plans.end());
  const std::span<const luaL_Reg> precedence = precedence_of_sim();
  methods.insert(methods.end(), precedence.begin(), precedence.end());
  const std::span<const luaL_Reg> power = power_of_sim();
  methods.insert(methods.end(), power.begin(), power.end());
  methods.insert(methods.end(), std::begin(kActs), std::end(kActs));
  methods.push_back({nullptr, nullptr});
  new_type<SimView>(L, methods.data());
}

}  // namespace perigee::bindings
