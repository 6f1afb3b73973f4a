// Descriptions of the schedulers of the catalogue for people. The text is the same on the command line and at
// the prompt.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/layers.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::language {

// The description, fitted to `width` columns; 0 = any number.
std::string describe(const Entry& entry, std::size_t width = 0);

// The parts of the description.
std::vector<std::pair<std::string_view, std::string>> facts_of(
    const Entry& entry);  // family, source, cost, ...
std::string default_of(const Parameter& parameter);
std::string allowed_of(const Entry& entry, const Parameter& parameter);
std::string in_a_script(const Entry& entry);  // "sufferage { form = "greedy" }"

// A table of the schedulers of one family, all for ""; empty for a name that is no family.
std::string list_of_schedulers(const Catalogue& catalogue, std::string_view family, std::size_t width);

}  // namespace perigee::language
