// Words of a parameter and what they stand for: tables of names and values.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace perigee::schedulers {

// The value of a name that is in the table; and all its names.
template <class Table>
auto value_of(const Table& table, std::string_view name) {
  return std::ranges::find(table, name, [](const auto& row) { return row.first; })->second;
}
template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  names.reserve(std::size(table));
  for (const auto& [name, value] : table) names.emplace_back(name);
  return names;
}

}  // namespace perigee::schedulers
