#pragma once

#include "interpreter/host/lua.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/runs.h"
#include "runtime/pages/chart.h"

namespace perigee::bindings {

int why(lua_State* L);      // sim:why(work), r:why(work)
int why_not(lua_State* L);  // sim:why_not(work, host), r:why_not(work, host)

// The decisions about works of the run, in words, for a page: of all works, or of those that waited longest where a
// replay of all would take long.
pages::Whys whys_of(Interpreter& interpreter, const ResultValue& result);

}  // namespace perigee::bindings
