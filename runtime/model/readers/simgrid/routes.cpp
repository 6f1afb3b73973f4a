// The way to each host from one place. SimGrid lists the links of every route; the model finds the shortest
// way in a graph. A tree has only one way, so the routes from one place can be said where they make a tree.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/kernel/work.h"
#include "runtime/model/readers/simgrid/document.h"

namespace perigee::readers::simgrid {
namespace {

constexpr std::uint64_t kStepsOfChild = 20;

class RouteTree {
 public:
  RouteTree(const Document& document, Notes& notes)
      : document_(document),
        notes_(notes),
        end_of_link_(document.links.size(), kNone),
        end_of_point_(document.points.size(), kNone) {}

  PlatformSpec build(std::string_view origin) {
    const auto found = document_.point_of.find(origin);
    if (found == document_.point_of.end() || document_.points[found->second].kind == Point::Kind::zone) {
      std::vector<std::string_view> names;
      for (const Point& point : document_.points)
        if (point.kind != Point::Kind::zone) names.push_back(point.name);
      fail_at({document_.file, 0}, "unknown_reference", "origin: there is no host or router '{}'{}",
              shown(origin), did_you_mean(origin, names));
    }
    if (document_.first_bypass > 0)
      fail_at(
          at(document_.first_bypass), "unsupported_route",
          "routes that replace others (bypassRoute) are not read; without 'origin' all routes are left out");
    for (std::uint32_t r = 0; r < document_.routes.size(); ++r) index_route(r);
    origin_ = found->second;
    reach_zone(origin_, 0, 0);
    return spec();
  }

 private:
  // The end of a link that is reached over `parent`. The first one is the origin.
  struct End {
    std::uint32_t parent = kNone, link = kNone;
    std::uint32_t hosts = 0, inside = 0;  // at it; at it and behind it
    std::uint32_t ways = 0;               // behind it, to hosts
    std::uint32_t first_host = kNone, router = kNone;
  };

  SourceLocation at(int line) const { return {document_.file, line}; }
  static std::uint64_t key(std::uint32_t from, std::uint32_t to) { return std::uint64_t{from} << 32 | to; }

  void index_route(std::uint32_t r) {
    const RouteElement& route = document_.routes[r];
    const auto add = [&](std::uint32_t from, std::uint32_t to) {
      const auto [known, added] = routes_.emplace(key(from, to), r);
      if (!added && known->second != r)
        fail_at(
            at(route.line), "duplicate_name",
            "a route from '{}' to '{}' is there already, in line {}; routes lead both ways unless symmetrical is NO",
            shown(document_.points[from].name), shown(document_.points[to].name),
            document_.routes[known->second].line);
    };
    add(route.from, route.to);
    if (route.symmetrical) add(route.to, route.from);
  }

  // The child of the zone in which the point is, or the point.
  std::uint32_t child_with(std::uint32_t point, std::uint32_t zone) const {
    while (document_.points[point].zone != zone) point = document_.zones[document_.points[point].zone].point;
    return point;
  }

  void set_end(std::uint32_t point, std::uint32_t end) {
    end_of_point_[point] = end;
    const Point& what = document_.points[point];
    if (what.kind == Point::Kind::router && ends_[end].router == kNone) ends_[end].router = point;
    if (what.index == kNone || what.kind != Point::Kind::host) return;
    if (ends_[end].hosts++ == 0) ends_[end].first_host = what.index;
  }

  std::uint32_t extend(std::uint32_t end, std::uint32_t link, std::uint32_t to, int line) {
    std::uint32_t& known = end_of_link_[link];
    const LinkElement& what = document_.links[link];
    if (known == kNone) {
      if (what.policy == LinkPolicy::wifi)
        fail_at(at(what.line), "unsupported_route", "link '{}': WIFI has no counterpart", shown(what.name));
      known = static_cast<std::uint32_t>(ends_.size());
      ends_.push_back({.parent = end, .link = link});
    } else if (ends_[known].parent != end) {
      fail_at(
          at(line), "unsupported_route",
          "the routes from '{}' make no tree: link '{}' on the way to '{}' comes behind other links than on "
          "another way; without 'origin' all routes are left out",
          shown(document_.points[origin_].name), shown(what.name), shown(document_.points[to].name));
    }
    return known;
  }

