#pragma once

#include <set>
#include <string>

#include "interpreter/layers.h"

namespace perigee::interpreter::lua {

// Names of files and settings that were looked for.
struct Reads {
  std::set<std::string> files, settings;
};

}  // namespace perigee::interpreter::lua
