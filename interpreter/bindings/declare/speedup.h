#pragma once

#include <cstdint>
#include <optional>

#include "interpreter/values/speed_up.h"

namespace perigee::bindings {

// How much faster than on one core; not of a table. `cores` >= 1.
double speedup_at(const values::SpeedUp& given, double cores);
// The time of that size in a table; none if it has no entry.
std::optional<double> time_in_table(const values::SpeedUp& given, std::int32_t size);

void open_speedups(lua_State* L);  // called by open_workload()

}  // namespace perigee::bindings
