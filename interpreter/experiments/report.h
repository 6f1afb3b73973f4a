// What an experiment found, as tables and files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/experiments/design.h"

namespace perigee::experiments {

// Of all cells, in the order in which they first appear.
std::vector<std::string> measures_of(const CellOutcomes& outcomes);

// One row for each finished cell: cell, factors, replication, seed, measures.
Table cell_table(const Design& design, const CellOutcomes& outcomes);
// One row for each combination: factors, n, then mean and half-width of each measure. Cells where a measure
// is absent or NaN are left out; where there are any, a column <measure>_n counts the others. `warnings`: a
// column warned, how many of the cells have warnings.
Table mean_table(const Design& design, const CellOutcomes& outcomes, const std::vector<std::string>& measures,
                 double confidence, bool warnings = false);
// Differences to the level `baseline` of a factor, within the same replication: one row for each other
// combination. Columns: factors, n, mean, baseline_mean, difference, difference_half_width, verdict.
Table difference_table(const Design& design, const CellOutcomes& outcomes, const std::string& measure,
                       std::size_t factor, std::uint32_t baseline, double confidence);
// One row for each failed cell: cell, factors, replication, seed, message.
Table failure_table(const Design& design, const CellOutcomes& outcomes);

// What the cells of a combination were warned of, by its text.
struct WarningSum {
  std::size_t combination = 0;
  CellWarning warning;            // of all cells together
  std::size_t cells = 0, of = 0;  // that have it, of those that finished
  std::uint64_t first = 0;        // cell
  std::string text() const;       // "27 pieces of work rejected"
};
std::vector<WarningSum> warning_sums(const Design& design, const CellOutcomes& outcomes);
// One row for each: factors, cells, count, warning.
Table warning_table(const Design& design, const CellOutcomes& outcomes);

// As Table::csv, but NaN is "nan", so that it is told from what is absent.
std::string exact_csv(Table table);
std::string experiment_json(const Design& design, const CellOutcomes& outcomes);
// The opposite. Error "bad_file" naming `file` when it is not such a text.
std::pair<Design, CellOutcomes> read_experiment(const std::string& text, const std::string& file);

}  // namespace perigee::experiments
