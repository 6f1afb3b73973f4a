// Admission of divisible loads with deadlines. A load is accepted if it and all waiting loads can be planned,
// one after another in the policy's order. Each has all of its nodes from its start to its end.
//
// Source: Mamat, 2011, Chapter 4, Figure 4.1.
#pragma once

#include <string>

#include "runtime/schedulers/catalogue.h"

namespace perigee::realtime {

// The order in which loads are planned; ties: by arrival, then by input.
enum class LoadOrder : std::uint8_t {
  arrival,
  deadline,
  workload_derivative,  // the largest first (equation 4.1); ties by deadline
};

// An entry of such a policy: its parameters and everything else but the source.
Entry admission_entry(std::string name, std::string summary, LoadOrder order);

}  // namespace perigee::realtime
