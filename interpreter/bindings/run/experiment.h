// Experiments that words of their own make: rounds of a duel, draws of a distribution.
#pragma once

#include <string_view>

#include "interpreter/bindings/run/experiment/declaration.h"
#include "interpreter/experiments/coordinator.h"
#include "interpreter/session/interpreter.h"

namespace perigee::bindings {

// Error where a run or a cell is under way.
void refuse_inside(const Interpreter& interpreter, std::string_view what);
// Computes this interpreter's share of the cells, and waits for the others'. `warns`: of cells that failed or warned, and of
// what is stored.
ExperimentPtr run_experiment(lua_State* L, Declaration& declaration, bool warns);

}  // namespace perigee::bindings
