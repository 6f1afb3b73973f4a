// From the declaration of an experiment to its outcomes.
#pragma once

#include <cstdint>
#include <string_view>

#include "interpreter/bindings/run/experiment/declaration.h"
#include "interpreter/experiments/coordinator.h"

namespace perigee::bindings {

inline constexpr std::uint64_t kStepsOfExperiment = 5000;  // besides those of its cells

// Error "bad_call" inside of a run or a cell; `what`: "an experiment".
void refuse_inside(lua_State* L, std::string_view what);
// Computes, with all other interpreters of the script, the cells that are not stored yet. `warns`: of what is
// to be warned of. Afterwards the outcomes are complete, but for a shard. Does not return in a worker that
// nothing more is wanted of.
experiments::ExperimentPtr carried_out(lua_State* L, Declaration& declaration, bool warns = true);

}  // namespace perigee::bindings
