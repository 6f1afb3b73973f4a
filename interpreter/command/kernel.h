// `perigee kernel`: a kernel for Jupyter, and its installation.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "interpreter/layers.h"
#include "interpreter/session/options.h"

namespace perigee::command {

struct KernelRequest {
  std::string connection;  // the file that Jupyter writes
  bool install = false, user = false;
  std::string prefix, name;
};

void take_kernel(CLI::App& command, KernelRequest& request);
// Serves or installs. `command` has the options with which an installed kernel is started.
int kernel(const CLI::App& command, const KernelRequest& request, session::InterpreterOptions options);

}  // namespace perigee::command
