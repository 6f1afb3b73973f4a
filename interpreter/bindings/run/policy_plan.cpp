// sim:plan, sim:allocate and what else a policy asks about jobs over several hosts.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/bindings/run/facts.h"
#include "interpreter/bindings/run/policy_sim.h"
#include "interpreter/callbacks/lua_policy.h"
#include "interpreter/callbacks/schedulers.h"
#include "interpreter/language/check_names.h"
#include "interpreter/language/fields/policies.h"
#include "runtime/engine/sim.h"
#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/batch/list_policy.h"
#include "runtime/schedulers/batch/mold.h"
#include "runtime/schedulers/batch/plan.h"
#include "runtime/schedulers/batch/running_jobs.h"

namespace perigee::bindings {

namespace {

// sim:plan(). It belongs to the callbacks of the event at which it was made.
struct PlanValue {
  batch::Plan plan;
  Reference view;  // its `sim`
  std::uint64_t call = 0;
};

}  // namespace

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::PlanValue> {
  static constexpr const char* value = "plan";
};

}  // namespace perigee::host

namespace perigee::bindings {

namespace {

// The function that a callback gives as the rule `host`. It is asked while the callback runs, and only looks.
class InCallback final : public Rule {
 public:
  // The values at these places of the stack.
  InCallback(lua_State* L, int function, int sim) : state_(L), function_(at(L, function)), sim_(at(L, sim)) {}

  std::unique_ptr<Rule> clone() const override { return std::make_unique<InCallback>(*this); }
  std::string text() const override { return "the function host"; }

  Hosts ask_hosts(Sim& sim, WorkId work, std::span<const HostId> hosts) override {
    struct LookOnly {
      SimView* view = nullptr;
      bool before = false;
      ~LookOnly() {
        if (view != nullptr) view->looks_only = before;
      }
    } look_only;
    Hosts chosen;
    protect(state_, [&](lua_State* L) {
      function_.push(L);
      sim_.push(L);
      look_only.view = &check<SimView>(L, -1);
      look_only.before = std::exchange(look_only.view->looks_only, true);
      lua_pushinteger(L, static_cast<lua_Integer>(work.index) + 1);
      lua_createtable(L, static_cast<int>(hosts.size()), 0);
      for (std::size_t i = 0; i < hosts.size(); ++i) {
        lua_pushinteger(L, static_cast<lua_Integer>(hosts[i].index) + 1);
        lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
      }
      lua_call(L, 3, 1);
      chosen = callbacks::hosts_of_answer(L, text(), sim, work, hosts);
    });
    return chosen;
  }

 private:
  static Reference at(lua_State* L, int index) {
    lua_pushvalue(L, index);
    Reference made(L, -1);
    lua_pop(L, 1);
    return made;
  }

