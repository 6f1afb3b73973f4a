// workload.stream(f): works that are made as their time comes.
#pragma once

#include <cstdint>
#include <memory>

#include "interpreter/values/declarations.h"
#include "runtime/model/work_stream.h"

namespace perigee::bindings {

int make_stream(lua_State* L);
// The stream of a workload that is one, for a run of that seed; null for any other workload. `queues`: of the scenario. It draws from the
// run's stream "workload".
std::unique_ptr<model::WorkStream> stream_of(lua_State* L, const values::WorkloadValue& workload,
                                             const values::PlatformValue& platform,
                                             const std::shared_ptr<const model::Queues>& queues,
                                             std::uint64_t seed);

}  // namespace perigee::bindings
