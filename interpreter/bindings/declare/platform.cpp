// platform { cluster "fast" { nodes = 4, ... }, host "n1" { ... }, router "r1", link "backbone" { ... } }
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpreter/bindings/declare/counts.h"
#include "interpreter/bindings/declare/network.h"
#include "interpreter/bindings/declare/power.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/language/arguments.h"
#include "interpreter/language/fields/platform.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "runtime/kernel/room.h"

namespace perigee::bindings {

namespace {

constexpr std::uint64_t kStepsOfHost = 20;  // steps to copy a host

void read_link(const Fields& fields, Link& link) {
  link.bandwidth = fields.profile(link_fields::kBandwidth);
  link.latency = fields.profile(link_fields::kLatency);
  link.sharing = static_cast<Sharing>(fields.choice(link_fields::kSharing));
  link.overtake = fields.flag(link_fields::kOvertake);
  if (!fields.push(link_fields::kPower)) return;
  if (lua_type(fields.state(), -1) != LUA_TTABLE)
    fields.fail(link_fields::kPower, "power must be a table {{ idle =, busy = }}, got {}",
                shown(fields.state(), -1));
  link.power = read_link_power(fields.state(), fields.subject() + ": power");
  lua_pop(fields.state(), 1);
}

// The fields that hosts and clusters have in common; those of a cluster are the defaults of its hosts.
struct HostField {
  const FieldRow& field;
  void (*copy)(const Host& from, Host& to);
};
template <auto field>
void copy_supply(const Host& from, Host& to) {
  if (from.supply == nullptr || to.supply == from.supply) return;
  Supply merged = to.supply != nullptr ? *to.supply : Supply{};
  merged.*field = (*from.supply).*field;
  to.supply = std::make_shared<const Supply>(std::move(merged));
}
constexpr HostField kPlatformHostFields[] = {
    {host_fields::kCores, [](const Host& from, Host& to) { to.cores = from.cores; }},
    {host_fields::kSlots, [](const Host& from, Host& to) { to.slots = from.slots; }},
    {host_fields::kSpeed, [](const Host& from, Host& to) { to.speed = from.speed; }},
    {host_fields::kSetup, [](const Host& from, Host& to) { to.setup = from.setup; }},
    {host_fields::kExclusive, [](const Host& from, Host& to) { to.exclusive = from.exclusive; }},
    {host_fields::kOvertake, [](const Host& from, Host& to) { to.overtake = from.overtake; }},
    {host_fields::kAvailability, [](const Host& from, Host& to) { to.availability = from.availability; }},
    {host_fields::kMemory, copy_supply<&Supply::memory>},
    {host_fields::kResources, copy_supply<&Supply::resources>},
    {host_fields::kPower, [](const Host& from, Host& to) { to.power = from.power; }},
};

Host read_host(const Fields& fields) {
  Host host;
  host.cores = static_cast<std::int32_t>(fields.integer(host_fields::kCores));
  host.slots = static_cast<std::int32_t>(fields.integer(host_fields::kSlots));
  host.speed = fields.number(host_fields::kSpeed);
  host.setup = fields.number(host_fields::kSetup);
  host.exclusive = fields.flag(host_fields::kExclusive);
  host.overtake = fields.flag(host_fields::kOvertake);
  host.availability = fields.profile(host_fields::kAvailability);
  read_supplies(fields, host);
  if (fields.push(host_fields::kPower)) {
    if (lua_type(fields.state(), -1) != LUA_TTABLE)
      fields.fail(host_fields::kPower, "power must be a table {{ idle =, busy =, ... }}, got {}",
                  shown(fields.state(), -1));
    host.power =
        std::make_shared<const model::PowerModel>(read_power(fields.state(), fields.subject() + ": power"));
    lua_pop(fields.state(), 1);
  }
  return host;
}

void read_gateway(const Fields& fields, PlatformSpec::ClusterSpec& cluster) {
  cluster.at = fields.text(host_fields::kAt);
  if (fields.has(host_fields::kStore)) {
    cluster.store = std::floor(fields.number(host_fields::kStore));
    if (cluster.store > model::kMostOfConsumable)
      fields.fail(host_fields::kStore, "store must be at most 2^53 B, got {}", cluster.store);
  }
  if (!fields.push(host_fields::kLink)) return;
  const std::string subject = fields.subject();
  const std::string name = subject + ": link";
  const Fields link(fields.state(), -1, {name}, link_fields::kGateway);
  cluster.has_link = true;
  cluster.link.name = link.text(link_fields::kName);
  read_link(link, cluster.link);
  lua_pop(fields.state(), 1);
}

// The switches of listed hosts are there already.
void read_switches(const Fields& fields, const std::string& name, PlatformSpec::ClusterSpec& cluster) {
  const bool in_groups = fields.has(cluster_fields::kPerSwitch), one = fields.has(cluster_fields::kSwitch);
  if (in_groups && one)
    fields.fail(cluster_fields::kPerSwitch, "per_switch names its switches; 'switch' would be the only one");
  if (!in_groups && !one) return;
  const std::string all = fields.text(cluster_fields::kSwitch);
  const auto each =
      in_groups ? static_cast<std::size_t>(fields.integer(cluster_fields::kPerSwitch)) : cluster.hosts.size();
  cluster.switches.resize(cluster.hosts.size());
  for (std::size_t h = 0; h < cluster.switches.size(); ++h)
    if (cluster.switches[h].empty())
      cluster.switches[h] = one ? all : fmt::format("{}.s{}", name, h / each + 1);
}

PlatformPart read_cluster(lua_State* L, int index, const std::string& name) {
  const Fields fields(L, index, {"cluster", name}, cluster_fields::kAll, true);
  PlatformPart part;
  PlatformSpec::ClusterSpec cluster;
  cluster.name = name;
  cluster.declared_at = caller(L);
  Host host = read_host(fields);
  host.declared_at = cluster.declared_at;
  const std::string architecture = fields.text(host_fields::kArchitecture);
  if (fields.count() > 0) {
    if (fields.has(cluster_fields::kNodes))
      fields.fail(cluster_fields::kNodes, "its hosts are listed, so 'nodes' has no place");
    for (std::int64_t i = 1; i <= fields.count(); ++i) {
      lua_rawgeti(L, fields.index(), i);
      const PlatformPart* listed = test<PlatformPart>(L, -1);
      if (listed == nullptr || !listed->is_host)
        fields.fail(nullptr, "entry {} must be a host, got {}", i, shown(L, -1));
      const auto& spec = std::get<PlatformSpec::ClusterSpec>(listed->what);
      if (spec.has_link) fields.fail(nullptr, "host '{}': the cluster's hosts share its link", spec.name);
      if (spec.store < model::kNeverShort)
        fields.fail(nullptr, "host '{}': the cluster's hosts share its store", spec.name);
      did_work(kStepsOfHost);
      cluster.hosts.push_back(spec.hosts.front());
      if (!spec.switches.empty()) {
        cluster.switches.resize(cluster.hosts.size());
        cluster.switches.back() = spec.switches.front();
      }
      for (std::size_t f = 0; f < std::size(kPlatformHostFields); ++f)
        if ((listed->given >> f & 1) == 0) kPlatformHostFields[f].copy(host, cluster.hosts.back());
      const std::string& own = listed->architectures.front();
      part.architectures.push_back(own.empty() ? architecture : own);
      lua_pop(L, 1);
    }
  } else {
    const std::int64_t nodes = fields.integer(cluster_fields::kNodes);
    will_take(static_cast<double>(nodes) * (sizeof(Host) + sizeof(std::string)),
              [&] { return fmt::format("cluster '{}' of {} nodes", name, nodes); });
    did_work(static_cast<std::uint64_t>(nodes) * kStepsOfHost);
    cluster.hosts.reserve(static_cast<std::size_t>(nodes));
    for (std::int64_t i = 1; i <= nodes; ++i) {
      host.name = fmt::format("{}.{}", name, i);
      cluster.hosts.push_back(host);
      part.architectures.push_back(architecture);
    }
  }
  read_switches(fields, name, cluster);
  read_gateway(fields, cluster);
  part.what = std::move(cluster);
  return part;
}

PlatformPart read_single_host(lua_State* L, int index, const std::string& name) {
  const Fields fields(L, index, {"host", name}, host_fields::kAll);
  PlatformPart part;
  PlatformSpec::ClusterSpec cluster;
  cluster.name = name;
  cluster.declared_at = caller(L);
  Host host = read_host(fields);
  host.name = name;
  host.declared_at = cluster.declared_at;
  cluster.hosts.push_back(std::move(host));
  if (fields.has(host_fields::kSwitch)) cluster.switches.push_back(fields.text(host_fields::kSwitch));
  part.architectures.push_back(fields.text(host_fields::kArchitecture));
  part.is_host = true;
  for (std::size_t f = 0; f < std::size(kPlatformHostFields); ++f)
    part.given |= std::uint32_t{fields.has(kPlatformHostFields[f].field)} << f;
  read_gateway(fields, cluster);
  part.what = std::move(cluster);
  return part;
}

PlatformPart read_backbone(lua_State* L, int index, const std::string& name) {
  const Fields fields(L, index, {"link", name}, link_fields::kAll);
  PlatformPart part;
  PlatformSpec::LinkSpec link;
  link.link.name = name;
  link.link.declared_at = caller(L);
  link.from = fields.text(link_fields::kFrom);
  link.to = fields.text(link_fields::kTo);
  read_link(fields, link.link);
  part.what = std::move(link);
  return part;
}

PlatformPart read_licence(lua_State* L, int index, const std::string& name) {
  const Fields fields(L, index, {"licence", name}, licence_fields::kAll);
  PlatformPart part;
  part.what = Licence{.name = name,
                      .count = static_cast<double>(fields.integer(licence_fields::kCount)),
                      .declared_at = caller(L)};
  return part;
}

using Reader = PlatformPart (*)(lua_State*, int, const std::string&);
template <Reader read>
constexpr std::string_view kPlatformWord = read == read_cluster       ? "cluster"
                                           : read == read_single_host ? "host"
                                           : read == read_licence     ? "licence"
                                                                      : "link";

// Upvalue: the name. The second half of `cluster "name" { ... }`.
template <Reader read>
int finish_part(lua_State* L) {
  return guard(L, [&] {
    refuse_second(L, kPlatformWord<read>);
    push_new(L, read(L, 1, std::string(*text_at(L, lua_upvalueindex(1)))));
    return 1;
  });
}

std::string name_at(lua_State* L, std::string_view kind, std::string_view example) {
  const auto name = text_at(L, 1);
  if (!name)
    fail("bad_type", "{}: a name comes first, as in {} \"a\" {}, got {}", kind, kind, example, shown(L, 1));
  if (name->empty()) fail("bad_name", "{}: the name is empty", kind);
  return std::string(*name);
}

template <Reader read>
int begin_part(lua_State* L) {
  return guard(L, [&] {
    name_at(L, kPlatformWord<read>, "{ ... }");
    lua_settop(L, 1);
    lua_pushcclosure(L, finish_part<read>, 1);
    return 1;
  });
}

int router(lua_State* L) {
  return guard(L, [&] {
    PlatformPart part;
    part.what = name_at(L, "router", "");
    push_new(L, std::move(part));
    return 1;
  });
}

// complete { bandwidth =, latency = }
int complete(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"complete"}, complete_fields::kAll);
    PlatformPart part;
    part.what = model::CompleteNetwork{.bandwidth = read_network(fields, complete_fields::kBandwidth, false),
                                       .latency = read_network(fields, complete_fields::kLatency, true),
                                       .declared_at = caller(L)};
    push_new(L, std::move(part));
    return 1;
  });
}

