// An event of a scenario that a script has declared.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interpreter/bindings/declarations.h"

namespace perigee::interpreter::lua {

// What happens to a platform that was read from a file.
struct FileEvents {
  std::shared_ptr<const Platform> platform;
  std::vector<Happening> happenings;
  std::vector<Profile> profiles;
};

// Before it is part of a scenario: names are looked up there.
struct EventPart {
  std::string kind;
  Reference fields = {};
  SourceLocation declared_at = {};
  std::shared_ptr<const FileEvents> file = {};  // in place of fields
};
template <>
struct TypeName<EventPart> {
  static constexpr const char* value = "event";
};

}  // namespace perigee::interpreter::lua
