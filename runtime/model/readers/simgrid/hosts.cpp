// Hosts of a platform file of SimGrid, also those of clusters and cabinets.
#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/kernel/room.h"
#include "runtime/kernel/work.h"
#include "runtime/model/readers/json_text.h"
#include "runtime/model/readers/lines.h"
#include "runtime/model/readers/simgrid/document_reader.h"

namespace perigee::readers::simgrid {

namespace {

constexpr std::int32_t kMostCoresOfHost = 1'000'000;

}  // namespace

DocumentReader::HostTemplate DocumentReader::read_template(pugi::xml_node node, std::string_view element) {
  HostTemplate out;
  out.host.declared_at = {out_.file, text_.line_of(node)};
  out.host.exclusive = options_.batsim;
  std::vector<double> speeds;
  std::string_view list = node.attribute("speed").value();
  do {
    speeds.push_back(quantity(node, "speed", next_part(list, ","), Measure::speed));
  } while (!list.empty());
  out.states = speeds.size();
  const std::int64_t state = whole(node, "pstate", 0, static_cast<std::int64_t>(speeds.size()) - 1, 0);
  out.host.speed = speeds[static_cast<std::size_t>(state)];
  out.host.cores = static_cast<std::int32_t>(whole(node, "core", 1, kMostCoresOfHost, 1));
  if (const pugi::xml_attribute given = node.attribute("availability")) {
    const double share = readers::number_of(trimmed(given.value()));
    if (!(share >= 0 && share <= 1))
      fail(node, "bad_xml", "{}: availability must be a number from 0 to 1, got '{}'", subject(node),
           shown(given.value()));
    out.host.availability = Profile(share);
  }
  read_properties(node, element, &out);
  if (!out.left_out && out.host.speed > 0)
    out.host.power = read_power(out, speeds, static_cast<std::size_t>(state));
  return out;
}

void DocumentReader::note_hosts(pugi::xml_node node, const HostTemplate& hosts, std::int64_t count) {
  const int line = text_.line_of(node);
  if (hosts.left_out) {
    notes_.add(fmt::format("hosts with the role master or storage, or called '{}'", shown(options_.master)),
               line, count);
    return;
  }
  if (!(hosts.host.speed > 0)) {
    notes_.add("hosts of speed 0", line, count);
    return;
  }
  if (hosts.states > 1 && hosts.host.power == nullptr)
    notes_.add("speeds of hosts in other p-states than that at the start", line, count);
  note_files(node, count);
}

void DocumentReader::note_files(pugi::xml_node node, std::int64_t count) {
  for (const char* attribute :
       {"availability_file", "speed_file", "state_file", "bandwidth_file", "latency_file"})
    if (*node.attribute(attribute).value() != 0)
      notes_.add(fmt::format("profiles from other files ({})", attribute), text_.line_of(node), count);
  if (choice(node, "state", "ON OFF", 0) == 1)
    notes_.add("hosts and links that are off at the start (taken as on)", text_.line_of(node), count);
  if (*node.attribute("coordinates").value() != 0) notes_.add("coordinates", text_.line_of(node), count);
}

void DocumentReader::add_host(pugi::xml_node node, std::string name, std::uint32_t zone,
                              const HostTemplate& hosts) {
  const std::uint32_t point = add_point(node, std::move(name), Point::Kind::host, zone);
  if (hosts.left_out || !(hosts.host.speed > 0)) return;
  if (out_.hosts.size() >= options_.most_hosts) too_many(node);
  out_.points[point].index = static_cast<std::uint32_t>(out_.hosts.size());
  out_.hosts.push_back({point, zone, hosts.host});
  out_.hosts.back().host.name = out_.points[point].name;
  ++out_.zones[zone].hosts;
}

void DocumentReader::read_host(pugi::xml_node node, std::uint32_t zone) {
  const bool peer = std::string_view(node.name()) == "peer";
  HostTemplate host = read_template(node, peer ? "peer" : "host");
  std::string name = name_in(node, "id");
  if (options_.batsim && name == options_.master) host.left_out = true;
  note_hosts(node, host, 1);
  if (peer) notes_.add("links of peers", text_.line_of(node));
  add_host(node, std::move(name), zone, host);
}

std::vector<std::int64_t> DocumentReader::radical(pugi::xml_node node) const {
  constexpr std::int64_t kMostNumber = 2147483647;
  std::vector<std::int64_t> numbers;
  const std::string_view all = node.attribute("radical").value();
  std::string_view list = all;
  const auto number = [&](std::string_view text) {
    std::int64_t value = -1;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop != text.data() + text.size() || value < 0 || value > kMostNumber)
      fail(node, "bad_xml",
           "{}: radical must be a list of numbers and ranges, as in 0-3,6, each number at most {}, got '{}'",
           subject(node), kMostNumber, shown(all));
    return value;
  };
  do {
    const std::string_view part = next_part(list, ",;");
    const std::size_t dash = part.find('-');
    const std::int64_t from = number(trimmed(part.substr(0, dash)));
    const std::int64_t to = dash == std::string_view::npos ? from : number(trimmed(part.substr(dash + 1)));
    if (to < from)
      fail(node, "bad_xml", "{}: the range {} of radical ends before it begins", subject(node), shown(part));
    if (static_cast<std::size_t>(to - from) + numbers.size() + out_.hosts.size() >= options_.most_hosts)
      too_many(node);
    for (std::int64_t i = from; i <= to; ++i) numbers.push_back(i);
  } while (!list.empty());
  constexpr double kRoomOfHost = 2 * sizeof(Host) + sizeof(Point) + 128;
  will_take(kRoomOfHost * static_cast<double>(numbers.size()),
            [&] { return fmt::format("{} of {} hosts", subject(node), numbers.size()); });
  did_work(kStepsOfElement * numbers.size());
  return numbers;
}

