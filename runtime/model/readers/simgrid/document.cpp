// Reads a platform file of SimGrid.
#include "runtime/model/readers/simgrid/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <span>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/kernel/room.h"
#include "runtime/kernel/work.h"
#include "runtime/model/readers/json_text.h"
#include "runtime/model/readers/lines.h"
#include "runtime/model/readers/xml_text.h"

namespace perigee::readers {

namespace simgrid {
namespace {

constexpr std::uint64_t kStepsOfElement = 20;
constexpr std::int32_t kMostCoresOfHost = 1'000'000;
constexpr std::size_t kMostNamedProperties = 8;
constexpr std::size_t kMostStates = 250;  // of speed, of a host

// An element that is read. An element that only the network model, other programs or storage need is left out whole.
struct ElementRow {
  std::string_view name, older_name;
  std::string_view needs, takes;  // attributes
  std::string_view inside;        // elements that may hold it
};
constexpr ElementRow kReadElements[] = {
    {"zone", "AS", "id routing", "", "platform zone"},
    {"host", "", "id speed",
     "core pstate coordinates availability availability_file speed_file state state_file", "zone"},
    {"cluster", "", "id radical speed bw lat",
     "prefix suffix core sharing_policy bb_bw bb_lat bb_sharing_policy limiter_link loopback_bw loopback_lat "
     "topology topo_parameters router_id availability_file state_file",
     "platform zone"},
    {"cabinet", "", "radical speed bw lat", "id prefix suffix", "zone"},
    {"peer", "", "id speed", "bw_in bw_out lat coordinates sharing_policy availability_file state_file",
     "zone"},
    {"router", "", "id", "coordinates", "zone"},
    {"link", "", "id bandwidth", "latency sharing_policy bandwidth_file latency_file state state_file",
     "platform zone"},
    {"route", "", "src dst", "symmetrical", "zone"},
    {"zoneRoute", "ASroute", "src dst gw_src gw_dst", "symmetrical", "zone"},
    {"bypassRoute", "", "src dst", "symmetrical", "zone"},
    {"bypassZoneRoute", "bypassASroute", "src dst gw_src gw_dst", "symmetrical", "zone"},
    {"link_ctn", "", "id", "direction", "route zoneRoute bypassRoute bypassZoneRoute"},
    {"prop", "", "id value", "", "zone host cluster cabinet peer router link"},
    {"trace", "", "id", "periodicity file", "platform zone"},
    {"trace_connect", "", "trace element", "kind", "platform zone"},
};

// Elements that are left out with all that they hold.
struct LeftOut {
  std::string_view name, what, inside;
};
constexpr LeftOut kLeftOutElements[] = {
    {"config", "options of SimGrid (config)", "platform"},
    {"actor", "actors", "platform"},
    {"process", "actors", "platform"},
    {"disk", "disks and storage", "host"},
    {"mount", "disks and storage", "host"},
    {"mstorage", "disks and storage", "host"},
    {"storage", "disks and storage", "platform zone"},
    {"storage_type", "disks and storage", "platform zone"},
    {"backbone", "links of zones of the kind Cluster (backbone, host_link)", "zone"},
    {"host_link", "links of zones of the kind Cluster (backbone, host_link)", "zone"},
};

// Properties of power, with SimGrid's older names. The properties of hosts come first.
struct PowerProperty {
  std::string_view name, older_name;
};
constexpr PowerProperty kPowerProperties[] = {{"wattage_per_state", "watt_per_state"},
                                              {"wattage_off", "watt_off"},
                                              {"sleep_pstates", ""},
                                              {"wattage_range", "watt_range"}};
enum PowerOfHost : std::size_t { kWatts, kWattsOff, kSleep, kPowersOfHost };

void add_words(std::vector<std::string>& all, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    all.emplace_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

// The next part of a list and the rest of it.
std::string_view next_part(std::string_view& list, std::string_view separators) {
  const std::size_t end = list.find_first_of(separators);
  const std::string_view part = list.substr(0, end);
  list = end == std::string_view::npos ? std::string_view() : list.substr(end + 1);
  return trimmed(part);
}

class DocumentReader {
 public:
  DocumentReader(std::string_view text, std::string_view name, const SimgridOptions& options, Notes& notes)
      : text_(text), options_(options), notes_(notes) {
    out_.file = name;
  }

  Document read() {
    if (const std::size_t zero = text_.text().find('\0'); zero != std::string_view::npos)
      syntax(zero, "a zero byte");
    if (!readers::is_utf8(text_.text())) syntax(0, "the text is not UTF-8");
    read_platform(root());
    if (options_.batsim && options_.master_must_exist) check_master();
    for (const pugi::xml_node node : routes_) add_route(node);
    for (const pugi::xml_node node : connects_) connect(node);
    return std::move(out_);
  }

 private:
  // ---- XML ----

  pugi::xml_node root() {
    // Elements take far more room than their text where they are short.
    constexpr double kRoomOfText = 10;
    will_take(kRoomOfText * static_cast<double>(text_.text().size()),
              [&] { return fmt::format("the elements of {}", out_.file); });
    did_work(text_.text().size() / 8);
    const pugi::xml_parse_result result = document_.load_buffer(
        text_.text().data(), text_.text().size(),
        pugi::parse_default | pugi::parse_doctype | pugi::parse_fragment, pugi::encoding_utf8);
    if (!result)
      syntax(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, result.offset)), result.description());
    pugi::xml_node root;
    for (const pugi::xml_node node : document_) {
      if (node.type() == pugi::node_doctype) {
        // The document type that SimGrid's files name declares nothing here; it is never read.
        if (std::string_view(node.value()).find('[') != std::string_view::npos)
          fail(node, "bad_xml",
               "a document type with declarations of its own, such as entities, is not read");
        continue;
      }
      if (node.type() != pugi::node_element) fail(node, "bad_xml", "text outside of the root element");
      if (root) fail(node, "bad_xml", "<{}> follows the root element", shown(node.name()));
      root = node;
    }
    if (!root) syntax(0, "there is no element");
    if (std::string_view(root.name()) != "platform")
      fail(root, "bad_xml", "the root must be <platform>, got <{}>", shown(root.name()));
    return root;
  }

