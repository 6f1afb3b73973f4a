#include "runtime/model/platform.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "runtime/kernel/room.h"
#include "runtime/kernel/work.h"
#include "runtime/model/routes.h"

namespace perigee::model {
namespace {

constexpr std::uint64_t kStepsOfHost = 20;  // see did_work()

template <class T>
const T& by_name(std::string_view kind, std::string_view name, std::span<const T> all, std::uint32_t& index) {
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) {
      did_work(i / 8);
      index = static_cast<std::uint32_t>(i);
      return all[i];
    }
  std::vector<std::string> names;
  for (const T& each : all) names.push_back(each.name);
  fail("unknown_name", "unknown {} '{}'{}", kind, name, did_you_mean(name, names));
}

void check_positive(const SourceLocation& at, const std::string& who, std::string_view field, double value,
                    std::string_view unit, bool zero_allowed) {
  if (std::isfinite(value) && (value > 0 || (zero_allowed && value == 0))) return;
  fail_at(at, "bad_platform", "{}: {} must be {} 0{}{}, got {}", who, field, zero_allowed ? ">=" : ">",
          unit.empty() ? "" : " ", unit, value);
}

}  // namespace

std::string_view name_of(Sharing sharing) {
  switch (sharing) {
    case Sharing::exclusive:
      return "exclusive";
    case Sharing::fair:
      return "fair";
    case Sharing::unlimited:
      return "unlimited";
  }
  return "exclusive";
}

class Platform::Builder {
 public:
  Builder(Platform& platform, const PlatformSpec& spec) : platform_(platform), spec_(spec) {}
  void build() {
    platform_.nodes_.emplace_back("origin");
    for (const std::string& router : spec_.routers) add_node(router, {}, "router");
    for (const auto& cluster : spec_.clusters) {
      if (cluster.name.empty()) fail_at(cluster.declared_at, "bad_platform", "a cluster needs a name");
      const bool is_host = cluster.hosts.size() == 1 && cluster.hosts[0].name == cluster.name;
      add_node(cluster.name, cluster.declared_at, is_host ? "host" : "cluster");
    }
    if (spec_.complete) add_complete(*spec_.complete);
    for (const auto& link : spec_.links) add_declared_link(link);
    for (const auto& cluster : spec_.clusters) add_cluster(cluster);
    add_hosts();
    add_consumables();
    number_switches();
    check_link_names();
  }

 private:
  // Where a name may be that of a host, a cluster or a link, the link would not be found.
  void check_link_names() const {
    for (const Link& link : platform_.links_) {
      if (link.implied) continue;
      const auto node = node_of_.find(link.name);
      const bool is_host = host_names_.contains(link.name);
      if (is_host || (node != node_of_.end() && kinds_[node->second] == "cluster"))
        fail_at(link.declared_at, "duplicate_name",
                "a {} and a link are called '{}'; links, hosts and clusters need different names",
                is_host ? "host" : "cluster", link.name);
    }
  }

  void add_node(const std::string& name, const SourceLocation& at, std::string_view kind) {
    const auto [known, added] = node_of_.emplace(name, static_cast<std::uint32_t>(platform_.nodes_.size()));
    if (!added) {
      const std::string_view other = kinds_[known->second];
      if (known->second == 0)
        fail_at(at, "duplicate_name", "a {} cannot be called 'origin': that is where files start", kind);
      if (other == kind) fail_at(at, "duplicate_name", "two {}s are called '{}'", kind, name);
      fail_at(at, "duplicate_name",
              "a {} and a {} are called '{}'; routers, clusters "
              "and hosts outside of clusters need different names",
              other, kind, name);
    }
    platform_.nodes_.push_back(name);
    kinds_.push_back(kind);
  }

  std::uint32_t node(const std::string& name, const SourceLocation& at, const std::string& who) const {
    const auto found = node_of_.find(name);
    if (found == node_of_.end())
      fail_at(at, "unknown_name", "{}: unknown node '{}'{}", who, name, did_you_mean(name, platform_.nodes_));
    return found->second;
  }