  // Finds the end at which each host and router of the zone is, from the point inside of it that is at `end`.
  void reach_zone(std::uint32_t from, std::uint32_t zone, std::uint32_t end) {
    const ZoneElement& what = document_.zones[zone];
    did_work(kStepsOfChild * what.children.size());
    if (what.is_cluster) return reach_cluster(from, zone, end);
    const std::uint32_t mine = child_with(from, zone);
    if (document_.points[mine].kind == Point::Kind::zone)
      reach_zone(from, document_.points[mine].index, end);
    else
      set_end(from, end);
    for (const std::uint32_t child : what.children)
      if (child != mine) reach_child(mine, child, zone);
  }

  void reach_child(std::uint32_t mine, std::uint32_t child, std::uint32_t zone) {
    const Point& to = document_.points[child];
    const bool is_zone = to.kind == Point::Kind::zone;
    const bool has_host = is_zone ? document_.zones[to.index].hosts > 0 : to.index != kNone;
    const auto found = routes_.find(key(mine, child));
    if (found == routes_.end()) {
      if (!has_host) return;  // nothing has to be sent there
      const ZoneElement& around = document_.zones[zone];
      if (zone != 0 && around.routing != "Full")
        fail_at(
            at(around.line), "unsupported_route",
            "zone '{}': of its kind {} no route to '{}' can be told, only of Full; without 'origin' all routes "
            "are left out",
            shown(document_.points[around.point].name), shown(around.routing), shown(to.name));
      fail_at(at(to.line), "unsupported_route", "there is no route from '{}' to '{}'",
              shown(document_.points[mine].name), shown(to.name));
    }
    const ZoneElement& around = document_.zones[zone];
    if (around.routing != "Full") {
      if (!has_host) return;
      fail_at(at(around.line), "unsupported_route",
              "zone '{}': in its kind {} a route may go over others, only those of Full can be read; without "
              "'origin' all routes are left out",
              shown(document_.points[around.point].name), shown(around.routing));
    }
    const RouteElement& route = document_.routes[found->second];
    const bool forward = route.from == mine;
    const std::uint32_t leaves = forward ? route.leaves : route.enters;
    const std::uint32_t enters = forward ? route.enters : route.leaves;
    std::uint32_t end = end_of_point_[leaves == kNone ? mine : leaves];
    if (end == kNone) {
      if (!has_host) return;
      fail_at(at(route.line), "unsupported_route",
              "there is no route from '{}' to '{}', where this one begins",
              shown(document_.points[origin_].name), shown(document_.points[leaves].name));
    }
    note_way_back(route, mine, child);
    const std::size_t links = route.links.size();
    did_work(links);
    for (std::size_t i = 0; i < links; ++i)
      end = extend(end, route.links[forward ? i : links - 1 - i], child, route.line);
    if (is_zone)
      reach_zone(enters, to.index, end);
    else
      set_end(child, end);
  }

  void note_way_back(const RouteElement& route, std::uint32_t from, std::uint32_t to) {
    if (route.symmetrical) return;
    const auto back = routes_.find(key(to, from));
    if (back != routes_.end() && document_.routes[back->second].links.size() == route.links.size() &&
        std::equal(route.links.rbegin(), route.links.rend(), document_.routes[back->second].links.begin()))
      return;
    notes_.add("ways back over other links (outputs take the way of inputs)", route.line);
  }

  void reach_cluster(std::uint32_t from, std::uint32_t zone, std::uint32_t end) {
    const ZoneElement& cluster = document_.zones[zone];
    const std::string& name = document_.points[cluster.point].name;
    if (!cluster.unsupported.empty())
      fail_at(at(cluster.line), "unsupported_route",
              "<cluster> '{}': {} has no counterpart; without 'origin' all routes are left out", shown(name),
              cluster.unsupported);
    set_end(from, end);
    const auto over = [&](std::uint32_t link, std::uint32_t to) {
      if (link != kNone) end = extend(end, link, to, cluster.line);
    };
    over(document_.points[from].own_link, cluster.router);
    over(cluster.backbone, cluster.router);
    const std::uint32_t middle = end;
    for (const std::uint32_t child : cluster.children) {
      if (child == from) continue;
      end = middle;
      over(document_.points[child].own_link, child);
      set_end(child, end);
    }
  }

