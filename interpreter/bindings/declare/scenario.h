// Scenarios of a seed, and the fields that their events have in common with changes of a simulation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/values/declarations.h"

namespace perigee::bindings {

std::shared_ptr<const Scenario> scenario_for(lua_State* L, ScenarioValue& scenario, std::uint64_t seed);

// The host, cluster or link of that name.
ResourceId resource_named(const Platform& platform, std::string_view name);
// Reads `speed`, `factor`, `availability`, `bandwidth` or `latency` into `change`. `add` keeps a profile and
// returns its place.
void read_change(const Fields& fields, const Platform& platform, Happening& change,
                 const std::function<std::uint32_t(Profile)>& add);
std::int32_t architecture_named(const Fields& fields, const std::vector<std::string>& names);

}  // namespace perigee::bindings