  LinkId add_link(Link link, const std::string& who) {
    if (!link.implied) check_positive(link.declared_at, who, "bandwidth", link.bandwidth.at(0), "B/s", true);
    if (!link_names_.insert(link.name).second)
      fail_at(link.declared_at, "duplicate_name", "two links are called '{}'", link.name);
    link.overtake = link.overtake || link.sharing == Sharing::unlimited;
    platform_.links_.push_back(std::move(link));
    return LinkId(platform_.links_.size() - 1);
  }

  void add_complete(const CompleteNetwork& network) {
    const SourceLocation& at = network.declared_at;
    const auto refuse = [&](const Link& link) {
      fail_at(at, "complete_network",
              "complete {{ }} joins all clusters, and link '{}' is declared beside it", link.name);
    };
    for (const auto& link : spec_.links) refuse(link.link);
    for (const auto& cluster : spec_.clusters)
      if (cluster.has_link)
        fail_at(at, "complete_network",
                "complete {{ }} joins all clusters, and cluster '{}' has a link of its own", cluster.name);
    const std::size_t clusters = spec_.clusters.size();
    const auto check = [&](std::string_view what, const std::vector<double>& given, bool by_sender,
                           auto allowed, std::string_view range) {
      if (given.size() != 1 && given.size() != clusters * clusters &&
          !(by_sender && given.size() == clusters))
        fail_at(at, "complete_network",
                "complete: {} has {} numbers for {} clusters: one{} or {} x {} are needed", what,
                given.size(), clusters, by_sender ? fmt::format(", {}", clusters) : "", clusters, clusters);
      for (std::size_t i = 0; i < given.size(); ++i) {
        const bool on_diagonal = given.size() == clusters * clusters && i % (clusters + 1) == 0;
        if (!on_diagonal && !allowed(given[i]))
          fail_at(at, "complete_network", "complete: {} must be {}, got {}", what, range, given[i]);
      }
    };
    check(
        "bandwidth", network.bandwidth, false, [](double value) { return value > 0; }, "> 0 B/s");
    check(
        "latency", network.latency, true, [](double value) { return value >= 0 && value < kNever; },
        "finite and >= 0 s");
    platform_.complete_ = network;
  }

  void add_declared_link(const PlatformSpec::LinkSpec& declared) {
    Link link = declared.link;
    const std::string who = "link '" + link.name + "'";
    link.from = node(declared.from, link.declared_at, who);
    link.to = node(declared.to, link.declared_at, who);
    if (link.from == link.to)
      fail_at(link.declared_at, "bad_platform", "{} leads from '{}' to itself", who, declared.from);
    add_link(std::move(link), who);
  }

  void add_cluster(const PlatformSpec::ClusterSpec& declared) {
    did_work(kStepsOfHost * declared.hosts.size());
    Cluster cluster;
    cluster.name = declared.name;
    cluster.node = node_of_.at(declared.name);
    cluster.declared_at = declared.declared_at;
    const std::string who = "cluster '" + declared.name + "'";
    cluster.store = declared.store;
    if (cluster.store < kNeverShort) {
      check_count(declared.declared_at, who, "store", cluster.store);
      platform_.has_store_limit_ = true;
    }
    Link link = declared.link;
    link.declared_at = declared.declared_at;
    if (link.name.empty()) link.name = declared.name + ".link";
    if (!declared.has_link) {
      link.implied = true;
      link.sharing = Sharing::unlimited;
    }
    link.from = node(declared.at, declared.declared_at, who);
    link.to = cluster.node;
    cluster.link = add_link(std::move(link), who);
    platform_.clusters_.push_back(std::move(cluster));
  }

  // First those that have a place in the order of hosts, then the others, cluster by cluster.
  void add_hosts() {
    std::vector<std::vector<std::uint8_t>> added(spec_.clusters.size());
    std::size_t hosts = 0;
    for (std::size_t c = 0; c < added.size(); ++c) {
      added[c].resize(spec_.clusters[c].hosts.size());
      hosts += added[c].size();
    }
    platform_.hosts_.reserve(hosts);
    const bool any_switch = std::ranges::any_of(
        spec_.clusters, [](const PlatformSpec::ClusterSpec& each) { return !each.switches.empty(); });
    const auto add = [&](std::size_t c, std::size_t place) {
      if (std::exchange(added[c][place], 1) != 0) return;
      const PlatformSpec::ClusterSpec& cluster = spec_.clusters[c];
      add_host(ClusterId(c), cluster.hosts[place]);
      if (any_switch)
        switch_names_.push_back(cluster.switches.empty() ? std::string_view() : cluster.switches[place]);
    };
    for (const PlatformSpec::Place& place : spec_.host_order) add(place.cluster, place.host);
    for (std::size_t c = 0; c < added.size(); ++c)
      for (std::size_t place = 0; place < added[c].size(); ++place) add(c, place);
  }