// The declaration is copied, and then its copy.
void will_take_hosts(std::size_t count) {
  constexpr double kOfName = 64;  // in a set
  will_take(static_cast<double>(count) * (2 * sizeof(Host) + kOfName),
            [&] { return fmt::format("a platform of {} hosts", count); });
}

// The hosts of the clusters among the entries of the table at 1.
std::size_t hosts_of_parts(lua_State* L, std::int64_t entries) {
  std::size_t hosts = 0;
  for (std::int64_t i = 1; i <= entries; ++i) {
    lua_rawgeti(L, 1, i);
    if (const auto* part = test<PlatformPart>(L, -1))
      if (const auto* cluster = std::get_if<PlatformSpec::ClusterSpec>(&part->what))
        hosts += cluster->hosts.size();
    lua_pop(L, 1);
  }
  return hosts;
}

int make_platform(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"platform"}, {}, true);
    PlatformSpec spec;
    PlatformValue value;
    will_take_hosts(hosts_of_parts(L, fields.count()));
    for (std::int64_t i = 1; i <= fields.count(); ++i) {
      lua_rawgeti(L, 1, i);
      const PlatformPart* part = test<PlatformPart>(L, -1);
      if (part == nullptr) {
        if (lua_isfunction(L, -1))
          fields.fail(nullptr,
                      "entry {} is not finished: a name is followed by a table, as in host \"a\" {{ }}", i);
        fields.fail(nullptr,
                    "entry {} must be a cluster, host, router, link, licence or complete network, got {}", i,
                    shown(L, -1));
      }
      if (const auto* name = std::get_if<std::string>(&part->what)) {
        spec.routers.push_back(*name);
      } else if (const auto* link = std::get_if<PlatformSpec::LinkSpec>(&part->what)) {
        spec.links.push_back(*link);
      } else if (const auto* licence = std::get_if<Licence>(&part->what)) {
        spec.licences.push_back(*licence);
      } else if (const auto* network = std::get_if<model::CompleteNetwork>(&part->what)) {
        if (spec.complete) fields.fail(nullptr, "entry {} is a second complete network", i);
        spec.complete = *network;
      } else {
        spec.clusters.push_back(std::get<PlatformSpec::ClusterSpec>(part->what));
        auto& hosts = spec.clusters.back().hosts;
        did_work(hosts.size() * kStepsOfHost);
        for (std::size_t h = 0; h < hosts.size(); ++h) {
          auto& names = value.architectures;
          const std::string& architecture = part->architectures[h];
          const auto found = std::find(names.begin(), names.end(), architecture);
          hosts[h].architecture = static_cast<std::int32_t>(found - names.begin());
          if (found == names.end()) names.push_back(architecture);
        }
      }
      lua_pop(L, 1);
    }
    if (spec.clusters.empty()) fields.fail(nullptr, "it has no hosts");
    value.platform = std::make_shared<const Platform>(spec);
    push_new(L, std::move(value));
    return 1;
  });
}

