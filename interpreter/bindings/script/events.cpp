// The events, queues and qualities of service of a scenario as text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "interpreter/bindings/script/parts.h"
#include "interpreter/language/fields/events.h"
#include "interpreter/language/fields/queues.h"

namespace perigee::bindings {

std::vector<std::string> names_of_flags(const Platform& platform, const std::vector<std::uint8_t>& hosts) {
  const auto stands_for = [&](const std::string& name) {  // as hosts_by_name() reads it
    std::vector<std::uint8_t> flags(hosts.size());
    for (std::size_t h = 0; h < hosts.size(); ++h) {
      const Host& host = platform.hosts()[h];
      flags[h] = host.name == name || platform[host.cluster].name == name ? 1 : 0;
    }
    return flags;
  };
  const auto is_within = [&](const std::string& name) {
    const std::vector<std::uint8_t> flags = stands_for(name);
    for (std::size_t h = 0; h < hosts.size(); ++h)
      if (flags[h] > hosts[h]) return false;
    return true;
  };
  std::vector<std::string> names;
  for (const Cluster& cluster : platform.clusters()) {
    const bool is_whole =
        std::ranges::all_of(cluster.hosts, [&](HostId host) { return hosts[host.index] != 0; });
    if (is_whole && !cluster.hosts.empty() && is_within(cluster.name)) {
      names.push_back(cluster.name);
      continue;
    }
    for (const HostId host : cluster.hosts) {
      if (hosts[host.index] == 0) continue;
      const std::string& name = platform[host].name;
      if (!is_within(name))
        fail("not_plain", "host '{}' has the name of a cluster too, so that no name stands for it alone",
             name);
      names.push_back(name);
    }
  }
  return names;
}

namespace {

using namespace language;

// ---- queues ----

template <class Of>
void say_most(LuaTable& t, const FieldRow& f, std::int64_t most, const Of&) {
  if (most < model::kNoMost) t.whole(f, most);
}

struct QueueOf {
  const Platform& platform;
  const model::Queue& queue;
};
constexpr Said<QueueOf> kOfQueue[] = {
    {queue_fields::kHosts,
     [](LuaTable& t, const FieldRow& f, const QueueOf& of) {
       if (of.queue.hosts != nullptr)
         t.field(f.name, lua_strings(names_of_flags(of.platform, *of.queue.hosts)));
     }},
    {queue_fields::kTier,
     [](LuaTable& t, const FieldRow& f, const QueueOf& of) { t.whole(f, of.queue.tier); }},
    {queue_fields::kPriority,
     [](LuaTable& t, const FieldRow& f, const QueueOf& of) { t.number(f, of.queue.priority); }},
    {queue_fields::kMaxTime,
     [](LuaTable& t, const FieldRow& f, const QueueOf& of) { t.number(f, of.queue.max_time); }},
    {queue_fields::kMaxNodes,
     [](LuaTable& t, const FieldRow& f, const QueueOf& of) { say_most(t, f, of.queue.max_nodes, of); }},
    {queue_fields::kMaxCores,
     [](LuaTable& t, const FieldRow& f, const QueueOf& of) { say_most(t, f, of.queue.max_cores, of); }},
    {queue_fields::kMaxRunning,
     [](LuaTable& t, const FieldRow& f, const QueueOf& of) { say_most(t, f, of.queue.max_running, of); }},
    {queue_fields::kMaxRunningUser, [](LuaTable& t, const FieldRow& f,
                                       const QueueOf& of) { say_most(t, f, of.queue.max_running_user, of); }},
    {queue_fields::kMaxCoresUser,
     [](LuaTable& t, const FieldRow& f, const QueueOf& of) { say_most(t, f, of.queue.max_cores_user, of); }},
    {queue_fields::kDefaultTime,
     [](LuaTable& t, const FieldRow& f, const QueueOf& of) { t.number(f, of.queue.default_time); }},
};

constexpr Said<model::Qos> kOfQos[] = {
    {queue_fields::kQosTier,
     [](LuaTable& t, const FieldRow& f, const model::Qos& of) {
       if (of.tier) t.whole(f, *of.tier);
     }},
    {queue_fields::kPriority,
     [](LuaTable& t, const FieldRow& f, const model::Qos& of) { t.number(f, of.priority); }},
    {queue_fields::kUsage,
     [](LuaTable& t, const FieldRow& f, const model::Qos& of) { t.number(f, of.usage); }},
    {queue_fields::kMaxRunningUser,
     [](LuaTable& t, const FieldRow& f, const model::Qos& of) { say_most(t, f, of.max_running_user, of); }},
};

// ---- who an event is about ----

// `host`, `cluster` or `link`, of one resource.
void say_resource(LuaTable& t, const Platform& platform, ResourceId on) {
  const FieldRow& field = on.kind() == ResourceKind::host    ? event_fields::kHost
                          : on.kind() == ResourceKind::store ? event_fields::kCluster
                                                             : event_fields::kLink;
  t.field(field.name, quoted_name(platform, on));
}

// `all`, `cluster`, `host` or `hosts`, of hosts in their order.
void say_hosts(LuaTable& t, const Platform& platform, std::span<const HostId> hosts, bool has_all) {
  if (hosts.size() == 1) return say_resource(t, platform, ResourceId::of(hosts.front()));
  bool is_all = has_all && hosts.size() == platform.hosts().size();
  for (std::size_t h = 0; is_all && h < hosts.size(); ++h) is_all = hosts[h].index == h;
  if (is_all) return t.flag(event_fields::kAll, true);
  const ClusterId cluster = platform[hosts.front()].cluster;
  if (std::ranges::equal(platform[cluster].hosts, hosts))
    return t.field(event_fields::kCluster.name, lua_string(platform[cluster].name));
  std::vector<std::string> names;
  for (const HostId host : hosts) names.push_back(platform[host].name);
  t.field(event_fields::kHosts.name, lua_strings(names));
}

// ---- events ----

// So many happenings that one declaration makes.
struct EventOf {
  const Scenario& scenario;
  const std::vector<std::string>& architectures;
  std::span<const Happening> all;
  bool with_hosts = false;  // a cluster that joins brings its hosts
  const Platform& platform() const { return *scenario.platform; }
  const Happening& first() const { return all.front(); }
};

void say_on(LuaTable& t, const FieldRow& f, const EventOf& of) {
  const ResourceKind kind = f.name == event_fields::kHost.name      ? ResourceKind::host
                            : f.name == event_fields::kCluster.name ? ResourceKind::store
                                                                    : ResourceKind::link;
  if (of.first().on.kind() == kind) t.field(f.name, quoted_name(of.platform(), of.first().on));
}
void say_at(LuaTable& t, const FieldRow& f, const EventOf& of) { t.number(f, of.first().at); }
void say_until(LuaTable& t, const FieldRow& f, const EventOf& of) { t.number(f, of.all.back().at); }
void say_announced(LuaTable& t, const FieldRow& f, const EventOf& of) { t.flag(f, of.first().announced); }
void say_known(LuaTable& t, const FieldRow& f, const EventOf& of) {
  if (of.first().known < kNever) t.number(f, of.first().known);
}
// Says the hosts of several outages that begin and end together.
void say_group(LuaTable& t, const FieldRow&, const EventOf& of) {
  std::vector<HostId> hosts;
  for (std::size_t i = 0; i < of.all.size(); i += 2) hosts.push_back(of.all[i].on.host());
  say_hosts(t, of.platform(), hosts, of.first().cause == Cause::maintenance);
}
void say_factor(LuaTable& t, const FieldRow& f, const EventOf& of) {
  if (!std::isnan(of.first().factor)) t.number(f, of.first().factor);
}
template <std::uint32_t Happening::*place>
void say_profile(LuaTable& t, const FieldRow& f, const EventOf& of) {
  if (of.first().*place != model::kNone)
    t.field(f.name, lua_profile(of.scenario.profiles[of.first().*place]));
}
bool is_of_link(const EventOf& of) { return of.first().on.kind() == ResourceKind::link; }

constexpr Said<EventOf> kOfOutage[] = {
    {event_fields::kHost, say_on},    {event_fields::kCluster, say_on},
    {event_fields::kLink, say_on},    {event_fields::kFrom, say_at},
    {event_fields::kTo, say_until},   {event_fields::kAnnounced, say_announced},
    {event_fields::kKnown, say_known}};
constexpr Said<EventOf> kOfReserve[] = {{event_fields::kHosts,
                                         [](LuaTable& t, const FieldRow& f, const EventOf& of) {
                                           if (!is_of_link(of)) say_group(t, f, of);
                                         }},
                                        {event_fields::kLink, say_on},
                                        {event_fields::kFrom, say_at},
                                        {event_fields::kTo, say_until},
                                        {event_fields::kAnnounced, say_announced},
                                        {event_fields::kKnown, say_known}};
constexpr Said<EventOf> kOfMaintenance[] = {
    {event_fields::kHosts, say_group},
    {event_fields::kFrom, say_at},
    {event_fields::kTo, say_until},
    {event_fields::kKnownBefore,
     [](LuaTable& t, const FieldRow& f, const EventOf& of) { t.number(f, of.first().known); }}};
constexpr Said<EventOf> kOfLeave[] = {{event_fields::kHost, say_on},
                                      {event_fields::kCluster, say_on},
                                      {event_fields::kGivenAt, say_at},
                                      {event_fields::kKnownMember, say_known}};
constexpr Said<EventOf> kOfJoin[] = {
    {event_fields::kHost, say_on},
    {join_fields::kCluster,
     [](LuaTable& t, const FieldRow& f, const EventOf& of) {
       say_on(t, f, of);
       if (of.first().on.kind() == ResourceKind::host && of.first().cluster.valid())
         t.field(f.name, lua_string(of.platform()[of.first().cluster].name));
     }},
    {event_fields::kGivenAt, say_at},
    {join_fields::kArchitecture,
     [](LuaTable& t, const FieldRow& f, const EventOf& of) {
       const std::int32_t number = of.first().architecture;
       if (number >= 0) t.field(f.name, lua_string(of.architectures.at(static_cast<std::size_t>(number))));
     }},
    {join_fields::kWithHosts,
     [](LuaTable& t, const FieldRow& f, const EventOf& of) {
       if (of.first().on.kind() == ResourceKind::store) t.flag(f, of.with_hosts);
     }},
    {event_fields::kKnownMember, say_known}};
constexpr Said<EventOf> kOfChange[] = {{event_fields::kHost, say_on},
                                       {event_fields::kLink, say_on},
                                       {event_fields::kGivenAt, say_at},
                                       {change_fields::kFactor, say_factor},
                                       {change_fields::kAvailability,
                                        [](LuaTable& t, const FieldRow& f, const EventOf& of) {
                                          if (!is_of_link(of)) say_profile<&Happening::profile>(t, f, of);
                                        }},
                                       {change_fields::kBandwidth,
                                        [](LuaTable& t, const FieldRow& f, const EventOf& of) {
                                          if (is_of_link(of)) say_profile<&Happening::profile>(t, f, of);
                                        }},
                                       {change_fields::kLatency, say_profile<&Happening::latency>},
                                       {event_fields::kAnnounced, say_announced}};
constexpr Said<EventOf> kOfMark[] = {
    {event_fields::kGivenAt, say_at},
    {event_fields::kName,
     [](LuaTable& t, const FieldRow& f, const EventOf& of) { t.text(f, of.first().name); }}};

struct FailuresOf {
  const Platform& platform;
  const model::FailureModel& model;
};
constexpr Said<FailuresOf> kOfFailures[] = {
    {event_fields::kHosts, [](LuaTable& t, const FieldRow&,
                              const FailuresOf& of) { say_hosts(t, of.platform, of.model.hosts, true); }},
    {failure_fields::kMtbf,
     [](LuaTable& t, const FieldRow& f, const FailuresOf& of) { t.number(f, of.model.mtbf); }},
    {failure_fields::kMttr,
     [](LuaTable& t, const FieldRow& f, const FailuresOf& of) { t.number(f, of.model.mttr); }},
    {failure_fields::kLaw, [](LuaTable& t, const FieldRow& f,
                              const FailuresOf& of) { t.choice(f, static_cast<std::size_t>(of.model.law)); }},
    {failure_fields::kShape,
     [](LuaTable& t, const FieldRow& f, const FailuresOf& of) { t.number(f, of.model.shape); }},
    {failure_fields::kRepairLaw,
     [](LuaTable& t, const FieldRow& f, const FailuresOf& of) {
       t.choice(f, static_cast<std::size_t>(of.model.repair_law));
     }},
    {failure_fields::kRepairShape,
     [](LuaTable& t, const FieldRow& f, const FailuresOf& of) { t.number(f, of.model.repair_shape); }},
    {event_fields::kAnnounced,
     [](LuaTable& t, const FieldRow& f, const FailuresOf& of) { t.flag(f, of.model.announced); }}};

// Reads the happenings back into declarations.
class EventTexts {
 public:
  EventTexts(const Scenario& scenario, const std::vector<std::string>& architectures)
      : scenario_(scenario), architectures_(architectures) {}

