// The network of task graphs: a number, or one for each pair of clusters.
#pragma once

#include <vector>

#include "interpreter/host/stack.h"

namespace perigee::bindings {

// Reads a number, a list of numbers where `lists`, or rows of numbers, the diagonal of which is not looked at. A matrix
// comes row by row.
std::vector<double> read_network(const Fields& fields, const FieldRow& field, bool lists);

}  // namespace perigee::bindings
