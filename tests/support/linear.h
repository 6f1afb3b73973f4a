// Linear equations and least squares by a library, for comparing with formulas. One source reads its header.
#pragma once

#include <vector>

namespace perigee::test {

using Rows = std::vector<std::vector<double>>;

// The x with the least squares of `rows` x - `right`: the solution where the rows are square and regular.
std::vector<double> least_squares(const Rows& rows, const std::vector<double>& right);

}  // namespace perigee::test
