// What the modules of the standard library say of themselves, in the comments of their sources.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/layers.h"

namespace perigee::interpreter {

struct ModuleFunction {
  std::string name, usage, comment;  // "application", "grids.application(given)"; lines end in "\n"
};
struct ModuleInfo {
  std::string_view name, source;
  std::string comment;                    // that it begins with
  std::vector<ModuleFunction> functions;  // in the order of the source; none: it is there to be copied
};

std::vector<ModuleInfo> standard_modules();  // by name

std::string first_sentence(std::string_view comment);
// "grids", "grids.application", "heuristics" for all below it, "heuristics.edf" for its source; empty of
// anything else. Fitted to so many columns; 0 = any number.
std::string help_on_module(std::string_view topic, std::size_t width);
std::vector<std::string> module_topics();

}  // namespace perigee::interpreter