  lua_State* state_;
  Reference function_, sim_;
};

// `sim`: the place of the callback's sim on the stack.
batch::HostRule rule_of(const Fields& fields, int sim) {
  if (!fields.push(plan_fields::kHost)) return batch::HostChoice::fastest;
  lua_State* L = fields.state();
  const int index = lua_gettop(L);
  if (lua_type(L, index) == LUA_TFUNCTION) {
    check_methods(L, index, 1, {TypeName<SimView>::value});
    batch::HostRule rule(batch::HostChoice::first,
                         ClonePtr<Rule>(std::make_unique<InCallback>(L, index, sim)));
    lua_pop(L, 1);
    return rule;
  }
  const auto text = text_at(L, index);
  if (!text)
    fields.fail(plan_fields::kHost, "host must be the name of a rule or a function, got {}", shown(L, index));
  const std::string name(*text);
  lua_pop(L, 1);
  const std::vector<std::string> known = batch::host_parameter().choices;
  if (std::ranges::find(known, name) == known.end())
    fields.fail(plan_fields::kHost, "host: unknown rule '{}'{}; known: {}", name, did_you_mean(name, known),
                fmt::join(known, ", "));
  return batch::host_choice(name);
}

// Hosts, where the shape of the work says the cores; otherwise { host, cores } each.
void push_shares(lua_State* L, const Sim& sim, WorkId work, std::span<const Share> shares) {
  const Shape* shape = sim.view().workload().shape_of(work);
  lua_createtable(L, static_cast<int>(shares.size()), 0);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shape == nullptr || shape->nodes > 0) {
      lua_pushinteger(L, static_cast<lua_Integer>(shares[i].host.index) + 1);
    } else {
      lua_createtable(L, 2, 0);
      lua_pushinteger(L, static_cast<lua_Integer>(shares[i].host.index) + 1);
      lua_rawseti(L, -2, 1);
      lua_pushinteger(L, shares[i].cores);
      lua_rawseti(L, -2, 2);
    }
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}

void check_whole(const Sim& sim, WorkId work, std::string_view word) {
  const WorkKind kind = sim.view().workload()[work].kind;
  if (kind != WorkKind::task && kind != WorkKind::job)
    fail("bad_value", "{}: {} is a {}; only tasks and jobs have a place in a plan", word,
         sim.view().workload().name_of(work), name_of(kind));
}

// The size that is asked for; none if the script leaves it open.
std::optional<std::int32_t> size_of_plan(const Fields& fields, const Sim& sim, WorkId work) {
  if (!fields.has(plan_fields::kPlanSize)) return std::nullopt;
  const auto size = static_cast<std::int32_t>(fields.integer(plan_fields::kPlanSize));
  const Sizes* sizes = sim.view().workload().sizes_of(work);
  if (sizes == nullptr)
    fields.fail(plan_fields::kPlanSize, "size = {}, but {} has only one size", size,
                sim.view().workload().name_of(work));
  if (sizes->place_of(size) == sizes->allowed.size())
    fields.fail(plan_fields::kPlanSize, "{} is no size of {}, which has {} of them, from {} to {}", size,
                sim.view().workload().name_of(work), sizes->allowed.size(), sizes->allowed.front(),
                sizes->allowed.back());
  return size;
}

// The placement of place(sized) that ends first, or that of the size that is asked for.
template <class Place>
batch::Placement place_sized(const Sim& sim, WorkId work, std::optional<std::int32_t> size, Place place) {
  if (size) return place(batch::Sized(work, *size));
  return batch::place_molded(sim, work, batch::Mold::earliest, place);
}

// sim:allocate(work [, { host = "best_fit", among = { } }]) -> where the rule would start it now, or nil
int allocate(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const WorkId work = work_at(L, 2, sim);
    check_whole(sim, work, "allocate");
    batch::HostRule rule = batch::HostChoice::fastest;
    std::vector<std::int32_t> limits;
    std::optional<std::int32_t> size;
    if (!lua_isnoneornil(L, 3)) {
      const Fields fields(L, 3, {"allocate"}, plan_fields::kAllocate);
      size = size_of_plan(fields, sim, work);
      rule = rule_of(fields, 1);
      if (fields.push(plan_fields::kAmong)) {
        limits.resize(sim.view().hosts().size());
        for (const HostId host : ids_at<HostId>(L, lua_gettop(L), sim, "allocate: among", policy_host_at))
          limits[host.index] = std::numeric_limits<std::int32_t>::max();
        lua_pop(L, 1);
      }
    }
    batch::Plan plan;
    if (const WorkId inside = batch::ArrivalQueue::reservation_of(sim.view(), work); inside.valid())
      plan.reset_inside(sim, inside);
    else
      plan.reset(sim);
    batch::Placement found;
    if (sim.waits(work) && !batch::is_passed_over(sim, work, batch::Mold::earliest))
      found = place_sized(sim, work, size, [&](const batch::Sized& sized) {
        return plan.place(sim, sized, sim.now(), rule, true, {.cores = limits});
      });
    if (found.valid())
      push_shares(L, sim, work, found.shares);
    else
      lua_pushnil(L);
    return 1;
  });
}

// sim:line() -> what waits, by place in line
int waiting_line(lua_State* L) {
  return guard(L, [&] {
    const Sim& sim = sim_at(L);
    batch::ArrivalQueue queue;
    queue.reset(sim);
    lua_createtable(L, static_cast<int>(queue.size()), 0);
    lua_Integer place = 0;
    for (const WorkId work : queue.all()) {
      if (batch::is_passed_over(sim, work, batch::Mold::earliest)) continue;
      lua_pushinteger(L, static_cast<lua_Integer>(work.index) + 1);
      lua_rawseti(L, -2, ++place);
    }
    return 1;
  });
}

