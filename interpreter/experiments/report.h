// What an experiment found, as tables and files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/experiments/design.h"

namespace perigee {

// Of all cells, in the order in which they first appear.
std::vector<std::string> measures_of(const CellOutcomes& outcomes);

// One row for each finished cell: cell, factors, replication, seed, measures.
Table cell_table(const Design& design, const CellOutcomes& outcomes);
// One row for each combination: factors, n, then mean and half-width of each measure. Cells where a measure
// is absent or NaN are left out; where there are any, a column <measure>_n counts the others.
Table mean_table(const Design& design, const CellOutcomes& outcomes, const std::vector<std::string>& measures,
                 double confidence);
// Differences to the level `baseline` of a factor, within the same replication: one row for each other
// combination. Columns: factors, n, mean, baseline_mean, difference, difference_half_width, verdict.
Table difference_table(const Design& design, const CellOutcomes& outcomes, const std::string& measure,
                       std::size_t factor, std::uint32_t baseline, double confidence);
// One row for each failed cell: cell, factors, replication, seed, message.
Table failure_table(const Design& design, const CellOutcomes& outcomes);

// As Table::csv, but NaN is "nan", so that it is told from what is absent.
std::string exact_csv(Table table);
std::string experiment_json(const Design& design, const CellOutcomes& outcomes);

}  // namespace perigee