  // Each cluster with hosts that name no switch has one of its own, whatever switches are called.
  void number_switches() {
    if (switch_names_.empty()) return;
    std::unordered_map<std::string_view, std::uint32_t> known;
    const auto clusters = static_cast<std::uint32_t>(platform_.clusters_.size());
    for (std::size_t h = 0; h < switch_names_.size(); ++h) {
      const auto next = clusters + static_cast<std::uint32_t>(known.size());
      platform_.switches_.push_back(switch_names_[h].empty()
                                        ? platform_.hosts_[h].cluster.index
                                        : known.emplace(switch_names_[h], next).first->second);
    }
  }

  static void check_count(const SourceLocation& at, const std::string& who, std::string_view what,
                          double count) {
    if (count >= 0 && count <= kMostOfConsumable && std::floor(count) == count) return;
    fail_at(at, "bad_platform", "{}: {} must be a whole number from 0 to 2^53, got {}", who, what, count);
  }

  static void check_supply(const SourceLocation& at, const std::string& name, const Supply& supply) {
    if (supply.memory < kNeverShort) check_count(at, name, "memory", supply.memory);
    for (const auto& [resource, count] : supply.resources) {
      if (resource == kMemory)
        fail_at(at, "bad_platform", "{}: 'memory' is a field of its own, not one of the resources", name);
      check_count(at, name, fmt::format("resource '{}'", resource), count);
    }
  }

  void add_consumables() {
    std::vector<std::string>& names = platform_.consumables_;
    std::unordered_map<std::string_view, std::size_t> known;
    std::unordered_set<const Supply*> seen;
    if (std::ranges::any_of(platform_.hosts_, [](const Host& host) {
          return host.supply != nullptr && host.supply->memory < kNeverShort;
        }))
      names.emplace_back(kMemory);
    for (const Host& host : platform_.hosts_)
      if (host.supply != nullptr && seen.insert(host.supply.get()).second)
        for (const auto& [name, count] : host.supply->resources)
          if (known.emplace(name, names.size()).second) names.push_back(name);
    did_work(names.size() * platform_.hosts_.size());
    will_take(static_cast<double>(names.size() * platform_.hosts_.size()) * sizeof(double), [&] {
      return fmt::format("{} consumables of {} hosts", names.size(), platform_.hosts_.size());
    });
    platform_.supplies_.resize(names.size() * platform_.hosts_.size());
    for (std::size_t h = 0; h < platform_.hosts_.size(); ++h) {
      const Host& host = platform_.hosts_[h];
      const std::span<double> supplies =
          std::span(platform_.supplies_).subspan(h * names.size(), names.size());
      if (!names.empty() && names.front() == kMemory) supplies[0] = kNeverShort;
      if (host.supply == nullptr) continue;
      if (host.supply->memory < kNeverShort) supplies[0] = host.supply->memory;
      for (const auto& [name, count] : host.supply->resources) supplies[known.at(name)] = count;
    }
    std::unordered_set<std::string_view> licence_names;
    for (const Licence& licence : spec_.licences) {
      check_count(licence.declared_at, "licence '" + licence.name + "'", "count", licence.count);
      if (!licence_names.insert(licence.name).second)
        fail_at(licence.declared_at, "duplicate_name", "two licences are called '{}'", licence.name);
      const auto node = node_of_.find(licence.name);
      if (node != node_of_.end() || host_names_.contains(licence.name) || link_names_.contains(licence.name))
        fail_at(licence.declared_at, "duplicate_name",
                "a licence and a {} are called '{}'; they need different names",
                host_names_.contains(licence.name) ? "host"
                : node != node_of_.end()           ? kinds_[node->second]
                                                   : "link",
                licence.name);
      platform_.licences_.push_back(licence);
    }
    platform_.has_power_ =
        std::ranges::any_of(platform_.hosts_, [](const Host& host) { return host.power != nullptr; });
    platform_.has_link_power_ =
        std::ranges::any_of(platform_.links_, [](const Link& link) { return link.power.has_value(); });
  }