  // ---- the platform ----

  Link link_of(std::uint32_t end, const std::string& name) {
    const LinkElement& from = document_.links[ends_[end].link];
    if (from.policy == LinkPolicy::split)
      notes_.add("directions of SPLITDUPLEX links (one link for both)", from.line);
    Link link;
    link.name = name;
    link.bandwidth = Profile(from.bandwidth);
    link.latency = Profile(from.latency);
    link.sharing = from.policy == LinkPolicy::fatpipe ? Sharing::unlimited : Sharing::fair;
    link.declared_at = at(from.line);
    return link;
  }

  // A name that nothing else has.
  std::string unused(std::string name) {
    while (document_.point_of.contains(name) || name == "origin" || !taken_.insert(name).second) name += '\'';
    return name;
  }

  std::string name_of_link(std::uint32_t end) {
    const LinkElement& link = document_.links[ends_[end].link];
    if (!document_.point_of.contains(link.name) && link.name != "origin" && taken_.insert(link.name).second)
      return link.name;
    notes_.add("names of links that something else has (called .link)", link.line);
    return unused(link.name + ".link");
  }

  PlatformSpec spec() {
    for (std::size_t e = ends_.size(); e-- > 0;) {
      ends_[e].inside += ends_[e].hosts;
      if (e == 0 || ends_[e].inside == 0) continue;
      End& parent = ends_[ends_[e].parent];
      parent.inside += ends_[e].inside;
      ++parent.ways;
    }
    PlatformSpec out;
    std::vector<std::string> names(ends_.size());
    std::vector<std::uint32_t> gateway(document_.hosts.size(), kNone);  // the end of its own link
    names[0] = "origin";
    for (std::uint32_t e = 1; e < ends_.size(); ++e) {
      const End& end = ends_[e];
      if (end.inside == 0) continue;
      if (end.ways == 0 && end.hosts == 1) {
        gateway[end.first_host] = e;
        continue;
      }
      const std::string link = name_of_link(e);
      names[e] = end.router != kNone ? document_.points[end.router].name : unused(link + ".end");
      out.routers.push_back(names[e]);
      out.links.push_back({link_of(e, link), names[end.parent], names[e]});
    }
    out.clusters.reserve(document_.hosts.size());
    for (std::size_t h = 0; h < document_.hosts.size(); ++h) {
      const HostElement& host = document_.hosts[h];
      PlatformSpec::ClusterSpec cluster;
      cluster.name = host.host.name;
      cluster.declared_at = host.host.declared_at;
      cluster.hosts.push_back(host.host);
      cluster.switches.push_back(document_.points[document_.zones[host.zone].point].name);
      if (const std::uint32_t e = gateway[h]; e != kNone) {
        cluster.has_link = true;
        cluster.link = link_of(e, name_of_link(e));
        cluster.at = names[ends_[e].parent];
      } else {
        cluster.link.name = unused(cluster.name + ".link");
        cluster.at = names[end_of_point_[host.point]];
      }
      out.clusters.push_back(std::move(cluster));
    }
    const std::string unused_link =
        fmt::format("links that are on no way from '{}' to a host", shown(document_.points[origin_].name));
    for (std::size_t l = 0; l < document_.links.size(); ++l)
      if (const std::uint32_t e = end_of_link_[l]; e == kNone || ends_[e].inside == 0)
        notes_.add(unused_link, document_.links[l].line);
    return out;
  }

  const Document& document_;
  Notes& notes_;
  std::uint32_t origin_ = kNone;
  std::unordered_map<std::uint64_t, std::uint32_t> routes_;  // by the points of both ends
  std::vector<End> ends_{1};
  std::vector<std::uint32_t> end_of_link_, end_of_point_;
  std::unordered_set<std::string> taken_;
};

}  // namespace

PlatformSpec with_routes(const Document& document, std::string_view origin, Notes& notes) {
  return RouteTree(document, notes).build(origin);
}

}  // namespace perigee::readers::simgrid