// sim:windows() -> the outages to come, and under way, that are known: { hosts =, from =, to =, reason = } each
int known_windows(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const View& view = sim.view();
    lua_newtable(L);
    lua_Integer count = 0;
    for (const Window& window : sim.windows()) {
      if (window.to <= sim.now() || sim.is_superseded(window)) continue;
      lua_createtable(L, 0, 4);
      lua_newtable(L);
      lua_Integer hosts = 0;
      for (std::size_t h = 0; h < view.hosts().size(); ++h) {
        if (window.on != ResourceId::of(HostId(h)) && window.on != ResourceId::of(view.hosts()[h].cluster))
          continue;
        lua_pushinteger(L, static_cast<lua_Integer>(h) + 1);
        lua_rawseti(L, -2, ++hosts);
      }
      lua_setfield(L, -2, "hosts");
      lua_pushnumber(L, window.from);
      lua_setfield(L, -2, "from");
      lua_pushnumber(L, window.to);
      lua_setfield(L, -2, "to");
      host::push(L, window.cause == Cause::reservation   ? "reservation"
                    : window.cause == Cause::maintenance ? "maintenance"
                    : window.cause == Cause::membership  ? "leave"
                                                         : "outage");
      lua_setfield(L, -2, "reason");
      lua_rawseti(L, -2, ++count);
    }
    return 1;
  });
}

// Sets the fields of a job's record that say what it takes.
void set_demand(lua_State* L, const Platform& platform, const Demand& demand) {
  const auto set = [&](const char* field, const std::string& name, double count) {
    if (lua_getfield(L, -1, field) != LUA_TTABLE) {
      lua_pop(L, 1);
      lua_newtable(L);
      lua_pushvalue(L, -1);
      lua_setfield(L, -3, field);
    }
    host::push(L, name);
    lua_pushinteger(L, static_cast<lua_Integer>(count));
    lua_rawset(L, -3);
    lua_pop(L, 1);
  };
  for (const Demand::OfHost& item : demand.of_hosts) {
    const std::string& name = platform.consumables()[item.what];
    if (name == model::kMemory) {
      lua_pushnumber(L, item.each);
      lua_setfield(L, -2, "memory");
      lua_pushnumber(L, item.per_core);
      lua_setfield(L, -2, "memory_per_core");
      continue;
    }
    if (item.each > 0) set("resources", name, item.each);
    if (item.per_core > 0) set("resources_per_core", name, item.per_core);
  }
  for (const Demand::OfAll& item : demand.licences)
    set("licences", platform.licences()[item.what].name, item.count);
}

// sim:shape(work) -> { nodes =, cores =, exclusive =, same = } or { processes =, per_node =, ... }; of a moldable job
// with the least size, and all as `sizes`
int shape_of_work(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) {
    const Workload& workload = sim.view().workload();
    const Shape* declared = workload.shape_of(work);
    const Shape shape = declared != nullptr ? *declared : Shape{};
    lua_createtable(L, 0, 4);
    const auto set_number = [&](const char* name, std::int32_t value) {
      lua_pushinteger(L, value);
      lua_setfield(L, -2, name);
    };
    if (shape.nodes > 0) {
      set_number("nodes", shape.nodes);
      set_number("cores", workload[work].cores);
    } else {
      set_number("processes", workload[work].cores);
      if (shape.per_node < Shape::kMost) set_number("per_node", shape.per_node);
    }
    if (shape.sizes != nullptr) {
      const std::vector<std::int32_t>& sizes = shape.sizes->allowed;
      lua_createtable(L, static_cast<int>(sizes.size()), 0);
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        lua_pushinteger(L, sizes[i]);
        lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
      }
      lua_setfield(L, -2, "sizes");
    }
    lua_pushboolean(L, shape.exclusive ? 1 : 0);
    lua_setfield(L, -2, "exclusive");
    host::push(L, shape.same == Together::anywhere  ? "anywhere"
                  : shape.same == Together::cluster ? "cluster"
                                                    : "switch");
    lua_setfield(L, -2, "same");
    if (shape.only != nullptr) {
      lua_newtable(L);
      lua_Integer place = 0;
      for (std::size_t h = 0; h < sim.view().hosts().size(); ++h) {
        if (!shape.allows(HostId(h))) continue;
        lua_pushinteger(L, static_cast<lua_Integer>(h) + 1);
        lua_rawseti(L, -2, ++place);
      }
      lua_setfield(L, -2, "only");
    }
    if (shape.demand != nullptr) set_demand(L, sim.view().platform(), *shape.demand);
  });
}

