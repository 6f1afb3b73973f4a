// What is embedded at build time: the Lua standard library, and a hash of all sources.
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

// Hash of the sources of which the program was built, by which programs of the same version are told apart.
std::string_view source_digest();

}  // namespace perigee::interpreter
