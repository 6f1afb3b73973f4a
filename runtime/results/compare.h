// Outcomes side by side.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/results/table.h"

namespace perigee {

// One row per outcome: policy, the metrics, status. Without names: makespan, mean_wait, mean_response,
// mean_slowdown, utilization, lost. Error "unknown_metric" with the nearest name.
Table comparison(std::span<const Outcome> outcomes, std::span<const std::string> metrics = {});

// The same as text. The best values of a column have a '*' when it is clear what is better, values differ,
// and among complete runs only when there are such.
std::string comparison_table(std::span<const Outcome> outcomes, std::span<const std::string> metrics = {});

}  // namespace perigee