std::string text_argument(lua_State* L, int index, std::string_view method) {
  const auto name = text_at(L, index);
  if (!name) fail("bad_type", "{}: a name is needed, got {}", method, shown(L, index));
  return std::string(*name);
}

int limit_of(lua_State* L) {
  return of_work(L, [L](Sim& sim, WorkId work) { lua_pushnumber(L, sim.limit_of(work)); });
}

int saved_of(lua_State* L) {
  return of_work(L, [L](Sim& sim, WorkId work) { lua_pushnumber(L, sim.saved(work)); });
}

int queue_of(lua_State* L) {
  return of_work(L, [L](Sim& sim, WorkId work) {
    if (const model::Queue* queue = sim.view().workload().queue_of(work); queue != nullptr)
      host::push(L, queue->name);
    else
      lua_pushnil(L);
  });
}

int tier_of(lua_State* L) {
  return of_work(L, [L](Sim& sim, WorkId work) { lua_pushinteger(L, sim.view().workload().tier_of(work)); });
}

// sim:free(host [, "gpu"]) -> what is free there of the memory, or of a resource
int free_on_host(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const HostId host = policy_host_at(L, 2, sim);
    const std::span<const std::string> known = sim.view().platform().consumables();
    const std::string name =
        lua_isnoneornil(L, 3) ? std::string(model::kMemory) : text_argument(L, 3, "free");
    const auto found = std::ranges::find(known, name);
    if (found == known.end()) {
      if (name != model::kMemory)
        fail("unknown_resource", "free: no host of the platform has the resource '{}'{}", name,
             did_you_mean(name, std::vector<std::string>(known.begin(), known.end())));
      lua_pushnumber(L, model::kNeverShort);
      return 1;
    }
    lua_pushnumber(L, sim.view().free_on(host)[static_cast<std::size_t>(found - known.begin())]);
    return 1;
  });
}

// sim:licences("solver") -> how many of them are free
int free_licences(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const std::string name = text_argument(L, 2, "licences");
    const std::span<const Licence> known = sim.view().platform().licences();
    const auto found = std::ranges::find(known, name, &Licence::name);
    if (found == known.end()) {
      std::vector<std::string> names;
      for (const Licence& licence : known) names.push_back(licence.name);
      fail("unknown_licence", "licences: the platform has no licence '{}'{}", name,
           did_you_mean(name, names));
    }
    lua_pushnumber(L, sim.view().free_licences()[static_cast<std::size_t>(found - known.begin())]);
    return 1;
  });
}

// sim:allocation(activity) -> where a computation runs, in the form that start() takes
int allocation_of(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const ActivityId id = activity_at(L, 2);
    const auto known = sim.activity(id);
    if (!known || known->kind != ActivityKind::compute)
      fail("bad_value", "allocation: this activity is {}", known ? "no computation" : "over");
    push_shares(L, sim, known->work, sim.allocation(id));
    return 1;
  });
}

int make_plan(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    PlanValue made;
    batch::RunningJobs running;
    running.reset(sim);
    made.plan.reset(sim, running);
    made.call = check<SimView>(L, 1).call;
    lua_pushvalue(L, 1);
    made.view = Reference(L, -1);
    lua_pop(L, 1);
    push_new(L, std::move(made));
    return 1;
  });
}

PlanValue& policy_plan_at(lua_State* L) { return check<PlanValue>(L, 1); }

Sim& sim_of(lua_State* L, const PlanValue& plan) {
  plan.view.push(L);
  const SimView* view = test<SimView>(L, -1);
  Sim* sim = view != nullptr && view->call == plan.call ? view->sim : nullptr;
  lua_pop(L, 1);
  if (sim == nullptr) fail("stale", "this plan is of an earlier event; sim:plan() makes a new one");
  return *sim;
}

