#include "runtime/model/routes.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/property_map/transform_value_property_map.hpp>

#include <algorithm>
#include <limits>

namespace perigee::model {
namespace {

using Graph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, std::uint32_t>;

// Distances compare by latency first, then by hops.
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

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

// The last step of the route to a node of the network.
struct Step {
  std::uint32_t from = kNowhere;
  std::uint32_t link = 0;
};

// From that node of the network.
std::vector<Route> routes_from(std::uint32_t start, const Platform& platform,
                               std::span<const std::uint8_t> up, std::span<const Seconds> latencies) {
  const std::span<const Link> links = platform.links();
  const auto usable = [&](std::size_t l) { return up.empty() || up[l] != 0; };
  std::uint32_t nodes = 1;  // the origin is node 0, and every other one has a link
  for (const Link& link : links) nodes = std::max({nodes, link.from + 1, link.to + 1});
  for (const Cluster& cluster : platform.clusters()) nodes = std::max(nodes, cluster.node + 1);

  Graph graph(nodes);
  std::vector<Distance> length(links.size());
  for (std::size_t l = 0; l < links.size(); ++l) {
    length[l] = {latencies[l], 1};
    if (usable(l)) boost::add_edge(links[l].from, links[l].to, static_cast<std::uint32_t>(l), graph);
  }
  std::vector<Distance> distance(nodes, kUnreachable);
  boost::dijkstra_shortest_paths(
      graph, start,
      boost::distance_map(
          boost::make_iterator_property_map(distance.begin(), get(boost::vertex_index, graph)))
          .weight_map(boost::make_transform_value_property_map([&](std::uint32_t l) { return length[l]; },
                                                               get(boost::edge_bundle, graph)))
          .distance_inf(kUnreachable)
          .distance_zero(Distance{})
          .distance_combine([](const Distance& a, const Distance& b) { return a + b; })
          .distance_compare([](const Distance& a, const Distance& b) { return a < b; }));

  // A node may be reached by several shortest routes. The step comes from the lowest node, then over the
  // lowest link.
  std::vector<Step> steps(nodes);
  for (std::size_t l = 0; l < links.size(); ++l) {
    if (!usable(l)) continue;
    const auto leads = [&](std::uint32_t from, std::uint32_t to) {
      if (from < steps[to].from && distance[from] + length[l] == distance[to])
        steps[to] = {from, static_cast<std::uint32_t>(l)};
    };
    leads(links[l].from, links[l].to);
    leads(links[l].to, links[l].from);
  }

  std::vector<Route> routes(platform.clusters().size());
  for (std::size_t c = 0; c < routes.size(); ++c) {
    const Cluster& cluster = platform.clusters()[c];
    if (!usable(cluster.link.index) || distance[cluster.node] == kUnreachable) continue;
    for (std::uint32_t node = cluster.node; node != start; node = steps[node].from) {
      PERIGEE_ASSERT(steps[node].from != kNowhere, "a shortest way leads nowhere");
      routes[c].emplace_back(steps[node].link);
    }
    std::ranges::reverse(routes[c]);
  }
  return routes;
}

}  // namespace

std::vector<Route> all_routes(const Platform& platform, std::span<const std::uint8_t> up,
                              std::span<const Seconds> latencies) {
  return routes_from(0, platform, up, latencies);
}

std::vector<Route> all_routes(const Platform& platform, ClusterId from, std::span<const std::uint8_t> up,
                              std::span<const Seconds> latencies) {
  if (!up.empty() && up[platform[from].link.index] == 0)
    return std::vector<Route>(platform.clusters().size());
  return routes_from(platform[from].node, platform, up, latencies);
}

std::vector<Route> all_routes(const Platform& platform, Time now) {
  return all_routes(platform, {}, latencies_at(platform, now));
}

std::vector<Seconds> latencies_at(const Platform& platform, Time now) {
  std::vector<Seconds> latencies;
  latencies.reserve(platform.links().size());
  for (const Link& link : platform.links()) latencies.push_back(link.latency.at(now));
  return latencies;
}

}  // namespace perigee::model
