#pragma once

#include <string>
#include <vector>

#include "interpreter/values/runs.h"

namespace perigee::bindings {

std::vector<Outcome> outcomes_of(const ComparisonValue& comparison);
// The comparison as the prompt shows it. For two runs it also says where they part and shows both charts.
std::string shown_comparison(lua_State* L, const ComparisonValue& comparison);

// s:compare { policy, policy, ..., seed =, horizon =, information =, metrics = { ... }, names = { ... } }
int compare(lua_State* L);
int first_difference(lua_State* L);  // c:first_difference([i, j])
int comparison_gantt(lua_State* L);  // c:gantt([width])

}  // namespace perigee::bindings
