// The values of parameters: how they are written, and what they may be.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/schedulers/catalogue.h"

namespace perigee::schedulers {

// Writes a value as a script would; the parts without the braces around them.
std::string shown(const Value& value);
std::string shown_items(const Parts& parts);

std::string range_of(const Parameter& parameter);
bool in_range(const Parameter& parameter, double number);
bool has_no_fraction(double number);
bool is_default(const Parameter& parameter, const Value& value);

// The value, with schedulers for their names. Error "bad_parameter" or "unknown_scheduler" unless the parameter allows it.
Value checked(const Catalogue& catalogue, const Entry& entry, const Parameter& parameter, const Value& value);

// Suggests the nearest of the names that `wanted` accepts, or lists all of them in the order of the
// catalogue.
template <class Wanted>
std::string nearest_entry(std::span<const std::shared_ptr<const Entry>> entries, std::string_view name,
                          Wanted wanted) {
  std::vector<std::string> names;
  for (const auto& entry : entries)
    if (wanted(*entry)) names.push_back(entry->name);
  const std::string nearest = did_you_mean(name, names);
  if (!nearest.empty()) return nearest;
  constexpr std::size_t kFew = 40;
  if (names.size() > kFew) return "; `perigee list` has those that there are";
  return fmt::format("; there are {}", fmt::join(names, ", "));
}

}  // namespace perigee::schedulers
