// Finds the line of a source at which a table of the script stands.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "interpreter/host/lua.h"

namespace perigee::host {

// The line of `field =` in the table at `index`, an argument in the statement at line `call`. With no field,
// the line at which the table begins. The table is recognized by the entries written in it, so that the right
// record of a list is found. Nothing when the line is not certain.
std::optional<int> line_in_source(lua_State* L, int index, std::string_view source, int call,
                                  std::string_view field);

// The line of entry `number` of the list at `index`, in the same way.
std::optional<int> line_of_entry(lua_State* L, int index, std::string_view source, int call,
                                 std::int64_t number);

// The line at which record `number` begins in a list of `count` records that the statement at line `call`
// reads, when the list itself is gone. The list is written there, or as the value of a name before. `name`:
// the record's, which must be the written one.
std::optional<int> line_of_record(std::string_view source, int call, std::int64_t number, std::int64_t count,
                                  std::string_view name);

}  // namespace perigee::host
