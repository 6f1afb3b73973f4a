// Max-min and greedy sufferage. Again and again, the task with the largest key goes to the machine that
// completes it first. Ties: lowest task position, then lowest machine index.
#pragma once

#include <cstdint>

#include "runtime/cost/mapping.h"
#include "runtime/cost/starts.h"

namespace perigee::cost {

enum class LargestKey : std::uint8_t {
  best,       // earliest completion
  sufferage,  // second earliest - earliest; +inf with one feasible machine
};

// Gives the same mapping as greedy_by_key with that key, faster; needs memory for a second matrix. O(T^2 M)
// at worst. Each choice looks at the waiting tasks in blocks, and in a block only at machines that matter
// there. With cores it is greedy_by_key.
void greedy_largest(const MappingProblem& problem, LargestKey key, Mapping& out, Extent extent = Extent::all);

}  // namespace perigee::cost
