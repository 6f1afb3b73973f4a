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

// Called where all of its trace is needed. Error "not_measured" if it has been forgotten.
inline void check_trace_is_kept(const Outcome& outcome) {
  if (outcome.trace.has_forgotten())
    fail("not_measured", "the trace of this run was too long to be kept; run it with trace = \"full\"");
}

}  // namespace perigee::bindings