  std::string list() {
    const std::span<const Happening> all = scenario_.happenings;
    for (std::size_t i = 0; i < all.size();) i += add(all.subspan(i), i);
    for (const model::FailureModel& each : scenario_.failures) {
      LuaTable table;
      say_all<FailuresOf>(table, kOfFailures, {platform(), each});
      events_.item("failures " + table.text());
    }
    if (const std::size_t count = scenario_.processes.size(); count > 0)
      fail("not_plain", "the scenario has {}: what a function of Lua does is no plain declaration",
           count == 1 ? "a process" : fmt::format("{} processes", count));
    return events_.empty() ? "" : events_.lines();
  }

 private:
  const Platform& platform() const { return *scenario_.platform; }

  [[noreturn]] void refuse(const Happening& happening, std::string_view what) const {
    fail("not_plain", "the event at t = {} s of '{}' {}; no event of a script says so",
         lua_number(happening.at), platform().name_of(happening.on), what);
  }

  template <std::size_t n>
  void say(std::string_view word, const Said<EventOf> (&rows)[n], std::span<const Happening> all,
           bool with_hosts = false) {
    LuaTable table;
    say_all<EventOf>(table, rows, {scenario_, architectures_, all, with_hosts});
    events_.item(fmt::format("{} {}", word, table.text()));
  }

