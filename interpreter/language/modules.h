// Help on the modules of the standard library, from the comments of their sources.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/layers.h"

namespace perigee::language {

struct ModuleFunction {
  std::string name, usage, comment;  // "application", "grids.application(given)"; lines end in "\n"
};
struct ModuleInfo {
  std::string_view name, source;
  std::string comment;                    // the comment at the top of the source
  std::vector<ModuleFunction> functions;  // in the order of the source; empty for a module to be copied
};

const std::vector<ModuleInfo>& standard_modules();  // by name

std::string first_sentence(std::string_view comment);
std::string list_of_modules(std::size_t width);  // a table
// Help on a topic: "modules", "grids", "grids.application", "heuristics" for all modules below it,
// "heuristics.edf" for its source; empty for any other topic. The text is fitted to `width` columns; 0 = any
// number.
std::string help_on_module(std::string_view topic, std::size_t width);
std::vector<std::string> module_topics();

}  // namespace perigee::language
