// The line that tells how far an experiment is.
#pragma once

#include <functional>
#include <string>

#include "interpreter/session/cells.h"

namespace perigee::experiments {

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
