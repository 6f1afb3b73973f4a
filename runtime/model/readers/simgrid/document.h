// The declarations of a platform file of SimGrid, before they become a platform.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/model/readers/lines.h"
#include "runtime/model/readers/simgrid.h"

namespace perigee::readers::simgrid {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// A host, a router or a zone: what routes lead to.
struct Point {
  enum class Kind : std::uint8_t { host, router, zone };
  std::string name;
  Kind kind = Kind::host;
  std::uint32_t zone = 0;          // in which it stands
  std::uint32_t index = kNone;     // of the zone that it is, or of its host; a host that is left out has none
  std::uint32_t own_link = kNone;  // of a host of a cluster element
  int line = 0;
};

struct HostElement {
  std::uint32_t point = 0, zone = 0;
  Host host;
};

enum class LinkPolicy : std::uint8_t { shared, split, fatpipe, wifi };

struct LinkElement {
  std::string name;
  double bandwidth = 0, latency = 0;  // B/s, s
  LinkPolicy policy = LinkPolicy::shared;
  bool of_cluster = false;  // made by a cluster element
  int line = 0;
};

struct RouteElement {
  std::uint32_t zone = 0, from = 0, to = 0;      // points that stand in the zone
  std::uint32_t leaves = kNone, enters = kNone;  // points inside of those, where they are zones
  std::vector<std::uint32_t> links = {};
  bool symmetrical = true;
  int line = 0;
};

struct ZoneElement {
  std::uint32_t point = kNone;  // the first one, around all, has none
  std::string routing;          // "Full", ...; of a cluster element "Cluster element"
  std::vector<std::uint32_t> children;
  std::uint32_t hosts = 0;  // that are taken over, in all zones inside
  // The rest is known of a cluster element.
  bool is_cluster = false;
  std::string unsupported;  // what of its network has no counterpart
  std::uint32_t router = kNone, backbone = kNone;
  int line = 0;
};

struct Document {
  std::string file;
  std::deque<Point> points;  // `point_of` and `link_of` refer to their names
  std::vector<HostElement> hosts;
  std::deque<LinkElement> links;
  std::vector<ZoneElement> zones{1};
  std::vector<RouteElement> routes;
  int first_bypass = 0;  // line of the first route that replaces others; 0 = there is none
  std::unordered_map<std::string_view, std::uint32_t> point_of, link_of;
};

// Notes of the same thing are one.
class Notes {
 public:
  void add(std::string_view what, int line, std::int64_t count = 1);
  std::vector<SimgridNote> take();

 private:
  std::vector<SimgridNote> all_;
};

// The hosts with the links that lead to each of them from `origin`.
PlatformSpec with_routes(const Document& document, std::string_view origin, Notes& notes);

// ---- quantities ----

enum class Measure : std::uint8_t { speed, bandwidth, time };

struct Reading {
  double value = 0;      // op/s, B/s, s
  bool has_unit = true;  // a number other than 0 without unit is in op/s, B/s, s
  std::string problem;   // empty = none
};

// "100.0Mf", "1GiBps", "59.904us": a finite number >= 0 and a unit of SimGrid.
Reading reading_of(std::string_view text, Measure measure);

}  // namespace perigee::readers::simgrid
