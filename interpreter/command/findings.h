#pragma once

#include <string>
#include <vector>

#include "interpreter/session/options.h"

namespace perigee::command {

// Runs scripts for their claims and discards their output: the named scripts, else all that come with
// perigee. Prints a page and returns the exit status.
int findings(const std::vector<std::string>& paths, const InterpreterOptions& options);

}  // namespace perigee::command
