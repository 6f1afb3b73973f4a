// Outcomes side by side.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/results/table.h"

namespace perigee::results {

// One row per outcome: policy, the metrics, status. The default metrics are makespan, mean_wait,
// mean_response, mean_slowdown, utilization, lost. Error "unknown_metric" with the nearest name. If `names`
// are given, one per outcome, they come first.
Table comparison(std::span<const Outcome> outcomes, std::span<const std::string> metrics = {},
                 std::span<const std::string> names = {});

// The cells of that table with the best values of their columns, if it is clear what is better and values differ. If
// some runs are complete, only these count. Runs of different scenarios have none.
std::vector<bool> best_cells(const Table& table, std::span<const Outcome> outcomes,
                             std::span<const std::string> metrics = {},
                             std::span<const std::string> names = {});

// The table as text, with a '*' behind the best values. `most` as in Table::text.
std::string comparison_table(std::span<const Outcome> outcomes, std::span<const std::string> metrics = {},
                             std::span<const std::string> names = {}, std::size_t most = 0);

}  // namespace perigee::results
