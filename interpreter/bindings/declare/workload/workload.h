// From declared work to the works of a run.
#pragma once

#include <cstdint>
#include <string>

#include "interpreter/values/declarations.h"

namespace perigee::bindings {

// The workload of one seed on one platform. Generators draw from the run's stream "workload". With `onto`,
// the result is that workload and then the new one; generators draw from "workload/N", N the number of works
// before. `queues`: those of the scenario, without `onto`; null = it declares none.
Workload realize(lua_State* L, const WorkloadValue& workload, const PlatformValue& platform,
                 std::uint64_t seed, const Workload* onto = nullptr,
                 const std::shared_ptr<const model::Queues>& queues = nullptr);
// Error when a workload has too many pieces, or more than there is room for.
void check_pieces(double pieces, std::size_t bytes_each);
// The argument of sim:submit and sim:quote (`what` names the method): a workload, a record or a list of
// records. The fields of a record tell its kind.
WorkloadValue submission_at(lua_State* L, int index, const char* what = "submit");

// workload.grid { parameter, ... }: a list of rows, one for each run; the last parameter varies fastest.
int sweep_grid(lua_State* L);

// workload.random_loads { load = 0.5, ... }
int random_loads(lua_State* L);

// workload.periodic { { period = 4, time = 1 }, ..., horizon = 100 }
int periodic(lua_State* L);

// The workflow { name =, tasks = { ... } }, the `number`-th that a function has returned; 0 = it stands alone.
values::WorkloadPart workflow_at(lua_State* L, int index, std::int64_t number);
int make_workflow(lua_State* L);   // workload.workflow { ... }
int make_workflows(lua_State* L);  // workload.workflows { workflow, ... } or (n, function(i, rng) ... end)
// Whether tasks of the list at `list` name each other rightly. An error has the line of its record.
void check_links(lua_State* L, int list, const std::string& what, const values::WorkRecords& records,
                 bool is_workflow);

// Pushes the log of the first part that has one, or nil.
void push_log(lua_State* L, const WorkloadValue& workload);

}  // namespace perigee::bindings