// plan:earliest(work [, { host = "fastest", from = t }]) -> start, allocation, end; at the present time only what is
// really idle counts
int earliest(lua_State* L) {
  return guard(L, [&] {
    PlanValue& plan = policy_plan_at(L);
    Sim& sim = sim_of(L, plan);
    const WorkId work = work_at(L, 2, sim);
    check_whole(sim, work, "earliest");
    batch::HostRule rule = batch::HostChoice::fastest;
    Time from = sim.now();
    std::optional<std::int32_t> size;
    if (!lua_isnoneornil(L, 3)) {
      const Fields fields(L, 3, {"earliest"}, plan_fields::kEarliest);
      plan.view.push(L);
      rule = rule_of(fields, lua_gettop(L));
      lua_pop(L, 1);
      from = std::max(from, fields.number(plan_fields::kFrom, from));
      size = size_of_plan(fields, sim, work);
    }
    const batch::Placement found = place_sized(sim, work, size, [&](const batch::Sized& sized) {
      return plan.plan.earliest(sim, sized, from, rule, true);
    });
    lua_pushnumber(L, found.start);
    push_shares(L, sim, work, found.shares);
    lua_pushnumber(L, found.end);
    return 3;
  });
}

// plan:take(work, allocation, from, to): the work has these cores from then on until then.
int take_in_plan(lua_State* L) {
  return guard(L, [&] {
    PlanValue& plan = policy_plan_at(L);
    Sim& sim = sim_of(L, plan);
    const WorkId work = work_at(L, 2, sim);
    check_whole(sim, work, "take");
    if (lua_type(L, 3) != LUA_TTABLE) fail("bad_type", "take: the hosts must be a list, got {}", shown(L, 3));
    std::vector<Share> shares = shares_at(L, 3, sim, work);
    if (shares.empty()) return 0;
    std::ranges::sort(shares, {}, &Share::host);
    if (const std::string problem = sim.misfit_of(work, shares); !problem.empty())
      fail("bad_value", "take: {}: {}", sim.view().workload().name_of(work), problem);
    constexpr Range kAnyTime{0, std::numeric_limits<double>::infinity(), false};
    const Time from = number_at(L, 4, "take: from", Dimension::seconds, kAnyTime),
               to = number_at(L, 5, "take: to", Dimension::seconds, kAnyTime);
    if (from < sim.now()) fail("bad_value", "take: from = {} s is before the present, {} s", from, sim.now());
    if (to < from) fail("bad_value", "take: to = {} s is before from = {} s", to, from);
    plan.plan.take(sim.view(), work, shares, from, to);
    return 0;
  });
}

// plan:idle(host, from [, to]) -> cores that are idle all that time
int idle_in_plan(lua_State* L) {
  return guard(L, [&] {
    PlanValue& plan = policy_plan_at(L);
    Sim& sim = sim_of(L, plan);
    const HostId host = policy_host_at(L, 2, sim);
    const Range later{sim.now(), std::numeric_limits<double>::infinity(), false};
    const Time from = number_at(L, 3, "idle: from", Dimension::seconds, later);
    const Time to = lua_isnoneornil(L, 4) ? from : number_at(L, 4, "idle: to", Dimension::seconds, later);
    if (to < from) fail("bad_value", "idle: to = {} s is before from = {} s", to, from);
    lua_pushinteger(L, plan.plan.idle(host, from, to));
    return 1;
  });
}

int copy_plan(lua_State* L) {
  return guard(L, [&] {
    PlanValue copied = policy_plan_at(L);
    sim_of(L, copied);
    push_new(L, std::move(copied));
    return 1;
  });
}

constexpr luaL_Reg kOfSim[] = {
    {"allocate", allocate},        {"line", waiting_line}, {"limit", limit_of},
    {"windows", known_windows},    {"saved", saved_of},    {"shape", shape_of_work},
    {"allocation", allocation_of}, {"plan", make_plan},    {"free", free_on_host},
    {"licences", free_licences},   {"queue", queue_of},    {"tier", tier_of}};
constexpr luaL_Reg kOfPlan[] = {{"earliest", earliest},
                                {"take", take_in_plan},
                                {"idle", idle_in_plan},
                                {"copy", copy_plan},
                                {nullptr, nullptr}};

}  // namespace

std::span<const luaL_Reg> plans_of_sim() { return kOfSim; }

void open_plan(lua_State* L) { new_type<PlanValue>(L, kOfPlan); }

}  // namespace perigee::bindings
