// What a scheduler of the catalogue is, for people: the same text on the command line and at the prompt.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/layers.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::interpreter {

// Fitted to so many columns; 0 = any number.
std::string describe(const Entry& entry, std::size_t width = 0);

// Its parts.
std::vector<std::pair<std::string_view, std::string>> facts_of(
    const Entry& entry);  // family, source, cost, ...
std::string default_of(const Parameter& parameter);
std::string allowed_of(const Entry& entry, const Parameter& parameter);
std::string in_a_script(const Entry& entry);  // "sufferage { form = "greedy" }"

}  // namespace perigee::interpreter