  // Adds the declaration of the first of them, number `i` of all; how many it makes.
  std::size_t add(std::span<const Happening> rest, std::size_t i) {
    const Happening& first = rest.front();
    check_rest(first);
    switch (first.kind) {
      case HappeningKind::mark:
        say("mark", kOfMark, rest.first(1));
        return 1;
      case HappeningKind::down:
        return add_outage(rest, i);
      case HappeningKind::up:
        refuse(first, "ends an outage that has not begun");
      case HappeningKind::leave:
        say("leave", kOfLeave, rest.first(1));
        return 1;
      case HappeningKind::join:
        return add_join(rest);
      case HappeningKind::change:
        break;
    }
    const int changes = int{!std::isnan(first.factor)} + int{first.profile != model::kNone} +
                        int{first.latency != model::kNone};
    if (changes != 1) refuse(first, "changes several things at once");
    if (first.on.kind() != ResourceKind::host && first.on.kind() != ResourceKind::link)
      refuse(first, "changes a cluster");
    say("change", kOfChange, rest.first(1));
    return 1;
  }

  // Refuses what no declaration of the event's kind says. A file may say it.
  void check_rest(const Happening& each) const {
    using enum HappeningKind;
    const bool is_member = each.kind == leave || each.kind == join;
    if (!each.announced && (is_member || each.kind == mark)) refuse(each, "is not announced");
    if (each.kind != change &&
        (each.profile != model::kNone || each.latency != model::kNone || !std::isnan(each.factor)))
      refuse(each, "changes its behaviour too");
    if (each.kind != join && (each.cluster.valid() || each.architecture >= 0))
      refuse(each, "moves a host, or gives it another architecture");
    if (each.known < kNever && !is_member && each.kind != down) refuse(each, "is known before it comes");
    if (each.architecture >= 0 && std::ranges::none_of(platform().hosts(), [&](const Host& host) {
          return host.architecture == each.architecture;
        }))
      refuse(each, "brings an architecture that no host is declared with");
  }

