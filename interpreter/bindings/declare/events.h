// An event of a scenario that a script has declared.
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
};

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::EventPart> {
  static constexpr const char* value = "event";
};

}  // namespace perigee::host
