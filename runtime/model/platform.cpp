#include "runtime/model/platform.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/property_map/transform_value_property_map.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace perigee {
namespace {

using Graph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, std::uint32_t>;

// Latency first, hops second.
struct Distance {
  double latency = 0;
  std::uint32_t hops = 0;
  friend bool operator<(const Distance& a, const Distance& b) {
    return a.latency != b.latency ? a.latency < b.latency : a.hops < b.hops;
  }
  friend bool operator==(const Distance&, const Distance&) = default;
};
constexpr Distance kUnreachable{std::numeric_limits<double>::infinity(),
                                std::numeric_limits<std::uint32_t>::max()};

Distance operator+(const Distance& a, const Distance& b) {
  if (a == kUnreachable) return a;
  return {a.latency + b.latency, a.hops + b.hops};
}

template <class T>
const T& by_name(std::string_view kind, std::string_view name, std::span<const T> all, std::uint32_t& index) {
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) {
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

Platform::Platform(const PlatformSpec& spec) {
  nodes_.emplace_back("origin");
  std::unordered_map<std::string, std::uint32_t> node_of{{"origin", 0}};
  const auto add_node = [&](const std::string& name, const SourceLocation& at) {
    if (!node_of.emplace(name, static_cast<std::uint32_t>(nodes_.size())).second)
      fail_at(at, "duplicate_name", "two nodes of the network are called '{}'", name);
    nodes_.push_back(name);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  };
  const auto find_node = [&](const std::string& name, const SourceLocation& at, const std::string& who) {
    const auto found = node_of.find(name);
    if (found == node_of.end())
      fail_at(at, "unknown_name", "{}: unknown node '{}'{}", who, name, did_you_mean(name, nodes_));
    return found->second;
  };
  for (const std::string& router : spec.routers) add_node(router, {});
  for (const auto& cluster : spec.clusters) {
    if (cluster.name.empty()) fail_at(cluster.declared_at, "bad_platform", "a cluster needs a name");
    add_node(cluster.name, cluster.declared_at);
  }

  std::unordered_map<std::string, int> link_names, host_names;
  const auto add_link = [&](Link link, const std::string& who) {
    if (!link.implied) check_positive(link.declared_at, who, "bandwidth", link.bandwidth.at(0), "B/s", true);
    if (!link_names.emplace(link.name, 1).second)
      fail_at(link.declared_at, "duplicate_name", "two links are called '{}'", link.name);
    link.overtake = link.overtake || link.sharing == Sharing::unlimited;
    links_.push_back(std::move(link));
    return LinkId(links_.size() - 1);
  };
  for (const auto& declared : spec.links) {
    Link link = declared.link;
    const std::string who = "link '" + link.name + "'";
    link.from = find_node(declared.from, link.declared_at, who);
    link.to = find_node(declared.to, link.declared_at, who);
    if (link.from == link.to)
      fail_at(link.declared_at, "bad_platform", "{} leads from '{}' to itself", who, declared.from);
    add_link(std::move(link), who);
  }

  for (const auto& declared : spec.clusters) {
    Cluster cluster;
    cluster.name = declared.name;
    cluster.node = node_of.at(declared.name);
    cluster.declared_at = declared.declared_at;
    const std::string who = "cluster '" + declared.name + "'";
    Link link = declared.link;
    link.declared_at = declared.declared_at;
    if (link.name.empty()) link.name = declared.name + ".link";
    if (!declared.has_link) {
      link.implied = true;
      link.sharing = Sharing::unlimited;
    }
    link.from = find_node(declared.at, declared.declared_at, who);
    link.to = cluster.node;
    cluster.link = add_link(std::move(link), who);
    clusters_.push_back(std::move(cluster));
  }

  std::vector<std::vector<std::uint8_t>> added(spec.clusters.size());
  for (std::size_t c = 0; c < added.size(); ++c) added[c].resize(spec.clusters[c].hosts.size());
  const auto add_host = [&](std::size_t c, std::size_t place) {
    if (std::exchange(added[c][place], 1) != 0) return;
    const Host& host = spec.clusters[c].hosts[place];
    const SourceLocation& at = host.declared_at;
    const std::string name = "host '" + host.name + "'";
    if (host.name.empty())
      fail_at(at, "bad_platform", "cluster '{}': a host needs a name", clusters_[c].name);
    if (!host_names.emplace(host.name, 1).second)
      fail_at(at, "duplicate_name", "two hosts are called '{}'", host.name);
    check_positive(at, name, "speed", host.speed, "op/s", false);
    check_positive(at, name, "setup", host.setup, "s", true);
    if (host.cores < 1) fail_at(at, "bad_platform", "{}: cores must be >= 1, got {}", name, host.cores);
    if (host.slots < 0) fail_at(at, "bad_platform", "{}: slots must be >= 1, got {}", name, host.slots);
    if (host.architecture < 0)
      fail_at(at, "bad_platform", "{}: architecture must be >= 0, got {}", name, host.architecture);
    clusters_[c].hosts.emplace_back(hosts_.size());
    hosts_.push_back(host);
    hosts_.back().cluster = ClusterId(c);
    if (host.slots == 0) hosts_.back().slots = host.cores;
  };
  for (const PlatformSpec::Place& place : spec.host_order) add_host(place.cluster, place.host);
  for (std::size_t c = 0; c < added.size(); ++c)
    for (std::size_t place = 0; place < added[c].size(); ++place) add_host(c, place);
}

HostId Platform::host(std::string_view name) const {
  std::uint32_t index = 0;
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
  std::vector<Seconds> latencies;
  latencies.reserve(links_.size());
  for (const Link& link : links_) latencies.push_back(link.latency.at(now));
  return route(cluster, up, latencies);
}

std::vector<LinkId> Platform::route(ClusterId cluster, std::span<const std::uint8_t> up,
                                    std::span<const Seconds> latencies) const {
  const std::uint32_t target = clusters_[cluster.index].node;
  const auto usable = [&](std::size_t l) { return up.empty() || up[l] != 0; };
  if (clusters_[cluster.index].link.valid() && !usable(clusters_[cluster.index].link.index)) return {};

  Graph graph(nodes_.size());
  std::vector<Distance> length(links_.size());
  for (std::size_t l = 0; l < links_.size(); ++l) {
    length[l] = {latencies[l], 1};
    if (usable(l)) boost::add_edge(links_[l].from, links_[l].to, static_cast<std::uint32_t>(l), graph);
  }
  std::vector<Distance> distance(nodes_.size(), kUnreachable);
  boost::dijkstra_shortest_paths(
      graph, 0,
      boost::distance_map(
          boost::make_iterator_property_map(distance.begin(), get(boost::vertex_index, graph)))
          .weight_map(boost::make_transform_value_property_map([&](std::uint32_t l) { return length[l]; },
                                                               get(boost::edge_bundle, graph)))
          .distance_inf(kUnreachable)
          .distance_zero(Distance{})
          .distance_combine([](const Distance& a, const Distance& b) { return a + b; })
          .distance_compare([](const Distance& a, const Distance& b) { return a < b; }));
  if (distance[target] == kUnreachable) return {};

  // Back from the cluster, over the lowest node and link among those that lie on a shortest way.
  std::vector<LinkId> route;
  for (std::uint32_t node = target; node != 0;) {
    std::uint32_t best_node = std::numeric_limits<std::uint32_t>::max(), best_link = 0;
    for (std::size_t l = 0; l < links_.size(); ++l) {
      if (!usable(l) || (links_[l].from != node && links_[l].to != node)) continue;
      const std::uint32_t other = links_[l].from == node ? links_[l].to : links_[l].from;
      if (distance[other] + length[l] == distance[node] && other < best_node) {
        best_node = other;
        best_link = static_cast<std::uint32_t>(l);
      }
    }
    PERIGEE_ASSERT(best_node < nodes_.size(), "a shortest way leads nowhere");
    route.emplace_back(best_link);
    node = best_node;
  }
  std::reverse(route.begin(), route.end());
  return route;
}

std::int64_t Platform::total_cores() const {
  return std::accumulate(hosts_.begin(), hosts_.end(), std::int64_t{0},
                         [](std::int64_t sum, const Host& host) { return sum + host.cores; });
}

}  // namespace perigee