  // Whether the first two are an outage as a declaration makes it, `i` of all.
  static bool is_outage(std::span<const Happening> rest, std::size_t i) {
    if (rest.size() < 2 || rest[0].kind != HappeningKind::down || rest[1].kind != HappeningKind::up)
      return false;
    return rest[0].outage == outage_number(model::OutageOrigin::scenario, i) &&
           rest[1].outage == rest[0].outage && rest[1].on == rest[0].on && rest[1].cause == rest[0].cause &&
           rest[1].announced == rest[0].announced;
  }

  std::size_t add_outage(std::span<const Happening> rest, std::size_t i) {
    const Happening& first = rest.front();
    if (!is_outage(rest, i)) refuse(first, "is an outage that ends otherwise than outages do");
    if (first.cause == Cause::outage) {
      say("outage", kOfOutage, rest.first(2));
      return 2;
    }
    if (first.cause != Cause::reservation && first.cause != Cause::maintenance)
      refuse(first, "is an outage of another cause");
    // Hosts that are taken together are one declaration.
    std::size_t count = 2;
    std::vector<bool> named(platform().hosts().size());
    if (first.on.kind() == ResourceKind::host) {
      named[first.on.at()] = true;
      while (is_outage(rest.subspan(count), i + count)) {
        const Happening &next = rest[count], &up = rest[count + 1];
        if (next.on.kind() != ResourceKind::host || next.cause != first.cause || next.at != first.at ||
            up.at != rest[1].at || next.announced != first.announced || next.known != first.known ||
            named[next.on.at()])
          break;
        named[next.on.at()] = true;
        count += 2;
      }
    }
    if (first.cause == Cause::maintenance)
      say("maintenance", kOfMaintenance, rest.first(count));
    else
      say("reserve", kOfReserve, rest.first(count));
    return count;
  }

