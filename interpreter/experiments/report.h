// The results of an experiment, as tables and files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/experiments/design.h"

namespace perigee::experiments {

// The names of the measures of all cells, in the order in which they first appear.
std::vector<std::string> measures_of(const CellOutcomes& outcomes);

// One row for each finished cell: cell, factors, replication, seed, measures.
Table cell_table(const Design& design, const CellOutcomes& outcomes);
// One row for each combination: factors, n, then mean and half-width of each measure. Cells where a measure
// is absent or NaN are left out; if there are any, a column <measure>_n counts the others. With `warnings`, a
// column warned tells how many of the cells have warnings.
Table mean_table(const Design& design, const CellOutcomes& outcomes, const std::vector<std::string>& measures,
                 double confidence, bool warnings = false);
// Differences from the level `baseline` of a factor, within the same replication: one row for each other
// combination. Columns: factors, n, mean, baseline_mean, difference, difference_half_width, verdict.
Table difference_table(const Design& design, const CellOutcomes& outcomes, const std::string& measure,
                       std::size_t factor, std::uint32_t baseline, double confidence);
// One row for each failed cell: cell, factors, replication, seed, message.
Table failure_table(const Design& design, const CellOutcomes& outcomes);

// One text of warning, summed over the cells of a combination.
struct WarningSum {
  std::size_t combination = 0;
  CellWarning warning;            // its count is that of all cells together
  std::size_t cells = 0, of = 0;  // cells that have it; cells that finished
  std::uint64_t first = 0;        // number of the first such cell
  std::string text() const;       // "27 pieces of work rejected"
};
std::vector<WarningSum> warning_sums(const Design& design, const CellOutcomes& outcomes);
// One row for each of these sums: factors, cells, count, warning.
Table warning_table(const Design& design, const CellOutcomes& outcomes);

// Like Table::csv, but NaN is "nan", which distinguishes it from an absent value.
std::string exact_csv(Table table);
std::string experiment_json(const Design& design, const CellOutcomes& outcomes);
// Reads such a text again. Error "bad_file" naming `file` when it is no such text.
std::pair<Design, CellOutcomes> read_experiment(const std::string& text, const std::string& file);

}  // namespace perigee::experiments