  [[noreturn]] void syntax(std::size_t at, std::string_view what) const {
    fail_at({out_.file, text_.line_of(at)}, "bad_xml", "column {}: {}", text_.column_of(at), what);
  }

  template <class... Args>
  [[noreturn]] void fail(pugi::xml_node at, std::string_view code, fmt::format_string<Args...> format,
                         Args&&... args) const {
    fail_at({out_.file, text_.line_of(at)}, code, "{}", fmt::format(format, std::forward<Args>(args)...));
  }

  // "<host> 'a'"
  static std::string subject(pugi::xml_node node) {
    const std::string_view id = node.attribute("id").value();
    return id.empty() ? fmt::format("<{}>", shown(node.name()))
                      : fmt::format("<{}> '{}'", shown(node.name()), shown(id));
  }

  // The row of an element that may stand in `parent`; nothing for one that is left out.
  const ElementRow* row_of(pugi::xml_node node, std::string_view parent) {
    const std::string_view name = node.name();
    if (node.type() != pugi::node_element)
      fail(node, "bad_xml", "text does not belong into <{}>, got '{}'", parent, shown(trimmed(node.value())));
    did_work(kStepsOfElement);
    for (const ElementRow& row : kReadElements)
      if ((row.name == name || row.older_name == name) && place_of_word(row.inside, parent)) {
        check_attributes(node, row);
        return &row;
      }
    for (const LeftOut& each : kLeftOutElements)
      if (each.name == name && place_of_word(each.inside, parent)) {
        notes_.add(each.what, text_.line_of(node));
        return nullptr;
      }
    if (name == "include")
      fail(node, "bad_xml", "<include> is not read, for it names another file; its elements belong here");
    std::vector<std::string> known;
    for (const ElementRow& row : kReadElements)
      if (place_of_word(row.inside, parent)) known.emplace_back(row.name);
    for (const LeftOut& each : kLeftOutElements)
      if (place_of_word(each.inside, parent)) known.emplace_back(each.name);
    fail(node, "bad_xml", "<{}> does not belong into <{}>{}", shown(name), parent, did_you_mean(name, known));
  }

