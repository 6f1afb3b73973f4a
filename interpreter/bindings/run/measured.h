// Results that a cell of an experiment measures.
#pragma once

#include <fmt/format.h>

#include "interpreter/session/interpreter.h"
#include "interpreter/values/runs.h"

namespace perigee::bindings {

// Called where the script reads a number or rows of an outcome.
inline void note_measured(lua_State* L, const Outcome& outcome) {
  if (outcome.status == RunStatus::running)
    Interpreter::of(L).cell().note_early(
        fmt::format("{} with seed {} is measured at t = {} s, before its end", outcome.policy, outcome.seed,
                    outcome.end));
}

}  // namespace perigee::bindings
