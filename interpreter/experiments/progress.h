// The line that tells how far an experiment is.
#pragma once

#include <functional>
#include <string>

#include "interpreter/layers.h"

namespace perigee::experiments {

struct CellProgress;

// For a terminal: a line on standard error, overwritten as cells are done and removed by a null. Empty when
// standard error is none.
std::function<void(const CellProgress*)> cells_line();
// For a log: lines now and then, the first after a minute, then whenever the time since the beginning has grown
// by a tenth, a minute at least. `clock` gives seconds.
std::function<void(const CellProgress*)> cells_log(std::function<double()> clock,
                                                   std::function<void(const std::string&)> write);
// To standard error.
std::function<void(const CellProgress*)> cells_log();

}  // namespace perigee::experiments
