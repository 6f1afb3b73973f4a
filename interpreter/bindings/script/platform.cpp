// platform { ... } as text.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "interpreter/bindings/script/parts.h"
#include "interpreter/language/fields/platform.h"
#include "interpreter/language/fields/power.h"

namespace perigee::bindings {

namespace {

using namespace language;

// ---- power ----

constexpr Said<model::SpeedState> kStateRows[] = {
    {power_fields::kIdle,
     [](LuaTable& t, const FieldRow& f, const model::SpeedState& of) { t.number(f, of.idle); }},
    {power_fields::kBusy,
     [](LuaTable& t, const FieldRow& f, const model::SpeedState& of) { t.number(f, of.busy); }},
    {power_fields::kEpsilon,
     [](LuaTable& t, const FieldRow& f, const model::SpeedState& of) {
       if (of.epsilon != of.idle) t.number(f, of.epsilon);
     }},
    {power_fields::kFactor,
     [](LuaTable& t, const FieldRow& f, const model::SpeedState& of) { t.number(f, of.factor); }},
};

constexpr Said<model::PowerTransition> kTransitionRows[] = {
    {power_fields::kTime,
     [](LuaTable& t, const FieldRow& f, const model::PowerTransition& of) { t.number(f, of.time); }},
    {power_fields::kPower,
     [](LuaTable& t, const FieldRow& f, const model::PowerTransition& of) { t.number(f, of.power); }},
};

void say_transition(LuaTable& table, const FieldRow& field, const model::PowerTransition& of) {
  LuaTable inner;
  say_all<model::PowerTransition>(inner, kTransitionRows, of);
  if (!inner.empty()) table.field(field.name, inner.text());
}

bool has_states(const model::PowerModel& of) { return of.states.size() > 1; }

// Says a number of the only state; nothing if there are several.
template <auto member>
void say_of_state(LuaTable& t, const FieldRow& f, const model::PowerModel& of) {
  if (!has_states(of)) t.number(f, of.states.front().*member);
}

constexpr Said<model::PowerModel> kPowerRows[] = {
    {power_fields::kIdle, say_of_state<&model::SpeedState::idle>},
    {power_fields::kBusy, say_of_state<&model::SpeedState::busy>},
    {power_fields::kEpsilon,
     [](LuaTable& t, const FieldRow& f, const model::PowerModel& of) {
       if (!has_states(of)) kStateRows[2].say(t, f, of.states.front());
     }},
    {power_fields::kOff,
     [](LuaTable& t, const FieldRow& f, const model::PowerModel& of) { t.number(f, of.off); }},
    {power_fields::kDown,
     [](LuaTable& t, const FieldRow& f, const model::PowerModel& of) {
       if (of.down != of.off) t.number(f, of.down);
     }},
    {power_fields::kBoot,
     [](LuaTable& t, const FieldRow& f, const model::PowerModel& of) { say_transition(t, f, of.boot); }},
    {power_fields::kShutdown,
     [](LuaTable& t, const FieldRow& f, const model::PowerModel& of) { say_transition(t, f, of.shutdown); }},
    {power_fields::kStates,
     [](LuaTable& t, const FieldRow& f, const model::PowerModel& of) {
       if (!has_states(of)) return;
       LuaTable states;
       for (const model::SpeedState& each : of.states) {
         LuaTable state;
         say_all<model::SpeedState>(state, kStateRows, each);
         states.item(state.text());
       }
       t.field(f.name, states.text());
     }},
};

constexpr Said<model::LinkPower> kLinkPowerRows[] = {
    {power_fields::kLink[0],
     [](LuaTable& t, const FieldRow& f, const model::LinkPower& of) { t.number(f, of.idle); }},
    {power_fields::kLink[1],
     [](LuaTable& t, const FieldRow& f, const model::LinkPower& of) { t.number(f, of.busy); }},
};

// ---- links ----

struct LinkOf {
  const Platform& platform;
  const Link& link;
  const Cluster* cluster = nullptr;  // whose gateway it is
};

constexpr Said<LinkOf> kOfAnyLink[] = {
    {link_fields::kBandwidth,
     [](LuaTable& t, const FieldRow& f, const LinkOf& of) { t.profile(f, of.link.bandwidth); }},
    {link_fields::kLatency,
     [](LuaTable& t, const FieldRow& f, const LinkOf& of) { t.profile(f, of.link.latency); }},
    {link_fields::kSharing, [](LuaTable& t, const FieldRow& f,
                               const LinkOf& of) { t.choice(f, static_cast<std::size_t>(of.link.sharing)); }},
    {link_fields::kOvertake,
     [](LuaTable& t, const FieldRow& f, const LinkOf& of) {
       if (of.link.sharing != Sharing::unlimited) t.flag(f, of.link.overtake);
     }},
    {link_fields::kPower,
     [](LuaTable& t, const FieldRow& f, const LinkOf& of) {
       if (!of.link.power) return;
       LuaTable power;
       say_all<model::LinkPower>(power, kLinkPowerRows, *of.link.power);
       t.field(f.name, power.text());
     }},
};
constexpr Said<LinkOf> kOfBackbone[] = {
    {link_fields::kFrom, [](LuaTable& t, const FieldRow& f,
                            const LinkOf& of) { t.text(f, of.platform.node_names()[of.link.from]); }},
    {link_fields::kTo, [](LuaTable& t, const FieldRow& f,
                          const LinkOf& of) { t.text(f, of.platform.node_names()[of.link.to]); }},
};
constexpr Said<LinkOf> kOfGateway[] = {
    {link_fields::kName,
     [](LuaTable& t, const FieldRow& f, const LinkOf& of) {
       if (of.link.name != of.cluster->name + ".link") t.text(f, of.link.name);
     }},
};

// ---- hosts and clusters ----

struct HostOf {
  const Platform& platform;
  const std::vector<std::string>& architectures;
  HostId id;
  const Host& host() const { return platform[id]; }
};

constexpr Said<HostOf> kOfHost[] = {
    {host_fields::kCores,
     [](LuaTable& t, const FieldRow& f, const HostOf& of) { t.whole(f, of.host().cores); }},
    {host_fields::kSpeed,
     [](LuaTable& t, const FieldRow& f, const HostOf& of) { t.number(f, of.host().speed); }},
    {host_fields::kAvailability,
     [](LuaTable& t, const FieldRow& f, const HostOf& of) { t.profile(f, of.host().availability); }},
    {host_fields::kArchitecture,
     [](LuaTable& t, const FieldRow& f, const HostOf& of) {
       t.text(f, of.architectures.at(static_cast<std::size_t>(of.host().architecture)));
     }},
    {host_fields::kSlots,
     [](LuaTable& t, const FieldRow& f, const HostOf& of) {
       if (of.host().slots != of.host().cores) t.whole(f, of.host().slots);
     }},
    {host_fields::kSetup,
     [](LuaTable& t, const FieldRow& f, const HostOf& of) { t.number(f, of.host().setup); }},
    {host_fields::kExclusive,
     [](LuaTable& t, const FieldRow& f, const HostOf& of) { t.flag(f, of.host().exclusive); }},
    {host_fields::kOvertake,
     [](LuaTable& t, const FieldRow& f, const HostOf& of) { t.flag(f, of.host().overtake); }},
    {host_fields::kSwitch,
     [](LuaTable& t, const FieldRow& f, const HostOf& of) {
       const std::uint32_t number = of.platform.switch_of(of.id);  // those of clusters come first
       if (number != of.host().cluster.index)
         t.text(f, fmt::format("s{}", number - of.platform.clusters().size() + 1));
     }},
    {host_fields::kMemory,
     [](LuaTable& t, const FieldRow& f, const HostOf& of) {
       if (const double memory = of.platform.memory(of.id); memory < model::kNeverShort) t.number(f, memory);
     }},
    {host_fields::kResources,
     [](LuaTable& t, const FieldRow& f, const HostOf& of) {
       if (of.host().supply == nullptr || of.host().supply->resources.empty()) return;
       LuaTable counts;
       for (const auto& [name, count] : of.host().supply->resources) counts.field(name, lua_number(count));
       t.field(f.name, counts.text());
     }},
    {host_fields::kPower,
     [](LuaTable& t, const FieldRow& f, const HostOf& of) {
       if (of.host().power == nullptr) return;
       LuaTable power;
       say_all<model::PowerModel>(power, kPowerRows, *of.host().power);
       t.field(f.name, power.text());
     }},
};

struct ClusterOf {
  const Platform& platform;
  const Cluster& cluster;
  std::size_t equal = 0;  // hosts that the cluster counts; 0 = they are listed
};
const Link& link_of(const ClusterOf& of) { return of.platform[of.cluster.link]; }

// A host outside of clusters has these too.
constexpr Said<ClusterOf> kOfEntrance[] = {
    {host_fields::kLink,
     [](LuaTable& t, const FieldRow& f, const ClusterOf& of) {
       if (link_of(of).implied) return;
       LuaTable link;
       const LinkOf gateway{of.platform, link_of(of), &of.cluster};
       say_all<LinkOf>(link, kOfAnyLink, gateway);
       say_all<LinkOf>(link, kOfGateway, gateway);
       t.field(f.name, link.text());
     }},
    {host_fields::kAt, [](LuaTable& t, const FieldRow& f,
                          const ClusterOf& of) { t.text(f, of.platform.node_names()[link_of(of).from]); }},
    {host_fields::kStore,
     [](LuaTable& t, const FieldRow& f, const ClusterOf& of) {
       if (of.cluster.store < model::kNeverShort) t.number(f, of.cluster.store);
     }},
};
constexpr Said<ClusterOf> kOfCluster[] = {
    {cluster_fields::kNodes,
     [](LuaTable& t, const FieldRow& f, const ClusterOf& of) {
       if (of.equal > 0) t.whole(f, of.equal);
     }},
};

constexpr Said<Licence> kOfLicence[] = {
    {licence_fields::kCount,
     [](LuaTable& t, const FieldRow& f, const Licence& of) { t.number(f, of.count); }},
};

struct NetworkOf {
  const model::CompleteNetwork& network;
  std::size_t clusters;
};
void say_network(LuaTable& t, const FieldRow& f, const std::vector<double>& values, const NetworkOf& of) {
  if (values.size() == 1)
    t.number(f, values.front());
  else if (values.size() == of.clusters)
    t.field(f.name, lua_numbers(values));
  else
    t.field(f.name, lua_rows(values, of.clusters));
}
constexpr Said<NetworkOf> kOfNetwork[] = {
    {complete_fields::kBandwidth, [](LuaTable& t, const FieldRow& f,
                                     const NetworkOf& of) { say_network(t, f, of.network.bandwidth, of); }},
    {complete_fields::kLatency,
     [](LuaTable& t, const FieldRow& f, const NetworkOf& of) { say_network(t, f, of.network.latency, of); }},
};

std::string named(std::string_view word, std::string_view name, const LuaTable& table) {
  return fmt::format("{} {} {}", word, lua_string(name), table.text());
}

// Hosts have the order of their clusters where a script declares them.
void check_order(const Platform& platform) {
  std::size_t next = 0;
  for (const Cluster& cluster : platform.clusters()) {
    if (cluster.hosts.empty())
      fail("not_plain", "cluster '{}' has no hosts, which no declaration says", cluster.name);
    for (const HostId host : cluster.hosts)
      if (host.index != next++)
        fail(
            "not_plain",
            "host '{}' of cluster '{}' is number {} of the platform, as its reader counts; a declaration would make it "
            "number {}",
            platform[host].name, cluster.name, host.index + 1, next);
  }
}

std::string cluster_text(const Platform& platform, const Cluster& cluster,
                         const std::vector<std::string>& architectures) {
  ClusterOf whole{platform, cluster};
  LuaTable table, first;
  say_all<HostOf>(first, kOfHost, {platform, architectures, cluster.hosts.front()});
  bool are_equal = true;
  std::vector<std::string> hosts;
  for (std::size_t h = 0; h < cluster.hosts.size(); ++h) {
    const HostId id = cluster.hosts[h];
    LuaTable own;
    say_all<HostOf>(own, kOfHost, {platform, architectures, id});
    are_equal = are_equal && platform[id].name == fmt::format("{}.{}", cluster.name, h + 1) &&
                own.text() == first.text();
    hosts.push_back(named("host", platform[id].name, own));
  }
  const bool is_host = cluster.hosts.size() == 1 && platform[cluster.hosts.front()].name == cluster.name;
  if (are_equal) whole.equal = hosts.size();
  if (are_equal || is_host) {
    if (are_equal) say_all<ClusterOf>(table, kOfCluster, whole);
    say_all<HostOf>(table, kOfHost, {platform, architectures, cluster.hosts.front()});
  } else {
    for (std::string& each : hosts) table.item(std::move(each));
  }
  say_all<ClusterOf>(table, kOfEntrance, whole);
  return named(is_host ? "host" : "cluster", cluster.name, table);
}

}  // namespace

std::string script_of(const Platform& platform, const std::vector<std::string>& architectures) {
  check_order(platform);
  LuaTable parts;
  const std::size_t clusters = platform.clusters().size(), nodes = platform.node_names().size();
  for (std::size_t n = 1; n + clusters < nodes; ++n)
    parts.item(fmt::format("router {}", lua_string(platform.node_names()[n])));
  if (platform.complete()) {
    LuaTable network;
    say_all<NetworkOf>(network, kOfNetwork, {*platform.complete(), clusters});
    parts.item("complete " + network.text());
  }
  for (std::size_t l = 0; l + clusters < platform.links().size(); ++l) {
    const Link& link = platform.links()[l];
    LuaTable table;
    say_all<LinkOf>(table, kOfBackbone, {platform, link});
    say_all<LinkOf>(table, kOfAnyLink, {platform, link});
    parts.item(named("link", link.name, table));
  }
  for (const Cluster& cluster : platform.clusters())
    parts.item(cluster_text(platform, cluster, architectures));
  for (const Licence& licence : platform.licences()) {
    LuaTable table;
    say_all<Licence>(table, kOfLicence, licence);
    parts.item(named("licence", licence.name, table));
  }
  return "platform " + parts.lines();
}

void add_platform_words(std::vector<WrittenWord>& words) {
  const auto add = [&](std::string_view word, std::span<const FieldRow> takes,
                       std::vector<std::string_view> others, const auto&... rows) {
    WrittenWord written{word, takes, {}, std::move(others)};
    (add_names(written.writes, rows), ...);
    words.push_back(std::move(written));
  };
  add("host", host_fields::kAll, {}, kOfHost, kOfEntrance);
  add("cluster", cluster_fields::kAll, {"per_switch"}, kOfHost, kOfEntrance, kOfCluster);
  add("link", link_fields::kAll, {}, kOfBackbone, kOfAnyLink);
  add("link of a cluster", link_fields::kGateway, {}, kOfGateway, kOfAnyLink);
  add("licence", licence_fields::kAll, {}, kOfLicence);
  add("complete", complete_fields::kAll, {}, kOfNetwork);
  add("power", power_fields::kAll, {}, kPowerRows);
  add("power: states", power_fields::kState, {}, kStateRows);
  add("power: boot", power_fields::kTransition, {"energy"}, kTransitionRows);
  add("power of a link", power_fields::kLink, {}, kLinkPowerRows);
}

}  // namespace perigee::bindings
