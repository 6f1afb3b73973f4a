#pragma once

#include <set>
#include <string>

#include "interpreter/layers.h"

namespace perigee::interpreter::lua {

// What is made once and used by several cells has these, for each of them: names of files and settings that were
// looked for, and what was said once.
struct Reads {
  std::set<std::string> files, settings, warnings;
};

}  // namespace perigee::interpreter::lua
