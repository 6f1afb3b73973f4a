// A run as a picture in the terminal.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "runtime/engine/simulation.h"

namespace perigee::results {

// The part of a run that a chart shows.
struct ChartPart {
  Time from = -kNever, to = kNever;  // otherwise from the first event to the end
  std::vector<HostId> hosts = {};    // in this order, and the links of their clusters; none: all
  std::size_t rows = 0;              // at most so many, each of neighbouring hosts; 0: as many as can be read
  bool whole() const { return from == -kNever && to == kNever && hosts.empty(); }
};

// Rows of at most `width` columns (at least 40), each ended by "\n". There is a row per core, or per host where
// jobs had several hosts and no host served two at a time. If there would be more than 40 such rows, hosts that did nothing are left out. If there are still too many, there is a row
// per host, shaded by how busy it was, or a row per group of neighbouring hosts. The row of a group says how
// many they are. ChartPart::rows asks for groups. A part that ends after the run shows what is known by then. Below are a row for each link that was used, the time axis and a legend of what occurs. A
// bar carries the number of its work, see bar_label. Its last cell says if it was lost, cancelled or
// superseded. `unicode` draws with block characters instead of ASCII; `colour` adds ANSI colours. Error
// "bad_figure" if the time shown is shorter than 1e-300 s.
std::string gantt(const Outcome& outcome, int width, bool unicode = true, bool colour = false,
                  const ChartPart& part = {});

// Two runs, one above the other on one time axis, each under its title. A mark above them shows the time at
// which they part, unless that is kNever.
std::string gantt(const Outcome& first, const Outcome& second, Time parting, int width, bool unicode = true,
                  bool colour = false, const ChartPart& part = {},
                  const std::array<std::string, 2>& titles = {});  // empty: their policies

}  // namespace perigee::results
