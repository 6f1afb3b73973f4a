// A Jupyter kernel: a notebook behind sockets.
#pragma once

#include <string>

#include "interpreter/session/options.h"

namespace perigee::notebook {

// Serves the front ends of the connection file until one of them, or a signal, ends it. The exit status, 0. Error
// "no_file" or "bad_connection" of the connection file, "no_zeromq", "cannot_listen".
int run_kernel(const std::string& connection_file, InterpreterOptions options);

}  // namespace perigee::notebook
