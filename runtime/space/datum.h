// The value of a parameter, and of a whole case: plain data, without names.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "runtime/layers.h"

namespace perigee::space {

// A value of a parameter (space/space.h), by its kind:
//   real, whole   `number`
//   choice        `number`: the place among the choices, from 0
//   list          `items`: its elements
//   matrix        `items`: its rows, each with its entries as `items`
//   permutation   `items`: numbers 1 to n in some order
//   dag           `number`: how many tasks; `items`: edges, ascending, each { from, to, value } with from < to,
//                 tasks counted from 1
//   record        `items`: the values of its fields, in their order
struct Datum {
  double number = 0;
  std::vector<Datum> items = {};

  bool operator==(const Datum&) const = default;
};

// The value as numbers, its counts before its items, and back. Nothing where the numbers are not those of a value.
std::vector<double> packed(const Datum& value);
void pack(const Datum& value, std::vector<double>& out);
// Takes the value from the front of `numbers`.
std::optional<Datum> unpack(std::span<const double>& numbers);

}  // namespace perigee::space
