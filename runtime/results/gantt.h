// A run as a picture for the terminal.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "runtime/engine/simulation.h"

namespace perigee::results {

// What of a run a chart shows.
struct ChartPart {
  Time from = -kNever, to = kNever;  // otherwise from the first event to the end
  std::vector<HostId> hosts = {};    // in this order, and the links of their clusters; none: all
  bool whole() const { return from == -kNever && to == kNever && hosts.empty(); }
};

// Rows of at most `width` columns (at least 40), each ended by "\n": a row per core; or, when these would be
// more than 40, without the hosts that did nothing; per host, shaded by how busy it was; or per group of
// neighbouring hosts, saying how many. Then a row for each link that was used, the time axis and a legend of
// what occurs. A bar carries the number of its work, see bar_label; its last cell says when it was lost,
// cancelled or superseded. `unicode` draws with block characters instead of ASCII; `colour` adds ANSI
// colours.
std::string gantt(const Outcome& outcome, int width, bool unicode = true, bool colour = false,
                  const ChartPart& part = {});

// Two runs one above the other on one time axis, each under its title; above them a mark at the time at
// which they part, unless that is kNever.
std::string gantt(const Outcome& first, const Outcome& second, Time parting, int width, bool unicode = true,
                  bool colour = false, const ChartPart& part = {},
                  const std::array<std::string, 2>& titles = {});  // empty: their policies

}  // namespace perigee::results
