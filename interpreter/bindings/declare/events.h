// The events of a scenario that a script has declared.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interpreter/values/declarations.h"

namespace perigee::bindings {

// Events of a platform, read from a file.
struct FileEvents {
  std::shared_ptr<const Platform> platform;
  std::vector<Happening> happenings;
  std::vector<Profile> profiles;
};

// An event before it is part of a scenario. Its names are looked up in the scenario.
struct EventPart {
  std::string kind;
  Reference fields = {};
  SourceLocation declared_at = {};
  std::shared_ptr<const FileEvents> file = {};  // takes the place of `fields`
  // Makes a process of the value at `index`. `number` counts the scenario's processes from 1.
  std::shared_ptr<const Process> (*process)(lua_State* L, int index, std::size_t number,
                                            const PlatformValue& platform,
                                            const SourceLocation& declared_at) = nullptr;
};
// The value at `index`, a table as a copy, so that later changes by the script have no effect.
Reference declared_event(lua_State* L, int index);
// Adds the events of the list at `table`, in which there may be lists of them. Error "bad_event" where one
// cannot happen.
void read_events_of(lua_State* L, int table, const PlatformValue& platform, Scenario& scenario);

void open_events(lua_State* L);  // called by open_scenario()

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::EventPart> {
  static constexpr const char* value = "event";
};

}  // namespace perigee::host
