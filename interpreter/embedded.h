// The Lua standard library, embedded at build time.
#pragma once

#include <span>
#include <string_view>

#include "interpreter/layers.h"

namespace perigee::interpreter {

struct EmbeddedModule {
  std::string_view name;    // path below stdlib without ".lua", '/' as '.': "stats", "report.table"
  std::string_view source;  // the file's text
};

// Sorted by path; lives as long as the process.
std::span<const EmbeddedModule> embedded_modules();

}  // namespace perigee::interpreter
