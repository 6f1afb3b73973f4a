// The reader of a platform file of SimGrid, element by element.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/model/readers/json_text.h"
#include "runtime/model/readers/simgrid/document.h"
#include "runtime/model/readers/xml_text.h"

namespace perigee::readers::simgrid {

inline constexpr std::uint64_t kStepsOfElement = 20;

// An element that is read. An element that only the network model, other programs or storage need is left out whole.
struct ElementRow {
  std::string_view name, older_name;
  std::string_view needs, takes;  // attributes
  std::string_view inside;        // elements that may hold it
};

// Properties of the power of hosts.
enum PowerOfHost : std::size_t { kWatts, kWattsOff, kSleep, kPowersOfHost };

// The next part of a list and the rest of it.
std::string_view next_part(std::string_view& list, std::string_view separators);

class DocumentReader {
 public:
  DocumentReader(std::string_view text, std::string_view name, const SimgridOptions& options, Notes& notes);
  Document read();

 private:
  // ---- document.cpp ----
  void read_platform(pugi::xml_node platform);
  void read_in_zone(pugi::xml_node node, std::uint32_t zone, std::string_view parent, int depth);
  void read_zone(pugi::xml_node node, std::uint32_t parent, int depth);
  std::uint32_t add_zone(pugi::xml_node node, const std::string& name, std::uint32_t parent);
  std::uint32_t add_point(pugi::xml_node node, std::string name, Point::Kind kind, std::uint32_t zone);
  std::uint32_t add_link(pugi::xml_node node, LinkElement link);

  // ---- elements.cpp ----
  pugi::xml_node root();
  [[noreturn]] void syntax(std::size_t at, std::string_view what) const {
    fail_at({out_.file, text_.line_of(at)}, "bad_xml", "column {}: {}", text_.column_of(at), what);
  }
  template <class... Args>
  [[noreturn]] void fail(pugi::xml_node at, std::string_view code, fmt::format_string<Args...> format,
                         Args&&... args) const {
    fail_at({out_.file, text_.line_of(at)}, code, "{}", fmt::format(format, std::forward<Args>(args)...));
  }
  // "<host> 'a'"
  static std::string subject(pugi::xml_node node);
  // The row of an element that may stand in `parent`; nothing for one that is left out.
  const ElementRow* row_of(pugi::xml_node node, std::string_view parent);
  void check_attributes(pugi::xml_node node, const ElementRow& row) const;
  // XML's own entities have been replaced; no other one is declared.
  void check_entities(pugi::xml_node node, pugi::xml_attribute attribute) const;
  std::string name_in(pugi::xml_node node, const char* attribute) const;
  double quantity(pugi::xml_node node, std::string_view attribute, std::string_view text, Measure measure);
  double quantity(pugi::xml_node node, const char* attribute, Measure measure) {
    return quantity(node, attribute, node.attribute(attribute).value(), measure);
  }
  double bandwidth(pugi::xml_node node, const char* attribute);
  std::int64_t whole(pugi::xml_node node, const char* attribute, std::int64_t least, std::int64_t most,
                     std::int64_t absent) const;
  // The place of the attribute's value among the words, without regard of case.
  std::size_t choice(pugi::xml_node node, const char* attribute, std::string_view words,
                     std::size_t absent) const;
  LinkPolicy policy(pugi::xml_node node, const char* attribute, LinkPolicy absent) const;

  // ---- hosts.cpp ----
  // The common properties of the hosts of one element.
  struct HostTemplate {
    Host host;
    bool left_out = false;
    std::size_t states = 1;                                // listed speeds
    std::array<pugi::xml_node, kPowersOfHost> power = {};  // properties, by PowerOfHost
  };
  HostTemplate read_template(pugi::xml_node node, std::string_view element);
  // Notes everything without a counterpart in so many hosts of a template.
  void note_hosts(pugi::xml_node node, const HostTemplate& hosts, std::int64_t count);
  void note_files(pugi::xml_node node, std::int64_t count);
  void add_host(pugi::xml_node node, std::string name, std::uint32_t zone, const HostTemplate& hosts);
  [[noreturn]] void too_many(pugi::xml_node node) const {
    fail(node, "bad_xml", "{}: the platform has more than {} hosts", subject(node), options_.most_hosts);
  }
  void read_host(pugi::xml_node node, std::uint32_t zone);
  // The numbers of "0-3,6", at most so many as there may be hosts.
  std::vector<std::int64_t> radical(pugi::xml_node node) const;
  void read_cluster(pugi::xml_node node, std::uint32_t parent);
  void read_cabinet(pugi::xml_node node, std::uint32_t zone);
  void check_master() const;

  // ---- properties.cpp ----
  void read_properties(pugi::xml_node parent, std::string_view element, HostTemplate* host);
  void read_role(pugi::xml_node node, HostTemplate& host);
  static std::size_t place_of_power(std::string_view id);
  // Whether it is a property of the power of a host.
  bool take_power(pugi::xml_node node, HostTemplate& host);
  // SimGrid's plug-in host_energy (3.32), and Batsim's p-states of sleep, in W and s.
  std::shared_ptr<const PowerModel> read_power(const HostTemplate& given, std::span<const double> speeds,
                                               std::size_t start);
  double one_watt(pugi::xml_node node, std::string_view text) const;
  // "100:120:200, 93:170": idle, towards which it falls with ever fewer busy cores (as idle), and all cores, by p-state.
  std::vector<SpeedState> read_watts(pugi::xml_node node) const;
  // "13:14:15": off is p-state 13, the way there is 14 and the way back 15, each of them one operation long.
  void read_sleep(pugi::xml_node node, std::span<const SpeedState> draws, std::span<const double> speeds,
                  std::size_t start, std::vector<bool>& is_sleep, PowerModel& power);
  void note_property(pugi::xml_node node);

  // ---- links.cpp ----
  void read_link(pugi::xml_node node);
  void read_route(pugi::xml_node node, std::uint32_t zone, std::string_view name);
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
  void add_route(pugi::xml_node node);
  bool is_inside(std::uint32_t gate, std::uint32_t zone) const;
  // A split link is named itself, or by the name of one of its directions.
  std::uint32_t link_named(pugi::xml_node node);

  // ---- profiles.cpp ----
  struct Trace {
    std::vector<double> times, values;
    double loop_after = 0;  // 0 = once
    bool elsewhere = false;
    std::optional<Profile> profile;  // of availability, where the model has such a one
  };
  void read_trace(pugi::xml_node node);
  void connect(pugi::xml_node node);
  // Before its first time a host has its whole speed; in a loop it has then what it had at the end.
  static std::optional<Profile> availability(const Trace& trace);

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

}  // namespace perigee::readers::simgrid
