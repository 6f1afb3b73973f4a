// A worker process: computes cells for the coordinator of another one.
#pragma once

#include <string>

#include "interpreter/session/interpreter.h"

namespace perigee::experiments {

// Runs the coordinator's script and computes cells until the coordinator is gone, or a signal or the time
// limit of its Slurm job tells it to leave. The coordinator is found by the file of access; without one it is
// at the other end of standard input and output. Returns only when the worker is not taken or cannot follow
// the script; Error when there is no coordinator.
int work(Interpreter::OpenWords words, const std::string& access_file);

}  // namespace perigee::experiments
