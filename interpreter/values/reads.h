#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "interpreter/layers.h"

namespace perigee::values {

// The reads of an object that is made once and used by several cells. Each of these cells has them: names of
// files and settings that were looked for, seeds named in place of the cell's own, and warnings that are
// given once.
struct Reads {
  std::set<std::string> files, settings, warnings;
  std::set<std::uint64_t> seeds;
  void add(const Reads& more) {
    files.insert(more.files.begin(), more.files.end());
    settings.insert(more.settings.begin(), more.settings.end());
    warnings.insert(more.warnings.begin(), more.warnings.end());
    seeds.insert(more.seeds.begin(), more.seeds.end());
  }
};

}  // namespace perigee::values
