// Data embedded at build time: perigee's standard library in Lua, and a hash of all sources.
#pragma once

#include <span>
#include <string_view>

#include "interpreter/layers.h"

namespace perigee::host {

struct EmbeddedModule {
  std::string_view name;    // path below stdlib without ".lua", '/' as '.': "stats", "report.table"
  std::string_view source;  // the file's text
};

// Sorted by path; lives as long as the process.
std::span<const EmbeddedModule> embedded_modules();

// Hash of the sources of which the program was built. It distinguishes programs of the same version.
std::string_view source_digest();

}  // namespace perigee::host
