// Reads a platform file of SimGrid.
#include <algorithm>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/model/readers/json_text.h"
#include "runtime/model/readers/lines.h"
#include "runtime/model/readers/simgrid/document_reader.h"

namespace perigee::readers {

namespace simgrid {

DocumentReader::DocumentReader(std::string_view text, std::string_view name, const SimgridOptions& options,
                               Notes& notes)
    : text_(text), options_(options), notes_(notes) {
  out_.file = name;
}

Document DocumentReader::read() {
  if (const std::size_t zero = text_.text().find('\0'); zero != std::string_view::npos)
    syntax(zero, "a zero byte");
  if (!readers::is_utf8(text_.text())) syntax(0, "the text is not UTF-8");
  read_platform(root());
  if (options_.batsim && options_.master_must_exist) check_master();
  for (const pugi::xml_node node : routes_) add_route(node);
  for (const pugi::xml_node node : connects_) connect(node);
  return std::move(out_);
}

void DocumentReader::read_platform(pugi::xml_node platform) {
  const pugi::xml_attribute version = platform.attribute("version");
  if (!version) fail(platform, "missing_field", "<platform>: 'version' is missing");
  const double number = readers::number_of(version.value());
  if (!(number >= 4 && number < 5))
    fail(
        platform, "bad_xml",
        "<platform>: version must be 4 or 4.1, got '{}'; SimGrid's program simgrid_update_xml converts older "
        "files",
        shown(version.value()));
  for (const pugi::xml_node node : platform) read_in_zone(node, 0, "platform", 0);
}

void DocumentReader::read_in_zone(pugi::xml_node node, std::uint32_t zone, std::string_view parent,
                                  int depth) {
  const ElementRow* row = row_of(node, parent);
  if (row == nullptr) return;
  const std::string_view name = row->name;
  if (name == "zone") {
    read_zone(node, zone, depth);
  } else if (name == "host" || name == "peer") {
    read_host(node, zone);
  } else if (name == "cluster") {
    read_cluster(node, zone);
  } else if (name == "cabinet") {
    read_cabinet(node, zone);
  } else if (name == "router") {
    add_point(node, name_in(node, "id"), Point::Kind::router, zone);
    read_properties(node, row->name, nullptr);
  } else if (name == "link") {
    read_link(node);
  } else if (name == "prop") {
    note_property(node);
  } else if (name == "trace") {
    read_trace(node);
  } else if (name == "trace_connect") {
    connects_.push_back(node);
  } else {
    read_route(node, zone, name);
  }
}

void DocumentReader::read_zone(pugi::xml_node node, std::uint32_t parent, int depth) {
  if (depth == kDeepestSimgridZone)
    fail(node, "bad_xml", "{}: zones are nested deeper than {}", subject(node), kDeepestSimgridZone);
  const std::uint32_t zone = add_zone(node, name_in(node, "id"), parent);
  out_.zones[zone].routing = name_in(node, "routing");
  for (const pugi::xml_node child : node) read_in_zone(child, zone, "zone", depth + 1);
  out_.zones[parent].hosts += out_.zones[zone].hosts;
}

std::uint32_t DocumentReader::add_zone(pugi::xml_node node, const std::string& name, std::uint32_t parent) {
  const auto zone = static_cast<std::uint32_t>(out_.zones.size());
  ZoneElement element;
  element.point = add_point(node, name, Point::Kind::zone, parent);
  element.line = text_.line_of(node);
  out_.points[element.point].index = zone;
  out_.zones.push_back(std::move(element));
  return zone;
}

std::uint32_t DocumentReader::add_point(pugi::xml_node node, std::string name, Point::Kind kind,
                                        std::uint32_t zone) {
  const auto point = static_cast<std::uint32_t>(out_.points.size());
  out_.points.push_back({std::move(name), kind, zone, kNone, kNone, text_.line_of(node)});
  const auto [known, added] = out_.point_of.emplace(out_.points.back().name, point);
  if (!added)
    fail(node, "duplicate_name",
         "{}: '{}' is there already, in line {}; hosts, routers and zones need different names",
         subject(node), shown(out_.points.back().name), out_.points[known->second].line);
  out_.zones[zone].children.push_back(point);
  return point;
}

std::uint32_t DocumentReader::add_link(pugi::xml_node node, LinkElement link) {
  const auto index = static_cast<std::uint32_t>(out_.links.size());
  link.line = text_.line_of(node);
  out_.links.push_back(std::move(link));
  const auto [known, added] = out_.link_of.emplace(out_.links.back().name, index);
  if (!added)
    fail(node, "duplicate_name", "{}: a link '{}' is there already, in line {}", subject(node),
         shown(out_.links.back().name), out_.links[known->second].line);
  return index;
}

namespace {

// Host by host in the order of the file; those of a zone or a cluster element are a cluster.
PlatformSpec without_routes(Document& document) {
  PlatformSpec spec;
  std::vector<std::uint32_t> cluster_of(document.zones.size(), kNone);
  bool in_order = true;
  std::vector<PlatformSpec::Place> order;
  order.reserve(document.hosts.size());
  for (HostElement& each : document.hosts) {
    std::uint32_t& cluster = cluster_of[each.zone];
    if (cluster == kNone) {
      cluster = static_cast<std::uint32_t>(spec.clusters.size());
      const ZoneElement& zone = document.zones[each.zone];
      spec.clusters.emplace_back();
      spec.clusters.back().name = document.points[zone.point].name;
      spec.clusters.back().declared_at = {document.file, zone.line};
    }
    in_order = in_order && cluster + 1 == spec.clusters.size();
    auto& hosts = spec.clusters[cluster].hosts;
    order.push_back({cluster, static_cast<std::uint32_t>(hosts.size())});
    hosts.push_back(std::move(each.host));
  }
  if (!in_order) spec.host_order = std::move(order);
  return spec;
}

// Where no place is named from which routes could lead.
void note_unused_network(const Document& document, Notes& notes) {
  for (const ZoneElement& zone : document.zones)
    if (zone.is_cluster) notes.add("links of cluster elements (bw, lat, bb_bw, bb_lat)", zone.line);
  for (const LinkElement& link : document.links)
    if (!link.of_cluster) notes.add("links", link.line);
  for (const RouteElement& route : document.routes) notes.add("routes", route.line);
}

}  // namespace

void Notes::add(std::string_view what, int line, std::int64_t count) {
  const auto same = [&](const SimgridNote& each) { return each.what == what; };
  const auto found = std::ranges::find_if(all_, same);
  if (found == all_.end()) {
    all_.push_back({std::string(what), count, line});
    return;
  }
  found->count += count;
  found->line = std::min(found->line, line);
}

std::vector<SimgridNote> Notes::take() {
  std::ranges::stable_sort(all_, {}, &SimgridNote::line);
  return std::move(all_);
}

}  // namespace simgrid

SimgridPlatform parse_simgrid(std::string_view text, std::string_view name, const SimgridOptions& options) {
  simgrid::Notes notes;
  simgrid::Document document = simgrid::DocumentReader(text, name, options, notes).read();
  if (document.hosts.empty())
    fail_at({document.file, 1}, "bad_platform", "the platform has no host that computes");
  SimgridPlatform out;
  if (!options.batsim && !options.origin.empty()) {
    out.spec = simgrid::with_routes(document, options.origin, notes);
  } else {
    simgrid::note_unused_network(document, notes);
    out.spec = simgrid::without_routes(document);
  }
  out.notes = notes.take();
  return out;
}

SimgridPlatform read_simgrid(const std::filesystem::path& path, const SimgridOptions& options,
                             std::string_view name) {
  const std::string text = readers::Lines::whole(path, kLargestSimgridFile);
  return parse_simgrid(text, name.empty() ? path.string() : std::string(name), options);
}

}  // namespace perigee::readers
