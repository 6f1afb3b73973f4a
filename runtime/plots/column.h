// Columns of tables as something to draw.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/results/table.h"

namespace perigee::plots {

// A number for each row, in `unit`, NaN = none; or a text for each row.
struct PlotColumn {
  std::string name, unit = {};
  bool numeric = true;
  std::vector<double> numbers = {};
  std::vector<std::optional<std::string>> texts = {};
  std::size_t odd = 0;  // the row, from 0 on, of the first text that is no number beside the others
  bool share = false;   // a metric without a unit

  // `what`: the field that names the column.
  void refuse_texts(const char* what) const;

  // False where it had no unit that is known, so that its numbers are taken as they are.
  bool convert(const std::string& to);
};

std::string text_of_cell(const Cell& cell);

// Reads the column of that name; an error lists the columns where there is none. `what`: the field that names it.
PlotColumn column_of(const Table& table, const std::string& name, const char* what);

}  // namespace perigee::plots