  void add_host(ClusterId id, const Host& host) {
    Cluster& cluster = platform_.clusters_[id.index];
    const SourceLocation& at = host.declared_at;
    const std::string name = "host '" + host.name + "'";
    if (host.name.empty()) fail_at(at, "bad_platform", "cluster '{}': a host needs a name", cluster.name);
    if (!host_names_.insert(host.name).second)
      fail_at(at, "duplicate_name", "two hosts are called '{}'", host.name);
    check_positive(at, name, "speed", host.speed, "op/s", false);
    check_positive(at, name, "setup", host.setup, "s", true);
    if (host.cores < 1) fail_at(at, "bad_platform", "{}: cores must be >= 1, got {}", name, host.cores);
    if (host.slots < 0) fail_at(at, "bad_platform", "{}: slots must be >= 1, got {}", name, host.slots);
    if (host.architecture < 0)
      fail_at(at, "bad_platform", "{}: architecture must be >= 0, got {}", name, host.architecture);
    if (host.supply != nullptr) check_supply(at, name, *host.supply);
    cluster.hosts.emplace_back(platform_.hosts_.size());
    platform_.hosts_.push_back(host);
    Host& kept = platform_.hosts_.back();
    kept.cluster = id;
    if (kept.slots == 0) kept.slots = kept.cores;
  }

  Platform& platform_;
  const PlatformSpec& spec_;
  std::unordered_map<std::string, std::uint32_t> node_of_{{"origin", 0}};
  std::vector<std::string_view> kinds_{"origin"};  // per node
  std::unordered_set<std::string> link_names_, host_names_;
  std::vector<std::string_view> switch_names_;  // per host, where some host names its switch
};

Platform::Platform(const PlatformSpec& spec) { Builder(*this, spec).build(); }

HostId Platform::host(std::string_view name) const {
  std::uint32_t index = 0;
  const auto has_name = [&](const auto& each) { return each.name == name; };
  if (const auto cluster = std::ranges::find_if(clusters(), has_name);
      cluster != clusters().end() && std::ranges::none_of(hosts(), has_name)) {
    constexpr std::size_t kShown = 3;
    std::vector<std::string> names;
    for (const Host& host : hosts())
      if (host.cluster.index == static_cast<std::uint32_t>(cluster - clusters().begin()))
        names.push_back(host.name);
    if (names.size() > kShown) {
      names[kShown - 1] = "...";
      names[kShown] = names.back();
      names.resize(kShown + 1);
    }
    fail("unknown_name", "unknown host '{}'; it is a cluster, with the host{} {}", name,
         names.size() == 1 ? "" : "s", fmt::join(names, ", "));
  }
  by_name("host", name, hosts(), index);
  return HostId(index);
}
LinkId Platform::link(std::string_view name) const {
  std::uint32_t index = 0;
  by_name("link", name, links(), index);
  return LinkId(index);
}
ClusterId Platform::cluster(std::string_view name) const {
  std::uint32_t index = 0;
  by_name("cluster", name, clusters(), index);
  return ClusterId(index);
}

std::string Platform::name_of(ResourceId id) const {
  switch (id.kind()) {
    case ResourceKind::host:
      return hosts_[id.at()].name;
    case ResourceKind::link:
      return links_[id.at()].name;
    case ResourceKind::store:
      return clusters_[id.at()].name;
    case ResourceKind::scheduler:
      return "scheduler";
    case ResourceKind::none:
      return "";
  }
  return "";
}

std::vector<LinkId> Platform::route(ClusterId cluster, std::span<const std::uint8_t> up, Time now) const {
  return route(cluster, up, latencies_at(*this, now));
}

std::vector<LinkId> Platform::route(ClusterId cluster, std::span<const std::uint8_t> up,
                                    std::span<const Seconds> latencies) const {
  return all_routes(*this, up, latencies)[cluster.index];
}

std::int64_t Platform::total_cores() const {
  return std::accumulate(hosts_.begin(), hosts_.end(), std::int64_t{0},
                         [](std::int64_t sum, const Host& host) { return sum + host.cores; });
}

}  // namespace perigee::model