  void check_attributes(pugi::xml_node node, const ElementRow& row) const {
    constexpr std::size_t kBits = 32;
    std::array<bool, kBits> seen{};
    for (const pugi::xml_attribute attribute : node.attributes()) {
      const std::string_view name = attribute.name();
      auto place = place_of_word(row.needs, name);
      if (!place)
        if (const auto other = place_of_word(row.takes, name)) place = kBits / 2 + *other;
      if (!place) {
        std::vector<std::string> known;
        add_words(known, row.needs);
        add_words(known, row.takes);
        fail(node, "bad_xml", "{}: there is no attribute '{}'{}", subject(node), shown(name),
             did_you_mean(name, known));
      }
      if (std::exchange(seen[*place], true))
        fail(node, "bad_xml", "{}: '{}' is there twice", subject(node), name);
      check_entities(node, attribute);
    }
    std::string_view needs = row.needs;
    for (std::size_t i = 0; !needs.empty(); ++i)
      if (const std::string_view name = next_part(needs, " "); !seen[i])
        fail(node, "missing_field", "{}: '{}' is missing", subject(node), name);
  }

  // XML's own entities have been replaced; no other one is declared.
  void check_entities(pugi::xml_node node, pugi::xml_attribute attribute) const {
    const std::string_view value = attribute.value();
    for (std::size_t at = value.find('&'); at != std::string_view::npos; at = value.find('&', at + 1)) {
      std::size_t end = at + 1;
      while (end < value.size() && is_word(value[end])) ++end;
      if (end < value.size() && value[end] == ';' && end > at + 1)
        fail(node, "bad_xml", "{}: the entity '{}' is not declared", subject(node),
             shown(value.substr(at, end + 1 - at)));
    }
  }

  std::string name_in(pugi::xml_node node, const char* attribute) const {
    const std::string_view value = node.attribute(attribute).value();
    if (value.empty()) fail(node, "bad_xml", "{}: '{}' is empty", subject(node), attribute);
    return std::string(value);
  }

  double quantity(pugi::xml_node node, std::string_view attribute, std::string_view text, Measure measure) {
    const Reading reading = reading_of(text, measure);
    if (!reading.problem.empty())
      fail(node, "bad_xml", "{}: {} {}, got '{}'", subject(node), attribute, reading.problem, shown(text));
    if (!reading.has_unit) notes_.add("values without unit (taken as f, Bps and s)", text_.line_of(node));
    return reading.value;
  }
  double quantity(pugi::xml_node node, const char* attribute, Measure measure) {
    return quantity(node, attribute, node.attribute(attribute).value(), measure);
  }
  double bandwidth(pugi::xml_node node, const char* attribute) {
    const double value = quantity(node, attribute, Measure::bandwidth);
    if (!(value > 0))
      fail(node, "bad_xml", "{}: {} must be > 0 Bps, got '{}'", subject(node), attribute,
           shown(node.attribute(attribute).value()));
    return value;
  }

  std::int64_t whole(pugi::xml_node node, const char* attribute, std::int64_t least, std::int64_t most,
                     std::int64_t absent) const {
    const pugi::xml_attribute given = node.attribute(attribute);
    if (!given) return absent;
    const std::string_view text = trimmed(given.value());
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop != text.data() + text.size() || value < least || value > most)
      fail(node, "bad_xml", "{}: {} must be a whole number, {} to {}, got '{}'", subject(node), attribute,
           least, most, shown(given.value()));
    return value;
  }

  // The place of the attribute's value among the words, without regard of case.
  std::size_t choice(pugi::xml_node node, const char* attribute, std::string_view words,
                     std::size_t absent) const {
    const pugi::xml_attribute given = node.attribute(attribute);
    if (!given) return absent;
    std::vector<std::string> all;
    add_words(all, words);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (lower_case(all[i]) == lower_case(given.value())) return i;
    fail(node, "bad_xml", "{}: {} must be one of {}, got '{}'{}", subject(node), attribute,
         fmt::join(all, ", "), shown(given.value()), did_you_mean(given.value(), all));
  }

  LinkPolicy policy(pugi::xml_node node, const char* attribute, LinkPolicy absent) const {
    constexpr std::string_view kWords = "SHARED SPLITDUPLEX FATPIPE WIFI FULLDUPLEX";
    constexpr LinkPolicy kPolicies[] = {LinkPolicy::shared, LinkPolicy::split, LinkPolicy::fatpipe,
                                        LinkPolicy::wifi, LinkPolicy::split};
    const std::size_t place = choice(node, attribute, kWords, std::size(kPolicies));
    return place == std::size(kPolicies) ? absent : kPolicies[place];
  }

  // ---- zones ----

