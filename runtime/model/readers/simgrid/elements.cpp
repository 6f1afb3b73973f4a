// Elements of a platform file of SimGrid: which ones there are, what they hold, and their attributes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
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

void add_words(std::vector<std::string>& all, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    all.emplace_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

}  // namespace

std::string_view next_part(std::string_view& list, std::string_view separators) {
  const std::size_t end = list.find_first_of(separators);
  const std::string_view part = list.substr(0, end);
  list = end == std::string_view::npos ? std::string_view() : list.substr(end + 1);
  return trimmed(part);
}

pugi::xml_node DocumentReader::root() {
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
        fail(node, "bad_xml", "a document type with declarations of its own, such as entities, is not read");
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

std::string DocumentReader::subject(pugi::xml_node node) {
  const std::string_view id = node.attribute("id").value();
  return id.empty() ? fmt::format("<{}>", shown(node.name()))
                    : fmt::format("<{}> '{}'", shown(node.name()), shown(id));
}

const ElementRow* DocumentReader::row_of(pugi::xml_node node, std::string_view parent) {
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

void DocumentReader::check_attributes(pugi::xml_node node, const ElementRow& row) const {
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

void DocumentReader::check_entities(pugi::xml_node node, pugi::xml_attribute attribute) const {
  const std::string_view value = attribute.value();
  for (std::size_t at = value.find('&'); at != std::string_view::npos; at = value.find('&', at + 1)) {
    std::size_t end = at + 1;
    while (end < value.size() && is_word(value[end])) ++end;
    if (end < value.size() && value[end] == ';' && end > at + 1)
      fail(node, "bad_xml", "{}: the entity '{}' is not declared", subject(node),
           shown(value.substr(at, end + 1 - at)));
  }
}

std::string DocumentReader::name_in(pugi::xml_node node, const char* attribute) const {
  const std::string_view value = node.attribute(attribute).value();
  if (value.empty()) fail(node, "bad_xml", "{}: '{}' is empty", subject(node), attribute);
  return std::string(value);
}

double DocumentReader::quantity(pugi::xml_node node, std::string_view attribute, std::string_view text,
                                Measure measure) {
  const Reading reading = reading_of(text, measure);
  if (!reading.problem.empty())
    fail(node, "bad_xml", "{}: {} {}, got '{}'", subject(node), attribute, reading.problem, shown(text));
  if (!reading.has_unit) notes_.add("values without unit (taken as f, Bps and s)", text_.line_of(node));
  return reading.value;
}

double DocumentReader::bandwidth(pugi::xml_node node, const char* attribute) {
  const double value = quantity(node, attribute, Measure::bandwidth);
  if (!(value > 0))
    fail(node, "bad_xml", "{}: {} must be > 0 Bps, got '{}'", subject(node), attribute,
         shown(node.attribute(attribute).value()));
  return value;
}

std::int64_t DocumentReader::whole(pugi::xml_node node, const char* attribute, std::int64_t least,
                                   std::int64_t most, std::int64_t absent) const {
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

std::size_t DocumentReader::choice(pugi::xml_node node, const char* attribute, std::string_view words,
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

LinkPolicy DocumentReader::policy(pugi::xml_node node, const char* attribute, LinkPolicy absent) const {
  constexpr std::string_view kWords = "SHARED SPLITDUPLEX FATPIPE WIFI FULLDUPLEX";
  constexpr LinkPolicy kPolicies[] = {LinkPolicy::shared, LinkPolicy::split, LinkPolicy::fatpipe,
                                      LinkPolicy::wifi, LinkPolicy::split};
  const std::size_t place = choice(node, attribute, kWords, std::size(kPolicies));
  return place == std::size(kPolicies) ? absent : kPolicies[place];
}

}  // namespace perigee::readers::simgrid
