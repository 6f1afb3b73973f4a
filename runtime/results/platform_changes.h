// Changes of hosts and links, from the trace and the scenario.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/engine/simulation.h"

namespace perigee::results {

struct PlatformChange {
  std::size_t record = 0;  // `changed` or `joined`
  ResourceId on;
  const Happening* happening = nullptr;  // null: only the trace knows of it
};
// In order of the trace: joins of hosts and clusters, changes of hosts and links. Valid as long as the
// outcome.
std::vector<PlatformChange> platform_changes(const Outcome& outcome);

// The rates of a host's cores, states of speed included, or of a link over time, and the architectures that a host had.
struct Rates {
  struct Rate {
    Time from;
    double factor;
    const Profile* profile;
    Time anchor;
    const Profile* latency = nullptr;  // of a link
    Time latency_anchor = 0;
  };
  std::vector<Rate> all;  // ascending; of equal times the last counts
  std::vector<std::pair<std::size_t, std::int32_t>> architectures;  // from a place in the trace on
  bool known = true;  // false: it changed, and only the trace knows of that

  std::int32_t architecture(std::size_t record) const;  // just before that place in the trace
};
struct ResourceRates {
  std::vector<Rates> hosts, links;
};
// Points into the scenario of the outcome.
ResourceRates rates_of(const Outcome& outcome);

}  // namespace perigee::results