void DocumentReader::read_cluster(pugi::xml_node node, std::uint32_t parent) {
  const HostTemplate hosts = read_template(node, "cluster");
  const std::vector<std::int64_t> numbers = radical(node);
  const std::string id = name_in(node, "id"), prefix = node.attribute("prefix").value(),
                    suffix = node.attribute("suffix").value();
  note_hosts(node, hosts, static_cast<std::int64_t>(numbers.size()));
  const std::uint32_t zone = add_zone(node, id, parent);
  const bool flat = choice(node, "topology", "FLAT TORUS FAT_TREE DRAGONFLY STAR", 0) == 0;
  const LinkElement own{"", bandwidth(node, "bw"), quantity(node, "lat", Measure::time),
                        policy(node, "sharing_policy", LinkPolicy::split)};
  {
    ZoneElement& cluster = out_.zones[zone];
    cluster.routing = "Cluster element";
    cluster.is_cluster = true;
    if (!flat)
      cluster.unsupported = fmt::format("topology {}", shown(node.attribute("topology").value()));
    else if (node.attribute("limiter_link"))
      cluster.unsupported = "limiter_link";
  }
  for (const std::int64_t number : numbers) {
    std::string name = fmt::format("{}{}{}", prefix, number, suffix);
    HostTemplate host = hosts;
    if (options_.batsim && name == options_.master) {
      host.left_out = true;
      note_hosts(node, host, 1);
    }
    add_host(node, std::move(name), zone, host);
    if (!options_.batsim) {
      LinkElement link = own;
      link.name = fmt::format("{}_link_{}", id, number);
      link.of_cluster = true;
      out_.points.back().own_link = add_link(node, std::move(link));
    }
  }
  const pugi::xml_attribute router = node.attribute("router_id");
  out_.zones[zone].router =
      add_point(node, router ? router.value() : fmt::format("{}{}_router{}", prefix, id, suffix),
                Point::Kind::router, zone);
  const pugi::xml_attribute width = node.attribute("bb_bw"), delay = node.attribute("bb_lat");
  if (!width != !delay)
    fail(node, "missing_field", "{}: '{}' is missing beside '{}'", subject(node), width ? "bb_lat" : "bb_bw",
         width ? "bb_bw" : "bb_lat");
  if (width) {
    LinkElement backbone{fmt::format("{}_backbone", id), bandwidth(node, "bb_bw"),
                         quantity(node, "bb_lat", Measure::time),
                         policy(node, "bb_sharing_policy", LinkPolicy::shared)};
    backbone.of_cluster = true;
    if (!options_.batsim) out_.zones[zone].backbone = add_link(node, std::move(backbone));
  }
  out_.zones[parent].hosts += out_.zones[zone].hosts;
}

void DocumentReader::read_cabinet(pugi::xml_node node, std::uint32_t zone) {
  const HostTemplate hosts = read_template(node, "cabinet");
  const std::vector<std::int64_t> numbers = radical(node);
  note_hosts(node, hosts, static_cast<std::int64_t>(numbers.size()));
  (void)bandwidth(node, "bw");
  (void)quantity(node, "lat", Measure::time);
  notes_.add("links of cabinets", text_.line_of(node));
  for (const std::int64_t number : numbers)
    add_host(
        node,
        fmt::format("{}{}{}", node.attribute("prefix").value(), number, node.attribute("suffix").value()),
        zone, hosts);
}

void DocumentReader::check_master() const {
  const auto found = out_.point_of.find(options_.master);
  if (found != out_.point_of.end() && out_.points[found->second].kind == Point::Kind::host) return;
  std::vector<std::string_view> names;
  for (const Point& point : out_.points)
    if (point.kind == Point::Kind::host) names.push_back(point.name);
  fail_at({out_.file, 0}, "unknown_reference", "master: there is no host '{}'{}", shown(options_.master),
          did_you_mean(options_.master, names));
}

}  // namespace perigee::readers::simgrid
