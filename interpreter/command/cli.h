// The command line: perigee run | check | list | describe | replay | version.
#pragma once

#include "interpreter/layers.h"

namespace perigee::command {

inline constexpr int kSuccess = 0;
inline constexpr int kScriptFailed = 1;
inline constexpr int kWrongUsage = 2;

// Runs a command line and returns the exit status. Results go to standard output, diagnostics to standard
// error.
int command_line(int argc, const char* const* argv);

}  // namespace perigee::command
