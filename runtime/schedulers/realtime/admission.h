// Admission of divisible loads with deadlines: a load is accepted when it and all that wait can be planned,
// one after the other in the policy's order, each with all of its nodes from its start to its end.
//
// Source: Mamat, 2011, Chapter 4, Figure 4.1.
#pragma once

#include <string>

#include "runtime/schedulers/catalogue.h"

namespace perigee::realtime {

// In which loads are planned; ties by arrival, then by input.
enum class LoadOrder : std::uint8_t {
  arrival,
  deadline,
  workload_derivative,  // the largest first (equation 4.1); ties by deadline
};

// A policy of this kind: its parameters and all else but the source.
Entry admission_entry(std::string name, std::string summary, LoadOrder order);

}  // namespace perigee::realtime