  void read_platform(pugi::xml_node platform) {
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

  void read_in_zone(pugi::xml_node node, std::uint32_t zone, std::string_view parent, int depth) {
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

  void read_zone(pugi::xml_node node, std::uint32_t parent, int depth) {
    if (depth == kDeepestSimgridZone)
      fail(node, "bad_xml", "{}: zones are nested deeper than {}", subject(node), kDeepestSimgridZone);
    const std::uint32_t zone = add_zone(node, name_in(node, "id"), parent);
    out_.zones[zone].routing = name_in(node, "routing");
    for (const pugi::xml_node child : node) read_in_zone(child, zone, "zone", depth + 1);
    out_.zones[parent].hosts += out_.zones[zone].hosts;
  }

  std::uint32_t add_zone(pugi::xml_node node, const std::string& name, std::uint32_t parent) {
    const auto zone = static_cast<std::uint32_t>(out_.zones.size());
    ZoneElement element;
    element.point = add_point(node, name, Point::Kind::zone, parent);
    element.line = text_.line_of(node);
    out_.points[element.point].index = zone;
    out_.zones.push_back(std::move(element));
    return zone;
  }

  std::uint32_t add_point(pugi::xml_node node, std::string name, Point::Kind kind, std::uint32_t zone) {
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

  std::uint32_t add_link(pugi::xml_node node, LinkElement link) {
    const auto index = static_cast<std::uint32_t>(out_.links.size());
    link.line = text_.line_of(node);
    out_.links.push_back(std::move(link));
    const auto [known, added] = out_.link_of.emplace(out_.links.back().name, index);
    if (!added)
      fail(node, "duplicate_name", "{}: a link '{}' is there already, in line {}", subject(node),
           shown(out_.links.back().name), out_.links[known->second].line);
    return index;
  }

  // ---- hosts ----

  // The common properties of the hosts of one element.
  struct HostTemplate {
    Host host;
    bool left_out = false;
    std::size_t states = 1;                                // listed speeds
    std::array<pugi::xml_node, kPowersOfHost> power = {};  // properties, by PowerOfHost
  };

  HostTemplate read_template(pugi::xml_node node, std::string_view element) {
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

  // Notes everything without a counterpart in so many hosts of a template.
  void note_hosts(pugi::xml_node node, const HostTemplate& hosts, std::int64_t count) {
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

  void note_files(pugi::xml_node node, std::int64_t count) {
    for (const char* attribute :
         {"availability_file", "speed_file", "state_file", "bandwidth_file", "latency_file"})
      if (*node.attribute(attribute).value() != 0)
        notes_.add(fmt::format("profiles from other files ({})", attribute), text_.line_of(node), count);
    if (choice(node, "state", "ON OFF", 0) == 1)
      notes_.add("hosts and links that are off at the start (taken as on)", text_.line_of(node), count);
    if (*node.attribute("coordinates").value() != 0) notes_.add("coordinates", text_.line_of(node), count);
  }

  void add_host(pugi::xml_node node, std::string name, std::uint32_t zone, const HostTemplate& hosts) {
    const std::uint32_t point = add_point(node, std::move(name), Point::Kind::host, zone);
    if (hosts.left_out || !(hosts.host.speed > 0)) return;
    if (out_.hosts.size() >= options_.most_hosts) too_many(node);
    out_.points[point].index = static_cast<std::uint32_t>(out_.hosts.size());
    out_.hosts.push_back({point, zone, hosts.host});
    out_.hosts.back().host.name = out_.points[point].name;
    ++out_.zones[zone].hosts;
  }

  [[noreturn]] void too_many(pugi::xml_node node) const {
    fail(node, "bad_xml", "{}: the platform has more than {} hosts", subject(node), options_.most_hosts);
  }

  void read_host(pugi::xml_node node, std::uint32_t zone) {
    const bool peer = std::string_view(node.name()) == "peer";
    HostTemplate host = read_template(node, peer ? "peer" : "host");
    std::string name = name_in(node, "id");
    if (options_.batsim && name == options_.master) host.left_out = true;
    note_hosts(node, host, 1);
    if (peer) notes_.add("links of peers", text_.line_of(node));
    add_host(node, std::move(name), zone, host);
  }

  // The numbers of "0-3,6", at most so many as there may be hosts.
  std::vector<std::int64_t> radical(pugi::xml_node node) const {
    constexpr std::int64_t kMostNumber = 2147483647;
    std::vector<std::int64_t> numbers;
    const std::string_view all = node.attribute("radical").value();
    std::string_view list = all;
    const auto number = [&](std::string_view text) {
      std::int64_t value = -1;
      const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc() || stop != text.data() + text.size() || value < 0 || value > kMostNumber)
        fail(
            node, "bad_xml",
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
        fail(node, "bad_xml", "{}: the range {} of radical ends before it begins", subject(node),
             shown(part));
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

  void read_cluster(pugi::xml_node node, std::uint32_t parent) {
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
      fail(node, "missing_field", "{}: '{}' is missing beside '{}'", subject(node),
           width ? "bb_lat" : "bb_bw", width ? "bb_bw" : "bb_lat");
    if (width) {
      LinkElement backbone{fmt::format("{}_backbone", id), bandwidth(node, "bb_bw"),
                           quantity(node, "bb_lat", Measure::time),
                           policy(node, "bb_sharing_policy", LinkPolicy::shared)};
      backbone.of_cluster = true;
      if (!options_.batsim) out_.zones[zone].backbone = add_link(node, std::move(backbone));
    }
    out_.zones[parent].hosts += out_.zones[zone].hosts;
  }

  void read_cabinet(pugi::xml_node node, std::uint32_t zone) {
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

  void check_master() const {
    const auto found = out_.point_of.find(options_.master);
    if (found != out_.point_of.end() && out_.points[found->second].kind == Point::Kind::host) return;
    std::vector<std::string_view> names;
    for (const Point& point : out_.points)
      if (point.kind == Point::Kind::host) names.push_back(point.name);
    fail_at({out_.file, 0}, "unknown_reference", "master: there is no host '{}'{}", shown(options_.master),
            did_you_mean(options_.master, names));
  }

  // ---- properties ----

  void read_properties(pugi::xml_node parent, std::string_view element, HostTemplate* host) {
    for (const pugi::xml_node node : parent) {
      if (row_of(node, element) == nullptr) continue;
      const std::string_view id = node.attribute("id").value();
      if (host != nullptr && options_.batsim && id == "role") {
        read_role(node, *host);
        continue;
      }
      if (host != nullptr && take_power(node, *host)) continue;
      note_property(node);
    }
  }

  void read_role(pugi::xml_node node, HostTemplate& host) {
    const std::string_view all = node.attribute("value").value();
    std::string_view list = all;
    do {
      const std::string_view role = next_part(list, ", ");
      static constexpr std::string_view kRoles[] = {"compute_node", "master", "storage"};
      if (role == "master" || role == "storage")
        host.left_out = true;
      else if (!role.empty() && role != "compute_node")
        fail(node, "unknown_reference", "{}: unknown role '{}'; known are compute_node, master, storage{}",
             subject(node.parent()), shown(role), did_you_mean(role, kRoles));
    } while (!list.empty());
  }

  static std::size_t place_of_power(std::string_view id) {
    const auto same = [&](const PowerProperty& each) {
      return each.name == id || (each.older_name == id && !id.empty());
    };
    return static_cast<std::size_t>(std::ranges::find_if(kPowerProperties, same) -
                                    std::begin(kPowerProperties));
  }

  // Whether it is a property of the power of a host.
  bool take_power(pugi::xml_node node, HostTemplate& host) {
    const std::size_t place = place_of_power(node.attribute("id").value());
    if (place >= kPowersOfHost) return false;
    if (const pugi::xml_node other = std::exchange(host.power[place], node))
      fail(node, "bad_xml", "{}: '{}' is there already, as '{}' in line {}", subject(node.parent()),
           node.attribute("id").value(), other.attribute("id").value(), text_.line_of(other));
    return true;
  }

  // SimGrid's plug-in host_energy (3.32), and Batsim's p-states of sleep, in W and s.
  std::shared_ptr<const PowerModel> read_power(const HostTemplate& given, std::span<const double> speeds,
                                               std::size_t start) {
    const pugi::xml_node watts = given.power[kWatts], off = given.power[kWattsOff],
                         sleep = given.power[kSleep];
    if (!watts) {  // The power of the host while it is on is not known.
      for (const pugi::xml_node node : {off, sleep})
        if (node)
          notes_.add(fmt::format("power ({}) without {}", node.attribute("id").value(),
                                 kPowerProperties[kWatts].name),
                     text_.line_of(node));
      return nullptr;
    }
    const std::vector<SpeedState> draws = read_watts(watts);
    if (draws.size() != speeds.size())
      fail(watts, "bad_xml", "{}: {} has the watts of {} p-states, and speed has {} p-states",
           subject(watts.parent()), watts.attribute("id").value(), draws.size(), speeds.size());
    PowerModel power;
    if (off) power.off = power.down = one_watt(off, off.attribute("value").value());
    std::vector<bool> is_sleep(speeds.size());
    if (sleep) read_sleep(sleep, draws, speeds, start, is_sleep, power);
    const auto add = [&](std::size_t i) {
      power.states.push_back(draws[i]);
      power.states.back().factor = speeds[i] / speeds[start];
      if (!std::isfinite(power.states.back().factor))
        fail(watts, "bad_xml", "{}: the speed {} of p-state {} is too far from {}, that of the start",
             subject(watts.parent()), speeds[i], i, speeds[start]);
    };
    add(start);
    for (std::size_t i = 0; i < speeds.size(); ++i) {
      if (i == start || is_sleep[i]) continue;
      if (speeds[i] / speeds[start] > 0)
        add(i);
      else
        notes_.add("p-states of speed 0", text_.line_of(watts));
    }
    if (power.states.size() > kMostStates)
      fail(watts, "bad_xml", "{}: a host may have {} p-states in which it computes, got {}",
           subject(watts.parent()), kMostStates, power.states.size());
    return std::make_shared<const PowerModel>(std::move(power));
  }

  double one_watt(pugi::xml_node node, std::string_view text) const {
    const double value = readers::number_of(trimmed(text));
    if (!(value >= 0 && std::isfinite(value)))
      fail(node, "bad_xml", "{}: {} must be a number of watts >= 0, got '{}'", subject(node.parent()),
           node.attribute("id").value(), shown(text));
    return value;
  }

  // "100:120:200, 93:170": idle, towards which it falls with ever fewer busy cores (as idle), and all cores, by p-state.
  std::vector<SpeedState> read_watts(pugi::xml_node node) const {
    std::vector<SpeedState> all;
    std::string_view list = node.attribute("value").value();
    do {
      const std::string_view part = next_part(list, ",");
      const auto count = std::ranges::count(part, ':') + 1;
      if (count != 2 && count != 3)
        fail(node, "bad_xml", "{}: {} must be idle:all or idle:epsilon:all for each p-state, got '{}'",
             subject(node.parent()), node.attribute("id").value(), shown(part));
      std::string_view rest = part;
      SpeedState state;
      state.idle = one_watt(node, next_part(rest, ":"));
      state.epsilon = count == 3 ? one_watt(node, next_part(rest, ":")) : state.idle;
      state.busy = one_watt(node, rest);
      if (!(state.idle <= state.epsilon && state.epsilon <= state.busy))
        fail(node, "bad_power", "{}: {} must not fall from idle to all cores, got '{}'",
             subject(node.parent()), node.attribute("id").value(), shown(part));
      all.push_back(state);
    } while (!list.empty());
    return all;
  }

  // "13:14:15": off is p-state 13, the way there is 14 and the way back 15, each of them one operation long.
  void read_sleep(pugi::xml_node node, std::span<const SpeedState> draws, std::span<const double> speeds,
                  std::size_t start, std::vector<bool>& is_sleep, PowerModel& power) {
    std::string_view list = node.attribute("value").value();
    for (bool first = true; first || !list.empty(); first = false) {
      const std::string_view part = next_part(list, ",");
      const auto wrong = [&](std::string_view what) {
        fail(node, "bad_xml", "{}: sleep_pstates {}, got '{}'", subject(node.parent()), what, shown(part));
      };
      std::array<std::size_t, 3> states{};
      std::string_view rest = part;
      for (std::size_t& state : states) {
        const std::string_view text = next_part(rest, ":");
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), state);
        if (std::ranges::count(part, ':') != 2 || error != std::errc() || stop != text.data() + text.size())
          wrong("must be three p-states: sleep:shutdown:boot");
        if (state >= speeds.size()) wrong(fmt::format("must be p-states from 0 to {}", speeds.size() - 1));
        if (state == start) wrong(fmt::format("must not have the p-state of the start, {}", start));
        if (is_sleep[state]) wrong(fmt::format("has the p-state {} twice", state));
        is_sleep[state] = true;
      }
      if (!first) {
        notes_.add("p-states of sleep besides the first", text_.line_of(node));
        continue;
      }
      const auto way = [&](std::size_t state) {
        const double time = 1 / speeds[state];
        if (!std::isfinite(time))
          wrong(fmt::format("takes 1 / speed, and p-state {} has the speed {}", state, speeds[state]));
        return PowerTransition{time, draws[state].busy};
      };
      power.off = draws[states[0]].idle;
      power.shutdown = way(states[1]);
      power.boot = way(states[2]);
    }
  }

  void note_property(pugi::xml_node node) {
    const std::string_view id = node.attribute("id").value();
    const int line = text_.line_of(node);
    if (place_of_power(id) != std::size(kPowerProperties)) {
      notes_.add(fmt::format("power ({})", id), line);
      return;
    }
    const bool known = std::ranges::find(named_properties_, id) != named_properties_.end();
    if (!known && named_properties_.size() == kMostNamedProperties) {
      notes_.add("other properties", line);
      return;
    }
    if (!known) named_properties_.emplace_back(id);
    notes_.add(fmt::format("property {}", shown(id)), line);
  }

  // ---- links and routes ----

  void read_link(pugi::xml_node node) {
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

  void read_route(pugi::xml_node node, std::uint32_t zone, std::string_view name) {
    for (const pugi::xml_node each : node) (void)row_of(each, name);
    if (options_.batsim) {
      notes_.add("routes", text_.line_of(node));
      return;
    }
    if (name.starts_with("bypass") && out_.first_bypass == 0) out_.first_bypass = text_.line_of(node);
    routes_.push_back(node);
    out_.routes.push_back({.zone = zone, .line = text_.line_of(node)});
  }

  template <class Known>
  std::uint32_t resolve(pugi::xml_node node, const char* attribute, std::string_view kind,
                        const Known& known) {
    const std::string_view name = node.attribute(attribute).value();
    const auto found = known.find(name);
    if (found != known.end()) return found->second;
    std::vector<std::string_view> names;
    for (const auto& each : known) names.push_back(each.first);
    std::ranges::sort(names);
    fail(node, "unknown_reference", "<{}>: {}: unknown {} '{}'{}", node.name(), attribute, kind, shown(name),
         did_you_mean(name, names));
  }

  // Names may be used before they are declared.
  void add_route(pugi::xml_node node) {
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
        fail(node, "bad_xml", "<{}>: {}: '{}' does not stand in the zone of the route", node.name(),
             attribute, shown(what.name));
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

  bool is_inside(std::uint32_t gate, std::uint32_t zone) const {
    if (out_.points[gate].kind == Point::Kind::zone) return false;
    for (std::uint32_t at = out_.points[gate].zone; at != 0; at = out_.points[out_.zones[at].point].zone)
      if (at == zone) return true;
    return false;
  }

  // A split link is named itself, or by the name of one of its directions.
  std::uint32_t link_named(pugi::xml_node node) {
    const std::string_view name = node.attribute("id").value();
    for (const std::string_view end : {"_UP", "_DOWN"})
      if (name.ends_with(end) && !out_.link_of.contains(name)) {
        const auto whole = out_.link_of.find(name.substr(0, name.size() - end.size()));
        if (whole != out_.link_of.end() && out_.links[whole->second].policy == LinkPolicy::split)
          return whole->second;
      }
    return resolve(node, "id", "link", out_.link_of);
  }

  // ---- profiles ----

  struct Trace {
    std::vector<double> times, values;
    double loop_after = 0;  // 0 = once
    bool elsewhere = false;
    std::optional<Profile> profile;  // of availability, where the model has such a one
  };

  void read_trace(pugi::xml_node node) {
    std::string name = name_in(node, "id");
    Trace trace;
    trace.elsewhere = *node.attribute("file").value() != 0;
    if (const pugi::xml_attribute given = node.attribute("periodicity"))
      trace.loop_after = readers::number_of(trimmed(given.value()));
    if (std::isnan(trace.loop_after))
      fail(node, "bad_xml", "{}: periodicity must be a number, got '{}'", subject(node),
           shown(node.attribute("periodicity").value()));
    std::string all;
    for (const pugi::xml_node part : node) {
      if (part.type() == pugi::node_element)
        fail(part, "bad_xml", "<{}> does not belong into <trace>", shown(part.name()));
      all += part.value();
    }
    std::string_view rest = all;
    while (!rest.empty()) {
      const std::string_view line = next_part(rest, "\n");
      if (line.empty() || line.front() == '#') continue;
      std::string_view words = line;
      const std::string_view first = next_part(words, " \t");
      const double value = readers::number_of(trimmed(words));
      if (first == "LOOPAFTER" || first == "PERIODICITY") {
        trace.loop_after = value;
        if (value >= 0) continue;
      }
      const double time = readers::number_of(first);
      if (!(time >= 0) || !(value >= 0) || (!trace.times.empty() && !(time > trace.times.back())))
        fail(
            node, "bad_xml",
            "{}: a line must be a time, later than that before it, and a value >= 0, or LOOPAFTER and a time, "
            "got '{}'",
            subject(node), shown(line));
      trace.times.push_back(time);
      trace.values.push_back(value);
    }
    did_work(trace.times.size());
    if (trace.loop_after > 0 && !trace.times.empty()) {
      constexpr double kLeastPeriod = 1e-200;  // of a profile
      const double period = trace.times.back() + trace.loop_after;
      if (!(period > trace.times.back() && period >= kLeastPeriod && std::isfinite(period)))
        fail(node, "bad_xml", "{}: after its last time {} it cannot be repeated {} s later", subject(node),
             trace.times.back(), trace.loop_after);
    }
    if (!trace.elsewhere) trace.profile = availability(trace);
    if (!traces_.emplace(name, std::move(trace)).second)
      fail(node, "duplicate_name", "{}: a trace of that name is there already", subject(node));
  }

  void connect(pugi::xml_node node) {
    constexpr std::string_view kKinds = "HOST_AVAIL SPEED LINK_AVAIL BANDWIDTH LATENCY POWER";
    constexpr std::size_t kSpeed = 1, kPower = 5;
    const std::size_t kind = choice(node, "kind", kKinds, 0);
    const auto found = traces_.find(std::string(node.attribute("trace").value()));
    if (found == traces_.end()) {
      std::vector<std::string> names;
      for (const auto& each : traces_) names.push_back(each.first);
      std::ranges::sort(names);
      const std::string_view name = node.attribute("trace").value();
      fail(node, "unknown_reference", "<trace_connect>: trace: unknown trace '{}'{}", shown(name),
           did_you_mean(name, names));
    }
    const Trace& trace = found->second;
    const bool of_speed = kind == kSpeed || kind == kPower;
    if (!of_speed) {
      const bool of_link = kind != 0;
      if (!options_.batsim || !of_link)
        (void)(of_link ? resolve(node, "element", "link", out_.link_of)
                       : resolve(node, "element", "host", out_.point_of));
      notes_.add(of_link ? "profiles of links" : "profiles of hosts that go and come back",
                 text_.line_of(node));
      return;
    }
    const Point& point = out_.points[resolve(node, "element", "host", out_.point_of)];
    if (point.kind != Point::Kind::host)
      fail(node, "bad_xml", "<trace_connect>: element: '{}' is no host", shown(point.name));
    if (trace.elsewhere) {
      notes_.add("profiles from other files (trace)", text_.line_of(node));
      return;
    }
    if (point.index == kNone) return;
    if (trace.profile)
      out_.hosts[point.index].host.availability = *trace.profile;
    else
      notes_.add("profiles of availability above 1, or that loop with another beginning",
                 text_.line_of(node));
  }

  // Before its first time a host has its whole speed; in a loop it has then what it had at the end.
  static std::optional<Profile> availability(const Trace& trace) {
    if (trace.times.empty()) return Profile(1.0);
    if (std::ranges::any_of(trace.values, [](double value) { return value > 1; })) return std::nullopt;
    std::vector<double> times = trace.times, values = trace.values;
    const bool loops = trace.loop_after > 0;
    if (times.front() > 0) {
      if (loops && values.back() != 1) return std::nullopt;
      times.insert(times.begin(), 0);
      values.insert(values.begin(), 1);
    }
    if (!loops) return Profile::steps(std::move(times), std::move(values));
    const double period = trace.times.back() + trace.loop_after;
    return Profile::periodic(std::move(times), std::move(values), period);
  }

  XmlText text_;
  const SimgridOptions& options_;
  Notes& notes_;
  Document out_;
  pugi::xml_document document_;
  std::vector<pugi::xml_node> routes_, connects_;
  std::size_t next_route_ = 0;
  std::vector<std::string> named_properties_;
  std::unordered_map<std::string, Trace> traces_;
};

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
