// Links and routes of a platform file of SimGrid.
#include <tuple>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/model/readers/json_text.h"
#include "runtime/model/readers/simgrid/document_reader.h"

namespace perigee::readers::simgrid {

void DocumentReader::read_link(pugi::xml_node node) {
  LinkElement link;
  link.name = name_in(node, "id");
  link.policy = policy(node, "sharing_policy", LinkPolicy::shared);
  if (link.policy == LinkPolicy::wifi) {  // a rate for each distance
    std::string_view list = node.attribute("bandwidth").value();
    link.bandwidth = quantity(node, "bandwidth", next_part(list, ","), Measure::bandwidth);
  } else {
    link.bandwidth = bandwidth(node, "bandwidth");
  }
  if (node.attribute("latency")) link.latency = quantity(node, "latency", Measure::time);
  read_properties(node, "link", nullptr);
  if (options_.batsim) {
    notes_.add("links", text_.line_of(node));
    return;
  }
  note_files(node, 1);
  add_link(node, std::move(link));
}

void DocumentReader::read_route(pugi::xml_node node, std::uint32_t zone, std::string_view name) {
  for (const pugi::xml_node each : node) (void)row_of(each, name);
  if (options_.batsim) {
    notes_.add("routes", text_.line_of(node));
    return;
  }
  if (name.starts_with("bypass") && out_.first_bypass == 0) out_.first_bypass = text_.line_of(node);
  routes_.push_back(node);
  out_.routes.push_back({.zone = zone, .line = text_.line_of(node)});
}

void DocumentReader::add_route(pugi::xml_node node) {
  RouteElement& route = out_.routes[next_route_++];
  const auto end = [&](const char* attribute) {
    const std::uint32_t point = resolve(node, attribute, "host, router or zone", out_.point_of);
    return point;
  };
  route.from = end("src");
  route.to = end("dst");
  const bool zones = static_cast<bool>(node.attribute("gw_src"));
  if (zones) {
    route.leaves = end("gw_src");
    route.enters = end("gw_dst");
  }
  const bool bypass = std::string_view(node.name()).starts_with("bypass");
  for (const auto& [point, gate, attribute] :
       {std::tuple{route.from, route.leaves, "src"}, std::tuple{route.to, route.enters, "dst"}}) {
    const Point& what = out_.points[point];
    const bool is_zone = what.kind == Point::Kind::zone;
    if (is_zone != zones)
      fail(node, "bad_xml", "<{}>: {}: '{}' is a {}", node.name(), attribute, shown(what.name),
           is_zone ? "zone, to which a zoneRoute leads" : "host or router, to which a route leads");
    if (bypass) continue;
    if (what.zone != route.zone)
      fail(node, "bad_xml", "<{}>: {}: '{}' does not stand in the zone of the route", node.name(), attribute,
           shown(what.name));
    if (zones && !is_inside(gate, what.index))
      fail(node, "bad_xml", "<{}>: gw_{}: '{}' is no host or router of '{}'", node.name(), attribute,
           shown(out_.points[gate].name), shown(what.name));
  }
  route.symmetrical = choice(node, "symmetrical", "YES NO", 0) == 0;
  for (const pugi::xml_node each : node) {
    (void)choice(each, "direction", "UP DOWN NONE", 0);
    route.links.push_back(link_named(each));
  }
}

bool DocumentReader::is_inside(std::uint32_t gate, std::uint32_t zone) const {
  if (out_.points[gate].kind == Point::Kind::zone) return false;
  for (std::uint32_t at = out_.points[gate].zone; at != 0; at = out_.points[out_.zones[at].point].zone)
    if (at == zone) return true;
  return false;
}

std::uint32_t DocumentReader::link_named(pugi::xml_node node) {
  const std::string_view name = node.attribute("id").value();
  for (const std::string_view end : {"_UP", "_DOWN"})
    if (name.ends_with(end) && !out_.link_of.contains(name)) {
      const auto whole = out_.link_of.find(name.substr(0, name.size() - end.size()));
      if (whole != out_.link_of.end() && out_.links[whole->second].policy == LinkPolicy::split)
        return whole->second;
    }
  return resolve(node, "id", "link", out_.link_of);
}

}  // namespace perigee::readers::simgrid
