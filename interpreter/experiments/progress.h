// The line that tells how far an experiment is.
#pragma once

#include <functional>

namespace perigee {

struct CellProgress;

// For a terminal: a line on standard error, overwritten as cells are done and removed by a null. Empty when
// standard error is none.
std::function<void(const CellProgress*)> cells_line();

}  // namespace perigee
