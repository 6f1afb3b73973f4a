// Changes that scripts make to a simulation under way: sim:fail, sim:recover, sim:leave, sim:join,
// sim:change, sim:submit, sim:set_policy; now, or at a later time. sim:planned() lists the changes that are
// still to come.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "interpreter/bindings/declare/scenario.h"
#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/bindings/run/changes.h"
#include "interpreter/bindings/run/simulation.h"
#include "interpreter/bindings/simulation_value.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/callbacks/schedulers.h"
#include "interpreter/language/fields/events.h"
#include "interpreter/values/schedulers.h"

namespace perigee::bindings {

namespace {

// The option `at`; now when it is not given. Error when that time is over.
Time later(const Fields& fields, Time now) {
  const Time at = fields.number(event_fields::kAt, now);
  if (at < now)
    fields.fail(event_fields::kAt, "t = {} s is over, it is t = {} s; sim:back_to goes there",
                format_number(at), format_number(now));
  return at;
}

// The method by which the script has asked for the change.
std::string_view word_of(HappeningKind kind) {
  switch (kind) {
    case HappeningKind::down:
      return "fail";
    case HappeningKind::up:
      return "recover";
    case HappeningKind::leave:
      return "leave";
    case HappeningKind::join:
      return "join";
    case HappeningKind::change:
      return "change";
    case HappeningKind::mark:
      break;
  }
  return "mark";
}

// Why an intervention makes no sense.
std::string problem_with(const Happening& happening, const std::string& name) {
  switch (happening.kind) {
    case HappeningKind::down:
      return fmt::format("{} has been failed already; sim:recover ends that", name);
    case HappeningKind::up:
      return fmt::format("no outage covers {}", name);
    case HappeningKind::leave:
    case HappeningKind::change:
      return fmt::format("{} is not there", name);
    default:
      return fmt::format("{} is there and has never left, or is back already", name);
  }
}

int intervene(lua_State* L, const char* word, HappeningKind kind) {
  return guard(L, [&] {
    SimulationValue& value = simulation_at(L);
    const Time now = value.simulation->now();
    const Asked asked = asked_at(L, word, kind, value.platform, now);
    const Platform& platform = *value.platform.platform;
    const auto name_at = [&](const Happening& each) {  // "x" or "x at t = 5 s"
      const std::string name = platform.name_of(each.on);
      return each.at > now ? fmt::format("{} at t = {} s", name, format_number(each.at)) : name;
    };
    const std::vector<Happening> more = asked.all(platform, [](const Profile&) { return kNone; });
    if (const auto wrong = value.simulation->impossible_with(more)) {
      const bool is_reserved = wrong->kind == HappeningKind::up && value.simulation->is_reserved(wrong->on);
      const std::string problem = problem_with(*wrong, name_at(*wrong)) + (is_reserved ? kReserved : "");
      if (wrong->at > asked.happening.at)
        fail("bad_value", "{}: {} comes before a planned {}, which then is impossible: {}", word,
             name_at(asked.happening), word_of(wrong->kind), problem);
      fail("bad_value", "{}: {}", word, problem);
    }
    const Busy busy(L, value);
    value.change([asked](Simulation& simulation) {
      const auto add = [&](Profile profile) { return simulation.add_profile(std::move(profile)); };
      for (const Happening& each : asked.all(*simulation.scenario().platform, add)) simulation.inject(each);
    });
    lua_settop(L, 1);
    return 1;
  });
}

}  // namespace

Time at_option(lua_State* L, const Simulation& simulation, const char* word) {
  if (lua_isnoneornil(L, 3)) return simulation.now();
  return later(Fields(L, 3, {word}, event_fields::kLater), simulation.now());
}

int fail_resource(lua_State* L) { return intervene(L, "fail", HappeningKind::down); }

int recover(lua_State* L) { return intervene(L, "recover", HappeningKind::up); }

int leave(lua_State* L) { return intervene(L, "leave", HappeningKind::leave); }

int join(lua_State* L) { return intervene(L, "join", HappeningKind::join); }

int change(lua_State* L) { return intervene(L, "change", HappeningKind::change); }

// sim:submit { time = 60 }, sim:submit { {...}, {...} }, sim:submit(workload): work that arrives now, or at
// its `arrival` when that is later.
int submit(lua_State* L) {
  return guard(L, [&] {
    SimulationValue& value = simulation_at(L);
    const Busy busy(L, value);
    const WorkloadValue work = submission_at(L, 2);
    const Time at = at_option(L, *value.simulation, "submit");
    const auto extended = [work, at, platform = value.platform, seed = value.seed,
                           interpreter = &Interpreter::of(L)](const Simulation& simulation) {
      return longer(interpreter->running(), work, platform, seed, *simulation.scenario().workload,
                    simulation.now(), at);
    };
    if (std::ranges::any_of(work.parts, [](const WorkloadPart& part) { return part.generator.valid(); }))
      value.change([more = extended(*value.simulation)](Simulation& simulation) { simulation.submit(more); });
    else  // records are small, whole workloads would add up
      value.change([extended](Simulation& simulation) { simulation.submit(extended(simulation)); });
    lua_settop(L, 1);
    return 1;
  });
}

int set_policy(lua_State* L) {
  return guard(L, [&] {
    SimulationValue& value = simulation_at(L);
    const ConfigPtr policy = scheduler_at(L, 2, "set_policy", Role::policy);
    const Time at = at_option(L, *value.simulation, "set_policy");
    const Busy busy(L, value);
    value.change([policy, at](Simulation& simulation) {
      simulation.set_policy(setup_of(policy, policy->entry->instants), at);
    });
    lua_settop(L, 1);
    return 1;
  });
}

namespace {

Cell options_of(const SimulationValue& value, const Happening& happening, bool with_hosts) {
  const Simulation& simulation = *value.simulation;
  const Platform& platform = *value.platform.platform;
  std::vector<std::string> options;
  const auto add = [&](std::string_view name, std::string_view text) {
    options.push_back(fmt::format("{} = {}", name, text));
  };
  const auto add_profile = [&](std::string_view name, std::uint32_t place) {
    if (const Profile* profile = simulation.profile(place))
      add(name, profile->is_constant() ? format_number(profile->at(0)) : "{ ... }");
  };
  const bool is_host = happening.on.kind() == ResourceKind::host;
  if (!std::isnan(happening.factor))
    add("speed", format_number(happening.factor * platform[happening.on.host()].speed));
  add_profile(is_host ? "availability" : "bandwidth", happening.profile);
  add_profile("latency", happening.latency);
  if (happening.cluster.valid()) add("cluster", platform[happening.cluster].name);
  if (happening.architecture >= 0)
    add("architecture", value.platform.architectures[static_cast<std::size_t>(happening.architecture)]);
  if (happening.on.kind() == ResourceKind::store && happening.kind == HappeningKind::join && !with_hosts)
    add("with_hosts", "false");
  if (!happening.announced) add("announced", "false");
  if (options.empty()) return {};
  return fmt::format("{}", fmt::join(options, ", "));
}

}  // namespace

// A cluster that joins with its hosts is one row.
Table planned_table(const SimulationValue& value) {
  const Workload& workload = *value.simulation->scenario().workload;
  const Platform& platform = *value.platform.platform;
  const std::vector<Planned> all = value.simulation->planned();
  const auto goes_with = [&](std::size_t i, const Happening& cluster) {  // a host joins with its cluster
    const Happening* host = i < all.size() ? std::get_if<Happening>(&all[i].what) : nullptr;
    return host != nullptr && host->kind == HappeningKind::join && cluster.kind == HappeningKind::join &&
           cluster.on.kind() == ResourceKind::store && host->on.kind() == ResourceKind::host &&
           host->at == cluster.at && host->cluster == cluster.on.store();
  };
  Table table{{"at", "action", "name", "options"}, {}};
  for (std::size_t i = 0; i < all.size();) {
    const Planned& each = all[i++];
    if (const auto* work = std::get_if<WorkId>(&each.what)) {
      table.rows.push_back({each.at, std::string("submit"), workload.name_of(*work), {}});
    } else if (const auto* policy = std::get_if<std::string>(&each.what)) {
      table.rows.push_back({each.at, std::string("set_policy"), *policy, {}});
    } else {
      const auto& happening = std::get<Happening>(each.what);
      const std::size_t first = i;
      while (goes_with(i, happening)) ++i;
      table.rows.push_back({each.at, std::string(word_of(happening.kind)), platform.name_of(happening.on),
                            options_of(value, happening, i > first)});
    }
  }
  return table;
}

int planned(lua_State* L) {
  return guard(L, [&] {
    push_table(L, planned_table(simulation_at(L)));
    lua_getmetatable(L, -1);
    lua_pushliteral(L, "nothing is planned");
    lua_setfield(L, -2, kWhenEmpty);
    lua_pop(L, 1);
    return 1;
  });
}

// ---- functions that processes use as well ----

namespace {

// The options of the word that asks for such a change: by a process, or by hand, when it may come later.
std::span<const FieldRow> options_of(HappeningKind kind, bool by_hand) {
  using Rows = std::span<const FieldRow>;
  switch (kind) {
    case HappeningKind::change:
      return by_hand ? Rows(change_fields::kChangeAt) : Rows(change_fields::kChangeNow);
    case HappeningKind::join:
      return by_hand ? Rows(join_fields::kJoinAt) : Rows(join_fields::kJoinNow);
    case HappeningKind::down:
    case HappeningKind::up:
      return by_hand ? Rows(event_fields::kAnnouncedAt) : Rows(event_fields::kAnnouncedNow);
    default:
      return by_hand ? Rows(event_fields::kLater) : Rows();
  }
}

}  // namespace

Asked asked_at(lua_State* L, const char* word, HappeningKind kind, const PlatformValue& value,
               std::optional<Time> now) {
  const Platform& platform = *value.platform;
  const auto name = text_at(L, 2);
  if (!name) fail("bad_type", "{}: the name of a host, cluster or link is needed, got {}", word, shown(L, 2));
  Asked asked;
  Happening& happening = asked.happening;
  happening.at = now.value_or(0);
  happening.kind = kind;
  happening.on = resource_named(platform, *name);
  happening.declared_at = caller(L);
  const bool changes = kind == HappeningKind::change;
  const bool breaks = kind == HappeningKind::down || kind == HappeningKind::up;
  happening.cause = changes ? Cause::change : breaks ? Cause::outage : Cause::membership;
  const bool is_cluster = happening.on.kind() == ResourceKind::store;
  asked.with_hosts = kind == HappeningKind::join && is_cluster;
  if (lua_isnoneornil(L, 3) && !changes) return asked;

  const Fields fields(L, 3, {word}, options_of(kind, now.has_value()));
  if (now) happening.at = later(fields, *now);
  if (fields.has(event_fields::kAnnounced)) happening.announced = fields.flag(event_fields::kAnnounced);
  if (changes)
    read_change(fields, platform, happening, [&](Profile profile) {
      asked.profiles.push_back(std::move(profile));
      return static_cast<std::uint32_t>(asked.profiles.size() - 1);
    });
  if (fields.has(join_fields::kWithHosts)) {
    if (!is_cluster) fields.fail(join_fields::kWithHosts, "with_hosts is for a cluster that joins");
    asked.with_hosts = fields.flag(join_fields::kWithHosts);
  }
  if (fields.has(join_fields::kCluster)) {
    if (is_cluster) fields.fail(join_fields::kCluster, "cluster is for a host that joins");
    happening.cluster = platform.cluster(fields.text(join_fields::kCluster));
  }
  if (fields.has(join_fields::kArchitecture))
    happening.architecture = architecture_named(fields, value.architectures);
  return asked;
}

std::vector<Happening> Asked::all(const Platform& platform,
                                  const std::function<std::uint32_t(Profile)>& add) const {
  std::vector<Happening> list{happening};
  for (std::uint32_t* place : {&list.front().profile, &list.front().latency})
    if (*place != kNone) *place = add(profiles[*place]);
  if (!with_hosts) return list;
  const ClusterId cluster = happening.on.store();
  for (const HostId host : platform[cluster].hosts) {
    list.push_back(happening);
    list.back().on = ResourceId::of(host);
    list.back().cluster = cluster;
  }
  return list;
}

}  // namespace perigee::bindings