  // A cluster that joins brings its hosts, where these join next.
  std::size_t add_join(std::span<const Happening> rest) {
    const Happening& first = rest.front();
    if (first.on.kind() != ResourceKind::store) {
      say("join", kOfJoin, rest.first(1));
      return 1;
    }
    const std::vector<HostId>& hosts = platform()[first.on.store()].hosts;
    bool with_hosts = !hosts.empty() && rest.size() > hosts.size();
    for (std::size_t h = 0; with_hosts && h < hosts.size(); ++h) {
      const Happening& next = rest[h + 1];
      with_hosts = next.kind == HappeningKind::join && next.on == ResourceId::of(hosts[h]) &&
                   next.at == first.at && next.cluster == first.on.store() &&
                   next.architecture == first.architecture && next.known == first.known && next.announced;
    }
    const std::size_t count = with_hosts ? 1 + hosts.size() : 1;
    say("join", kOfJoin, rest.first(count), with_hosts);
    return count;
  }

  const Scenario& scenario_;
  const std::vector<std::string>& architectures_;
  LuaTable events_;
};

template <class List, class Text>
std::string named_list(const List& list, std::string_view word, Text text) {
  LuaTable all;
  for (const auto& each : list) all.item(fmt::format("{} {} {}", word, lua_string(each.name), text(each)));
  return all.empty() ? "" : all.lines();
}

}  // namespace

std::string queues_text(const Scenario& scenario) {
  if (scenario.workload->queues == nullptr) return "";
  return named_list(scenario.workload->queues->queues, "queue", [&](const model::Queue& each) {
    LuaTable table;
    say_all<QueueOf>(table, kOfQueue, {*scenario.platform, each});
    return table.text();
  });
}

std::string qos_text(const Scenario& scenario) {
  if (scenario.workload->queues == nullptr) return "";
  return named_list(scenario.workload->queues->qos, "qos", [&](const model::Qos& each) {
    LuaTable table;
    say_all<model::Qos>(table, kOfQos, each);
    return table.text();
  });
}

std::string events_text(const Scenario& scenario, const std::vector<std::string>& architectures) {
  return EventTexts(scenario, architectures).list();
}

void add_queue_words(std::vector<WrittenWord>& words) {
  words.push_back({"queue", queue_fields::kAll, {}});
  add_names(words.back().writes, kOfQueue);
  words.push_back({"qos", queue_fields::kQos, {}});
  add_names(words.back().writes, kOfQos);
}

void add_event_words(std::vector<WrittenWord>& words) {
  const auto add = [&](std::string_view word, std::span<const FieldRow> takes, const auto& rows,
                       std::vector<std::string_view> others = {}) {
    words.push_back({word, takes, {}, std::move(others)});
    add_names(words.back().writes, rows);
  };
  // One field names the hosts, in whichever form is the shortest.
  add("outage", event_fields::kOutage, kOfOutage);
  add("leave", event_fields::kLeave, kOfLeave);
  add("join", join_fields::kJoin, kOfJoin);
  add("change", change_fields::kChange, kOfChange, {"speed"});  // `factor` says it
  add("reserve", event_fields::kReserve, kOfReserve, {"host", "cluster"});
  add("maintenance", event_fields::kMaintenance, kOfMaintenance,
      {"host", "cluster", "all", "every", "times"});
  add("mark", event_fields::kMark, kOfMark);
  add("failures", failure_fields::kFailures, kOfFailures, {"host", "cluster", "all"});
}

}  // namespace perigee::bindings