int part_text(lua_State* L) {
  return guard(L, [&] {
    host::push(L, check<PlatformPart>(L, 1).text());
    return 1;
  });
}

int platform_text(lua_State* L) {
  return guard(L, [&] {
    const Platform& platform = *check<PlatformValue>(L, 1).platform;
    host::push(L, fmt::format("platform of {} host{} in {} cluster{}", platform.hosts().size(),
                              platform.hosts().size() == 1 ? "" : "s", platform.clusters().size(),
                              platform.clusters().size() == 1 ? "" : "s"));
    return 1;
  });
}

// platform:hosts() -> names, by index.
int host_names(lua_State* L) {
  return guard(L, [&] {
    const Platform& platform = *check<PlatformValue>(L, 1).platform;
    lua_createtable(L, static_cast<int>(platform.hosts().size()), 0);
    lua_Integer i = 0;
    for (const Host& host : platform.hosts()) {
      host::push(L, host.name);
      lua_rawseti(L, -2, ++i);
    }
    return 1;
  });
}

int core_count(lua_State* L) {
  return guard(L, [&] {
    const Platform& platform = *check<PlatformValue>(L, 1).platform;
    did_work(platform.hosts().size() / 8);
    lua_pushinteger(L, platform.total_cores());
    return 1;
  });
}

constexpr luaL_Reg kPartMeta[] = {{"__tostring", part_text}, {nullptr, nullptr}};
constexpr luaL_Reg kPlatformMethods[] = {
    {"hosts", host_names}, {"total_cores", core_count}, {nullptr, nullptr}};
constexpr luaL_Reg kPlatformMeta[] = {{"__tostring", platform_text}, {nullptr, nullptr}};

}  // namespace

void open_platform(lua_State* L) {
  new_type<PlatformPart>(L, nullptr, kPartMeta);
  new_type<PlatformValue>(L, kPlatformMethods, kPlatformMeta);
  define(L, "platform", make_platform);
  define(L, "cluster", begin_part<read_cluster>);
  define(L, "host", begin_part<read_single_host>);
  define(L, "link", begin_part<read_backbone>);
  define(L, "licence", begin_part<read_licence>);
  define(L, "router", router);
  define(L, "complete", complete);
}

}  // namespace perigee::bindings
