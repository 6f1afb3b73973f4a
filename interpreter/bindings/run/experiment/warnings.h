// Warnings about an experiment that is over.
#pragma once

#include <cstddef>

#include "interpreter/experiments/coordinator.h"
#include "interpreter/session/interpreter.h"

namespace perigee::bindings {

// Warns of stored cells that were not taken, of cells that failed, of what runs warned of, and of
// replications that were not enough. `nth`: the experiment's place in the script, from 0.
void warn_of_experiment(Interpreter& interpreter, const experiments::Experiment& experiment, std::size_t nth);

}  // namespace perigee::bindings
