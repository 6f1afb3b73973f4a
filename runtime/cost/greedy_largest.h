// Max-min and greedy sufferage: again and again the task with the largest key goes to the machine that
// completes it first. Ties: lowest task position, then lowest machine index.
#pragma once

#include <cstdint>

#include "runtime/cost/mapping.h"

namespace perigee {

enum class LargestKey : std::uint8_t {
  best,       // earliest completion
  sufferage,  // second earliest - earliest; +inf with one feasible machine
};

// The same as greedy_by_key with that key, and fast on any matrix. O(T^2) plus, for each choice and waiting
// task, the machines that matter where all tasks prefer the same ones, and one scan of the matrix row where
// its best completion changes otherwise.
void greedy_largest(const MatrixProblem& problem, LargestKey key, Mapping& out);

}  // namespace perigee
