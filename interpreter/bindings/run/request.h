// The options of a run.
#pragma once

#include <span>
#include <string_view>

#include "interpreter/host/stack.h"
#include "interpreter/language/fields/runs.h"
#include "interpreter/values/runs.h"

namespace perigee::bindings {

// A run of a stream or in a cell of an experiment keeps so many records unless it asks for its trace.
inline constexpr std::size_t kMostRecords = std::size_t{1} << 20;

// Reads the fields that s:run, s:start and s:compare have in common.
void read_options(const Fields& fields, RunRequest& request);
// The table at `index`; `what` is the method's name.
RunRequest request_at(lua_State* L, int index, std::string_view what,
                      std::span<const FieldRow> rows = language::run_fields::kRun);

}  // namespace perigee::bindings
