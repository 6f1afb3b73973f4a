// The line that tells how far an experiment is.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "interpreter/session/cells.h"

namespace perigee::experiments {

// "40 s", "3 min", "2.5 h"
std::string rough_time(double seconds);

// How far an experiment is; a number that is 0 is not told.
struct Reached {
  std::uint64_t cells = 0, done = 0, failed = 0, stored = 0, workers = 0;
  double rate = 0, left = 0;  // cells per second; seconds
};
// "study: 40 of 100 cells done, 3 failed, 20 stored before, 12 cells/s, 8 workers, about 2 min left"
std::string reached_text(std::string_view experiment, const Reached& reached);

// The same of what is told now: `first` cells were done when the time began, so many seconds ago.
std::string reached_text(const CellProgress& progress, std::size_t first, double seconds);

// For a terminal: a line on standard error, overwritten as cells are done and removed by a null. The function
// is empty when standard error is no terminal.
std::function<void(const CellProgress*)> cells_line();
// For a log: lines now and then, the first after a minute, then whenever the time since the beginning has
// grown by a tenth, a minute at least. `clock` gives seconds.
std::function<void(const CellProgress*)> cells_log(std::function<double()> clock,
                                                   std::function<void(const std::string&)> write);
// The same, written to standard error.
std::function<void(const CellProgress*)> cells_log();

}  // namespace perigee::experiments
