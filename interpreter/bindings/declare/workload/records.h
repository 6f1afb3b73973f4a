// The records of works, as scripts write them.
#pragma once

#include <cstdint>
#include <string>

#include "interpreter/host/stack.h"
#include "interpreter/values/declarations.h"

namespace perigee::bindings {

inline constexpr std::int64_t kWorkloadMostWorks = 100'000'000;

// The record at `index`. `number`: its place in its list, from 1.
values::WorkRecord record_at(lua_State* L, int index, WorkKind kind, std::int64_t number);
// The kind of work that the fields of a record tell.
WorkKind kind_of_record(lua_State* L, int record);
// The text in the field `name` of the value at `index`, which is an absolute index; empty where there is none.
std::string name_in_record(lua_State* L, int index);
// Whether the value at `record` is a table that has the field.
bool has_field(lua_State* L, int record, const host::FieldRow& field);
// A matrix at `index`, and after it perhaps { times =, quality =, arrivals =, priorities = }.
values::MatrixTasks matrix_tasks_at(lua_State* L, int index);

}  // namespace perigee::bindings
